// What went wrong with the street that is about to be dealt, said before it is: marks on cards, seats and burns.
// Pure: no page, no socket.

const PLACES = ["1st", "2nd", "3rd"];
const MARKS = { exposed: "turned up", off_table: "off the table" };

export const placeName = (place) => PLACES[place];

export function noMarks() {
  return { burns: null, seats: new Map() };
}

const of = (marks, seat) => marks.seats.get(seat) ?? { cards: new Map(), isSkipped: false, isDouble: false };

/** The same marks with one more; the same mark again takes it away. `mark`: exposed or off_table. */
export function markCard(marks, seat, place, mark) {
  const before = of(marks, seat);
  const cards = new Map(before.cards);
  if (cards.get(place) === mark) cards.delete(place);
  else cards.set(place, mark);
  return withSeat(marks, seat, { ...before, cards, isSkipped: false });
}

export function markSkipped(marks, seat) {
  const before = of(marks, seat);
  return withSeat(marks, seat, { cards: new Map(), isSkipped: !before.isSkipped, isDouble: false });
}

export function markDouble(marks, seat) {
  const before = of(marks, seat);
  return withSeat(marks, seat, { ...before, isSkipped: false, isDouble: !before.isDouble });
}

/** `burns`: how many cards went down before the street; the same again takes it away. */
export function markBurns(marks, burns) {
  return { ...marks, burns: marks.burns === burns ? null : burns };
}

function withSeat(marks, seat, mark) {
  const seats = new Map(marks.seats);
  if (mark.cards.size || mark.isSkipped || mark.isDouble) seats.set(seat, mark);
  else seats.delete(seat);
  return { ...marks, seats };
}

export const isMarked = (marks) => marks.burns !== null || marks.seats.size > 0;

/** Both downcards of a starting hand went up: the third was never dealt. */
const isDeadHand = (mark) => mark.cards.has(0) && mark.cards.has(1);

/**
 * The places of the cards that will fall, in the order in which they fall: [{seat, place}].
 * Third street goes round three times, every later one once.
 */
export function placesOf(procedure, marks) {
  const places = [];
  for (let place = 0; place < procedure.cards_each; place += 1) {
    for (const seat of procedure.receivers) {
      const mark = of(marks, seat);
      if (mark.isSkipped || (place === 2 && isDeadHand(mark))) continue;
      places.push({ seat, place });
      if (mark.isDouble && procedure.cards_each === 1) places.push({ seat, place: 1 });
    }
  }
  return places;
}

/** The fields of the `deal` command: of the system's deck only what was marked. */
export function fieldsOf(procedure, marks) {
  const cards = [];
  for (const seat of procedure.receivers) {
    const mark = marks.seats.get(seat);
    if (!mark) continue;
    if (mark.isSkipped) cards.push({ seat, skipped: true });
    else if (mark.isDouble) cards.push(entry(seat, mark, 0), entry(seat, mark, 1));
    else for (const place of [...mark.cards.keys()].sort()) cards.push(entry(seat, mark, place, procedure.cards_each > 1));
  }
  return withBurns({ street: procedure.next.street, ...(cards.length ? { cards } : {}) }, marks);
}

/** The same where every card is named: `faces` are the cards of `placesOf`, in its order. */
export function namedFieldsOf(procedure, marks, faces) {
  const named = placesOf(procedure, marks).map(({ seat, place }, i) => ({ ...entry(seat, of(marks, seat), place), card: faces[i] }));
  const skipped = procedure.receivers.filter((seat) => of(marks, seat).isSkipped).map((seat) => ({ seat, skipped: true }));
  const cards = procedure.receivers.flatMap((seat) => [...named, ...skipped].filter((card) => card.seat === seat));
  return withBurns({ street: procedure.next.street, cards }, marks);
}

function entry(seat, mark, place, isPlaced = false) {
  const what = mark.cards.get(place);
  return { seat, ...(what ? { [what]: true } : {}), ...(isPlaced ? { place } : {}) };
}

const withBurns = (fields, marks) => (marks.burns === null ? fields : { ...fields, burns: marks.burns });

/** Marks in words, for the button that deals: ["Ada’s 1st card turned up", "two burned"]. */
export function marksInWords(marks, { cards_each: each }, who) {
  const words = [];
  for (const [seat, mark] of marks.seats) {
    if (mark.isSkipped) words.push(`${who(seat)} skipped`);
    if (mark.isDouble) words.push(`two cards to ${who(seat)}`);
    for (const [place, what] of [...mark.cards].sort(([a], [b]) => a - b)) {
      words.push(`${who(seat)}’s ${each > 1 ? `${PLACES[place]} card` : "card"} ${MARKS[what]}`);
    }
  }
  if (marks.burns === 0) words.push("no burn");
  else if (marks.burns !== null) words.push(marks.burns === 2 ? "two burned" : "one burned");
  return words;
}
