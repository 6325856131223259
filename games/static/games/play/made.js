// What cards make, by the names that the engine has for it (games/engine/ranking.py; a test holds the two together).
// Pure: no page, no socket, no hand.

import { gettext, marked, pgettext } from "../../cardroom/language.js";
import { rankName } from "../cards.js";

const ORDER = "23456789TJQKA";
/** The kinds of high hands, weakest first; a kind is its place here. */
export const KINDS = [
  gettext("high card"), gettext("a pair"), gettext("two pair"), gettext("three of a kind"), gettext("a straight"),
  gettext("a flush"), gettext("a full house"), gettext("four of a kind"), gettext("a straight flush"),
];
/** The engine's words for ranks, which stand in facts. */
const ENGLISH = ["deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
// Translators: these go into "pair of {ranks}", "three {ranks}", "two pair, {ranks} and {others}" and the like. If your
// language needs a preposition for each, write it here ("de reyes") and leave it out there.
const SEVERAL = [
  pgettext("several cards", "deuces"), pgettext("several cards", "threes"), pgettext("several cards", "fours"),
  pgettext("several cards", "fives"), pgettext("several cards", "sixes"), pgettext("several cards", "sevens"),
  pgettext("several cards", "eights"), pgettext("several cards", "nines"), pgettext("several cards", "tens"),
  pgettext("several cards", "jacks"), pgettext("several cards", "queens"), pgettext("several cards", "kings"),
  pgettext("several cards", "aces"),
];
const [HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH] = KINDS.keys();
const ACE = 14;
const SAID = {
  [HIGH]: marked("{rank} high"), [PAIR]: marked("pair of {ranks}"), [TWO_PAIR]: marked("two pair, {ranks} and {others}"),
  [TRIPS]: marked("three {ranks}"), [STRAIGHT]: marked("{rank}-high straight"), [FLUSH]: marked("{rank}-high flush"),
  [FULL]: marked("full house, {ranks} over {others}"), [QUADS]: marked("four {ranks}"),
  [STRAIGHT_FLUSH]: marked("{rank}-high straight flush"),
};

export const rankOf = (card) => ORDER.indexOf(card[0]) + 2;
const lowRankOf = (card) => (card[0] === "A" ? 1 : rankOf(card));
export const nameOf = (rank) => rankName(ORDER[rank - 2]);
export const plural = (rank) => SEVERAL[rank - 2];
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
  if (kind === STRAIGHT_FLUSH && first === ACE) return gettext("royal flush");
  return said(kind, { rank: nameOf(first), ranks: plural(first), others: plural(second) });
}

/** The name of a kind of hand with these words for its ranks. */
export const said = (kind, words) => gettext(SAID[kind], words);

/** What the engine calls high hands: "three high" before "three kings". */
const ENGINE = [
  [/^(\w+) high$/, HIGH], [/^pair of (\w+)$/, PAIR], [/^two pair, (\w+) and (\w+)$/, TWO_PAIR], [/^three (\w+)$/, TRIPS],
  [/^(\w+)-high straight$/, STRAIGHT], [/^(\w+)-high flush$/, FLUSH], [/^full house, (\w+) over (\w+)$/, FULL],
  [/^four (\w+)$/, QUADS], [/^(\w+)-high straight flush$/, STRAIGHT_FLUSH], [/^(royal) flush$/, STRAIGHT_FLUSH],
];
const rankIn = (word) => (word === "royal" ? ACE : ENGLISH.findIndex((name) => [name, `${name}s`, `${name}es`].includes(word)) + 2);

/** A hand's name in a fact ("pair of kings") in the reader's language. What is no name, such as a low, stays as it is. */
export function handWords(words) {
  for (const [pattern, kind] of ENGINE) {
    const found = pattern.exec(words);
    const ranks = found?.slice(1).map(rankIn);
    if (ranks?.every((rank) => rank > 1)) return wordsOf(kind, ranks);
  }
  return words;
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

/** Whether these ranks are a low that can win by `way`: any, or five different ones of its highest rank or under. */
export const qualifies = (ranks, { highest }) =>
  !highest || (ranks.length === 5 && ranks[0] <= highest && new Set(ranks).size === 5);

/** What one's cards are called in a game, as at its showdown: "pair of kings", "two pair, … · 8-6-4-3-A". "": no cards. */
export function madeWords(game, cards) {
  if (!cards.length) return "";
  return game.ways.map((way) => (way.is_low ? lowMade(way, cards) : highOf(cards).words)).filter(Boolean).join(" · ");
}

function lowMade(way, cards) {
  const low = lowRanks(cards);
  return qualifies(low, way) ? lowWords(low) : "";
}
