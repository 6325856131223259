// What can go wrong, as the dealer says it: which of it is possible now, whom it asks for, and what it becomes.
// A mistake either marks the street about to be dealt, or is a command at once, or picks seats first.

import * as marking from "./marks.js";

const seatsThat = (procedure, what) =>
  Object.entries(procedure.seats).filter(([, whats]) => whats.includes(what)).map(([seat]) => Number(seat));

const isDue = (procedure) => procedure.awaits === "deal" && !procedure.common_due;
const hasDowncards = ({ next, game }) => next.street === 3 || (next.street === 7 && game !== "mississippi-stud");

/** A card of the street to come: which seat, and on third street which of its cards. */
const marksCard = (mark, places) => ({
  pick: "card",
  places,
  seats: (procedure) => procedure.receivers,
  mark: (marks, seat, place) => marking.markCard(marks, seat, place, mark),
});

/** The same, where a card is missing or one too many. */
const countsCard = (mark) => ({ pick: "card", places: [0, 1, 2], seats: (procedure) => procedure.receivers, mark });

/** One seat, and the command is made. */
const asks = (what, ask) => ({
  pick: "seat", ask, isOpen: (procedure) => seatsThat(procedure, what).length > 0, seats: (procedure) => seatsThat(procedure, what),
  command: (seat) => ({ what, fields: { seat } }),
});

/** What is pointed out too late to be corrected, by the point that is ruled on. */
const NOTICED = { wrong_lowcard: "Low was wrong", wrong_card_count: "Count was wrong", void_hand: "Count was wrong" };

export const MISTAKES = [
  {
    id: "turned-up", label: "Turned up", ask: "Whose downcard was dealt face up?", ...marksCard("exposed", [0, 1]),
    isOpen: (procedure) => isDue(procedure) && hasDowncards(procedure),
  },
  {
    id: "off-the-table", label: "Off the table", ask: "Whose card left the table?", ...marksCard("off_table", [0, 1, 2]),
    isOpen: isDue,
  },
  {
    id: "burned-two", label: "Burned two", isOpen: (procedure) => isDue(procedure) && procedure.next.street > 3,
    mark: (marks) => marking.markBurns(marks, 2), isOn: (marks) => marks.burns === 2,
  },
  {
    id: "no-burn", label: "Forgot the burn", isOpen: (procedure) => isDue(procedure) && procedure.burns === 1,
    mark: (marks) => marking.markBurns(marks, 0), isOn: (marks) => marks.burns === 0,
  },
  {
    id: "burned", label: "Burned one", isOpen: (procedure) => isDue(procedure) && procedure.burns === 0,
    mark: (marks) => marking.markBurns(marks, 1), isOn: (marks) => marks.burns === 1,
  },
  {
    id: "skipped", label: "Skipped", ask: "Who got no card?", isOpen: isDue, ...countsCard(marking.markSkipped),
  },
  {
    id: "two-cards", label: "Two cards", ask: "Who got two cards?", isOpen: isDue, ...countsCard(marking.markDouble),
  },
  {
    id: "too-early", label: "Dealt too early", ask: "Who got a card too early? Tap them in order.", pick: "seats",
    isOpen: (procedure) => procedure.whats.includes("deal-too-soon") && Boolean(procedure.premature_street),
    seats: (procedure) => procedure.receivers,
    commands: (seats, procedure) => ({
      what: "deal-too-soon", fields: { street: procedure.premature_street, cards: seats.map((seat) => ({ seat })) },
    }),
  },
  {
    id: "wrong-low", label: "Wrong low", ask: "Which seat did you name as low?", pick: "seat",
    isOpen: (procedure) => procedure.next.what !== "name-low" && seatsThat(procedure, "name-low").length > 0,
    seats: (procedure) => seatsThat(procedure, "name-low"),
    command: (seat) => ({ what: "name-low", fields: { seat } }),
  },
  {
    id: "notice", label: ({ mistake }) => NOTICED[mistake] ?? "Burn was wrong",
    isOpen: (procedure) => procedure.whats.includes("notice") && procedure.next.what !== "notice",
    command: () => ({ what: "notice", fields: {} }),
  },
  { id: "looked", label: "Looked", ...asks("look", "Who has looked at the last card?") },
  { id: "mixed", label: "Mixed", ...asks("mix", "Who has mixed the last card with the others?") },
  { id: "picked-up", label: "Picked up", ...asks("pick-up", "Who has picked up the upcards?") },
  { id: "reordered", label: "Reordered", ...asks("reorder", "Who has changed the order of the upcards?") },
  { id: "left", label: "Player left", ...asks("leave", "Who has left the table?") },
  { id: "is-back", label: "Is back", ...asks("back", "Who is back?") },
];

export const labelOf = (mistake, procedure) =>
  typeof mistake.label === "function" ? mistake.label(procedure) : mistake.label;

/** The mistakes that can have happened now. */
export const openMistakes = (procedure) => MISTAKES.filter((mistake) => mistake.isOpen(procedure));

/** What a seat's own menu says of it: [what, label]. */
export const SEAT_COMMANDS = [
  ["look", "Looked at the last card"], ["mix", "Mixed the last card in"], ["pick-up", "Picked up the upcards"],
  ["reorder", "Changed the order of the upcards"], ["declare-all-in", "Declares all-in"], ["show", "Shows the hand"],
  ["muck", "Mucks the hand"], ["leave", "Left the table"], ["back", "Is back"],
];
