// The console, the tablets and the deal: the clock ticks, and what is shown follows the event without taking anything
// out of anybody's hands.

import { gettext } from "../../cardroom/language.js";
import { toast } from "../../cardroom/page.js";
import { Feed } from "../live/feed.js";
import { read, timeText } from "../live/reading.js";
import { daytime } from "../live/words.js";
import { connectDialogs } from "./dialogs.js";
import { connectHands } from "./hand.js";
import { connectKeys } from "./keys.js";

const TICK = 200;
/** Many busts in a second are one picture of them, ms. */
const AT_MOST_EVERY = 500;
const MOST_TAPS = 8;

const root = document.querySelector("[data-run]");
const state = root.querySelector("[data-run-state]");
const parts = () => root.querySelector("[data-seq][hx-trigger]");
let isSending = false;
let news = null;
/** By id: the button whose order is on its way, and those to be pressed after it. */
let sent = "";
const next = [];
let isPressed = false;
let isLate = false;
let waiting = 0;
let lastAsked = 0;

const feed = new Feed(root.dataset.socket, {
  changed() {
    // What is told to nobody but the floor (a penalty, who has come) is news as well.
    const isNews = news !== null && feed.event.parts.event.news !== news;
    news = feed.event.parts.event.news;
    if (isNew() || isNews) ask();
  },
  state(word) {
    root.dataset.connection = word;
    state.textContent = { lost: gettext("Connection lost. Reconnecting…"), closed: gettext("Load the page again.") }[word] ?? "";
    if (word === "open" && lastAsked) ask();
  },
});

const isNew = () => feed.event.seq > Number(parts()?.dataset.seq ?? 0);

/** Something is typed, chosen or unfolded there: it must not be swept away. */
function isInUse(part) {
  if (part.querySelector("details[open]")) return true;
  const active = document.activeElement;
  if (part.contains(active) && active.matches("input, select, textarea")) return true;
  return [...part.querySelectorAll("input:not([type=hidden])")].some((input) => input.value !== input.defaultValue || input.checked !== input.defaultChecked);
}

/** Draw the parts anew as soon as nobody has their hands on them. */
function ask() {
  waiting ||= setTimeout(() => {
    waiting = 0;
    const part = parts();
    isLate = isSending || isPressed || !part || isInUse(part);
    if (isLate) return;
    lastAsked = Date.now();
    part.dispatchEvent(new CustomEvent("event-moved"));
  }, Math.max(0, lastAsked + AT_MOST_EVERY - Date.now()));
}

const catchUp = () => (isLate || isNew()) && ask();

document.addEventListener("pointerdown", () => (isPressed = true));
for (const kind of ["pointerup", "pointercancel"]) {
  document.addEventListener(kind, () => {
    isPressed = false;
    setTimeout(catchUp, 50);
  });
}
for (const kind of ["change", "reset", "toggle"]) root.addEventListener(kind, () => setTimeout(catchUp, 50), true);

// One order at a time. Another button that is tapped meanwhile is pressed afterwards, on the event as it is then; the same
// one again is the same tap, but for those that are tapped to count.
root.addEventListener(
  "submit",
  (event) => {
    const { target: form, submitter: button } = event;
    if (!form.hasAttribute("hx-post")) return;
    if (!isSending) {
      sent = button?.id ?? "";
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (button?.id && next.length < MOST_TAPS && (button.id !== sent || "counts" in button.dataset)) next.push(button.id);
  },
  true,
);
document.addEventListener("htmx:beforeRequest", ({ detail: { requestConfig } }) => {
  if (requestConfig.verb === "get") return;
  isSending = true;
  root.toggleAttribute("data-sending", true);
});
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig, successful } }) => {
  if (requestConfig.verb === "get") return;
  isSending = false;
  root.toggleAttribute("data-sending", false);
  if (!successful) next.length = 0;
  const tapped = next.shift();
  setTimeout(() => (tapped ? document.getElementById(tapped)?.click() : catchUp()), 20);
});
// What was asked for before somebody put their finger down must not take the button from under it, nor bring back what
// was before the order.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target !== parts()) return;
  const seq = Number(/data-seq="(\d+)"/.exec(detail.serverResponse)?.[1] ?? 0);
  const isWelcome = !isPressed && !isSending && seq >= Number(parts().dataset.seq);
  if (detail.requestConfig.verb !== "get" || isWelcome) {
    // Parts that leave the page take what they still ask for along: its answer would find nothing to draw on.
    if (detail.requestConfig.elt !== parts()) parts().dispatchEvent(new CustomEvent("htmx:abort", { bubbles: true, detail: {} }));
    return;
  }
  detail.shouldSwap = false;
  isLate = true;
});
// A search that was answered after the parts it asked for were drawn anew is shown on those of now.
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  if (detail.target.hasAttribute("data-seq") && !detail.target.isConnected) detail.target = parts() ?? detail.target;
});
// Another director was faster: that work is drawn, and, now that this one was told of it, the next try is on that view.
document.addEventListener("htmx:responseError", ({ detail: { xhr, elt } }) => {
  if (xhr.status !== 409) return;
  elt.closest("[data-panel]")?.toggleAttribute("data-told", true);
  signAnew();
  ask();
});

function signAnew() {
  const seq = Math.max(feed.event.seq, Number(parts()?.dataset.seq ?? 0));
  for (const field of root.querySelectorAll("[data-told] [data-seq-field]")) field.value = String(seq);
}

document.addEventListener("htmx:afterSettle", ({ target }) => {
  signAnew();
  toLocal(target);
  tick();
  catchUp(); // what moved while this was on its way
});

function toLocal(part) {
  for (const time of part.querySelectorAll("time[data-local]")) {
    time.textContent = daytime(time.dateTime);
  }
}

function tick() {
  const now = feed.time.now();
  for (const mark of root.querySelectorAll("[data-until]")) {
    const left = Number(mark.dataset.until) - now;
    mark.textContent = left > 0 ? timeText(left) : gettext("time");
    if (left <= 0 && !mark.dataset.over) {
      mark.dataset.over = "yes";
      ask();
    }
  }
  const told = feed.event.parts;
  if (!told?.levels.length || !told.event.state.match(/running|paused/)) return;
  const reading = read(told.clock, told.levels, now);
  const clock = root.querySelector("[data-run-clock]");
  if (clock) clock.textContent = reading.isOvertime ? `+${timeText(reading.overtime)}` : timeText(reading.remaining);
  const pause = root.querySelector("[data-run-break]");
  if (pause && reading.nextBreakIn !== null) pause.textContent = timeText(reading.nextBreakIn);
  const shown = parts()?.dataset.level;
  if (shown !== undefined && Number(shown) !== reading.level && Date.now() - lastAsked > 1500) ask();
}

connectDialogs(root);
connectHands(root);
connectKeys(root);
toLocal(root);
feed.open();
setInterval(tick, TICK);
addEventListener("offline", () => toast({ message: gettext("This device is offline: nothing can be changed now."), isRefusal: true }));
