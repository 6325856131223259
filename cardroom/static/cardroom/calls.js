// Called to a seat, or to an event that starts soon, while another tab or window is looked at: the title says so, and,
// where the player wished for it on their own page, a sound and a notice of the browser. The same for a turn at another
// table, of which its page tells, or the room where no page of it is open.

import { alertTo, beep, NOTICE, SOUND } from "./alerts.js";
import { gettext } from "./language.js";

const calls = document.getElementById("my-calls");
let title = document.title;
/** The title as this page last gave it for a call; what else is in it is the page's own. */
let ours = "";
/** One tab of several speaks up: whichever writes this first. */
const TOLD = "calls-told";

/** Tables of events that were opened by themselves or by hand, or put away: each is told of once, and opens once. */
const OPENED = "tables-opened";
const MOST_KEPT = 50;
/** So long the words are read before the table opens; a page that nobody looks at leaves it to one that is, ms. */
const READ_THEM = 2500;
const HIDDEN_WAITS = 2500;

const standing = () => [...calls.querySelectorAll("[data-call]")];
const kept = (name) => JSON.parse(localStorage.getItem(name) ?? "[]");

/** The title tells of a call, else of a turn at a table that is not open here; pages of tables tell of turns themselves. */
function entitle(call) {
  const turn = !document.querySelector("main[data-table], .side__tables") && document.querySelector(".is-turn > .seat-pill__name")?.textContent;
  const words = call || (turn && gettext("Your turn: {table}", { table: turn }));
  if (document.title !== ours) title = document.title;
  ours = words ? `\u25CF ${words}` : "";
  if (document.title !== (ours || title)) document.title = ours || title;
}

const wordsOf = (call) => call?.querySelector("strong")?.textContent.trim();
/** A table that opens by itself is told on the page alone. */
const called = () => wordsOf(standing().find((call) => !call.dataset.opens));

function look() {
  for (const { dataset } of calls.querySelectorAll("[data-opened]")) remember(dataset.opened);
  showOpen();
  const now = standing();
  entitle(called());
  const told = new Set(kept(TOLD));
  const fresh = now.filter((call) => !told.has(call.dataset.call));
  localStorage.setItem(TOLD, JSON.stringify(now.map((call) => call.dataset.call)));
  if (fresh.length && wordsOf(fresh[0])) alertTo(wordsOf(fresh[0]), "call");
  for (const call of calls.querySelectorAll("[data-opens]")) setTimeout(open, READ_THEM + document.hidden * HIDDEN_WAITS, call);
}

/** Only what has neither been opened nor put away, here or in another tab. */
function showOpen() {
  const opened = kept(OPENED);
  for (const call of calls.querySelectorAll("[data-opens]")) {
    if (opened.includes(call.dataset.opens)) call.remove();
    else call.hidden = false;
  }
}

/** The table of an event opens by itself, once, unless its player is at another one or in the middle of something. */
function open(call) {
  const seat = call.dataset.opens;
  if (!call.isConnected || kept(OPENED).includes(seat) || isBusy()) return;
  remember(seat);
  location.assign(call.querySelector("a").href);
}

function remember(seat) {
  localStorage.setItem(OPENED, JSON.stringify([...kept(OPENED).filter((other) => other !== seat), seat].slice(-MOST_KEPT)));
}

calls?.addEventListener("click", ({ target }) => {
  const call = target.closest("[data-put-away], a")?.closest("[data-opens]");
  if (!call) return;
  remember(call.dataset.opens);
  if (target.closest("[data-put-away]")) showOpen();
});
addEventListener("storage", ({ key }) => key === OPENED && showOpen());

function isBusy() {
  const isTyping = document.activeElement?.matches("input, select, textarea");
  return Boolean(isTyping || document.querySelector("dialog[open], main[data-table]"));
}

// -- the player's wishes, on their own page ---------------------------------------------------------------------------

function keep(name, isWished) {
  if (isWished) localStorage.setItem(name, "yes");
  else localStorage.removeItem(name);
}

for (const box of document.querySelectorAll("[data-calls-wish]")) {
  const name = box.dataset.callsWish === "sound" ? SOUND : NOTICE;
  box.checked = Boolean(localStorage.getItem(name)) && (name === SOUND || globalThis.Notification?.permission === "granted");
  box.disabled = name === NOTICE && !globalThis.Notification;
  box.addEventListener("change", async () => {
    if (box.checked && name === NOTICE) box.checked = (await Notification.requestPermission()) === "granted";
    keep(name, box.checked);
    if (box.checked && name === SOUND) beep();
  });
}

// Not before: a page that is just loaded has yet to ask.
calls?.addEventListener("htmx:afterSwap", look);

// -- turns at other tables --------------------------------------------------------------------------------------------

/** The tables where it was the player's turn when their bar was last looked at. */
let turns = new Set();

function seeTurns() {
  entitle(called());
  const pills = [...document.querySelectorAll("[data-seat-at].is-turn")];
  const fresh = pills.find((pill) => !turns.has(pill.dataset.seatAt));
  turns = new Set(pills.map((pill) => pill.dataset.seatAt));
  if (fresh) alertTo(gettext("Your turn: {table}", { table: fresh.querySelector(".seat-pill__name").textContent }), "turn");
}

document.addEventListener("htmx:oobAfterSwap", ({ target }) => target.id === "my-seats" && seeTurns());
new BroadcastChannel("turns").addEventListener("message", ({ data: { table, isMine } }) => {
  document.querySelector(`[data-seat-at="${table}"]`)?.classList.toggle("is-turn", isMine);
  if (calls) entitle(called());
  // The page of that table, which told it, speaks up itself.
  turns = new Set([...document.querySelectorAll("[data-seat-at].is-turn")].map((pill) => pill.dataset.seatAt));
});
