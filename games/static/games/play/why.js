// Why a pot was won: the winning hand beside the best one it beat, the card that decides between asterisks:
// "Flush, ace-king-*ten* beats ace-king-nine." Worked out from the hands that were shown. Pure but for its drawing.

import { highOf, isLowerLow, KINDS, lowRanks, lowWords, nameOf, plural } from "./made.js";

const [HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS] = KINDS.keys();

/** The reason for an award {pot, seat, share} of `hand`; "" where nobody contends for that pot. */
export function whyWon(hand, { pot, seat, share }) {
  const isLow = share === "low" || hand.game === "razz";
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
  if (winners.length > 1) return sentence(`split: ${isLow ? lowWords(winners[0].ranks) : inFull(winners[0])}`);
  if (!beaten && share === "low") return sentence(`${lowWords(winners[0].ranks)} is the only low shown`);
  if (!beaten) return sentence(`*${isLow ? lowWords(winners[0].ranks) : winners[0].words}*: nobody shows a better hand`);
  return sentence(isLow ? lower(winners[0].ranks, beaten.ranks) : higher(winners[0], beaten));
}

const sentence = (words) => `${words.replace(/^\*?[a-z]/, (start) => start.toUpperCase())}.`;
const firstOf = (a, b) => a.map((rank, i) => rank - (b[i] ?? 0)).find(Boolean) ?? 0;
const lowOrder = (a, b) => (isLowerLow(a, b) ? -1 : isLowerLow(b, a) ? 1 : 0);

function lower(won, beaten) {
  const at = won.findIndex((rank, i) => rank !== beaten[i]);
  const isPaired = [won, beaten].some((ranks) => new Set(ranks).size < ranks.length);
  const mine = won.map((rank) => lowWords([rank]));
  if (isPaired) return `*${mine.join("-")}* beats ${lowWords(beaten)}`;
  return `${[...mine.slice(0, at), `*${mine[at]}*`, ...mine.slice(at + 1)].join("-")} beats ${lowWords(beaten)}`;
}

/** The same kind of hand is told as far as the rank that decides, the winner's between asterisks. */
function higher(won, beaten) {
  if (won.kind !== beaten.kind) return `*${won.words}* beats ${beaten.words}`;
  const at = won.ranks.findIndex((rank, i) => rank !== beaten.ranks[i]);
  const [head, mine] = told(won, at, (name) => `*${name}*`);
  return `${head}${mine} beats ${told(beaten, at, (name) => name)[1]}`;
}

/** [what both have, what differs], as far as rank `at`, which `mark` marks. */
function told({ kind, ranks }, at, mark) {
  const names = (form, from) => ranks.slice(from, at + 1).map((rank, i) => (from + i === at ? mark(form(rank)) : form(rank)));
  const [first, second] = ranks.map((rank, i) => (i === at ? mark(plural(rank)) : plural(rank)));
  if (kind === HIGH) return ["", at ? names(nameOf, 0).join("-") : `${mark(nameOf(ranks[0]))} high`];
  if (kind === FLUSH) return ["flush, ", at ? names(nameOf, 0).join("-") : `${mark(nameOf(ranks[0]))} high`];
  if (kind === PAIR) return at ? [`pair of ${first}, `, names(nameOf, 1).join("-")] : ["", `pair of ${first}`];
  if (kind === TWO_PAIR) return at > 1 ? [`two pair, ${first} and ${second}, `, mark(nameOf(ranks[2]))] : ["two pair, ", `${first} and ${second}`];
  if (kind === TRIPS) return at ? [`three ${first}, `, names(nameOf, 1).join("-")] : ["", `three ${first}`];
  if (kind === QUADS) return at ? [`four ${first}, `, names(nameOf, 1).join("-")] : ["", `four ${first}`];
  if (kind === FULL) return ["full house, ", `${first} over ${second}`];
  return [kind === STRAIGHT ? "straight, " : "straight flush, ", `${mark(nameOf(ranks[0]))} high`];
}

/** A hand that ties, whole: "pair of kings, ace-queen-nine". */
function inFull({ kind, ranks, words }) {
  const kickers = { [PAIR]: 1, [TWO_PAIR]: 2, [TRIPS]: 1, [QUADS]: 1 }[kind];
  if (kind === HIGH) return ranks.map(nameOf).join("-");
  if (kind === FLUSH) return `flush, ${ranks.map(nameOf).join("-")}`;
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
