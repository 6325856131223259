// The one thing correct procedure wants next, for the big button. Pure.

import { chips } from "../play/words.js";
import { spokenChoices, choicesOf } from "../play/actions.js";
import { marksInWords } from "./marks.js";

const list = (parts) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);

/**
 * {kind, title, note, can}: `kind` start, push, void, deal, notice, act, opener, show, wait; `can`: whether it is a
 * button or only tells. `at`: {table, hand, procedure, story, done: steps ticked off after the hand, absent, marks, missing}
 * where `missing` counts the cards of a physical deck that are not named yet.
 */
export function nextStep(at, who) {
  const { hand, procedure } = at;
  if (hand.id && hand.isOver) return afterHand(at, who) ?? start(at, who);
  if (!hand.id) return start(at, who);
  if (!procedure) return { kind: "wait", title: "One moment…", note: "", can: false };
  return (DURING[procedure.next.what] ?? DURING.over)(at, who);
}

function afterHand({ story, done }, who) {
  if (story.last("hand-voided")) {
    if (done.has("void")) return null;
    return { kind: "void", title: "Give every chip back", note: "Collect the cards and shuffle.", can: true };
  }
  const next = story.awards().find(({ seat }) => !done.has(`push:${seat}`));
  if (!next) return null;
  const note = next.words ? `${who(next.seat)}: ${next.words}` : who(next.seat);
  return { kind: "push", seat: next.seat, title: `Push ${chips(next.amount)} to seat ${next.seat}`, note, can: true };
}

function start({ table, absent, number }, who) {
  const seated = table.seats.filter(({ name, state, stack }) => name && state === "playing" && stack > 0);
  if (table.floorState === "closed") return { kind: "wait", title: "The table is closed", note: "", can: false };
  if (seated.length < 2) return { kind: "wait", title: "Waiting for players", note: "A hand needs two players.", can: false };
  const away = seated.filter((seat) => absent.has(seat.number)).map((seat) => who(seat.number));
  const note = away.length ? `${list(away)} away: dealt in all the same` : `${seated.length} players. Tap a seat that is away.`;
  return { kind: "start", title: `Start hand ${chips(number)}`, note, can: true };
}

const DURING = {
  deal: ({ procedure, marks, missing }, who) => {
    const wrong = marksInWords(marks, procedure, who);
    const order = `First ${who(procedure.receivers[0])}, then clockwise`;
    const toName = missing ? `${missing} ${missing === 1 ? "card" : "cards"} to name` : "";
    const note = wrong.length ? [`With ${list(wrong)}`, toName].filter(Boolean).join(", ") : toName || order;
    return { kind: "deal", title: procedure.next.words, note, can: missing === 0, isMarked: wrong.length > 0 };
  },
  notice: ({ procedure, missing }) => {
    const note = missing ? `Name the ${missing > 1 ? "cards that come" : "card that comes"} to light` : "First enter who looked at the card or mixed it.";
    return { kind: "notice", title: procedure.next.words, note: missing || procedure.next.street === 7 ? note : "", can: missing === 0 };
  },
  "name-low": ({ procedure }) => ({ kind: "opener", title: procedure.next.words, note: "Tap the seat.", can: false }),
  act: ({ procedure, hand }, who) => {
    const { seat } = procedure.next;
    const turn = hand.turn?.seat === seat ? hand.turn : null;
    const may = turn ? spokenChoices(choicesOf(turn, hand.seats[seat].stack, hand.seats[seat].bet)) : "";
    return { kind: "act", title: `Seat ${seat} to act`, note: may ? `${who(seat)}: ${may.toLowerCase()}` : who(seat), can: false };
  },
  show: ({ procedure }, who) => {
    const { seat, words } = procedure.next;
    return { kind: "show", title: words, note: who(seat), can: false };
  },
  over: () => ({ kind: "wait", title: "The hand is over", note: "", can: false }),
};
