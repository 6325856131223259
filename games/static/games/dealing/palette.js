// What went wrong, in one or two taps: the mistake, then the seat or the card.

import { gettext, ngettext } from "../../cardroom/language.js";
import { labelOf, openMistakes } from "./mistakes.js";

export class Palette {
  #asking = null; #picked = []; #key = "";

  /** `part`: {wrong, wrongList, asking, askingWords, askingDone, askingCancel}; `who(seat)`. */
  constructor(part, { onMark, onCommand, onChange, onDropped, who }) {
    Object.assign(this, { part, onMark, onCommand, onChange, onDropped, who, procedure: null });
    part.wrongList.addEventListener("click", (event) => {
      const id = event.target.closest("[data-mistake]")?.dataset.mistake;
      if (id) this.#begin(openMistakes(this.procedure).find((mistake) => mistake.id === id));
    });
    part.askingCancel.addEventListener("click", () => this.cancel());
    part.askingDone.addEventListener("click", () => this.#finish());
  }

  /** Seats that were picked for a mistake that takes several, in their order. */
  get picked() {
    return this.#picked;
  }

  get isAskingSeveral() {
    return this.#asking?.pick === "seats";
  }

  /** {seats, places, picked} while the tiles are to be tapped, else null. */
  get asked() {
    if (!this.#asking || !this.procedure) return null;
    const { pick, places } = this.#asking;
    const isCard = pick === "card" && this.procedure.cards_each > 1;
    return {
      seats: this.#asking.seats(this.procedure), places: isCard ? places : null,
      picked: pick === "seats" ? this.#picked : undefined,
    };
  }

  cancel() {
    if (!this.#asking) return false;
    this.#asking = null;
    this.#picked = [];
    this.onChange();
    return true;
  }

  /** A seat was tapped: true when somebody had asked for one. */
  tap(seat) {
    const asked = this.asked;
    if (!asked?.seats.includes(seat)) return Boolean(asked);
    if (this.#asking.pick === "seats") {
      this.#picked = this.#picked.includes(seat) ? this.#picked.filter((each) => each !== seat) : [...this.#picked, seat];
      this.onChange();
    } else this.#chosen(seat, 0);
    return true;
  }

  place(seat, place) {
    if (this.asked?.seats.includes(seat)) this.#chosen(seat, place);
  }

  /** `faces`: cards named for the seats picked, or null where none are missing; `isBusy`: a command is on its way. */
  draw(procedure, { marks, isBusy, isReady = true }) {
    this.procedure = procedure;
    const open = procedure ? openMistakes(procedure) : [];
    this.#goOn(procedure, open);
    if (procedure) this.#ask(procedure);
    this.part.wrong.hidden = open.length === 0 || Boolean(this.#asking);
    this.#drawAsking(isReady);
    const key = JSON.stringify([open.map((mistake) => [mistake.id, labelOf(mistake, procedure), Boolean(mistake.isOn?.(marks))]), isBusy]);
    if (key === this.#key) return;
    this.#key = key;
    this.part.wrongList.replaceChildren(
      ...open.map((mistake) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "mistake";
        button.dataset.mistake = mistake.id;
        button.textContent = labelOf(mistake, procedure);
        button.disabled = isBusy;
        if (mistake.isOn) button.setAttribute("aria-pressed", String(mistake.isOn(marks)));
        return button;
      }),
    );
  }

  /** Somebody acted meanwhile: what was begun goes on as far as it still can, and is said where it cannot. While the
   *  room's word on procedure is on its way nothing is lost. */
  #goOn(procedure, open) {
    if (!this.#asking || this.#asking.id === "opener" || !procedure) return;
    const isOpen = open.includes(this.#asking);
    const seats = isOpen ? this.#asking.seats(procedure) : [];
    const lost = this.#picked.filter((seat) => !seats.includes(seat));
    if (isOpen && !lost.length) return;
    const mistake = labelOf(this.#asking, procedure);
    if (isOpen) this.#picked = this.#picked.filter((seat) => seats.includes(seat));
    else this.#forget();
    this.onDropped(mistake, isOpen ? lost.map(this.who) : []);
  }

  #forget() {
    this.#asking = null;
    this.#picked = [];
  }

  /** Where the upcards do not tell who opens, the seats are asked for without being called up. */
  #ask(procedure) {
    const isOpener = procedure?.next.what === "name-low";
    if (isOpener && !this.#asking) {
      this.#asking = {
        id: "opener", pick: "seat", ask: procedure.next.words,
        seats: ({ seats }) => Object.keys(seats).map(Number).filter((seat) => seats[seat].includes("name-low")), command: (seat) => ({ what: "name-low", fields: { seat } }),
      };
    } else if (!isOpener && this.#asking?.id === "opener") this.#forget();
  }

  #drawAsking(isReady) {
    const { asking, askingWords, askingDone, askingCancel } = this.part;
    asking.hidden = !this.#asking;
    if (asking.hidden) return;
    const count = this.#picked.length;
    const { ask, pick, confirm } = this.#asking;
    askingWords.textContent = ask;
    askingDone.hidden = pick !== "seats" && !confirm;
    askingDone.disabled = !this.procedure || (!confirm && (!count || !isReady));
    askingDone.textContent = confirm ?? (count ? ngettext("One card dealt too early", "{n} cards dealt too early", count) : gettext("Tap the seats"));
    askingCancel.hidden = this.#asking.id === "opener";
  }

  #begin(mistake) {
    if (!mistake) return;
    if (!mistake.pick) {
      if (mistake.mark) this.onMark((marks) => mistake.mark(marks));
      else this.#send(mistake.command());
      return;
    }
    this.#asking = mistake;
    this.#picked = [];
    const seats = mistake.seats(this.procedure);
    // Where only one can be meant, nobody has to say who.
    if (mistake.pick === "seat" && mistake.command && seats.length === 1) this.#chosen(seats[0], 0);
    else this.onChange();
  }

  #chosen(seat, place) {
    const mistake = this.#asking;
    this.#forget();
    if (mistake.command) this.#send(mistake.command(seat));
    else this.onMark((marks) => mistake.mark(marks, seat, place));
  }

  #finish() {
    const mistake = this.#asking;
    const command = mistake.commands(this.#picked, this.procedure);
    this.#forget();
    this.#send(command);
  }

  #send({ what, fields }) {
    this.onCommand(what, fields);
    this.onChange();
  }
}
