// The floor console: every table at a glance and the calls that wait, as the room's socket tells them.

import "../../cardroom/page.js";
import "../../cardroom/room.js";
import "../../cardroom/calls.js";
import { gettext, inside, ngettext } from "../../cardroom/language.js";
import { Connection } from "../play/socket.js";
import { cited, isRoutine, titleOf } from "../play/rulings.js";
import { chips, streetName } from "../play/words.js";
import { socketUrl, toast } from "../dealing/chrome.js";
import { wordsOf } from "./calls.js";

const page = document.querySelector("[data-floor]");
const part = Object.fromEntries([...page.querySelectorAll("[data-page]")].map((node) => [node.dataset.page, node]));
const templates = { table: "floor-table-template", call: "call-template" };
/** A turn, or a dealer, that has taken this long is worth a look: seconds. */
const LONG = 60;

const known = { table: new Map(), call: new Map() };
let tables = [];
let calls = [];
let offset = 0;

const connection = new Connection(socketUrl(page.dataset.socket), {
  open: () => (page.dataset.connection = "open"),
  message: (message) => {
    if (message.type === "floor") receive(message);
    else if (message.type === "pong") offset = message.now - Date.now();
    else if (message.type === "refused") toast(message);
  },
  lost: () => {
    page.dataset.connection = "lost";
    part.state.textContent = gettext("Connection lost. Reconnecting…");
  },
  final: () => {
    page.dataset.connection = "closed";
    part.state.textContent = gettext("You no longer have access to the floor console. Load the page again.");
  },
});

function receive(message) {
  const before = new Set(calls.map(({ id }) => id));
  const isFirst = tables.length === 0 && calls.length === 0;
  ({ tables, calls } = message);
  for (const call of calls) {
    const words = gettext("Floor call: {table}, {who}.", { table: call.table_name, who: call.who });
    if (!isFirst && !before.has(call.id)) part.voice.textContent = `${words} ${wordsOf(call)}`;
  }
  draw();
}

function draw() {
  const count = calls.length;
  const playing = tables.filter(({ hand }) => hand).length;
  part.state.textContent = ngettext("{playing} of {n} table in play", "{playing} of {n} tables in play", tables.length, { playing });
  document.title = [count && `(${count})`, gettext("Floor"), "· Cardroom"].filter(Boolean).join(" ");
  part.callCount.textContent = String(count);
  part.noCalls.hidden = count > 0;
  part.noTables.hidden = tables.length > 0;
  list("call", part.calls, calls, drawCall);
  list("table", part.tables, inOrder(tables), drawTable);
}

/** Who calls comes first, then by name. */
const inOrder = (all) => [...all].sort((a, b) => Number(b.calls > 0) - Number(a.calls > 0) || a.name.localeCompare(b.name));

function list(kind, parent, rows, drawRow) {
  const kept = known[kind];
  for (const [id, view] of kept) {
    if (rows.some((row) => row.id === id)) continue;
    view.root.remove();
    kept.delete(id);
  }
  rows.forEach((row, i) => {
    let view = kept.get(row.id);
    if (!view) {
      const root = document.getElementById(templates[kind]).content.firstElementChild.cloneNode(true);
      view = { root, parts: Object.fromEntries([...root.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node])) };
      kept.set(row.id, view);
    }
    if (parent.children[i] !== view.root) parent.insertBefore(view.root, parent.children[i] ?? null);
    drawRow(view, row);
  });
}

function drawCall({ root, parts }, call) {
  root.dataset.call = String(call.id);
  parts.where.textContent = call.seat ? gettext("{table}, seat {number}", { table: call.table_name, number: call.seat }) : call.table_name;
  parts.who.textContent = call.who;
  parts.note.textContent = wordsOf(call);
  parts.age.textContent = ago(call.at);
  parts.open.href = page.dataset.tableUrl.replace("/0/", `/${call.table}/`);
  parts.answer.dataset.answer = String(call.id);
}

