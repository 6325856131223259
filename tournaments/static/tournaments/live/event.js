// A tournament as this window was told it: the snapshot, what moved since, and the player's own part of it.

/** What can change by itself; a `moved` message carries those that did. */
export const PARTS = ["event", "clock", "levels", "counts", "payouts", "tables", "moves", "deal"];

export class Event {
  seq = 0;
  parts = null;
  you = null;

  get isKnown() {
    return this.parts !== null;
  }

  /** Take a message; the names of the parts that are new (`you` among them), null if it was none of ours. */
  receive(message) {
    if (message.type !== "snapshot" && message.type !== "moved") return null;
    // Something between the snapshot and this was missed, or this is older than what is known.
    if (message.type === "moved" && !this.isKnown) return null;
    const said = message.type === "snapshot" ? message : message.changed;
    const names = PARTS.filter((name) => name in said);
    this.parts = { ...this.parts, ...Object.fromEntries(names.map((name) => [name, said[name]])) };
    this.seq = message.seq;
    if ("you" in message) {
      this.you = message.you;
      names.push("you");
    }
    return names;
  }
}

/** The last known state, kept in this browser for when the room is away. Without a browser that keeps, nothing is. */
export class Keep {
  constructor(tournament, storage = globalThis.localStorage) {
    this.key = `cardroom.event.${tournament}`;
    this.storage = storage;
  }

  /** `at`: the server's time of it; `ahead`: how far its clock is ahead of this machine's. Nobody's own part is kept. */
  store({ parts, seq }, { at, ahead }) {
    try {
      this.storage.setItem(this.key, JSON.stringify({ parts, seq, at, ahead }));
    } catch {
      // Full, or switched off: then only a reload without the room shows nothing.
    }
  }

  /** What was kept, or null. */
  load() {
    try {
      const kept = JSON.parse(this.storage.getItem(this.key));
      return kept && PARTS.every((name) => name in kept.parts) ? kept : null;
    } catch {
      return null;
    }
  }
}
