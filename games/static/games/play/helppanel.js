// The panel beside the felt that helps one's memory: what one holds, what a call costs, which cards have been seen.

import { gettext, ngettext } from "../../cardroom/language.js";
import { chosen, isOn } from "../../cardroom/look.js";
import { drawSuit, inWords, rankSign } from "../cards.js";
import { amount } from "./amounts.js";
import { boards, nextCard, ownCards, price, raisesLeft, RANKS, seenCards, SUITS } from "./help.js";
import { madeWords } from "./made.js";

/** Each can be switched off. */
const HELPS = ["words", "odds", "raises", "dead", "shown"];
const WHERE = { mine: gettext("yours"), live: gettext("in a live hand"), common: gettext("common card"), dead: gettext("dead") };
const SUIT_NAMES = { s: gettext("Spades"), h: gettext("Hearts"), d: gettext("Diamonds"), c: gettext("Clubs") };

const made = (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
};

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** The viewer's hand in words; "" where that help is off, the table forbids it, or nothing is held. */
export function ownWords(table, hand, mine) {
  const seat = hand.seats[mine];
  if (!table.hasHelp || !isOn("words") || !seat?.isLive || hand.isOver) return "";
  return capital(madeWords(hand.game, ownCards(hand, mine)));
}

/** What a call costs the viewer: {toCall, odds}, the odds "" where that help is off; null: nothing to call. */
export function priceOf(table, hand, mine) {
  const cost = price(hand, mine);
  return cost && { ...cost, odds: table.hasHelp && isOn("odds") ? cost.odds : "" };
}

/** "10 to call, 3.6 to 1"; "" where there is nothing to call. */
export function priceWords(table, hand, mine) {
  const cost = priceOf(table, hand, mine);
  return cost ? [gettext("{amount} to call", { amount: amount(cost.toCall) }), cost.odds].filter(Boolean).join(", ") : "";
}

/** "2 raises left"; "" where that cannot be said or the help is off. */
export function raiseWords(table, hand) {
  if (!table.hasHelp || !isOn("raises")) return "";
  const left = raisesLeft(hand, table.raiseCap);
  if (left === null) return "";
  if (left === Infinity) return gettext("No cap on raises");
  return left === 0 ? gettext("No more raises") : ngettext("{n} raise left", "{n} raises left", left);
}

export class HelpPanel {
  #drawn = "";

  /** `root`: the panel; `note`: where it says that the table allows no help. */
  constructor({ help: root, helpNote: note }) {
    Object.assign(this, { root, note });
    this.body = root.querySelector("[data-help-body]");
  }

  draw(table, hand, mine, nameOf) {
    this.note.hidden = table.hasHelp;
    // Its place is kept between hands, so that nothing beside it moves.
    const isShown = table.hasHelp && !table.isPhysical && HELPS.some(isOn);
    this.root.hidden = !isShown && table.hasHelp;
    this.root.classList.toggle("has-place", isShown);
    this.body.hidden = !isShown;
    if (!isShown) return;
    const wishes = [...HELPS, "amounts"].map(chosen).join();
    const key = `${hand.id}:${hand.seq}:${mine}:${wishes}:${hand.isOver}`;
    if (key === this.#drawn) return;
    this.#drawn = key;
    const parts = [this.#hand(table, hand, mine), this.#price(table, hand, mine), this.#cards(hand, mine), this.#boards(hand, mine, nameOf)];
    this.body.replaceChildren(...parts.filter(Boolean));
  }

  #hand(table, hand, mine) {
    const words = ownWords(table, hand, mine);
    if (!words) return null;
    const { outs, unseen } = nextCard(hand, mine);
    const block = made("div", "help__hand", made("strong", "", words));
    if (outs.length) {
      const list = outs.map(({ what, count }) =>
        made("li", "", made("span", "", capital(what)), " ", made("b", "", gettext("{count} of {unseen}", { count, unseen }))));
      block.append(made("p", "help__label", gettext("On the next card")), made("ul", "help__outs", ...list));
    }
    return block;
  }

  #price(table, hand, mine) {
    const words = [isOn("odds") && priceWords(table, hand, mine), raiseWords(table, hand)].filter(Boolean);
    return words.length ? made("p", "help__price", words.join(" · ")) : null;
  }

  #cards(hand, mine) {
    if (!isOn("dead")) return null;
    const seen = seenCards(hand, mine);
    if (!seen.size) return null;
    const rows = SUITS.map((suit) => {
      const cells = RANKS.map((rank) => this.#cell(rank + suit, seen.get(rank + suit)));
      const name = made("th", `memory__suit memory__suit--${suit}`, drawSuit(suit, "memory__sign"), made("span", "visually-hidden", SUIT_NAMES[suit]));
      name.scope = "row";
      return made("tr", "", name, ...cells);
    });
    const dead = [...seen.values()].filter((where) => where === "dead").length;
    const words = dead
      ? gettext("Cards seen: {count}, {dead} of them dead", { count: seen.size, dead })
      : gettext("Cards seen: {count}", { count: seen.size });
    const caption = made("caption", "help__label", words);
    return made("table", "memory", caption, made("tbody", "", ...rows));
  }

  #cell(card, where) {
    const cell = made("td", where ? `is-${where} memory__card--${card[1]}` : "", rankSign(card));
    cell.title = where ? `${inWords(card)}: ${WHERE[where]}` : inWords(card);
    if (where) cell.append(made("span", "visually-hidden", ` ${WHERE[where]}`));
    return cell;
  }

  #boards(hand, mine, nameOf) {
    const shown = isOn("shown") && !hand.isShowdown ? boards(hand, mine) : [];
    if (!shown.length) return null;
    const rows = shown.map(({ seat, words }) => made("li", "", made("span", "", nameOf(seat)), " ", made("b", "", words)));
    return made("div", "help__boards", made("p", "help__label", gettext("Showing")), made("ul", "help__outs", ...rows));
  }
}
