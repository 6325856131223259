// What can go wrong, as the dealer says it: which of it is possible now, whom it asks for, and what it becomes.
// A mistake either marks the street about to be dealt, or is a command at once, or picks seats first.

import { gettext } from "../../cardroom/language.js";
import { streetOf } from "../play/games.js";
import * as marking from "./marks.js";

const seatsThat = (procedure, what) =>
  Object.entries(procedure.seats).filter(([, whats]) => whats.includes(what)).map(([seat]) => Number(seat));

const isDue = (procedure) => procedure.awaits === "deal" && !procedure.common_due;
const streetDue = (procedure) => (isDue(procedure) ? streetOf(procedure.game, procedure.next.street) : null);

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
const NOTICED = {
  wrong_lowcard: gettext("Low was wrong"), wrong_card_count: gettext("Count was wrong"), void_hand: gettext("Count was wrong"),
};

export const MISTAKES = [
  {
    id: "turned-up", label: gettext("Turned up"), ask: gettext("Whose downcard was dealt face up?"), ...marksCard("exposed", [0, 1, 2]),
    isOpen: (procedure) => streetDue(procedure)?.downs > 0,
  },
  {
    id: "off-the-table", label: gettext("Off the table"), ask: gettext("Whose card left the table?"), ...marksCard("off_table", [0, 1, 2]),
    isOpen: isDue,
  },
  {
    id: "burned-two", label: gettext("Burned two"), isOpen: (procedure) => streetDue(procedure)?.is_first === false,
    mark: (marks) => marking.markBurns(marks, 2), isOn: (marks) => marks.burns === 2,
  },
  {
    id: "no-burn", label: gettext("Forgot the burn"), isOpen: (procedure) => isDue(procedure) && procedure.burns === 1,
    mark: (marks) => marking.markBurns(marks, 0), isOn: (marks) => marks.burns === 0,
  },
  {
    id: "burned", label: gettext("Burned one"), isOpen: (procedure) => isDue(procedure) && procedure.burns === 0,
    mark: (marks) => marking.markBurns(marks, 1), isOn: (marks) => marks.burns === 1,
  },
  {
    id: "skipped", label: gettext("Skipped"), ask: gettext("Who got no card?"), isOpen: isDue, ...countsCard(marking.markSkipped),
  },
  {
    id: "two-cards", label: gettext("Two cards"), ask: gettext("Who got two cards?"), isOpen: isDue, ...countsCard(marking.markDouble),
  },
  {
    id: "too-early", label: gettext("Dealt too early"), ask: gettext("Who got a card too early? Tap them in order."), pick: "seats",
    isOpen: (procedure) => procedure.whats.includes("deal-too-soon") && Boolean(procedure.premature_street),
    seats: (procedure) => procedure.receivers,
    commands: (seats, procedure) => ({
      what: "deal-too-soon", fields: { street: procedure.premature_street, cards: seats.map((seat) => ({ seat })) },
    }),
  },
  {
    id: "wrong-low", label: gettext("Wrong low"), ask: gettext("Which seat did you name as low?"), pick: "seat",
    isOpen: (procedure) => procedure.next.what !== "name-low" && seatsThat(procedure, "name-low").length > 0,
    seats: (procedure) => seatsThat(procedure, "name-low"),
    command: (seat) => ({ what: "name-low", fields: { seat } }),
  },
  {
    id: "notice", label: ({ mistake }) => NOTICED[mistake] ?? gettext("Burn was wrong"),
    isOpen: (procedure) => procedure.whats.includes("notice") && procedure.next.what !== "notice",
    command: () => ({ what: "notice", fields: {} }),
  },
  {
    id: "fouled", label: gettext("Fouled deck"), pick: "confirm", confirm: gettext("Void the hand"),
    ask: gettext("A card twice, or a joker: the hand is void and every chip goes back."),
    isOpen: (procedure) => procedure.whats.includes("fouled"), seats: () => [],
    commands: () => ({ what: "fouled", fields: {} }),
  },
  { id: "looked", label: gettext("Looked"), ...asks("look", gettext("Who has looked at the last card?")) },
  { id: "mixed", label: gettext("Mixed"), ...asks("mix", gettext("Who has mixed the last card with the others?")) },
  { id: "picked-up", label: gettext("Picked up"), ...asks("pick-up", gettext("Who has picked up the upcards?")) },
  { id: "reordered", label: gettext("Reordered"), ...asks("reorder", gettext("Who has changed the order of the upcards?")) },
  { id: "left", label: gettext("Player left"), ...asks("leave", gettext("Who has left the table?")) },
  { id: "is-back", label: gettext("Is back"), ...asks("back", gettext("Who is back?")) },
];

export const labelOf = (mistake, procedure) =>
  typeof mistake.label === "function" ? mistake.label(procedure) : mistake.label;

/** The mistakes that can have happened now. */
export const openMistakes = (procedure) => MISTAKES.filter((mistake) => mistake.isOpen(procedure));

/** What a seat's own menu says of it: [what, label]. */
export const SEAT_COMMANDS = [
  ["look", gettext("Looked at the last card")], ["mix", gettext("Mixed the last card in")], ["pick-up", gettext("Picked up the upcards")],
  ["reorder", gettext("Changed the order of the upcards")], ["declare-all-in", gettext("Declares all-in")], ["show", gettext("Shows the hand")],
  ["muck", gettext("Mucks the hand")], ["leave", gettext("Left the table")], ["back", gettext("Is back")],
];
