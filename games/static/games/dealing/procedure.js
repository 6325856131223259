// What the room says of correct procedure at this moment. Asked for after every change; an answer that is out of date
// by the time it comes is dropped.

import { got } from "../play/ask.js";

export class Procedure {
  #url; #onChange; #wanted = null; #isAsking = false; #current = null; #failures = 0;

  /** `url(hand)`: where to ask; `onChange()`: a new answer is there. */
  constructor(url, onChange) {
    this.#url = url;
    this.#onChange = onChange;
  }

  /** The answer for fact `seq` of `hand`, or null while it is on its way. */
  at(hand, seq) {
    const found = this.#current;
    return found && found.hand === hand && found.seq === seq ? found : null;
  }

  /** Make sure that the answer for `seq` of `hand` comes. */
  want(hand, seq) {
    this.#wanted = hand ? { hand, seq } : null;
    if (hand && !this.at(hand, seq)) this.#ask();
  }

  async #ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { hand, seq } = this.#wanted;
    const answer = await got(this.#url(hand));
    this.#isAsking = false;
    if (answer) {
      this.#current = answer;
      this.#failures = 0;
    }
    const wanted = this.#wanted;
    if (wanted && this.at(wanted.hand, wanted.seq)) this.#onChange();
    // The hand went on while the answer came, or there was none.
    else if (wanted && (wanted.hand !== hand || wanted.seq !== seq || !answer || answer.seq < wanted.seq)) this.#again();
  }

  #again() {
    this.#failures += 1;
    setTimeout(() => this.#wanted && !this.at(this.#wanted.hand, this.#wanted.seq) && this.#ask(), Math.min(2000, 60 * this.#failures));
  }
}
