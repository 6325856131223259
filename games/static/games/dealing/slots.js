// Which cards of a physical deck have to be named now, and in which order they fall. Pure.

import { placeName, placesOf } from "./marks.js";

/** Whether a card comes face down: where the game has it so and it was not turned up; the third after one that was. */
function comesDown(procedure, mark, place) {
  if (mark?.cards.has(place)) return false;
  if (procedure.cards_each > 1) return place < 2 || [0, 1].some((first) => mark?.cards.has(first));
  return procedure.next.street === 7 && procedure.game !== "mississippi-stud";
}

/** {purpose, slots: [{key, words, short, isDown}]}; no slots where the deck is the system's. */
export function slotsFor({ hand, procedure, marks, early }, who) {
  if (!procedure?.is_typed) return { purpose: "", slots: [] };
  const at = `${hand}:${procedure.next.street ?? procedure.seq}`;
  if (procedure.next.what === "notice" && procedure.cards_to_name) return comingToLight(`${at}:notice`, procedure.cards_to_name);
  if (early.length) {
    return { purpose: `${at}:early`, slots: early.map((seat) => slot(`${seat}`, `${who(seat)}, too early`, seat, procedure.premature_street === 7)) };
  }
  if (procedure.awaits !== "deal") return { purpose: "", slots: [] };
  if (procedure.common_due) return one(`${at}:common`, "the common card");
  const slots = placesOf(procedure, marks).map(({ seat, place, isSecond }) => {
    const which = [procedure.cards_each > 1 ? `, ${placeName(place)} card` : "", isSecond ? ", the one too many" : ""].join("");
    const key = isSecond ? `${seat}:${place}:second` : `${seat}:${place}`;
    return slot(key, `seat ${seat}, ${who(seat)}${which}`, seat, comesDown(procedure, marks.seats.get(seat), place));
  });
  return { purpose: `${at}:deal`, slots };
}

const slot = (key, words, seat, isDown) => ({ key, words, short: String(seat), isDown });
const comingToLight = (purpose, count) => ({
  purpose,
  slots: Array.from({ length: count }, (_, i) => slot(`light:${i}`, count > 1 ? `${i + 1} of ${count} cards that come to light` : "the card that comes to light", "", false)),
});
const one = (purpose, words) => ({ purpose, slots: [{ key: "one", words, short: "", isDown: false }] });
