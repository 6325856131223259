// The ring that runs out around the player to act. Times are the server's; this only reads them.

import { gettext, ngettext } from "../../cardroom/language.js";

const CIRCLE = 100;

/** What is left: {isBank, isExtra, seconds, part} at `now`, for a clock {deadline, bank_from} of a turn begun at `began`;
 * `extra` milliseconds before the bank are extra time for a player who lost touch. */
export function reading(clock, began, now) {
  const bankFrom = Math.min(clock.bank_from ?? clock.deadline, clock.deadline);
  const isBank = now >= bankFrom;
  const end = isBank ? clock.deadline : bankFrom;
  const extraFrom = bankFrom - (clock.extra ?? 0);
  const isExtra = !isBank && now >= extraFrom;
  const start = isBank ? bankFrom : Math.min(isExtra ? extraFrom : began, bankFrom - 1);
  const left = Math.max(0, end - now);
  const whole = Math.max(1, end - start);
  return { isBank, isExtra, seconds: Math.ceil(left / 1000), part: Math.min(1, left / whole) };
}

function secondsWords({ isBank, isExtra, seconds }) {
  if (isBank) return gettext("Time bank {seconds}s", { seconds });
  return isExtra ? gettext("Extra time {seconds}s", { seconds }) : gettext("{seconds}s", { seconds });
}

const warningWords = (isBank, seconds) =>
  isBank
    ? ngettext("Your time bank is running: {n} second.", "Your time bank is running: {n} seconds.", seconds)
    : ngettext("{n} second to act.", "{n} seconds to act.", seconds);

export class Clock {
  #timer = 0; #seat = null; #began = 0; #deadline = 0;

  /** `client` tells the time, `seatOf(number)` finds the seat drawn, `mine` shows the viewer's own seconds. */
  constructor(client, seatOf, { mine, onWarning }) {
    Object.assign(this, { client, seatOf, mine, onWarning });
  }

  /** Follow the client's clock as long as it is `seat`'s turn (null: nobody's). */
  follow(seat, actSeconds) {
    const clock = this.client.clock;
    const isRunning = Boolean(seat && clock?.deadline && clock.seat === seat);
    if (this.#seat && (!isRunning || this.#seat !== seat)) this.#clear();
    if (!isRunning) return;
    if (this.#deadline !== clock.deadline) {
      this.#deadline = clock.deadline;
      this.#began = clock.bank_from ? clock.bank_from - (clock.extra ?? 0) - actSeconds * 1000 : this.client.now();
      this.warned = false;
    }
    this.#seat = seat;
    this.#tick();
    this.#timer ||= setInterval(() => this.#tick(), 200);
  }

  /** How long the viewer has, as it is said when their turn comes, in full fives: "30 seconds". "" for no clock. */
  words() {
    if (!this.#seat || this.#seat !== this.client.you.seat) return "";
    const { isBank, seconds } = reading(this.client.clock, this.#began, this.client.now());
    return !isBank && seconds > 8 ? gettext("{amount} seconds", { amount: seconds - (seconds % 5) }) : "";
  }

  #tick() {
    const clock = this.client.clock;
    const { isBank, isExtra, seconds, part } = reading(clock, this.#began, this.client.now());
    const seat = this.seatOf(this.#seat);
    seat?.parts.ring.setAttribute("stroke-dashoffset", String(CIRCLE - CIRCLE * part));
    seat?.root.classList.toggle("is-bank", isBank);
    seat?.root.classList.toggle("is-late", isBank || seconds <= 8);
    if (this.#seat !== this.client.you.seat) return;
    this.mine.hidden = false;
    this.mine.textContent = secondsWords({ isBank, isExtra, seconds });
    this.mine.classList.toggle("is-late", isBank || seconds <= 8);
    if (!this.warned && (isBank || seconds <= 8)) {
      this.warned = true;
      this.onWarning(warningWords(isBank, seconds));
    }
  }

  #clear() {
    clearInterval(this.#timer);
    this.#timer = 0;
    const seat = this.seatOf(this.#seat);
    seat?.root.classList.remove("is-bank", "is-late");
    seat?.parts.ring.setAttribute("stroke-dashoffset", String(CIRCLE));
    this.#seat = null;
    this.mine.hidden = true;
  }
}
