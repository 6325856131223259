// When a level's end and its last minute are rung, and by whom: once each, by one window of this browser.

/** A moment missed by more than this is over, ms: nobody rings for it. */
const LATE = 4000;
const MINUTE = 60000;

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

/** Asks at every tick whether it is time to ring, and rings once. */
export class Bell {
  #level = null;

  /** `rung`: what has been, as `Once` knows it. `canRing()`: whether this window could be heard; one that could not leaves it to the others. */
  constructor(rung, { canRing, ring }) {
    Object.assign(this, { rung, canRing, ring });
  }

  async tick(reading, levels) {
    const now = due(reading, levels, this.#level);
    this.#level = reading.level;
    if (now && this.canRing() && (await this.rung.claim(now.key))) this.ring(now.kind);
  }
}
