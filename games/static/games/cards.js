// Cards: their names in words and their drawing. Knows nothing of hands or tables.

import { gettext, pgettext } from "../cardroom/language.js";

const RANKS = {
  2: pgettext("a card", "deuce"), 3: pgettext("a card", "three"), 4: pgettext("a card", "four"), 5: pgettext("a card", "five"),
  6: pgettext("a card", "six"), 7: pgettext("a card", "seven"), 8: pgettext("a card", "eight"), 9: pgettext("a card", "nine"),
  T: pgettext("a card", "ten"), J: pgettext("a card", "jack"), Q: pgettext("a card", "queen"), K: pgettext("a card", "king"),
  A: pgettext("a card", "ace"),
};
const SUITS = {
  s: pgettext("a suit", "spades"), h: pgettext("a suit", "hearts"), d: pgettext("a suit", "diamonds"), c: pgettext("a suit", "clubs"),
};
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const SVG = "http://www.w3.org/2000/svg";

/** Whether the card can be read: neither hidden (null) nor unrecorded ("??"). */
export const isKnown = (card) => Boolean(card) && card in KNOWN;
const KNOWN = Object.fromEntries(
  Object.keys(RANKS).flatMap((rank) => Object.keys(SUITS).map((suit) => [rank + suit, true])),
);

/** "A" -> "ace". */
export const rankName = (rank) => RANKS[rank];

/** "As" -> "ace of spades". */
export const inWords = (card) =>
  isKnown(card) ? gettext("{rank} of {suit}", { rank: RANKS[card[0]], suit: SUITS[card[1]] }) : gettext("a hidden card");

/** "Td" -> "10". */
export const rankSign = (card) => (card[0] === "T" ? "10" : card[0]);

/** "Td" -> "10♦", for running text. */
export const inSigns = (card) => (isKnown(card) ? rankSign(card) + SIGNS[card[1]] : "??");

/** One card as an element; `card` null draws its back. The seat says in words what it holds, so this is silent. */
export function drawCard(card) {
  const element = document.createElement("span");
  element.setAttribute("aria-hidden", "true");
  if (!isKnown(card)) {
    element.className = "card card--back";
    return element;
  }
  element.className = `card card--${card[1]}`;
  element.dataset.card = card;
  const rank = document.createElement("span");
  rank.className = card[0] === "T" ? "card__rank card__rank--ten" : "card__rank";
  rank.textContent = rankSign(card);
  element.append(rank, drawSuit(card[1], "card__suit"), drawSuit(card[1], "card__pip"));
  return element;
}

/** The sign of a suit, from the page's own symbols. */
export function drawSuit(suit, className) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#suit-${suit}`);
  svg.append(use);
  return svg;
}

// Brackets, because a player may well be called "As" and no name has brackets.
const CARD_IN_TEXT = /\[([2-9TJQKA][shdc])\]/g;

/** Text with cards written as "[As]" -> nodes with each card drawn small and named for those who listen. */
export function textWithCards(text) {
  const fragment = document.createDocumentFragment();
  text.split(CARD_IN_TEXT).forEach((part, i) => {
    if (i % 2) {
      const pip = document.createElement("span");
      pip.className = `pip pip--${part[1]}`;
      pip.setAttribute("role", "img");
      pip.setAttribute("aria-label", inWords(part));
      pip.textContent = inSigns(part);
      fragment.append(pip);
    } else if (part) fragment.append(part);
  });
  return fragment;
}

/** The same for a screen reader: every card in words, with a pause between two. */
export const spoken = (text) => text.replaceAll("] [", "], [").replace(CARD_IN_TEXT, (_, card) => inWords(card));
