// Several tables in one window, each a page of its own: the one whose turn it is comes to the front, and keys act there.

import "../../cardroom/page.js";
import "../../cardroom/room.js";
import "../../cardroom/calls.js";
import { pressed } from "../../cardroom/hot_keys.js";
import { gettext } from "../../cardroom/language.js";

const HOW = "tables-how";
const stage = document.querySelector(".side__tables");
const tabs = document.querySelector("[data-tabs]");
/** Since when it is the player's turn at a table. */
const turns = new Map();
let later = 0;

const tiles = () => [...stage.children];
const tileOf = (table) => tiles().find((tile) => tile.dataset.table === String(table));
const focused = () => stage.querySelector(".is-focused");

/** Bring a table to the front; `isKeys`: keys act there from now on. */
function bring(tile, isKeys = true) {
  for (const each of tiles()) each.classList.toggle("is-focused", each === tile);
  for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.table === tile?.dataset.table));
  if (!tile || !isKeys) return;
  // Not `tile.focus()`: who was brought here before and left by a click would count as being here still.
  document.activeElement?.blur();
  tile.contentWindow.focus();
}

/** Whether the player is in the middle of a line, which no other table is to take the end of. */
function isTyping() {
  const { contentDocument } = focused() ?? {};
  const field = contentDocument?.hasFocus() && contentDocument.activeElement;
  return Boolean(field && field.matches("input, textarea") && field.value);
}

/** Whose turn is the oldest goes first, unless the player is to act where they are. */
function follow() {
  clearTimeout(later);
  if (!turns.size || turns.has(focused()?.dataset.table)) return;
  if (isTyping()) {
    later = setTimeout(follow, 1000);
    return;
  }
  const [next] = [...turns].sort(([, a], [, b]) => a - b);
  if (next) bring(tileOf(next[0]));
}

function draw() {
  const all = tiles();
  const columns = Math.ceil(Math.sqrt(all.length * (stage.clientWidth > stage.clientHeight ? 1 : 0.5)));
  stage.style.setProperty("--columns", String(Math.max(1, columns)));
  stage.style.setProperty("--rows", String(Math.ceil(all.length / Math.max(1, columns))));
  stage.style.setProperty("--last", String(all.length - 1));
  for (const [at, tile] of all.entries()) {
    tile.style.setProperty("--at", String(at));
    tile.classList.toggle("is-turn", turns.has(tile.dataset.table));
  }
  tabs.replaceChildren(...all.map((tile) => {
    const tab = document.createElement("button");
    const isTurn = turns.has(tile.dataset.table);
    tab.type = "button";
    tab.className = `side__tab${isTurn ? " is-turn" : ""}`;
    tab.dataset.table = tile.dataset.table;
    tab.textContent = isTurn ? gettext("{table}: your turn", { table: tile.title }) : tile.title;
    tab.setAttribute("aria-pressed", String(tile.classList.contains("is-focused")));
    return tab;
  }));
  if (all.length && !focused()) bring(all[0], false);
  document.querySelector(".side__how").hidden = !all.length;
  document.querySelector("[data-none]").hidden = all.length > 0;
  const waiting = turns.size ? tileOf([...turns.keys()][0])?.title : "";
  document.title = (waiting ? ["\u25CF", gettext("Your turn"), "\u00B7", waiting] : [gettext("Your tables"), "\u00B7 Cardroom"]).join(" ");
}

function arrange(how) {
  stage.dataset.how = how;
  for (const button of document.querySelectorAll("button[data-how]")) {
    button.setAttribute("aria-pressed", String(button.dataset.how === how));
  }
}

function step(by) {
  const all = tiles();
  const at = all.indexOf(focused());
  if (all.length) bring(all[(at + by + all.length) % all.length]);
}

addEventListener("message", ({ origin, source, data }) => {
  const tile = tiles().find(({ contentWindow }) => contentWindow === source);
  if (origin !== location.origin || !tile) return;
  if (data.step) step(data.step);
  if (data.hasKeys) bring(tile, false);
  if (data.isMine === undefined) return;
  if (!data.isMine) turns.delete(tile.dataset.table);
  else if (!turns.has(tile.dataset.table)) turns.set(tile.dataset.table, performance.now());
  draw();
  follow();
});
tabs.addEventListener("click", ({ target }) => target.closest("button") && bring(tileOf(target.closest("button").dataset.table)));
document.querySelector(".side__how").addEventListener("click", ({ target }) => {
  const how = target.closest("button")?.dataset.how;
  if (!how) return;
  localStorage.setItem(HOW, how);
  arrange(how);
});
document.addEventListener("keydown", (event) => {
  const by = { previous: -1, next: 1 }[pressed(event)];
  if (by) step(by);
});

/** The seats may be others now: tables come and go, what stays is not loaded again. */
document.body.addEventListener("room:player", async () => {
  const answer = await fetch("/api/v1/me/seats", { headers: { Accept: "application/json" } }).catch(() => null); // the page may be left
  if (!answer?.ok) return;
  const seats = (await answer.json()).filter((seat) => !seat.is_physical);
  for (const tile of tiles()) {
    if (seats.some((seat) => String(seat.table) === tile.dataset.table)) continue;
    turns.delete(tile.dataset.table);
    tile.remove();
  }
  for (const seat of seats) {
    if (tileOf(seat.table)) continue;
    const tile = document.createElement("iframe");
    Object.assign(tile, { className: "tile", src: `/tables/${seat.table}/?tile`, title: seat.table_name, allow: "autoplay" });
    tile.dataset.table = String(seat.table);
    stage.append(tile);
  }
  draw();
});

arrange(localStorage.getItem(HOW) ?? "tiled");
addEventListener("resize", draw);
draw();
