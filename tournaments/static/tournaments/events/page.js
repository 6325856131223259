// The list, the flyer and the desk: times in the zone of the page, the clock that ticks, and parts that follow the event.

import { locale } from "../../cardroom/language.js";
import { Feed } from "../live/feed.js";
import { showNotice } from "../live/notices.js";
import { read, timeText } from "../live/reading.js";

/** No part is asked for again sooner than this, ms: hundreds of entries in a minute are one picture of it. */
const AT_MOST_EVERY = 3000;
const TICK = 250;

const page = { timeZone: document.documentElement.dataset.zone };
const zone = { ...page, timeZoneName: "short" };
const FORMATS = {
  moment: { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", ...zone },
  time: { hour: "2-digit", minute: "2-digit", ...page },
  day: { day: "numeric", month: "short", year: "numeric", ...page },
};

/** Every time on the page in its zone; the room's own words stay as the title. */
function toLocal(part) {
  for (const time of part.querySelectorAll("time[data-local]")) {
    const moment = new Date(time.dateTime);
    if (!time.title) time.title = time.textContent.trim();
    time.textContent = new Intl.DateTimeFormat(locale, FORMATS[time.dataset.local]).format(moment);
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

toLocal(document);
// On a phone the tabs are wider than the screen: the one that is open is in sight.
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
document.addEventListener("htmx:afterSettle", ({ target }) => toLocal(target));
const root = document.querySelector("[data-event][data-socket]");
if (root) follow(root);
