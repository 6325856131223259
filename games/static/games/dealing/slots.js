// Which cards of a physical deck have to be named now, and in which order they fall. Pure.

import { gettext } from "../../cardroom/language.js";
import { streetOf } from "../play/games.js";
import { placeName, placesOf } from "./marks.js";

/** Whether a card comes face down: where the game has it so and it was not turned up; an upcard after one that was. */
function comesDown(procedure, mark, place) {
  if (mark?.cards.has(place)) return false;
  const ups = streetOf(procedure.game, procedure.next.street)?.ups ?? [];
  return ups[place] === false || ups.some((isUp, before) => before < place && !isUp && mark?.cards.has(before));
}

/** {purpose, slots: [{key, words, short, isDown}]}; no slots where the deck is the system's. */
export function slotsFor({ hand, procedure, marks, early }, who) {
  if (!procedure?.is_typed) return { purpose: "", slots: [] };
  const at = `${hand}:${procedure.next.street ?? procedure.seq}`;
  if (procedure.next.what === "notice" && procedure.cards_to_name) return comingToLight(`${at}:notice`, procedure.cards_to_name);
  if (early.length) {
    const isDown = streetOf(procedure.game, procedure.premature_street)?.downs > 0;
    const slots = early.map((seat) => slot(`${seat}`, gettext("{who}, too early", { who: who(seat) }), seat, isDown));
    // By its street, not by where the hand is: what players do meanwhile loses no card that was named.
    return { purpose: `${hand}:${procedure.premature_street}:early`, slots };
  }
  if (procedure.awaits !== "deal") return { purpose: "", slots: [] };
  if (procedure.common_due) return one(`${at}:common`, gettext("the common card"));
  const slots = placesOf(procedure, marks).map(({ seat, place, isSecond }) => {
    const key = isSecond ? `${seat}:${place}:second` : `${seat}:${place}`;
    return slot(key, wordsFor(procedure, { seat, place, isSecond }, who), seat, comesDown(procedure, marks.seats.get(seat), place));
  });
  return { purpose: `${at}:deal`, slots };
}

function wordsFor({ cards_each: each }, { seat, place, isSecond }, who) {
  const values = { number: seat, who: who(seat), place: placeName(place) };
  if (each > 1 && isSecond) return gettext("seat {number}, {who}, {place} card, the one too many", values);
  if (each > 1) return gettext("seat {number}, {who}, {place} card", values);
  return isSecond ? gettext("seat {number}, {who}, the one too many", values) : gettext("seat {number}, {who}", values);
}

const lightWords = (number, count) =>
  count > 1 ? gettext("{number} of {count} cards that come to light", { number, count }) : gettext("the card that comes to light");
const slot = (key, words, seat, isDown) => ({ key, words, short: String(seat), isDown });
const comingToLight = (purpose, count) => ({
  purpose,
  slots: Array.from({ length: count }, (_, i) => slot(`light:${i}`, lightWords(i + 1, count), "", false)),
});
const one = (purpose, words) => ({ purpose, slots: [{ key: "one", words, short: "", isDown: false }] });
