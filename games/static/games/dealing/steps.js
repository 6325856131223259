// The one thing correct procedure wants next, for the big button. Pure.

import { gettext, list, ngettext } from "../../cardroom/language.js";
import { streetOf } from "../play/games.js";
import { handWords } from "../play/made.js";
import { chips } from "../play/words.js";
import { spokenChoices, choicesOf } from "../play/actions.js";
import { marksInWords } from "./marks.js";

/**
 * {kind, title, note, can}: `kind` start, push, void, deal, notice, act, opener, show, wait; `can`: whether it is a
 * button or only tells. `at`: {table, hand, procedure, story, done: steps ticked off after the hand, absent, marks, missing}
 * where `missing` counts the cards of a physical deck that are not named yet.
 */
export function nextStep(at, who) {
  const { hand, procedure } = at;
  if (hand.id && hand.isOver) return afterHand(at, who) ?? start(at, who);
  if (!hand.id) return start(at, who);
  if (!procedure) return { kind: "wait", title: gettext("One moment…"), note: "", can: false };
  return (DURING[procedure.next.what] ?? DURING.over)(at, who);
}

function afterHand({ story, done }, who) {
  if (story.last("hand-voided")) {
    if (done.has("void")) return null;
    const isFouled = story.last("hand-voided").fact.why === "fouled-deck";
    const note = isFouled ? gettext("Bring another deck.") : gettext("Collect the cards and shuffle.");
    return { kind: "void", title: gettext("Give every chip back"), note, can: true };
  }
  const next = story.awards().find(({ seat }) => !done.has(`push:${seat}`));
  if (!next) return null;
  const note = next.words ? `${who(next.seat)}: ${handWords(next.words)}` : who(next.seat);
  const title = gettext("Push {amount} to seat {number}", { amount: chips(next.amount), number: next.seat });
  return { kind: "push", seat: next.seat, title, note, can: true };
}

function start({ table, absent, number }, who) {
  const seated = table.seats.filter(({ name, state, stack }) => name && state === "playing" && stack > 0);
  if (table.floorState === "closed") return { kind: "wait", title: gettext("The table is closed"), note: "", can: false };
  if (seated.length < 2) return { kind: "wait", title: gettext("Waiting for players"), note: gettext("A hand needs two players."), can: false };
  const away = seated.filter((seat) => absent.has(seat.number)).map((seat) => who(seat.number));
  const note = away.length
    ? gettext("{players} away: dealt in all the same", { players: list(away) })
    : ngettext("{n} player. Tap a seat that is away.", "{n} players. Tap a seat that is away.", seated.length);
  return { kind: "start", title: gettext("Start hand {number}", { number: chips(number) }), note, can: true };
}

const DURING = {
  deal: ({ procedure, marks, missing }, who) => {
    const wrong = marksInWords(marks, procedure, who);
    const order = gettext("First {who}, then clockwise", { who: who(procedure.receivers[0]) });
    const toName = missing ? ngettext("{n} card to name", "{n} cards to name", missing) : "";
    const note = wrong.length ? [gettext("With {mistakes}", { mistakes: list(wrong) }), toName].filter(Boolean).join(", ") : toName || order;
    return { kind: "deal", title: procedure.next.words, note, can: missing === 0, isMarked: wrong.length > 0 };
  },
  notice: ({ procedure, missing }) => {
    const note = missing
      ? ngettext("Name the card that comes to light", "Name the cards that come to light", missing)
      : gettext("First enter who looked at the card or mixed it.");
    const isOfLast = streetOf(procedure.game, procedure.next.street)?.is_last;
    return { kind: "notice", title: procedure.next.words, note: missing || isOfLast ? note : "", can: missing === 0 };
  },
  "name-low": ({ procedure }) => ({ kind: "opener", title: procedure.next.words, note: gettext("Tap the seat."), can: false }),
  act: ({ procedure, hand }, who) => {
    const { seat } = procedure.next;
    const turn = hand.turn?.seat === seat ? hand.turn : null;
    const may = turn ? spokenChoices(choicesOf(turn, hand.seats[seat].stack, hand.seats[seat].bet)) : "";
    const note = may ? `${who(seat)}: ${may.toLowerCase()}` : who(seat);
    return { kind: "act", title: gettext("Seat {number} to act", { number: seat }), note, can: false };
  },
  show: ({ procedure }, who) => {
    const { seat, words } = procedure.next;
    return { kind: "show", title: words, note: who(seat), can: false };
  },
  over: () => ({ kind: "wait", title: gettext("The hand is over"), note: "", can: false }),
};
