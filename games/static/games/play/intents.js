// What a player means to do when their turn comes. It stays on this page, and stands only as long as what they saw is
// so: no chip is paid, and no card checked along, at a price that they have not seen, unless they say so with "call any";
// that and a fold are meant at any price of this street.
// Pure: no page, no socket, no clock.

import { gettext } from "../../cardroom/language.js";
import { amount } from "./amounts.js";

/** What faces seat `number`: {level: the bet to match, toCall: the chips that would take}. */
export function priceOf(hand, number) {
  const { bet, stack } = hand.seats[number];
  return { level: hand.level, toCall: Math.min(Math.max(0, hand.level - bet), stack) };
}

/** Whether seat `number` may still have a turn in this hand. */
export function mayHaveTurn(hand, number) {
  const seat = hand.seats[number];
  return Boolean(seat?.isLive && !seat.isAbsent && seat.stack > 0 && !hand.isOver && !hand.isShowdown);
}

/** What may be meant beforehand, always these five in this order: [{id, label, figure, isOpen}], `figure` in chips. */
export function offersOf(hand, number) {
  const { toCall } = priceOf(hand, number);
  const { did, stack } = hand.seats[number];
  // Before the bring-in nobody knows what there will be to call; who has acted has a turn again only after a raise.
  const isFree = toCall === 0 && !hand.owesBringIn;
  const isPriced = toCall > 0;
  // Who can bet against nobody with chips has no raise; how much it is depends on the street and on who acts before.
  const isContested = Object.entries(hand.seats).some(([seat, { isLive, stack: left }]) => Number(seat) !== number && isLive && left > 0);
  const mayRaise = hand.isLimit && !hand.isCapped && isContested && stack > toCall && (isPriced || !did) && !hand.owesBringIn;
  return [
    { id: "fold", label: foldWords(isFree, did), figure: 0, isOpen: hand.isBetting },
    { id: "check", label: gettext("Check"), figure: 0, isOpen: hand.isBetting && isFree && !did },
    { id: "call", label: isPriced && toCall >= stack ? gettext("Call all-in") : gettext("Call"), figure: toCall, isOpen: hand.isBetting && isPriced },
    { id: "any", label: gettext("Call any"), figure: 0, isOpen: hand.isBetting && !hand.owesBringIn },
    { id: "raise", label: hand.level ? gettext("Raise") : gettext("Bet"), figure: 0, isOpen: hand.isBetting && mayRaise },
  ];
}

/** Who has checked is asked again after a bet; who has bet, after a raise. */
function foldWords(isFree, did) {
  if (!isFree) return gettext("Fold");
  if (!did) return gettext("Check/fold");
  return did.what === "check" ? gettext("Fold to a bet") : gettext("Fold to a raise");
}

export const inFull = ({ label, figure }) => (figure ? `${label} ${amount(figure)}` : label);

/** What seat `number` means by ticking `offer`, with all that they see of its price. */
export function intentOf(offer, hand, number) {
  const hasActed = Boolean(hand.seats[number].did);
  return { id: offer.id, words: inFull(offer), hand: hand.id, street: hand.street, hasActed, ...priceOf(hand, number) };
}

/** Why `intent` no longer stands: null when it does, "" where that needs no word. */
export function whyOff(intent, hand, number) {
  const seat = hand.seats[number];
  if (hand.id !== intent.hand || hand.isOver || !seat?.isLive || seat.isAbsent) return "";
  // Who had acted already was asked no more: what they meant was for this street, and the street has gone by.
  if (hand.street !== intent.street) return intent.hasActed ? "" : gettext("a new street");
  // To fold to whatever comes, or to call it, is what it says; and between two rounds nothing is asked of anybody.
  if (["fold", "any"].includes(intent.id) || !hand.isBetting || hand.level === intent.level) return null;
  const { toCall } = priceOf(hand, number);
  return toCall === intent.toCall ? gettext("somebody raised") : gettext("{amount} to call now", { amount: amount(toCall) });
}

/** Of the legal `choices` (see `choicesOf`) exactly the one that was meant; null when it is not among them. */
export function choiceFor(intent, choices) {
  const find = (action) => choices.find((choice) => choice.action === action) ?? null;
  if (intent.id === "fold") return find("check") ?? find("fold");
  if (intent.id === "any") return find("check") ?? find("call");
  if (intent.id === "raise") return find("bet") ?? find("complete") ?? find("raise");
  const choice = find(intent.id);
  return intent.id === "call" && choice?.figure !== intent.toCall ? null : choice;
}
