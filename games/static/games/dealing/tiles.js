// The seats as big tiles around the dealer: upcards, chips, whose turn, and what is to be tapped.

import { gettext } from "../../cardroom/language.js";
import { drawCard, inWords, isKnown } from "../cards.js";
import { isAllIn } from "../play/hand.js";
import { handWords } from "../play/made.js";
import { chips } from "../play/words.js";
import { placeName } from "./marks.js";

const DID = {
  fold: gettext("Folds"), check: gettext("Checks"), call: gettext("Calls"), "bring-in": gettext("Brings in"), bet: gettext("Bets"),
  completion: gettext("Completes"), raise: gettext("Raises"), declared: gettext("All-in"), "all-in": gettext("All-in"),
};
/** Seats in the row across the dealer, by how many there are; the others stand left and right of the dealer. */
const ACROSS = { 2: 0, 3: 1, 4: 2, 5: 3, 6: 4, 7: 3, 8: 4 };

function text(element, words) {
  if (element.textContent !== words) element.textContent = words;
  element.hidden = words === "";
}

export class Tiles {
  #built = 0; #keys = {};

  /** `onTap(seat)`, `onPlace(seat, place)`: a seat, or one of its cards, was tapped. */
  constructor(list, template, { onTap, onPlace }) {
    Object.assign(this, { list, template, tiles: {} });
    list.addEventListener("click", (event) => {
      const place = event.target.closest("[data-place]");
      const tile = event.target.closest("[data-tap]");
      if (place) onPlace(Number(place.dataset.seat), Number(place.dataset.place));
      else if (tile) onTap(Number(tile.dataset.tap));
    });
  }

  /**
   * `asked`: null, or {seats, places, picked} while seats are to be picked; `flags(seat)`: words on a tile;
   * `early`: cards dealt too soon.
   */
  draw({ table, hand, turn, asked, flags, early }) {
    this.#build(table.seatCount);
    for (const row of table.seats) {
      const tile = this.tiles[row.number];
      const held = hand.seats[row.number];
      const mine = early.filter(([seat]) => seat === row.number);
      this.#draw(tile, { row, held, hand, isTurn: row.number === turn, asked, flags: flags(row.number), early: mine });
    }
  }

  #build(count) {
    if (this.#built === count) return;
    this.#built = count;
    this.#keys = {};
    this.list.dataset.seats = String(count);
    const across = ACROSS[count] ?? 4;
    const left = Math.floor((count - across) / 2);
    const tiles = [];
    for (let seat = 1; seat <= count; seat += 1) {
      const root = this.template.content.firstElementChild.cloneNode(true);
      const parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
      root.dataset.seat = String(seat);
      parts.tap.dataset.tap = String(seat);
      parts.number.textContent = String(seat);
      root.classList.add(spotOf(seat, { count, across, left }));
      this.tiles[seat] = { root, parts };
      tiles.push(root);
    }
    this.list.replaceChildren(...tiles);
  }

  #draw({ root, parts }, seen) {
    const { row, held, hand, isTurn, asked, flags, early } = seen;
    const number = row.number;
    const isTaken = Boolean(row.name) || Boolean(held);
    const isAsked = Boolean(asked?.seats.includes(number));
    const key = JSON.stringify([row, held, hand.isOver, hand.dealer, isTurn, asked, flags, early]);
    if (this.#keys[number] === key) return;
    this.#keys[number] = key;
    const classes = {
      "is-turn": isTurn, "is-free": !isTaken, "is-folded": Boolean(held) && !held.isLive,
      "is-out": isTaken && (hand.id && !hand.isOver ? !held : row.state !== "playing"),
      "is-winner": Boolean(held?.won), "is-asked": isAsked, "is-picked": Boolean(asked?.picked?.includes(number)),
      "is-resting": Boolean(asked) && !isAsked,
    };
    for (const [name, is] of Object.entries(classes)) root.classList.toggle(name, is);
    text(parts.name, row.name || gettext("Free"));
    parts.bot.hidden = !row.isBot;
    text(parts.stack, !isTaken ? "" : held && !hand.isOver && isAllIn(held) ? gettext("All-in") : chips(held ? held.stack : row.stack));
    text(parts.bet, held?.bet ? chips(held.bet) : "");
    text(parts.did, said(row, held, hand));
    text(parts.flags, flags.join(" · "));
    parts.button.hidden = !hand.id || hand.dealer !== number;
    const cards = held?.cards ?? [];
    parts.ups.replaceChildren(...cards.filter(({ isUp }) => isUp).map(({ card }) => drawCard(card)));
    parts.downs.replaceChildren(...cards.filter(({ isUp }) => !isUp).map(({ card }) => drawCard(card)));
    parts.ups.classList.toggle("is-long", cards.filter(({ isUp }) => isUp).length > 4);
    parts.downs.classList.toggle("is-seen", cards.some(({ card, isUp }) => !isUp && isKnown(card)));
    parts.early.hidden = early.length === 0;
    parts.early.replaceChildren(...early.map(([, card]) => drawCard(card)));
    parts.tap.disabled = asked ? !isAsked || Boolean(asked.places) : !isTaken;
    parts.tap.setAttribute("aria-label", inFull(seen));
    if (asked?.picked) parts.tap.setAttribute("aria-pressed", String(asked.picked.includes(number)));
    else parts.tap.removeAttribute("aria-pressed");
    this.#drawPlaces(parts.places, number, isAsked ? asked.places : null, row.name);
  }

  #drawPlaces(place, seat, places, name) {
    place.hidden = !places;
    place.replaceChildren(
      ...(places ?? []).map((each) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "tile__place";
        button.dataset.seat = String(seat);
        button.dataset.place = String(each);
        button.textContent = placeName(each);
        button.setAttribute("aria-label", gettext("{place} card of {name}, seat {number}", { place: placeName(each), name, number: seat }));
        return button;
      }),
    );
  }
}

/** Where a seat lies: the first at the dealer's left hand, on around the table to the right. */
function spotOf(seat, { count, across, left }) {
  if (seat <= left) return `spot-left-${left - seat + 1}`;
  if (seat <= left + across) return `spot-across-${across}-${seat - left}`;
  return `spot-right-${seat - left - across}`;
}

function said(row, held, hand) {
  if (held?.won) return `+${chips(held.won)}`;
  if (held?.made) return handWords(held.made);
  if (held && !hand.isOver) {
    if (held.did && held.isLive && !hand.isShowdown) return DID[held.did.what] ?? "";
    if (held.isMucked) return gettext("Mucked");
    return held.isLive ? "" : held.did?.what === "fold" ? gettext("Folded") : gettext("Dead");
  }
  return { "sitting-out": gettext("Sits out"), leaving: gettext("Leaves") }[row.state] ?? "";
}

/** The tile for whoever hears it. */
function inFull({ row, held, hand, isTurn, flags }) {
  const parts = [gettext("Seat {number}", { number: row.number }), row.name || gettext("free")];
  if (row.name) parts.push(gettext("{chips} chips", { chips: chips(held ? held.stack : row.stack) }));
  if (held) {
    const up = held.cards.filter(({ card, isUp }) => isUp && isKnown(card)).map(({ card }) => inWords(card));
    if (up.length) parts.push(gettext("up: {cards}", { cards: up.join(", ") }));
    if (held.bet) parts.push(gettext("bet {amount}", { amount: chips(held.bet) }));
    if (!held.isLive) parts.push(gettext("out of the hand"));
    if (hand.dealer === row.number) parts.push(gettext("has the button"));
  }
  if (isTurn) parts.push(gettext("to act"));
  return [...parts, ...flags].join(", ");
}
