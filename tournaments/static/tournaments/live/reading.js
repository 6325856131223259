// How to read a tournament's clock: the same walk as tournaments/engine/clock.py, so that screens need nobody to count.

const MINUTE = 60000;

const isByHands = (level) => level.hands > 0;
export const durationOf = (level) => (isByHands(level) ? 0 : level.minutes * MINUTE);

/** The same clock {level, hands, ends_at | remaining_ms}, said of the level in which it is at `now`. */
export function walked(clock, levels, now) {
  if (clock.ends_at === null) return clock;
  let { level, ends_at: endsAt, hands } = clock;
  while (level < levels.length - 1 && !isByHands(levels[level]) && now >= endsAt) {
    level += 1;
    hands = 0;
    endsAt += durationOf(levels[level]);
  }
  return { ...clock, level, ends_at: endsAt, hands };
}

/** What the wall shows at `now`; times in ms, `nextBreakIn` null where no break is to come or nobody knows when. */
export function read(stored, levels, now) {
  const clock = walked(stored, levels, now);
  const level = levels[clock.level];
  const isPaused = clock.ends_at === null;
  const left = isByHands(level) ? 0 : isPaused ? clock.remaining_ms : clock.ends_at - now;
  const isLast = clock.level === levels.length - 1;
  const isOvertime = isLast && !isByHands(level) && left <= 0;
  return {
    level: clock.level,
    remaining: Math.max(0, left),
    elapsed: elapsed(clock, level, now),
    isPaused,
    isBreak: level.kind === "break",
    isByHands: isByHands(level),
    isOvertime,
    overtime: isOvertime ? -left : 0,
    nextLevel: isLast ? null : clock.level + 1,
    nextBreakIn: nextBreak(levels, clock.level, left),
    handsLeft: isByHands(level) ? Math.max(0, level.hands - clock.hands) : 0,
  };
}

/** How long the level has been going, ms; a level with time added seems to have begun later. */
function elapsed(clock, level, now) {
  if (clock.ends_at === null) return isByHands(level) ? 0 : durationOf(level) - clock.remaining_ms;
  return isByHands(level) ? now - clock.ends_at : now - (clock.ends_at - durationOf(level));
}

function nextBreak(levels, index, left) {
  if (isByHands(levels[index])) return null;
  let wait = Math.max(0, left);
  for (const entry of levels.slice(index + 1)) {
    if (entry.kind === "break") return wait;
    if (isByHands(entry)) return null;
    wait += durationOf(entry);
  }
  return null;
}

/** `1:02:03`, `20:00`, `0:07`: seconds begun count, so that zero is the end and nothing else. */
export function timeText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
