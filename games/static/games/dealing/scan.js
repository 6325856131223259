// Cards of a physical deck, named one by one: typed, scanned by a reader that types, or picked from all fifty-two.

import { gettext } from "../../cardroom/language.js";
import { drawCard, inSigns, isKnown } from "../cards.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";

/** The cards in what was typed: "as", "10H kd" -> ["As"], ["Th", "Kd"]; null for what is none. */
export function cardsIn(text) {
  const found = [];
  for (const word of text.trim().split(/[\s,]+/).filter(Boolean)) {
    for (const piece of word.replace(/10/g, "T").match(/..?/g) ?? []) {
      const card = piece[0].toUpperCase() + (piece[1] ?? "").toLowerCase();
      found.push(isKnown(card) ? card : null);
    }
  }
  return found;
}

export class Scan {
  #slots = []; #faces = new Map(); #purpose = "";

  /** `part`: {scan, scanInput, scanFor, scanList, scanBack, scanAll, scanWrong} of the page; `picker`: the dialog. */
  constructor(part, picker, { onChange, onEnter, onComplete, isOut }) {
    Object.assign(this, { part, picker, onChange, onEnter, isOut });
    part.scan.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#typed();
    });
    part.scanBack.addEventListener("click", () => this.#takeBack());
    part.scanAll.addEventListener("click", () => this.#openPicker());
    picker.addEventListener("click", (event) => {
      const card = event.target.closest("[data-pick]")?.dataset.pick;
      if (!card || !this.#name(card) || this.next) return;
      picker.close();
      onComplete();
    });
    // A reader types wherever the page is: its letters belong here, and are no keys for players' actions.
    addEventListener("keydown", (event) => this.#keyAnywhere(event), { capture: true });
  }

  get next() {
    return this.#slots.find(({ key }) => !this.#faces.has(key)) ?? null;
  }

  /** How many cards are still to be named. */
  get missing() {
    return this.#slots.filter(({ key }) => !this.#faces.has(key)).length;
  }

  /** The named cards in the order of the slots. */
  get faces() {
    return this.#slots.map(({ key }) => this.#faces.get(key));
  }

  /** The cards wanted now: [{key, words, isDown}]; another `purpose` begins from nothing. */
  want(purpose, slots) {
    if (purpose !== this.#purpose) {
      this.#purpose = purpose;
      this.#faces.clear();
      if (this.picker.open) this.picker.close();
    }
    this.#slots = slots;
    this.#draw();
  }

  #typed() {
    const { scanInput: input } = this.part;
    const text = input.value;
    input.value = "";
    if (!text.trim()) {
      this.onEnter();
      return;
    }
    for (const card of cardsIn(text)) {
      if (!card) this.#complain(gettext("“{text}” is no card. Type rank and suit, as in Td.", { text: text.trim() }));
      else if (!this.#name(card)) return;
    }
  }

  #name(card) {
    const slot = this.next;
    if (!slot) {
      this.#complain(gettext("Every card of this street is named."));
      return false;
    }
    if (this.isOut(card) || [...this.#faces.values()].includes(card)) {
      this.#complain(gettext("The {card} is already out.", { card: inSigns(card) }));
      return false;
    }
    this.part.scanWrong.hidden = true;
    this.#faces.set(slot.key, card);
    this.#draw();
    this.onChange();
    return true;
  }

  #takeBack() {
    const last = this.#slots.findLast(({ key }) => this.#faces.has(key));
    if (!last) return;
    this.#faces.delete(last.key);
    this.#draw();
    this.onChange();
  }

  #complain(text) {
    this.part.scanWrong.textContent = text;
    this.part.scanWrong.hidden = false;
  }

  #draw() {
    const { scan, scanFor, scanList, scanBack, scanInput } = this.part;
    scan.hidden = this.#slots.length === 0;
    if (scan.hidden) return;
    const { next } = this;
    scanFor.textContent = next ? next.words : gettext("All named");
    scanBack.disabled = this.#faces.size === 0;
    scanInput.classList.toggle("is-down", Boolean(next?.isDown));
    scanInput.setAttribute("aria-label", next ? gettext("Card for {place}", { place: next.words }) : gettext("Press Enter to deal"));
    scanList.replaceChildren(
      ...this.#slots.map((slot) => {
        const card = this.#faces.get(slot.key);
        const element = document.createElement("li");
        element.className = slot === next ? "scan__slot is-next" : "scan__slot";
        // A downcard, once named, lies as it does on the table.
        if (card) element.append(drawCard(slot.isDown ? null : card));
        const label = document.createElement("span");
        label.textContent = slot.short;
        element.append(label);
        return element;
      }),
    );
    if (this.picker.open) this.#drawPicker();
  }

  #openPicker() {
    this.#drawPicker();
    this.picker.showModal();
  }

  #drawPicker() {
    const named = new Set(this.#faces.values());
    this.picker.querySelector("[data-for]").textContent = this.next ? this.next.words : gettext("All named");
    const grid = this.picker.querySelector("[data-cards]");
    grid.replaceChildren(
      ...[...SUITS].flatMap((suit) =>
        [...RANKS].map((rank) => {
          const card = rank + suit;
          const button = document.createElement("button");
          button.type = "button";
          button.className = `pick pick--${suit}`;
          button.dataset.pick = card;
          button.textContent = inSigns(card);
          button.disabled = named.has(card) || this.isOut(card);
          return button;
        }),
      ),
    );
  }

  #keyAnywhere(event) {
    if (this.part.scan.dataset.isTyped === undefined) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea, select, dialog")) return;
    if (!/^[0-9a-zA-Z]$/.test(event.key)) return;
    event.stopImmediatePropagation();
    if (!this.part.scan.hidden) this.part.scanInput.focus();
  }
}
