// The problem of the day on the table itself: the hand as it lies at the turn that is asked about, with the buttons and
// keys of that turn. Whoever has answered can see how the hand went on.

import "../../cardroom/page.js";
import "../../cardroom/room.js";
import "../../cardroom/calls.js";
import { gettext } from "../../cardroom/language.js";
import { ActionBar } from "../play/actions.js";
import { Felt } from "../play/felt.js";
import { apply } from "../play/hand.js";
import { isCalm } from "../play/motion.js";
import { handAt } from "../play/replay.js";
import { pastTable } from "../play/tableview.js";

/** Between two facts, ms; a deal is looked at longer. */
const PACE = 700;
const DEALT = 1100;
const QUIET = new Set(["action-on", "announced", "ruled", "call-weighed", "card-burned", "seats-skipped", "round-opened", "hand-ended"]);

/** The fact before the street began on which number `upto` is. */
export function beginningOfStreet(facts, upto) {
  const deals = facts.filter(([seq, kind]) => seq <= upto && kind === "cards-dealt");
  return (deals.at(-1)?.[0] ?? 1) - 1;
}

class Problem {
  #at = 0; #timer = 0;

  constructor(root, data) {
    Object.assign(this, { root, data });
    this.page = Object.fromEntries([...root.querySelectorAll("[data-page]")].map((node) => [node.dataset.page, node]));
    this.felt = new Felt(this.page, document.getElementById("seat-template"));
    this.table = pastTable({ id: 1, ...data });
    root.hidden = false;
    const { actions, answer, on } = this.page;
    if (answer) {
      this.actions = new ActionBar(actions, document.getElementById("range-template"), { send: (action) => this.#chosen(action) });
      this.#lie(isCalm() ? data.upto : Math.max(1, beginningOfStreet(data.facts, data.upto)));
      this.#play(data.upto, () => this.#ask());
    } else {
      this.#lie(data.upto);
      on.addEventListener("click", () => this.#goOn());
    }
  }

  /** The table once fact `upto` had happened. */
  #lie(upto) {
    clearTimeout(this.#timer);
    this.#at = upto;
    this.state = handAt(1, this.data.facts, upto);
    this.felt.forget();
    this.#draw();
  }

  /** Fact by fact. */
  #play(upto, then) {
    if (this.#at >= upto) return then();
    const [seq, kind, fact] = this.data.facts[this.#at];
    apply(this.state, seq, kind, fact);
    if (!isCalm() && !QUIET.has(kind)) this.felt.fact(kind, fact, { isInstant: false });
    this.#at += 1;
    this.#draw();
    const wait = QUIET.has(kind) ? 0 : kind === "cards-dealt" ? DEALT : PACE;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#play(upto, then), isCalm() ? 0 : wait);
    return undefined;
  }

  #draw() {
    this.felt.draw(this.table, this.state, this.data.you, this.state.turn?.seat ?? null);
  }

  #ask() {
    const { turn, bigBet, seats } = this.state;
    const can_fold = this.data.actions.includes("fold"); // who may check for nothing is not asked about a fold
    this.actions.draw({ ...turn, can_fold }, seats[this.data.you], "turn", bigBet);
  }

  #chosen(action) {
    const { answer } = this.page;
    answer.elements.namedItem(answer.dataset.field).value = action;
    answer.requestSubmit();
    return action;
  }

  /** How the hand went on; pressed once more, from the turn again. */
  #goOn() {
    this.#lie(this.data.upto);
    this.page.on.textContent = gettext("From the turn again");
    this.#play(this.data.facts.length, () => {});
  }
}

const root = document.querySelector("[data-problem]");
if (root) new Problem(root, JSON.parse(document.getElementById("problem-data").textContent));
