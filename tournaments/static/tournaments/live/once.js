// What is to be done once by all windows of this browser together: a bell to be rung, a notice to be shown.

/** Two windows that want to at the same time have settled it by then, ms. */
const SETTLED = 250;
const STALE = 2000;
const KEPT = 400;

export class Once {
  #mine = new Set();

  /** `storage` and `locks` as the browser has them; `locks` is missing where the page did not come by https. */
  constructor(name, { storage = globalThis.localStorage, locks = navigator.locks } = {}) {
    this.key = `cardroom.once.${name}`;
    this.storage = storage;
    this.locks = locks;
    this.me = `${Date.now()}.${Math.random()}`;
  }

  /** Whether this window is the one to do `key`: true once, in one window, for good. */
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
