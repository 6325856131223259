// One tournament, live: the connection, the server's time, and what was told, for whatever page wants to follow it.

import { Connection } from "../../games/play/socket.js";
import { Event } from "./event.js";
import { ServerTime } from "./servertime.js";

const TRIPS = 7;
const BETWEEN_TRIPS = 120;
const MEASURE_EVERY = 60000;

export function socketUrl(path) {
  const url = new URL(path, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

export class Feed {
  event = new Event();
  time = new ServerTime();
  state = "opening";
  #measuring = 0;

  /** `on`: {changed(names), state(word), notice(message)}, each optional. States: opening, open, lost, closed. */
  constructor(path, on = {}) {
    this.on = on;
    this.connection = new Connection(socketUrl(path), {
      open: () => {
        this.#become("open");
        this.measure();
      },
      message: (message) => this.#receive(message),
      lost: () => this.#become("lost"),
      final: () => this.#become("closed"),
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.measure());
    setInterval(() => this.measure({ isAnew: false }), MEASURE_EVERY);
  }

  open() {
    this.connection.open();
  }

  /** Several round trips, one after another; `isAnew`: what was measured before counts no more. */
  measure({ isAnew = true } = {}) {
    clearTimeout(this.#measuring);
    if (isAnew) this.time.begin();
    this.#trip(isAnew ? TRIPS : 1);
  }

  /** Say that a notice was shown: nobody is told it again. */
  seen(id) {
    this.connection.send({ type: "seen", notice: id });
  }

  #trip(left) {
    if (!left || !this.connection.send({ type: "ping", sent: this.time.steady() })) return;
    this.#measuring = setTimeout(() => this.#trip(left - 1), BETWEEN_TRIPS);
  }

  #receive(message) {
    if (message.type === "pong") {
      if (message.sent !== null) this.time.trip(message.sent, message.now, this.time.steady());
      return;
    }
    if (message.now) this.time.hint(message.now);
    if (message.type === "notice") this.on.notice?.(message);
    const names = this.event.receive(message);
    if (names) this.on.changed?.(names);
  }

  #become(state) {
    this.state = state;
    this.on.state?.(state);
  }
}
