// The server's time, as this window knows it: round trips say what it is, the steady clock carries it on.

/** A difference between the two clocks of this machine that is more than a correction of one of them, ms. */
const LEAP = 100;
/** So many of the latest round trips are looked at. */
const KEPT = 9;

const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

export class ServerTime {
  #base = null; #anchor = 0; #trips = [];

  /** `wall` may be set by people and goes on in sleep, `steady` may not be set and may stop in sleep; both in ms. */
  constructor({ wall = () => Date.now(), steady = () => performance.now() } = {}) {
    Object.assign(this, { wall, steady });
  }

  get isKnown() {
    return this.#base !== null;
  }

  /** Milliseconds since the epoch by the server's clock; this machine's own as long as nothing better is known. */
  now() {
    if (this.#base === null) return this.wall();
    const slept = this.#gap();
    return this.steady() + this.#base + (slept > LEAP ? slept : 0);
  }

  /** Whether the machine slept, or its clock was set, since the last measuring: then measure again. */
  get isDoubtful() {
    return this.#base === null || Math.abs(this.#gap()) > LEAP;
  }

  /** Forget the round trips so far: what comes now is another connection, or another day. */
  begin() {
    this.#trips = [];
  }

  /** The server said that it was `serverNow`: later than that by however long the message took. */
  hint(serverNow) {
    if (this.#trips.length) return;
    this.#set(serverNow - this.steady());
  }

  /** One round trip, sent and received at these `steady` times, answered at `serverNow`. */
  trip(sent, serverNow, received) {
    this.#trips.push({ took: received - sent, base: serverNow - (sent + received) / 2 });
    this.#trips = this.#trips.slice(-KEPT);
    // Of a trip that took long nobody knows which half of it did.
    const quick = [...this.#trips].sort((a, b) => a.took - b.took).slice(0, Math.ceil(this.#trips.length / 2));
    this.#set(median(quick.map(({ base }) => base)));
  }

  /** How far the server's clock is ahead of this machine's, ms: to be kept for a time without a server. */
  get ahead() {
    return this.now() - this.wall();
  }

  /** Take what was kept. */
  restore(ahead) {
    if (this.#base === null && Number.isFinite(ahead)) this.#set(this.wall() + ahead - this.steady());
  }

  #set(base) {
    this.#base = base;
    this.#anchor = this.wall() - this.steady();
  }

  #gap() {
    return this.wall() - this.steady() - this.#anchor;
  }
}
