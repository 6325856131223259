// Which place around the table a seat is drawn at. Place 0 is the bottom, the viewer's; the others follow clockwise.

const PLACES = {
  2: [0, 4], 3: [0, 3, 5], 4: [0, 2, 4, 6], 5: [0, 2, 3, 5, 6],
  6: [0, 1, 3, 4, 5, 7], 7: [0, 1, 2, 3, 5, 6, 7], 8: [0, 1, 2, 3, 4, 5, 6, 7],
};

/** The place of each seat, by seat number, with `viewer`'s own seat (or seat 1) at the bottom. */
export function placesFor(seatCount, viewer) {
  const places = PLACES[seatCount] ?? PLACES[8];
  const first = viewer || 1;
  const entries = Array.from({ length: seatCount }, (_, i) => {
    const seat = i + 1;
    return [seat, places[(seat - first + seatCount) % seatCount]];
  });
  return Object.fromEntries(entries);
}
