// Why a pot was won: the winning hand beside the best one it beat, the card that decides between asterisks:
// "Flush, ace-king-*ten* beats ace-king-nine." Worked out from the hands that were shown. Pure but for its drawing.

import { gettext } from "../../cardroom/language.js";
import { highOf, isLowerLow, KINDS, lowRanks, lowWords, nameOf, plural, said } from "./made.js";

const [HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS] = KINDS.keys();

/** The reason for an award {pot, seat, share} of `hand`; "" where nobody contends for that pot. */
export function whyWon(hand, { pot, seat, share }) {
  const isLow = share === "low" || !hand.game.has_high;
  const entitled = hand.pots[pot]?.seats ?? hand.order;
  const contenders = entitled.map((number) => ({ number, ...hand.seats[number] })).filter(({ isLive, isMucked }) => isLive || isMucked);
  const shown = contenders
    .filter(({ isLive, five, lowFive }) => isLive && (isLow ? lowFive : five)?.length)
    .map(({ number, five, lowFive }) => (isLow ? { number, ranks: lowRanks(lowFive) } : { number, ...highOf(five) }));
  const order = isLow ? (a, b) => lowOrder(a.ranks, b.ranks) : (a, b) => b.kind - a.kind || firstOf(b.ranks, a.ranks);
  shown.sort(order);
  const winners = shown.filter((each) => order(each, shown[0]) === 0);
  const beaten = shown[winners.length];
  if (contenders.length < 2 || !winners.some(({ number }) => number === seat)) return "";
  if (winners.length > 1) return sentence(gettext("split: {hand}", { hand: isLow ? lowWords(winners[0].ranks) : inFull(winners[0]) }));
  if (!beaten && share === "low") return sentence(gettext("{ranks} is the only low shown", { ranks: lowWords(winners[0].ranks) }));
  if (!beaten) return sentence(gettext("{hand}: nobody shows a better hand", { hand: `*${isLow ? lowWords(winners[0].ranks) : winners[0].words}*` }));
  return sentence(isLow ? lower(winners[0].ranks, beaten.ranks) : higher(winners[0], beaten));
}

const sentence = (words) => `${words.replace(/^\*?\p{Ll}/u, (start) => start.toUpperCase())}.`;
const beats = (hand, other) => gettext("{hand} beats {other}", { hand, other });
const firstOf = (a, b) => a.map((rank, i) => rank - (b[i] ?? 0)).find(Boolean) ?? 0;
const lowOrder = (a, b) => (isLowerLow(a, b) ? -1 : isLowerLow(b, a) ? 1 : 0);

function lower(won, beaten) {
  const at = won.findIndex((rank, i) => rank !== beaten[i]);
  const isPaired = [won, beaten].some((ranks) => new Set(ranks).size < ranks.length);
  const mine = won.map((rank) => lowWords([rank]));
  if (isPaired) return beats(`*${mine.join("-")}*`, lowWords(beaten));
  return beats([...mine.slice(0, at), `*${mine[at]}*`, ...mine.slice(at + 1)].join("-"), lowWords(beaten));
}

/** The same kind of hand is told as far as the rank that decides, the winner's between asterisks. */
function higher(won, beaten) {
  if (won.kind !== beaten.kind) return beats(`*${won.words}*`, beaten.words);
  const at = won.ranks.findIndex((rank, i) => rank !== beaten.ranks[i]);
  const [head, mine] = told(won, at, (name) => `*${name}*`);
  return beats([head, mine].filter(Boolean).join(", "), told(beaten, at, (name) => name)[1]);
}

/** [what both have, what differs], as far as rank `at`, which `mark` marks. */
function told({ kind, ranks }, at, mark) {
  const names = (form, from) => ranks.slice(from, at + 1).map((rank, i) => (from + i === at ? mark(form(rank)) : form(rank)));
  const [first, second] = ranks.map((rank, i) => (i === at ? mark(plural(rank)) : plural(rank)));
  const high = said(HIGH, { rank: mark(nameOf(ranks[0])) });
  const pairs = { ranks: first, others: second };
  if (kind === HIGH) return ["", at ? names(nameOf, 0).join("-") : high];
  if (kind === FLUSH) return [gettext("flush"), at ? names(nameOf, 0).join("-") : high];
  if (kind === TWO_PAIR && at > 1) return [said(kind, pairs), mark(nameOf(ranks[2]))];
  if (kind === TWO_PAIR) return [gettext("two pair"), gettext("{ranks} and {others}", pairs)];
  if (kind === FULL) return [gettext("full house"), gettext("{ranks} over {others}", pairs)];
  if (kind === STRAIGHT) return [gettext("straight"), high];
  if (kind > QUADS) return [gettext("straight flush"), high];
  return at ? [said(kind, pairs), names(nameOf, 1).join("-")] : ["", said(kind, pairs)];
}

/** A hand that ties, whole: "pair of kings, ace-queen-nine". */
function inFull({ kind, ranks, words }) {
  const kickers = { [PAIR]: 1, [TWO_PAIR]: 2, [TRIPS]: 1, [QUADS]: 1 }[kind];
  if (kind === HIGH) return ranks.map(nameOf).join("-");
  if (kind === FLUSH) return [gettext("flush"), ranks.map(nameOf).join("-")].join(", ");
  return [words, ranks.slice(kickers ?? ranks.length).map(nameOf).join("-")].filter(Boolean).join(", ");
}

/** As it is heard. */
export const plainly = (words) => words.replaceAll("*", "");

/** Drawn, what decides in bold. */
export function drawWhy(words) {
  const line = document.createElement("span");
  line.className = "why";
  words.split("*").forEach((part, i) => {
    if (i % 2) line.append(Object.assign(document.createElement("strong"), { textContent: part }));
    else line.append(part);
  });
  return line;
}
