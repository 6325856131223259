// The live connection: opens, notices silence, comes back by itself. Knows messages as JSON, not what they mean.

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const PING_EVERY = 10000;
const SILENCE = 6000;
// Closed by the server for good: the session ended, the role is not held, there is no such table.
const FINAL_CODES = new Set([4401, 4403, 4404]);

export class Connection {
  #url; #socket = null; #wait = FIRST_WAIT; #retry = 0; #ping = 0; #silence = 0; #isClosed = false;

  /** `on`: {open(), message(object, when it came), lost({in: ms}), final(code)}. */
  constructor(url, on) {
    this.#url = url;
    this.on = on;
    addEventListener("online", () => this.#retryNow());
    addEventListener("offline", () => this.#lose());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    document.addEventListener("visibilitychange", () => document.hidden || this.#retryNow());
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  open() {
    this.#isClosed = false;
    clearTimeout(this.#retry);
    if (this.#socket) return;
    const { socket, heard } = underWay(this.#url) ?? { socket: new WebSocket(this.#url), heard: [] };
    this.#socket = socket;
    const opened = () => {
      this.#wait = FIRST_WAIT;
      this.#ping = setInterval(() => this.#knock(), PING_EVERY);
      this.on.open();
    };
    const told = ({ data, at = Date.now() }) => {
      clearTimeout(this.#silence);
      this.#silence = 0;
      if (socket === this.#socket) this.on.message(JSON.parse(data), at);
    };
    socket.addEventListener("message", told);
    socket.addEventListener("close", ({ code }) => socket === this.#socket && this.#lose(code));
    // A connection that never opens must not hold up the next attempt.
    this.#silence = setTimeout(() => socket === this.#socket && this.#lose(), SILENCE);
    if (socket.readyState === WebSocket.OPEN) opened();
    else socket.addEventListener("open", opened);
    heard.forEach(told);
  }

  /** Whether it went out; what could not be sent is the caller's to send again after `open`. */
  send(message) {
    if (!this.isOpen) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#drop();
  }

  #knock() {
    this.send({ type: "ping" });
    this.#silence ||= setTimeout(() => this.#lose(), SILENCE);
  }

  #drop() {
    clearInterval(this.#ping);
    clearTimeout(this.#silence);
    this.#silence = 0;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #lose(code) {
    if (this.#isClosed) return;
    this.#drop();
    if (FINAL_CODES.has(code)) {
      this.#isClosed = true;
      this.on.final(code);
      return;
    }
    // Somewhat at random, so that a whole room does not knock in the same instant after a restart.
    const wait = this.#wait * (0.75 + Math.random() / 2);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.open(), wait);
    this.on.lost({ in: wait });
  }

  #retryNow() {
    if (this.#isClosed || this.#socket) return;
    this.#wait = FIRST_WAIT;
    this.open();
  }
}

/** The socket that `first_socket.js` opened, with what it has heard so far: once, and only while it lives. */
function underWay(url) {
  const first = globalThis.firstSocket;
  globalThis.firstSocket = null;
  if (first?.socket.url !== url || first.socket.readyState > WebSocket.OPEN) return null;
  first.socket.onmessage = null;
  return first;
}
