// The console's commands: one at a time, each with an id of its own, said once more after a lost connection.

export class Orders {
  #pending = null;

  /** `connection`: the table's socket; `onChange()`: one was sent or answered; `onRefused(message)`. */
  constructor(connection, { onChange, onRefused, onDone = () => {} }) {
    Object.assign(this, { connection, onChange, onRefused, onDone });
  }

  get isBusy() {
    return this.#pending !== null;
  }

  /** Whether it was sent. */
  send(message) {
    if (this.#pending) return false;
    this.#pending = { ...message, command_id: newId() };
    this.connection.send(this.#pending);
    this.onChange();
    return true;
  }

  dealer({ hand, seq }, what, fields = {}) {
    return this.send({ type: "dealer", hand, seq, what, fields });
  }

  /** Whether the answer was to our own. */
  done(message) {
    if (message.command_id !== this.#pending?.command_id) return false;
    const sent = this.#pending;
    this.#pending = null;
    this.onDone(sent, message);
    this.onChange();
    return true;
  }

  refused(message) {
    if (message.command_id && message.command_id !== this.#pending?.command_id) return;
    const sent = this.#pending;
    this.#pending = null;
    this.onRefused(message, sent);
    this.onChange();
  }

  /** After a lost connection: the same once more; the room knows it by its id. */
  sayAgain() {
    if (this.#pending) this.connection.send(this.#pending);
  }
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
