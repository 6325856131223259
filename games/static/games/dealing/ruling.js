// The ruling on the table: at once, in a sentence, with its rule, and what the dealer's hands have to do.

import { textWithCards } from "../cards.js";
import { drawCitation, drawWords, titleOf } from "../play/rulings.js";
import { stepsFor } from "./remedies.js";

function element(name, className, content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(content);
  return made;
}

export class RulingCard {
  #key = ""; #dismissed = 0;

  /** `root`: {ruling, rulingList, rulingDone} of the page. `onChange()` when it was put away. */
  constructor(part, { bookOf, who, onChange }) {
    Object.assign(this, { part, bookOf, who });
    part.rulingDone.addEventListener("click", () => {
      this.#dismissed = this.newest;
      onChange();
    });
    this.newest = 0;
  }

  forget() {
    this.#dismissed = 0;
    this.newest = 0;
  }

  /** `rulings`: as `Story.rulings()` gives them. True when something new is to be read. */
  draw(rulings) {
    const open = rulings.filter(({ seq }) => seq > this.#dismissed);
    this.part.ruling.hidden = open.length === 0;
    const key = JSON.stringify(open.map(({ seq, after, isOld }) => [seq, isOld || after.length]));
    if (key === this.#key) return false;
    this.#key = key;
    const isNew = open.length > 0 && open.at(-1).seq !== this.newest;
    this.newest = open.at(-1)?.seq ?? this.newest;
    this.part.rulingList.replaceChildren(...open.map((ruling) => this.#drawn(ruling)));
    if (isNew) this.part.ruling.scrollIntoView({ block: "nearest" });
    return isNew;
  }

  #drawn({ ruling, after, isOld }) {
    const item = document.createElement("li");
    item.className = isOld ? "ruling__one is-old" : "ruling__one";
    item.dataset.key = ruling.key;
    item.dataset.verdict = ruling.verdict;
    item.append(element("h3", "ruling__title", titleOf(ruling)));
    item.append(element("p", "ruling__words", drawWords(ruling)));
    item.append(drawCitation(ruling, this.bookOf()));
    const steps = stepsFor(ruling, after, this.who);
    if (steps.length) {
      const list = document.createElement("ol");
      list.className = "ruling__steps";
      list.append(...steps.map((step) => element("li", "", textWithCards(step))));
      item.append(list);
    }
    return item;
  }
}
