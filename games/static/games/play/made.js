// What cards make, by the names that the engine has for it (games/engine/ranking.py; a test holds the two together).
// Pure: no page, no socket, no hand.

const ORDER = "23456789TJQKA";
const NAMES = ["deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
/** The kinds of high hands, weakest first; a kind is its place here. */
export const KINDS = [
  "high card", "a pair", "two pair", "three of a kind", "a straight", "a flush", "a full house", "four of a kind", "a straight flush",
];
const [HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH] = KINDS.keys();
const ACE = 14;

export const rankOf = (card) => ORDER.indexOf(card[0]) + 2;
const lowRankOf = (card) => (card[0] === "A" ? 1 : rankOf(card));
export const nameOf = (rank) => NAMES[rank - 2];
export const plural = (rank) => `${nameOf(rank)}${nameOf(rank).endsWith("x") ? "es" : "s"}`;
const down = (a, b) => b - a;

/** How often each rank is there: [rank, count], most first, then the highest. */
function groupsOf(ranks) {
  const counts = new Map();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || b - a);
}

/** The highest rank of five in a row, the ace at both ends; 0: none. */
function topOfStraight(ranks) {
  const held = new Set(ranks.includes(ACE) ? [...ranks, 1] : ranks);
  for (let top = ACE; top >= 5; top -= 1) if ([0, 1, 2, 3, 4].every((less) => held.has(top - less))) return top;
  return 0;
}

/** The best high hand of one to seven cards: {kind, ranks: those that tell, most important first, words}. */
export function highOf(cards) {
  const ranks = cards.map(rankOf);
  const groups = groupsOf(ranks);
  const suited = [..."shdc"].map((suit) => cards.filter((card) => card[1] === suit)).find((each) => each.length >= 5);
  const [[first, most], [second, next] = [0, 0]] = groups;
  const singles = [...new Set(ranks)].sort(down);
  const flush = suited?.map(rankOf).sort(down);
  const top = topOfStraight(ranks);
  const made = (kind, told) => ({ kind, ranks: told, words: wordsOf(kind, told) });
  if (flush) return topOfStraight(flush) ? made(STRAIGHT_FLUSH, [topOfStraight(flush)]) : made(FLUSH, flush.slice(0, 5));
  const others = (...used) => singles.filter((rank) => !used.includes(rank));
  if (most === 4) return made(QUADS, [first, ...others(first).slice(0, 1)]);
  if (most === 3 && next >= 2) return made(FULL, [first, second]);
  if (top) return made(STRAIGHT, [top]);
  if (most === 3) return made(TRIPS, [first, ...others(first).slice(0, 2)]);
  if (most === 2 && next === 2) return made(TWO_PAIR, [first, second, ...others(first, second).slice(0, 1)]);
  if (most === 2) return made(PAIR, [first, ...others(first).slice(0, 3)]);
  return made(HIGH, singles.slice(0, 5));
}

function wordsOf(kind, [first, second]) {
  const top = nameOf(first);
  switch (kind) {
    case HIGH: return `${top} high`;
    case PAIR: return `pair of ${plural(first)}`;
    case TWO_PAIR: return `two pair, ${plural(first)} and ${plural(second)}`;
    case TRIPS: return `three ${plural(first)}`;
    case STRAIGHT: return `${top}-high straight`;
    case FLUSH: return `${top}-high flush`;
    case FULL: return `full house, ${plural(first)} over ${plural(second)}`;
    case QUADS: return `four ${plural(first)}`;
    default: return first === ACE ? "royal flush" : `${top}-high straight flush`;
  }
}

/** The ranks of the best ace-to-five low in one to seven cards, from the highest; pairs only where they must play. */
export function lowRanks(cards) {
  const ranks = cards.map(lowRankOf);
  const single = [...new Set(ranks)].sort((a, b) => a - b);
  if (single.length >= 5 || single.length === ranks.length) return single.slice(0, 5).sort(down);
  // Too few different ranks for five: all of them, and the fewest and lowest doubles beside them.
  const size = Math.min(5, ranks.length);
  return bestLow(ranks, size).sort(down);
}

/** The lowest of all choices of `size` ranks: by the shape first, then by what is doubled, then from the top. */
function bestLow(ranks, size) {
  const choices = chosen([...ranks].sort((a, b) => a - b), size);
  return choices.reduce((best, each) => (isLowerLow(each, best) ? each : best));
}

const worth = (five) => groupsOf(five).flatMap(([rank, count]) => [count, rank]);
const shape = (five) => groupsOf(five).map(([, count]) => count);

/** Whether the first of two ace-to-five lows of as many cards is the better. */
export const isLowerLow = (a, b) => isLower(shape(a), shape(b)) ?? isLower(worth(a), worth(b)) ?? false;

function isLower(a, b) {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) if ((a[i] ?? 0) !== (b[i] ?? 0)) return (a[i] ?? 0) < (b[i] ?? 0);
  return null;
}

function chosen(list, size) {
  if (size === 0) return [[]];
  if (list.length < size) return [];
  const [first, ...rest] = list;
  return [...chosen(rest, size - 1).map((each) => [first, ...each]), ...chosen(rest, size)];
}

/** "8-6-4-3-A". */
export const lowWords = (ranks) => ranks.map((rank) => (rank === 1 ? "A" : (ORDER[rank - 2] ?? "").replace("T", "10"))).join("-");

/** Whether these ranks are a low of eight or under. */
export const isEightLow = (ranks) => ranks.length === 5 && ranks[0] <= 8 && new Set(ranks).size === 5;

/** What one's cards are called in a game, as at its showdown: "pair of kings", "two pair, … · 8-6-4-3-A". "": no cards. */
export function madeWords(game, cards) {
  if (!cards.length) return "";
  const low = lowRanks(cards);
  if (game === "razz") return lowWords(low);
  const high = highOf(cards).words;
  return game === "stud-eight" && isEightLow(low) ? `${high} · ${lowWords(low)}` : high;
}
