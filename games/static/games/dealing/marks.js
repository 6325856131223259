// What went wrong with the street that is about to be dealt, said before it is: marks on cards, seats and burns.
// Pure: no page, no socket.

import { gettext, marked, pgettext } from "../../cardroom/language.js";

const PLACES = [pgettext("card", "1st"), pgettext("card", "2nd"), pgettext("card", "3rd")];
/** What is said of a mark: of the only card and of one of three, to the whole room and on the tile of the seat itself. */
const SAID = {
  skipped: {
    one: [marked("{who} skipped"), marked("skipped")], several: [marked("{who}’s {place} card skipped"), marked("{place} card skipped")],
  },
  doubled: {
    one: [marked("two cards to {who}"), marked("two cards")],
    several: [marked("two {place} cards to {who}"), marked("two {place} cards")],
  },
  exposed: {
    one: [marked("{who}’s card turned up"), marked("card turned up")],
    several: [marked("{who}’s {place} card turned up"), marked("{place} card turned up")],
  },
  off_table: {
    one: [marked("{who}’s card off the table"), marked("card off the table")],
    several: [marked("{who}’s {place} card off the table"), marked("{place} card off the table")],
  },
};

export const placeName = (place) => PLACES[place];

export function noMarks() {
  return { burns: null, seats: new Map() };
}

const of = (marks, seat) => marks.seats.get(seat) ?? { cards: new Map(), skipped: new Set(), doubled: new Set() };

/** The same marks with one more; the same mark again takes it away. `mark`: exposed or off_table. */
export function markCard(marks, seat, place, mark) {
  const { cards: before, skipped, doubled } = of(marks, seat);
  const cards = new Map(before);
  if (cards.get(place) === mark) cards.delete(place);
  else cards.set(place, mark);
  return withSeat(marks, seat, { cards, skipped: without(skipped, place), doubled });
}

/** The seat got no card in this place. */
export function markSkipped(marks, seat, place = 0) {
  const { cards: before, skipped, doubled } = of(marks, seat);
  const cards = new Map([...before].filter(([each]) => each !== place));
  return withSeat(marks, seat, { cards, skipped: toggled(skipped, place), doubled: without(doubled, place) });
}

/** The seat got two cards in this place. */
export function markDouble(marks, seat, place = 0) {
  const { cards, skipped, doubled } = of(marks, seat);
  return withSeat(marks, seat, { cards, skipped: without(skipped, place), doubled: toggled(doubled, place) });
}

const without = (places, place) => new Set([...places].filter((each) => each !== place));
const toggled = (places, place) => (places.has(place) ? without(places, place) : new Set([...places, place]));

/** `burns`: how many cards went down before the street; the same again takes it away. */
export function markBurns(marks, burns) {
  return { ...marks, burns: marks.burns === burns ? null : burns };
}

function withSeat(marks, seat, mark) {
  const seats = new Map(marks.seats);
  if (mark.cards.size || mark.skipped.size || mark.doubled.size) seats.set(seat, mark);
  else seats.delete(seat);
  return { ...marks, seats };
}

export const isMarked = (marks) => marks.burns !== null || marks.seats.size > 0;

/** Both downcards of a starting hand went up: the third was never dealt. */
const isDeadHand = (mark) => mark.cards.has(0) && mark.cards.has(1);

/**
 * The places of the cards that will fall, in the order in which they fall: [{seat, place, isSecond}].
 * Third street goes round three times, every later one once.
 */
export function placesOf(procedure, marks) {
  const places = [];
  for (let place = 0; place < procedure.cards_each; place += 1) {
    for (const seat of procedure.receivers) {
      const mark = of(marks, seat);
      if (mark.skipped.has(place) || (place === 2 && isDeadHand(mark))) continue;
      places.push({ seat, place, isSecond: false });
      if (mark.doubled.has(place)) places.push({ seat, place, isSecond: true });
    }
  }
  return places;
}

/** The fields of the `deal` command: of the system's deck only what was marked. */
export function fieldsOf(procedure, marks) {
  const isPlaced = procedure.cards_each > 1;
  const cards = [];
  for (const seat of procedure.receivers) {
    const mark = of(marks, seat);
    for (let place = 0; place < procedure.cards_each; place += 1) {
      if (mark.skipped.has(place)) cards.push(skippedEntry(seat, place, isPlaced));
      else if (mark.doubled.has(place)) cards.push(entry(seat, mark, place, isPlaced), plainEntry(seat, place, isPlaced));
      else if (mark.cards.has(place)) cards.push(entry(seat, mark, place, isPlaced));
    }
  }
  return withBurns({ street: procedure.next.street, ...(cards.length ? { cards } : {}) }, marks);
}

/** The same where every card is named: `faces` are the cards of `placesOf`, in its order. */
export function namedFieldsOf(procedure, marks, faces) {
  const isPlaced = (seat) => procedure.cards_each > 1 && of(marks, seat).skipped.size + of(marks, seat).doubled.size > 0;
  const named = placesOf(procedure, marks).map(({ seat, place, isSecond }, i) => ({
    ...(isSecond ? plainEntry(seat, place, isPlaced(seat)) : entry(seat, of(marks, seat), place, isPlaced(seat))), card: faces[i],
  }));
  const skipped = procedure.receivers.flatMap((seat) => [...of(marks, seat).skipped].map((place) => skippedEntry(seat, place, isPlaced(seat))));
  const cards = procedure.receivers.flatMap((seat) => [...named, ...skipped].filter((card) => card.seat === seat));
  return withBurns({ street: procedure.next.street, cards }, marks);
}

const plainEntry = (seat, place, isPlaced) => ({ seat, ...(isPlaced ? { place } : {}) });
const skippedEntry = (seat, place, isPlaced) => ({ ...plainEntry(seat, place, isPlaced), skipped: true });

function entry(seat, mark, place, isPlaced = false) {
  const what = mark.cards.get(place);
  return { seat, ...(what ? { [what]: true } : {}), ...(isPlaced ? { place } : {}) };
}

const withBurns = (fields, marks) => (marks.burns === null ? fields : { ...fields, burns: marks.burns });

/** Marks in words, for the button that deals: ["Ada’s 1st card turned up", "two burned"]. */
export function marksInWords(marks, procedure, who) {
  const words = [...marks.seats].flatMap(([seat, mark]) => saidOf(mark, procedure, who(seat)));
  if (marks.burns === 0) words.push(gettext("no burn"));
  else if (marks.burns !== null) words.push(marks.burns === 2 ? gettext("two burned") : gettext("one burned"));
  return words;
}

/** The marks of one seat, for its own tile: ["1st card turned up"]. */
export const flagsOf = (marks, procedure, seat) => (marks.seats.has(seat) ? saidOf(of(marks, seat), procedure, "") : []);

/** `who`: "" where it is said on their own tile. */
function saidOf(mark, { cards_each: each }, who) {
  const cards = [...mark.cards].sort(([a], [b]) => a - b);
  const found = [...[...mark.skipped].map((place) => [place, "skipped"]), ...[...mark.doubled].map((place) => [place, "doubled"]), ...cards];
  const which = each > 1 ? "several" : "one";
  return found.map(([place, what]) => {
    const [toAll, onTile] = SAID[what][which];
    return gettext(who ? toAll : onTile, { who, place: PLACES[place] });
  });
}
