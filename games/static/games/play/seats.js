// The seats around the table: each is built once and then only what changed in it is touched.

import { gettext, ngettext, pgettext } from "../../cardroom/language.js";
import { drawCard, inWords, isKnown } from "../cards.js";
import { amount as written } from "./amounts.js";
import { drawPile } from "./chips.js";
import { isAllIn } from "./hand.js";
import { handWords } from "./made.js";
import { flyIn, throwIn } from "./motion.js";
import { botName, strengthName } from "./words.js";

/** What somebody did, as it stands beside their seat; a button that does the same may be called otherwise. */
const DID = {
  fold: () => pgettext("what they did", "Fold"),
  check: () => pgettext("what they did", "Check"),
  call: (amount) => gettext("Call {amount}", { amount }),
  "bring-in": (amount) => gettext("Bring-in {amount}", { amount }),
  bet: (amount) => gettext("Bet {amount}", { amount }),
  completion: (amount) => gettext("Complete to {amount}", { amount }),
  raise: (amount) => gettext("Raise to {amount}", { amount }),
  declared: () => gettext("All-in"),
  "all-in": (amount) => gettext("All-in {amount}", { amount }),
};

const COLOURS = {
  red: gettext("marked red"), orange: gettext("marked orange"), yellow: gettext("marked yellow"), green: gettext("marked green"),
  blue: gettext("marked blue"), purple: gettext("marked purple"),
};

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === "";
}

/** "2,000" -> "2,000 chips"; "All-in" and big bets are as they are. */
const inChips = (text) => (/^[\d.,\s]+$/.test(text) ? gettext("{amount} chips", { amount: text }) : text);

export class SeatView {
  /** Cards of the last drawing that are on their way to this seat: promises. */
  flights = [];

  #drawnCards = ""; #drawnBet = "";

