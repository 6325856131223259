// The list, the flyer and the desk: how long until the start, the clock that ticks, and parts that follow the event.

import { gettext, ngettext } from "../../cardroom/language.js";
import { Feed } from "../live/feed.js";
import { showNotice } from "../live/notices.js";
import { read, timeText } from "../live/reading.js";

/** No part is asked for again sooner than this, ms: hundreds of entries in a minute are one picture of it. */
const AT_MOST_EVERY = 3000;
const TICK = 250;
const COUNT_EVERY = 10000;
const [HOUR, DAY] = [60, 1440];

/** "in 12 min", as `starts_in` of the templates says it. */
function startsIn(minutes) {
  if (minutes >= 2 * DAY) return ngettext("in {n} day", "in {n} days", Math.round(minutes / DAY));
  if (minutes <= 0) return gettext("now");
  const words = { hours: Math.floor(minutes / HOUR), minutes: minutes % HOUR };
  return minutes >= HOUR ? gettext("in {hours} h {minutes} min", words) : gettext("in {minutes} min", words);
}

function count() {
  for (const time of document.querySelectorAll("time[data-starts]")) {
    const words = startsIn(Math.round((Date.parse(time.dateTime) - Date.now()) / 60000));
    if (time.textContent !== words) time.textContent = words;
  }
}

/** Something is typed, chosen or unfolded there: it must not be swept away. */
function isInUse(part) {
  if (part.contains(document.activeElement) || part.querySelector("details[open]")) return true;
  return [...part.querySelectorAll("input:not([type=hidden])")].some(
    (input) => input.value !== input.defaultValue || input.checked !== input.defaultChecked,
  );
}

function follow(root) {
  const news = new Set();
  let last = 0;
  let waiting = 0;
  const ask = () => {
    waiting = 0;
    last = Date.now();
    for (const part of document.querySelectorAll("[hx-trigger*='event-moved']")) {
      // `data-follows`: the parts of the event that it is about; without it, all of them.
      const { follows } = part.dataset;
      const isOld = follows && !follows.split(" ").some((name) => news.has(name));
      if (!isOld && !isInUse(part)) part.dispatchEvent(new CustomEvent("event-moved"));
    }
    news.clear();
  };
  let isFirst = true;
  const feed = new Feed(root.dataset.socket, {
    notice: (message) => showNotice(feed, message),
    changed(names) {
      // The first message tells what the page was drawn from a moment ago.
      if (!isFirst) {
        names.forEach((name) => news.add(name));
        waiting ||= setTimeout(ask, Math.max(0, last + AT_MOST_EVERY - Date.now()));
      }
      isFirst = false;
    },
  });
  feed.open();
  setInterval(() => {
    const { parts } = feed.event;
    const clock = document.querySelector("[data-clock]");
    if (!parts || !clock || !parts.levels.length) return;
    const reading = read(parts.clock, parts.levels, feed.time.now());
    if (reading.isByHands) return;
    clock.textContent = reading.isOvertime ? `+${timeText(reading.overtime)}` : timeText(reading.remaining);
  }, TICK);
}

setInterval(count, COUNT_EVERY);
const root = document.querySelector("[data-event][data-socket]");
if (root) follow(root);