function drawTable({ root, parts }, table) {
  const { hand } = table;
  root.dataset.table = String(table.id);
  root.classList.toggle("is-calling", table.calls > 0);
  parts.link.href = page.dataset.tableUrl.replace("/0/", `/${table.id}/`);
  parts.name.textContent = table.name;
  const dealt = table.dealt_by === "person" ? gettext("dealt by hand") : gettext("automatic");
  parts.dealt.textContent = table.calls ? ngettext("{n} call", "{n} calls", table.calls) : dealt;
  parts.what.textContent = `${table.stakes} · ${table.rulebook.title ?? table.rulebook}`;
  parts.street.textContent = hand ? handWords(hand) : gettext("No hand");
  parts.pot.textContent = hand ? gettext("Pot {amount}", { amount: chips(hand.pot) }) : "";
  drawTurn(parts.turn, table);
  drawSeats(parts.seats, table);
  const ruling = hand?.last_ruling;
  parts.ruling.hidden = !ruling || isRoutine(ruling);
  if (ruling) parts.ruling.textContent = `${titleOf(ruling)} (${cited(ruling.citation)})`;
}

function handWords({ number, street }) {
  const words = gettext("Hand {number}", { number: chips(number) });
  return street ? `${words}, ${inside(streetName(street))}` : words;
}

function drawTurn(element, table) {
  const { hand, seats } = table;
  const seconds = hand?.since ? Math.max(0, Math.round((Date.now() + offset - moment(hand.since)) / 1000)) : 0;
  const who = seats.find(({ number }) => number === hand?.to_act)?.name;
  const waits = { deal: gettext("Waits for the dealer"), opener: gettext("Waits for the opener"), show: gettext("Showdown") }[hand?.awaits];
  const what = who ? gettext("{who} to act", { who }) : (waits ?? (hand ? "" : table.state === "closed" ? gettext("Closed") : ""));
  element.textContent = what && seconds >= 5 ? `${what}, ${minutes(seconds)}` : what;
  element.classList.toggle("is-long", Boolean(what) && seconds >= LONG);
}

function drawSeats(element, { seats, hand, seat_count: count }) {
  const most = count ?? Math.max(0, ...seats.map(({ number }) => number));
  const dots = Array.from({ length: most }, (_, i) => {
    const seat = seats.find(({ number }) => number === i + 1);
    const dot = document.createElement("span");
    const kind = !seat?.name ? "free" : seat.is_bot ? "bot" : "person";
    dot.className = `floor-dot floor-dot--${kind}`;
    if (seat?.name && seat.state !== "playing") dot.classList.add("floor-dot--out");
    if (hand?.to_act === i + 1) dot.classList.add("is-turn");
    dot.textContent = String(i + 1);
    return dot;
  });
  element.replaceChildren(...dots);
  const taken = seats.filter(({ name }) => name);
  const words = taken.map((seat) => gettext("seat {number} {name} {stack}", { ...seat, stack: chips(seat.stack) })).join(", ");
  element.setAttribute("aria-label", words || gettext("Nobody sits here"));
}

/** A moment as the room sends it: milliseconds, or as text. */
const moment = (value) => (typeof value === "number" ? value : Date.parse(value));
const minutes = (seconds) =>
  seconds < 90 ? gettext("{seconds} s", { seconds }) : gettext("{minutes} min", { minutes: Math.round(seconds / 60) });
const ago = (value) =>
  gettext("{time} ago", { time: minutes(Math.max(0, Math.round((Date.now() + offset - moment(value)) / 1000))) });

page.addEventListener("click", (event) => {
  const button = event.target.closest("[data-answer]");
  if (!button) return;
  // The call goes when the room says so, for everybody of the floor at once.
  connection.send({ type: "answer_call", call: Number(button.dataset.answer) });
});

// Times go on although nothing happens.
setInterval(() => !document.hidden && tables.length && draw(), 5000);
connection.open();
