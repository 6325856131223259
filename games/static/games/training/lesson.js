// A lesson on the table itself: hands that were played before, as far as the next place where the coach speaks. At a turn
// of the learner the buttons are those of the hand; only the choice that is taught goes on, every other one is explained.
// Where they are is kept in this browser.

import "../../cardroom/page.js";
import "../../cardroom/room.js";
import "../../cardroom/calls.js";
import { gettext } from "../../cardroom/language.js";
import { ActionBar } from "../play/actions.js";
import { Felt } from "../play/felt.js";
import { apply, emptyHand } from "../play/hand.js";
import { isCalm } from "../play/motion.js";
import { pastTable } from "../play/tableview.js";

/** Between two facts, ms; a deal is looked at longer. */
const PACE = 550;
const DEALT = 900;
const QUIET = new Set(["action-on", "hand-started", "deck-shuffled", "burned"]);

class Lesson {
  #part = 0; #stop = 0; #at = 0; #timer = 0; #turns = 0;

  constructor(root, parts) {
    Object.assign(this, { root, parts, key: `lesson-${root.dataset.lesson}` });
    this.page = Object.fromEntries([...root.querySelectorAll("[data-page]")].map((node) => [node.dataset.page, node]));
    this.felt = new Felt(this.page, document.getElementById("seat-template"));
    this.actions = new ActionBar(this.page.actions, document.getElementById("range-template"), { send: (action) => this.#chosen(action) });
    this.page.on.addEventListener("click", () => this.#goOn());
    this.page.again.addEventListener("click", () => this.#begin(0));
    root.hidden = false;
    this.#begin(Math.min(Number(localStorage.getItem(this.key)) || 0, parts.length - 1));
  }

  get #hand() {
    return this.parts[this.#part];
  }

  get #next() {
    return this.#hand.stops[this.#stop];
  }

  #begin(part) {
    Object.assign(this.page.next, { hidden: true });
    this.page.again.hidden = true;
    [this.#part, this.#stop, this.#at] = [part, 0, 0];
    this.state = emptyHand(this.#hand.id);
    this.table = pastTable(this.#hand);
    this.felt.forget();
    localStorage.setItem(this.key, String(part));
    const { title } = this.#hand;
    this.page.where.textContent = this.parts.length > 1 ? gettext("{number} of {count}: {title}", { number: part + 1, count: this.parts.length, title }) : title;
    this.page.says.textContent = "";
    this.#play();
  }

  /** Fact by fact to the next stop, or to the end of the hand. */
  #play() {
    this.page.on.hidden = true;
    const until = this.#next?.upto ?? this.#hand.facts.length;
    if (this.#at >= until) return this.#arrived();
    const [seq, kind, fact] = this.#hand.facts[this.#at];
    apply(this.state, seq, kind, fact);
    if (!isCalm() && !QUIET.has(kind)) this.felt.fact(kind, fact, { isInstant: false });
    this.#at += 1;
    this.#draw();
    const wait = QUIET.has(kind) ? 0 : kind === "cards-dealt" ? DEALT : PACE;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#play(), isCalm() ? 0 : wait);
    return undefined;
  }

  #draw() {
    this.felt.draw(this.table, this.state, this.#hand.you, this.state.turn?.seat ?? null);
  }

  #arrived() {
    const stop = this.#next;
    if (!stop) return this.#ended();
    this.page.says.textContent = stop.says;
    if (!stop.best) {
      this.#stop += 1;
      if (!stop.says) this.#play();
      else this.#offer();
      return undefined;
    }
    this.#ask();
    return undefined;
  }

  /** The buttons of this turn, as at a table. */
  #ask() {
    this.#turns += 1;
    const { turn, bigBet, seats } = this.state;
    this.actions.draw(turn, seats[this.#hand.you], String(this.#turns), bigBet);
  }

  #chosen(action) {
    const { best, poor, then } = this.#next;
    if (action !== best) {
      this.page.says.textContent = [poor[action] ?? gettext("Not here."), gettext("Try again.")].join(" ");
      setTimeout(() => this.#ask());
      return "poor";
    }
    this.actions.draw(null, null, "", 0);
    this.#stop += 1;
    this.page.says.textContent = then;
    if (then) this.#offer();
    else this.#play();
    return "best";
  }

  #offer() {
    this.page.on.hidden = false;
    this.page.on.focus({ preventScroll: true });
  }

  #goOn() {
    if (this.#at < this.#hand.facts.length || this.#next) this.#play();
    else this.#ended();
  }

  #ended() {
    this.page.on.hidden = true;
    if (this.#part + 1 < this.parts.length) {
      this.#begin(this.#part + 1);
      return;
    }
    localStorage.setItem(this.key, String(this.parts.length));
    this.page.says.append(this.page.says.textContent ? " " : "", gettext("That is the end of this lesson."));
    this.page.next.hidden = this.page.again.hidden = false;
    this.page.next.focus({ preventScroll: true });
  }
}

const root = document.querySelector("[data-lesson]");
if (root) new Lesson(root, JSON.parse(document.getElementById("lesson-data").textContent));