  constructor(number, template) {
    this.number = number;
    this.root = template.content.firstElementChild.cloneNode(true);
    this.root.dataset.seat = String(number);
    this.parts = Object.fromEntries(
      [...this.root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]),
    );
    this.bet = document.createElement("div");
    this.bet.className = "bet";
    this.bet.setAttribute("aria-hidden", "true");
    this.parts.sit.dataset.sit = String(number);
    this.parts.sit.setAttribute("aria-label", gettext("Sit here: seat {number}", { number }));
  }

  /** `row`: the seat in the table's own list, `held`: the seat in the hand (undefined: not dealt in), `words`: the
   * viewer's own hand in words ("": not theirs, or not wanted), `mark`: what the viewer keeps about who sits here, who
   * `mayMark` them. */
  draw({ row, held, hand, place, isYou, isTurn, maySit, isEvent, isSettled, isStill, words, mark = null, mayMark = false }) {
    const isTaken = Boolean(row?.name);
    const { root, parts } = this;
    const classes = {
      "is-you": isYou, "is-turn": isTurn, "is-empty": !isTaken, "is-folded": Boolean(held) && !held.isLive,
      "is-out": isTaken && (!held || hand.isOver) && row.state !== "playing", "is-winner": Boolean(held?.won),
      "is-tabled": Boolean(held?.isTabled), "is-showdown": hand.isShowdown,
      "is-saying": root.dataset.says !== undefined, "is-loser": hand.isOver && hand.isShowdown && Boolean(held) && !held.won,
    };
    root.className = `seat place-${place}`;
    for (const [name, is] of Object.entries(classes)) if (is) root.classList.add(name);
    this.bet.className = `bet bet-place-${place}`;
    parts.sit.hidden = isTaken || !maySit;
    parts.free.hidden = isTaken || maySit;
    parts.plate.hidden = !isTaken;
    parts.dealer.hidden = !hand.id || hand.dealer !== this.number;
    if (isTaken) this.#drawPlate(row, held, hand, isSettled, isEvent, words);
    if (isTaken) this.#drawMark(row, mark, mayMark && !isYou);
    this.#drawCards(held, hand, isStill);
    this.#drawBet(held?.bet ?? 0, isStill);
    this.summary = isTaken ? this.#summary(row, held, hand, isTurn) : "";
    const bot = row?.isBot ? botName(row.strength) || gettext("bot") : "";
    setText(parts.summary, isTaken ? [row.name, bot, this.summary].filter(Boolean).join(", ") : "");
  }

  #drawPlate(row, held, hand, isSettled, isEvent, words) {
    const { parts } = this;
    setText(parts.name, row.name);
    parts.bot.hidden = !row.isBot;
    parts.bot.title = strengthName(row.strength);
    setText(parts.initial, row.name.slice(0, 1).toUpperCase());
    parts.face.hidden = !row.avatar;
    if (row.avatar && parts.face.getAttribute("src") !== row.avatar) parts.face.src = row.avatar;
    const isBroke = held && !hand.isOver && isAllIn(held);
    setText(parts.stack, isBroke ? gettext("All-in") : written(held && !isSettled ? held.stack : row.stack));
    setText(parts.say, this.#says(row, held, hand, isEvent));
    const made = [handWords(held?.made ?? ""), held?.lowMade].filter(Boolean).join(" · ") || words;
    setText(parts.made, made);
    parts.made.classList.toggle("is-own", made === words && words !== "");
    setText(parts.won, held?.won ? `+${written(held.won)}` : "");
  }

  #drawMark(row, mark, mayMark) {
    const { open, mark: sign, plate } = this.parts;
    const signs = [mark?.is_friend && "★", mark?.note && "✎"].filter(Boolean).join("");
    const said = [botName(row.strength), mark?.is_friend && gettext("a friend"), mark?.colour && COLOURS[mark.colour], mark?.note].filter(Boolean);
    setText(sign, signs);
    sign.setAttribute("aria-hidden", "true");
    if (mark?.colour) plate.dataset.colour = mark.colour;
    else delete plate.dataset.colour;
    open.hidden = !mayMark;
    open.dataset.player = row.name;
    open.dataset.strength = row.strength;
    const label = [gettext("Your notes on {player}", { player: row.name }), ...said].join(", ");
    if (open.getAttribute("aria-label") !== label) open.setAttribute("aria-label", label);
    open.title = mark?.note ?? "";
  }

  #says(row, held, hand, isEvent) {
    if (held && !hand.isOver) {
      if (held.won) return "";
      if (held.isMucked) return gettext("Mucks");
      if (row.isGone && hand.turn?.seat === row.number) return gettext("Out of touch");
      if (held.did && !(hand.isShowdown && held.isLive)) {
        const did = DID[held.did.what];
        return did ? did(written(held.did.amount ?? 0)) : "";
      }
      if (held.isAbsent) return gettext("Away");
      if (!held.isLive) return gettext("Folded");
      return row.isGone ? gettext("Out of touch") : row.state === "sitting-out" ? gettext("Away") : "";
    }
    if (held?.won) return "";
    if (held?.isMucked) return gettext("Mucked");
    if (row.state === "sitting-out") return isEvent ? gettext("Away") : gettext("Sitting out");
    if (row.state === "leaving") return gettext("Leaving");
    return !held && hand.id && !hand.isOver ? gettext("Next hand") : "";
  }

  #drawCards(held, hand, isStill) {
    const cards = held?.cards ?? [];
    const five = held?.five ?? null;
    const low = held?.lowFive?.length ? held.lowFive : [];
    const key = JSON.stringify([cards.map(({ card, isUp }) => [card, isUp]), five, low, hand.isOver]);
    this.flights = [];
    if (key === this.#drawnCards) return;
    const before = this.parts.cards.childElementCount;
    this.#drawnCards = key;
    const elements = cards.map(({ card, isUp }) => {
      const element = drawCard(card);
      element.classList.add(isUp ? "is-up" : "is-down");
      if (five && isKnown(card)) element.classList.add(five.includes(card) || low.includes(card) ? "plays" : "idle");
      return element;
    });
    this.parts.cards.replaceChildren(...elements);
    if (!isStill && elements.length > before) this.flights = flyIn(elements.slice(before), this.number);
  }

  /** The cards that lie before this seat, as they are drawn. */
  get cards() {
    return [...this.parts.cards.children];
  }

  #drawBet(amount, isStill) {
    const text = amount ? written(amount) : "";
    if (text === this.#drawnBet) return;
    this.#drawnBet = text;
    if (!amount) {
      this.bet.replaceChildren();
      return;
    }
    const figure = document.createElement("span");
    figure.className = "bet__amount";
    figure.textContent = text;
    this.bet.replaceChildren(drawPile(amount), figure);
    if (!isStill) throwIn(this.bet.firstElementChild, this.parts.plate);
  }

  /** The whole seat for those who listen, after the name of who sits there: the plate itself is for the eyes. */
  #summary(row, held, hand, isTurn) {
    const { stack, say, made, won } = this.parts;
    const parts = [gettext("seat {number}, {stack}.", { number: this.number, stack: inChips(stack.textContent) })];
    if (isTurn) parts.push(gettext("To act."));
    if (say.textContent) parts.push(`${say.textContent}.`);
    if (!held) return [...parts, gettext("Not in this hand.")].join(" ");
    const up = held.cards.filter(({ card, isUp }) => isUp && isKnown(card)).map(({ card }) => inWords(card));
    const down = held.cards.filter(({ isUp }) => !isUp);
    const read = down.filter(({ card }) => isKnown(card)).map(({ card }) => inWords(card));
    if (up.length) parts.push(gettext("Up: {cards}.", { cards: up.join(", ") }));
    if (read.length) parts.push(gettext("Down: {cards}.", { cards: read.join(", ") }));
    else if (down.length) parts.push(ngettext("{n} card down.", "{n} cards down.", down.length));
    if (made.textContent) parts.push(`${made.textContent[0].toUpperCase()}${made.textContent.slice(1)}.`);
    if (held.won) parts.push(gettext("Won {amount}.", { amount: written(held.won) }));
    if (held.bet && !held.did) parts.push(gettext("Bet {amount}.", { amount: written(held.bet) }));
    if (!held.isLive && !held.isMucked && held.did?.what !== "fold") parts.push(gettext("Out of the hand."));
    if (hand.dealer === this.number) parts.push(gettext("Deals."));
    return parts.join(" ");
  }
}
