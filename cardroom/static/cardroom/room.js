// News of the room: one connection a page, for the topics that its body names. What is told is a topic and nothing else;
// the parts of the page that show it ask again: hx-trigger="room:lists from:body" (a ":" in a topic is a "-" there).

import { gettext } from "./language.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10000;
const PING_EVERY = 15000;
const SILENCE = 8000;
/** A short absence is not worth a word, ms. */
const PATIENCE = 1500;
/** A page is drawn a little after it was asked for, and what it says takes its time, ms. */
const MARGIN = 250;
/** Not all pages of a room ask in the same instant, ms. */
const SPREAD = 250;
// Closed by the server for good: the session ended, the role is not held, no such topics.
const FINAL_CODES = new Set([4401, 4403, 4404]);

const topics = (document.body.dataset.topics ?? "").split(/[\s,]+/).filter(Boolean);
const line = document.getElementById("room-line");

let socket = null;
let wait = FIRST_WAIT;
let retry = 0;
let ping = 0;
let silence = 0;
let complaint = 0;
let isOver = false;
let wasOpen = false;
/** Topics that this person may not hear of yet. */
let refused = [];

/** Tell the page: `room:<topic>` on its body, and `room:player` for what concerns its own reader. */
function tell(told) {
  for (const topic of told) {
    const names = topic.startsWith("player:") ? [topic, "player"] : topic.startsWith("list:") ? [topic, "list"] : [topic];
    for (const name of names) {
      document.body.dispatchEvent(new CustomEvent(`room:${name.replace(":", "-")}`, { detail: { topic } }));
    }
  }
}

function open() {
  clearTimeout(retry);
  if (socket || isOver) return;
  const url = new URL(document.body.dataset.room, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("topics", topics.join(","));
  const mine = new WebSocket(url);
  socket = mine;
  mine.addEventListener("message", ({ data }) => mine === socket && hear(JSON.parse(data)));
  mine.addEventListener("close", ({ code }) => mine === socket && lose(code));
  silence = setTimeout(() => mine === socket && lose(), SILENCE);
}

function hear(message) {
  clearTimeout(silence);
  silence = 0;
  if (message.type === "hello") {
    refused = topics.filter((topic) => !message.topics.includes(topic));
    begin();
  } else if (message.type === "moved") {
    setTimeout(tell, Math.random() * SPREAD, message.topics);
    // Who has sat down may read the chat of their table now.
    if (refused.length && message.topics.some((topic) => topic.startsWith("player:"))) askAgain();
  }
}

/** Ask for all topics once more: some were refused, and what this person may hear of has changed. */
function askAgain() {
  const old = socket;
  socket = null;
  clearInterval(ping);
  old?.close();
  open();
}

function begin() {
  wait = FIRST_WAIT;
  clearInterval(ping);
  ping = setInterval(knock, PING_EVERY);
  knock();
  clearTimeout(complaint);
  complaint = 0;
  say("");
  document.body.dataset.roomState = "open";
  // What happened meanwhile was told to nobody here; and what has happened since this page was asked for.
  if (wasOpen) tell(topics);
  else socket.send(JSON.stringify({ type: "catch_up", age: Math.ceil(performance.now()) + MARGIN }));
  wasOpen = true;
  document.body.dispatchEvent(new CustomEvent("room:open"));
}

function knock() {
  if (socket?.readyState !== WebSocket.OPEN) return;
  // Who has a page in sight is not told by push.
  socket.send(JSON.stringify({ type: "ping", hidden: document.hidden }));
  silence ||= setTimeout(() => lose(), SILENCE);
}

function lose(code) {
  clearInterval(ping);
  clearTimeout(silence);
  silence = 0;
  const old = socket;
  socket = null;
  old?.close();
  document.body.dataset.roomState = "lost";
  document.body.dispatchEvent(new CustomEvent("room:lost"));
  if (FINAL_CODES.has(code)) {
    isOver = true;
    say(gettext("This page no longer updates. Load it again."));
    return;
  }
  complaint ||= setTimeout(say, PATIENCE, gettext("Connection lost: what you see may be old. Reconnecting…"));
  clearTimeout(retry);
  retry = setTimeout(open, wait * (0.75 + Math.random() / 2));
  wait = Math.min(LONGEST_WAIT, wait * 2);
}

function say(words) {
  if (!line) return;
  line.textContent = words;
  line.hidden = !words;
}

function retryNow() {
  if (socket || isOver) return;
  wait = FIRST_WAIT;
  open();
}

// -- parts that are in use wait -----------------------------------------------------------------------------------------

/** Parts whose news came while somebody was typing, choosing or reading something unfolded there. */
const held = new Set();

function isInUse(part) {
  const active = document.activeElement;
  if (active && active !== part && part.contains(active) && active.matches("input, select, textarea")) return true;
  // Between pressing and letting go: what is replaced there is not clicked.
  if (part.matches(":active") || part.querySelector(":active")) return true;
  // An order on its way has to be there yet when its answer comes.
  if (part.querySelector("dialog[open], details[open]:not([data-stays]), .htmx-request")) return true;
  const fields = "input:not([type=hidden], [type=search]), textarea";
  return [...part.querySelectorAll(fields)].some(isChanged);
}

/** The value of a box to tick is "on", whatever its default is said to be. */
function isChanged(input) {
  const isTicked = input.matches("[type=checkbox], [type=radio]");
  return isTicked ? input.checked !== input.defaultChecked : input.value !== input.defaultValue;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  const name = requestConfig?.triggeringEvent?.type ?? "";
  if (!name.startsWith("room:") || !isInUse(elt)) return;
  event.preventDefault();
  held.add({ elt, name });
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const name = detail.requestConfig?.triggeringEvent?.type ?? "";
  if (!name.startsWith("room:") || !isInUse(detail.target)) return;
  detail.shouldSwap = false; // somebody began while it was asked for
  held.add({ elt: detail.requestConfig.elt, name });
});

/** The link or button that had the focus in a part that is drawn anew, by what it says; what has an id htmx keeps. */
let focused = null;

const signOf = (node) => [node.tagName, node.getAttribute("href"), node.name, node.getAttribute("aria-label") ?? node.textContent.trim()].join();

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const active = document.activeElement;
  if (detail.shouldSwap && active && !active.id && active !== document.body && detail.target.contains(active)) {
    focused = { selector: active.tagName, sign: signOf(active) };
  }
});

document.addEventListener("htmx:afterSwap", () => {
  const was = focused;
  focused = null; // of this swap alone
  if (!was || document.activeElement !== document.body) return;
  [...document.querySelectorAll(was.selector)].find((node) => signOf(node) === was.sign)?.focus({ preventScroll: true });
});

function release() {
  setTimeout(() => {
    const names = new Set();
    for (const each of held) {
      if (each.elt.isConnected && isInUse(each.elt)) continue;
      held.delete(each);
      if (each.elt.isConnected) names.add(each.name);
    }
    for (const name of names) document.body.dispatchEvent(new CustomEvent(name));
  }, 50);
}
for (const name of ["focusout", "toggle", "close", "reset", "pointerup", "pointercancel", "dragend", "keyup", "htmx:afterRequest"]) document.addEventListener(name, release, true);

if (topics.length && document.body.dataset.room) {
  addEventListener("online", retryNow);
  addEventListener("offline", () => socket && lose());
  addEventListener("pagehide", () => {
    isOver = true;
    const old = socket;
    socket = null;
    old?.close();
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    isOver = false;
    open();
  });
  document.addEventListener("visibilitychange", () => {
    knock();
    if (!document.hidden) retryNow();
  });
  open();
}
