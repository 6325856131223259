// Help for a game of memory: what the viewer has seen, put in order. All of it is worked out from the hand as the viewer
// sees it, so it can tell nobody more than they may know. Pure: no page, no socket.

import { gettext, number } from "../../cardroom/language.js";
import { isKnown } from "../cards.js";
import { highOf, KINDS, lowRanks, lowWords, madeWords, qualifies } from "./made.js";

export const RANKS = [..."AKQJT98765432"];
export const SUITS = [..."shdc"];
const DECK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));

const known = (cards) => cards.map(({ card }) => card).filter(isKnown);
const upcards = (seat) => known(seat.cards.filter(({ isUp }) => isUp));

/** Every card the viewer has seen in this hand and where it is: Map of card -> "mine", "live", "common" or "dead". */
export function seenCards(hand, mine) {
  const seen = new Map(hand.common.filter(isKnown).map((card) => [card, "common"]));
  for (const [number, seat] of Object.entries(hand.seats)) {
    const isMine = Number(number) === mine;
    const where = !seat.isLive ? "dead" : isMine ? "mine" : "live";
    for (const card of isMine || seat.isTabled ? known(seat.cards) : upcards(seat)) seen.set(card, where);
  }
  return seen;
}

/** The viewer's own cards, the common card with them; none where they hold none. */
export function ownCards(hand, mine) {
  const seat = hand.seats[mine];
  return seat ? [...known(seat.cards), ...hand.common.filter(isKnown)] : [];
}

/** What each other live hand shows: [{seat, cards, words}] in the order of the seats. */
export function boards(hand, mine) {
  return Object.entries(hand.seats)
    .filter(([number, seat]) => seat.isLive && Number(number) !== mine)
    .map(([number, seat]) => ({ seat: Number(number), cards: upcards(seat), words: madeWords(hand.game, upcards(seat)) }))
    .filter(({ cards }) => cards.length);
}

/**
 * What the next card may make of the viewer's hand: [{what, count}] of the `unseen` cards, the best first. High hands are
 * told by their kind, lows by their highest card; only what is better than now. Nothing on the last card.
 */
export function nextCard(hand, mine) {
  const own = ownCards(hand, mine);
  const seat = hand.seats[mine];
  const seen = seenCards(hand, mine);
  const unseen = DECK.filter((card) => !seen.has(card));
  const isBetween = own.length >= hand.game?.streets[0].ups.length && own.length < hand.game.hand_size;
  if (!seat?.isLive || hand.isOver || !isBetween) return { outs: [], unseen: unseen.length };
  const outs = hand.game.ways.flatMap((way) => (way.is_low ? betterLows(way, own, unseen) : betterHighs(own, unseen)));
  return { outs, unseen: unseen.length };
}

function betterHighs(own, unseen) {
  const now = highOf(own).kind;
  const kinds = unseen.map((card) => highOf([...own, card]).kind).filter((kind) => kind > now);
  return counted(kinds, (a, b) => b - a).map(([kind, count]) => ({ what: KINDS[kind], count }));
}

/** A low counts from five cards on; before them, the cards that make a fourth or a third low one. */
function betterLows(way, own, unseen) {
  if (own.length < 4) return [];
  const now = lowRanks(own);
  const isLow = (ranks) => new Set(ranks).size === 5 && qualifies(ranks, way);
  const tops = unseen
    .map((card) => lowRanks([...own, card]))
    .filter((ranks) => isLow(ranks) && !(isLow(now) && !isUnder(ranks, now)))
    .map(([top]) => top);
  return counted(tops, (a, b) => a - b).map(([top, count]) => ({ what: gettext("{ranks} low", { ranks: lowWords([top]) }), count }));
}

function isUnder(a, b) {
  const at = a.findIndex((rank, i) => rank !== b[i]);
  return at >= 0 && a[at] < b[at];
}

function counted(list, order) {
  const counts = new Map();
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => order(a, b));
}

/** The price of a call for the viewer: {toCall, odds: "3.6 to 1"}; null where there is nothing to call. */
export function price(hand, mine) {
  const seat = hand.seats[mine];
  if (!seat?.isLive || !hand.isBetting || hand.owesBringIn) return null;
  const toCall = Math.min(hand.level - seat.bet, seat.stack);
  if (toCall <= 0) return null;
  const odds = hand.pot / toCall;
  return { toCall, odds: gettext("{odds} to 1", { odds: number(Number(odds.toFixed(odds >= 10 ? 0 : 1))) }) };
}

/**
 * How many raises are left on this street: Infinity where there is no cap now, null beside fixed limit, where raises are
 * not counted, and between two rounds. `cap`: the book's {raises, heads_up}.
 */
export function raisesLeft(hand, cap) {
  if (!cap || !hand.isBetting || !hand.isLimit) return null;
  if (hand.isCapped) return 0;
  const able = Object.values(hand.seats).filter((seat) => seat.isLive && seat.stack > 0 && seat.did?.what !== "declared").length;
  const isLifted =
    (cap.heads_up === "uncapped" && able <= 2) || (cap.heads_up === "uncapped-at-two-left" && hand.playersLeft === 2);
  return !cap.raises || isLifted ? Infinity : Math.max(0, cap.raises - hand.raises);
}
