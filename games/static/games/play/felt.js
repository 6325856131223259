// The table itself: seats around it, pots and the common card in the middle.

import { gettext, pgettext } from "../../cardroom/language.js";
import { drawCard, inWords } from "../cards.js";
import { amount } from "./amounts.js";
import { drawPile } from "./chips.js";
import { placesFor } from "./layout.js";
import { glide, muck } from "./motion.js";
import { SeatView } from "./seats.js";

export class Felt {
  #built = ""; #isFirst = true; #middle = ""; #names = {};

  constructor(part, seatTemplate) {
    Object.assign(this, { part, seatTemplate });
    this.seats = {};
    /** When the cards lie that the last drawing dealt: a promise, or null where they lie already. */
    this.landing = null;
  }

  /** The next drawing is of something else altogether: nothing flies. */
  forget() {
    this.#isFirst = true;
  }

  /** `own`: the viewer's hand in words, "" for nothing to say. `marks`: what the viewer keeps about others. */
  draw(table, hand, viewer, turn, { own = "", marks = null } = {}) {
    this.#build(table.seatCount);
    const places = placesFor(table.seatCount, viewer);
    const isSeated = Boolean(viewer);
    for (const row of table.seats) {
      this.seats[row.number].draw({
        row, hand, held: hand.seats[row.number], isSettled: hand.isOver && table.handId !== hand.id, place: places[row.number], isYou: row.number === viewer,
        isTurn: row.number === turn, maySit: table.maySit && !isSeated, isEvent: Boolean(table.event), isStill: this.#isFirst,
        words: row.number === viewer ? own : "", mark: marks?.of(row.name) ?? null, mayMark: Boolean(marks?.mayMark),
      });
      this.#names[row.number] = row.name;
    }
    this.part.felt.classList.toggle("has-viewer", isSeated);
    this.#drawMiddle(hand);
    this.#isFirst = false;
    const flights = Object.values(this.seats).flatMap((seat) => seat.flights);
    this.landing = flights.length ? Promise.all(flights) : null;
  }

  /** The drawn seat of somebody who sits here. */
  seatOf(name) {
    const number = Object.keys(this.#names).find((each) => this.#names[each] === name);
    return number && this.seats[number].root;
  }

  /** Movements that a fact is shown by, before it is drawn. */
  fact(kind, fact, { isInstant }) {
    if (isInstant) return;
    if (kind === "round-closed") {
      for (const { bet } of Object.values(this.seats)) glide(bet, this.part.pot);
    } else if (kind === "folded" || kind === "hand-mucked") {
      muck(this.seats[fact.seat]?.cards ?? [], this.part.pot.parentElement);
    } else if (kind === "pot-awarded" && this.seats[fact.seat]) {
      const pile = document.createElement("div");
      pile.className = "bet";
      pile.append(drawPile(fact.amount));
      this.part.pot.append(pile);
      glide(pile, this.seats[fact.seat].root);
      pile.remove();
    }
  }

  #build(seatCount) {
    if (this.#built === String(seatCount)) return;
    this.#built = String(seatCount);
    this.seats = {};
    for (let number = 1; number <= seatCount; number += 1) this.seats[number] = new SeatView(number, this.seatTemplate);
    const views = Object.values(this.seats);
    this.part.seats.replaceChildren(...views.map(({ root }) => root));
    this.part.bets.replaceChildren(...views.map(({ bet }) => bet));
  }

  #drawMiddle(hand) {
    const side = hand.pots.length > 1 ? hand.pots.filter(({ chips: held }) => held > 0) : [];
    const key = JSON.stringify([amount(hand.pot), side, hand.common, hand.isOver]);
    if (key === this.#middle) return;
    this.#middle = key;
    const { pot, potAmount, potPile, sidePots, common } = this.part;
    pot.hidden = hand.pot === 0;
    potAmount.textContent = amount(hand.pot);
    potPile.replaceChildren(drawPile(hand.pot));
    sidePots.hidden = side.length === 0;
    const named = (i) => (i ? pgettext("pot", "Side {number}", { number: i }) : pgettext("pot", "Main"));
    sidePots.replaceChildren(...side.map(({ chips: held }, i) => labelled(named(i), amount(held))));
    common.hidden = hand.common.length === 0;
    common.replaceChildren(...hand.common.map(drawCard));
    common.setAttribute("aria-label", hand.common.length ? gettext("Common card: {cards}", { cards: hand.common.map(inWords).join(", ") }) : "");
  }
}

function labelled(name, amount) {
  const item = document.createElement("li");
  const label = document.createElement("span");
  label.textContent = name;
  const figure = document.createElement("strong");
  figure.textContent = amount;
  item.append(label, " ", figure);
  return item;
}
