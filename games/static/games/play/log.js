// Announcements at the table: a panel to read back in, and a quiet voice for those who listen.

import { gettext } from "../../cardroom/language.js";
import { spoken, textWithCards } from "../cards.js";
import { writeInBets } from "./amounts.js";
import { citationOf, drawBookWords, isRoutine, titleOf, wordsOf } from "./rulings.js";
import { drawWhy, plainly } from "./why.js";
import { sentence, streetName } from "./words.js";

const LONGEST = 400;
/** What stays written on the felt until the dealer says the next thing. */
const ON_FELT = new Set(["announced", "common-card-dealt", "stub-remixed", "showdown-opened", "hand-shown", "drop-taken", "pot-awarded"]);

const headingOf = (kind, fact) => {
  if (kind === "cards-dealt" || kind === "common-card-dealt") return streetName(fact.street);
  return kind === "showdown-opened" ? gettext("Showdown") : "";
};

/** What is heard of what is written: of a hand shown only what it makes, its cards have been told; of rulings those that
 * are called out, and their name alone where the same has been heard before. */
function heard(kind, fact, text, isRepeated) {
  if (kind === "hand-shown") return text.replace(/ \([^()]*\]\)/, "");
  if (kind !== "ruled" || !text) return text;
  const ruling = isRepeated ? `${titleOf(fact)}.` : text;
  return isRoutine(fact) ? "" : gettext("Ruling: {text}", { text: ruling });
}

export class Log {
  #waiting = []; #timer = 0; #hand = null; #heading = ""; #isAtEnd = true; #written = 0; #shape = ""; #top = 0; #why = ""; #frame = 0; #ruled = new Set(); #sums = [];

  /** `list`: where lines go, `voice`: the live region, `caption`: the dealer's last word on the felt. */
  constructor({ list, voice, caption }, { nameOf, bookOf }) {
    Object.assign(this, { list, voice, caption, nameOf, bookOf });
    // It follows its end, whatever grows or shrinks beside it, until somebody scrolls up.
    list.addEventListener("scroll", () => this.#scrolled());
    new ResizeObserver(() => this.#resized()).observe(list);
  }

  begin(hand, title) {
    this.#heading = "";
    this.#hand = { hand, line: this.#line("log__hand", title) };
    this.caption.replaceChildren();
  }

  isAt(hand) {
    return this.#hand?.hand === hand;
  }

  /** The number of a hand may be told a moment after its first cards. */
  retitle(hand, title) {
    if (this.isAt(hand) && this.#hand.line.textContent !== title) this.#hand.line.textContent = title;
  }

  clear() {
    this.#hand = null;
    this.#isAtEnd = true;
    this.list.replaceChildren();
    this.caption.replaceChildren();
  }

  /** Amounts are written otherwise from now on, in the lines that stand there too; whoever calls draws again after it. */
  retell(isInBets) {
    this.#sums = this.#sums.filter(({ line }) => line.isConnected);
    for (const { line, bigBet, write } of this.#sums) {
      writeInBets(isInBets ? bigBet : 0);
      line.replaceChildren(textWithCards(write()));
    }
  }

  /** One fact; `isOld` ones (a snapshot's) are written and not spoken. `why`: the reason of an award, told once.
   * `turnedUp`: cards that are seen by it for the first time; who looks on sees them. */
  fact(kind, fact, { isOld, bigBet = 0, why = "", turnedUp = [] }) {
    const named = headingOf(kind, fact);
    const heading = named === this.#heading ? "" : named;
    if (heading) this.#heading = heading;
    const write = () => (kind === "ruled" ? wordsOf(fact) : sentence(kind, fact, this.nameOf));
    const text = write();
    const sum = { bigBet, write };
    if (heading) this.#line("log__street", heading);
    if (text) {
      const line = this.#line(`log__line log__line--${kind}`, text);
      if (kind === "ruled") this.#cite(line, fact);
      else this.#sums.push({ line, ...sum });
    }
    if ((text || heading) && ON_FELT.has(kind)) {
      const line = this.#write(kind, text || heading);
      if (text) this.#sums.push({ line, ...sum });
    }
    // A pair that has just been told is the high hand: said once.
    if (fact.what === "high-hand") this.#unsay(sentence(kind, { ...fact, what: "pair" }, this.nameOf));
    const cards = turnedUp.length ? sentence("hand-tabled", { ...fact, cards: turnedUp }, this.nameOf) : "";
    const sign = kind === "ruled" ? `${fact.key}:${fact.verdict}` : "";
    const said = [heading && `${heading}.`, cards, heard(kind, fact, text, this.#ruled.has(sign))].filter(Boolean).join(" ");
    if (said && !isOld) this.say(said);
    if (sign && !isOld) this.#ruled.add(sign);
    if (why && why !== this.#why) {
      this.#line("log__line log__line--why", "").append(drawWhy(why));
      this.caption.append(drawWhy(why));
      if (!isOld) this.say(plainly(why));
    }
    this.#why = kind === "pot-awarded" ? why : "";
  }

  /** On the felt the dealer's last word stands; who won what stays until all is given. */
  #write(kind, text) {
    const line = document.createElement("span");
    line.append(textWithCards(text));
    const isMore = kind === "pot-awarded" && this.caption.dataset.kind === kind;
    this.caption.dataset.kind = kind;
    if (isMore) this.caption.append(line);
    else this.caption.replaceChildren(line);
    return line;
  }

  /** What concerns the table and is no fact of a hand: written, and heard where no notice says it. */
  note(text, { isHeard = true } = {}) {
    this.#line("log__line log__line--note", text);
    if (isHeard) this.say(text);
  }

  /** To be heard, not written. Each sentence is an element of its own, so that one is never taken for another said again. */
  say(text) {
    const line = document.createElement("p");
    line.textContent = spoken(text);
    this.#waiting.push(line);
    this.#timer ||= setTimeout(() => {
      this.voice.replaceChildren(...this.#waiting);
      this.#waiting = [];
      this.#timer = 0;
    }, 250);
  }

  #unsay(text) {
    if (this.#waiting.at(-1)?.textContent === spoken(text)) this.#waiting.pop();
  }

  #cite(line, ruling) {
    const cite = document.createElement("cite");
    cite.className = "log__rule";
    cite.textContent = citationOf(ruling, this.bookOf());
    line.append(" ", cite, ...drawBookWords(ruling));
  }

  #line(className, text) {
    const item = document.createElement("li");
    item.className = className;
    item.append(textWithCards(text));
    this.list.append(item);
    this.#written += 1;
    while (this.list.childElementCount > LONGEST) this.list.firstElementChild.remove();
    if (this.#sums.length > 2 * LONGEST) this.#sums = this.#sums.filter(({ line }) => line.isConnected);
    this.#follow();
    return item;
  }

  /** Who scrolls moves the lines and changes nothing else. Where there are others, or their place is another, the browser
   * moved them: what stays keeps its place when old lines go, and what was hidden begins at the top. */
  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight, clientWidth } = this.list;
    const shape = [this.#written, scrollHeight, clientHeight, clientWidth].join();
    if (scrollHeight - scrollTop - clientHeight < 40) this.#isAtEnd = true;
    else if (shape === this.#shape && scrollTop < this.#top) this.#isAtEnd = false;
    this.#shape = shape;
    this.#top = scrollTop;
  }

  /** Who opens the panel begins at its end. */
  #resized() {
    if (!this.list.clientHeight) this.#isAtEnd = true;
    this.#follow();
  }

  /** Once a frame, however many lines have come. */
  #follow() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#isAtEnd) this.list.scrollTop = this.list.scrollHeight;
    });
  }
}
