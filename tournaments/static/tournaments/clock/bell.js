// When a level's end and its last minute are rung, and by whom: once each, by one window of this browser.

/** A moment missed by more than this is over, ms: nobody rings for it. */
const LATE = 4000;
const MINUTE = 60000;
/** Two windows that want to ring at once have settled it by then, ms. */
const SETTLED = 80;
const STALE = 2000;
const KEPT = 400;

/** What `reading` calls for just now: {key, kind} or null. The key is the level's, however often it comes to this.
 *  `before`: the level seen last, null if this is the first look. */
export function due(reading, levels, before) {
  if (reading.isPaused) return null;
  const { level, elapsed, remaining } = reading;
  if (level > 0 && level !== before && elapsed >= 0 && elapsed < LATE) return { key: `${level - 1}:end`, kind: "end" };
  const isLong = !reading.isByHands && levels[level].minutes * MINUTE > MINUTE;
  if (isLong && remaining > MINUTE - LATE && remaining <= MINUTE) return { key: `${level}:minute`, kind: "minute" };
  return null;
}

/** Which rings have been rung for one tournament, agreed on by all windows of this browser. */
export class Rung {
  #mine = new Set();

  /** `storage` and `locks` as the browser has them; `locks` is missing where the page did not come by https. */
  constructor(tournament, { storage = globalThis.localStorage, locks = navigator.locks } = {}) {
    this.key = `cardroom.rung.${tournament}`;
    this.storage = storage;
    this.locks = locks;
    this.me = `${Date.now()}.${Math.random()}`;
  }

  /** Whether this window is the one to ring `key`: true once, in one window, for good. */
  async claim(key) {
    if (this.#mine.has(key)) return false;
    this.#mine.add(key);
    try {
      if (this.#all().includes(key)) return false;
      if (this.locks) return await this.locks.request(this.key, () => this.#take(key));
      return await this.#settle(key);
    } catch {
      return true; // a browser that keeps nothing has this one window to go by
    }
  }

  /** Without locks: whoever wrote last is it, and whoever comes while that is open is not. */
  async #settle(key) {
    const slot = `${this.key}.${key}`;
    const [, since] = (this.storage.getItem(slot) ?? "").split(" ");
    if (since && Date.now() - Number(since) < STALE) return false;
    const claim = `${this.me} ${Date.now()}`;
    this.storage.setItem(slot, claim);
    await new Promise((resolve) => setTimeout(resolve, SETTLED));
    const isMine = this.storage.getItem(slot) === claim;
    if (isMine) this.#take(key);
    return isMine;
  }

  #take(key) {
    const all = this.#all();
    if (all.includes(key)) return false;
    this.storage.setItem(this.key, JSON.stringify([...all, key].slice(-KEPT)));
    return true;
  }

  #all() {
    return JSON.parse(this.storage.getItem(this.key) ?? "[]");
  }
}

/** Asks at every tick whether it is time to ring, and rings once. */
export class Bell {
  #level = null;

  /** `canRing()`: whether this window could be heard; one that could not leaves it to the others. */
  constructor(rung, { canRing, ring }) {
    Object.assign(this, { rung, canRing, ring });
  }

  async tick(reading, levels) {
    const now = due(reading, levels, this.#level);
    this.#level = reading.level;
    if (now && this.canRing() && (await this.rung.claim(now.key))) this.ring(now.kind);
  }
}
