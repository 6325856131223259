// The event at the table: its clock, where the player stands, and the way to their new seat when they are moved.

import { gettext, marked, ngettext } from "../../cardroom/language.js";
import { isCalm } from "../../games/play/motion.js";
import { play } from "../../games/play/sound.js";
import { Feed } from "../live/feed.js";
import { showNotice } from "../live/notices.js";
import { read, timeText } from "../live/reading.js";
import { face, isLive, levelLine, levelName, number, ordinal, RUNNING, seatName, stateWords } from "../live/words.js";

const TICK = 200;
/** So long the words about a move stay before the page goes to the new table, ms. */
const READ_THEM = 3000;

const root = document.getElementById("event-bar");
const here = Number(document.querySelector("[data-table]").dataset.table);
const line = root.querySelector("[data-event-line]");
const tableUrl = (id) => line.dataset.tableUrl.replace("/0/", `/${id}/`);
const part = Object.fromEntries([...root.querySelectorAll("[data-bar]")].map((node) => [node.dataset.bar, node]));
const said = new Map();
/** Notices of these kinds say where the player sits now. */
const OF_SEATS = new Set(["moved", "table-broken", "seated", "final-table"]);
/** So long the last hand stays in sight before the page tells how the event ended for its player, ms. */
const SEEN = 2000;
const main = document.querySelector("[data-table]");
let leaving = 0;
let ending = 0;
let wasIn = false;
let wasHere = false;

const feed = new Feed(line.dataset.socket, { changed, notice, state: (state) => (root.dataset.connection = state) });

function changed(names) {
  root.hidden = false;
  if (names.includes("you")) drawOwn(feed.event);
  drawMoves(feed.event.parts.moves);
  tick();
}

function tick() {
  const { parts } = feed.event;
  if (!parts) return;
  const now = feed.time.now();
  if (feed.state === "open" && feed.time.isDoubtful) feed.measure();
  const reading = parts.levels.length ? read(parts.clock, parts.levels, now) : null;
  const isOn = isLive(parts.event) && reading !== null;
  const { figure } = face(parts, reading, now);
  say("level", isOn ? levelName(parts.levels[reading.level]) : stateWords(parts, reading));
  say("time", reading?.isByHands && isOn ? ngettext("{n} hand", "{n} hands", reading.handsLeft) : figure);
  const next = isOn && reading.nextLevel !== null ? levelLine(parts.levels[reading.nextLevel]) : "";
  say("next", next && gettext("Next {level}", { level: next }));
  const wait = isOn && !reading.isBreak ? reading.nextBreakIn : null;
  say("break", wait === null ? "" : gettext("Break in {time}", { time: timeText(wait) }));
  const state = stateWords(parts, reading);
  say("state", state === RUNNING ? "" : state);
  const until = feed.event.you?.clock_ends_at;
  say("called", until && until > now ? gettext("The clock is on you: {seconds} s", { seconds: Math.ceil((until - now) / 1000) }) : "");
  if (hasEnded(feed.event) && main.dataset.handState !== "playing") ending ||= setTimeout(tellEnd, SEEN);
  root.classList.toggle("is-last-minute", isOn && !reading.isPaused && !reading.isByHands && reading.remaining <= 60000);
}

/** Where the player stands; if they sat here and sit elsewhere now, the page goes after them. */
function drawOwn({ you, parts }) {
  say("position", positionWords(you));
  say("average", you?.status === "in" ? gettext("Average {chips}", { chips: number(parts.counts.average) }) : leftWords(parts.counts));
  const jump = you?.next_jump;
  say("jump", jump ? jumpWords(jump) : "");
  for (const what of ["rebuy", "add_on"]) drawSale(part[what], you?.on_sale.find((row) => row.what === what));
  const isElsewhere = Boolean(you?.room_table && you.room_table !== here);
  part.seat.hidden = !isElsewhere;
  if (isElsewhere) {
    part.seat.href = tableUrl(you.room_table);
    part.seat.textContent = gettext("To your seat: {seat}", { seat: seatName(you.table, you.seat) });
    if (wasHere) follow(you);
  }
  wasHere ||= you?.room_table === here;
  wasIn ||= wasHere && you?.status === "in" && !you.place;
}

/** The event is over for a player whom this page has seen in it. */
function hasEnded({ you, parts }) {
  return wasIn && Boolean(you?.place) && (you.status === "out" || parts.event.state === "finished");
}

/** A bust or a win: place, prize, and where to go from here. */
function tellEnd() {
  const { you, parts } = feed.event;
  if (!hasEnded(feed.event) || part.end.open) return;
  const isWon = you.place === 1;
  const values = { place: ordinal(you.place), entries: number(parts.counts.entries) };
  const bounties = you.bounties_won ? gettext("Bounties: {amount}.", { amount: number(you.bounties_won) }) : "";
  const won = you.prize ? gettext("Your prize: {amount}.", { amount: number(you.prize) }) : "";
  const prize = won || (isWon ? "" : gettext("No prize this time."));
  part.endPlace.textContent = ordinal(you.place);
  part.endTitle.textContent = isWon ? gettext("You win the tournament!") : gettext("You finished {place} of {entries}", values);
  part.endWords.textContent = [isWon && gettext("First of {entries}.", values), prize, bounties].filter(Boolean).join(" ");
  part.end.classList.toggle("is-won", isWon);
  part.end.classList.toggle("is-paid", you.prize > 0);
  part.end.showModal();
  if (!isWon && !you.prize) return;
  play("won");
  if (!isCalm()) celebrate(isWon ? 48 : 20);
}

/** Suits rain over the table. */
function celebrate(count) {
  for (let i = 0; i < count; i += 1) {
    const suit = document.createElement("span");
    suit.className = `event-end__suit event-end__suit--${i % 4}`;
    suit.setAttribute("aria-hidden", "true");
    suit.textContent = "♠♥♦♣"[i % 4];
    suit.style.left = `${(i * 61) % 100}%`;
    part.end.append(suit);
    const fall = suit.animate(
      [{ transform: "translateY(-12vh) rotate(0)" }, { transform: `translateY(112vh) rotate(${i % 2 ? 540 : -540}deg)` }],
      { duration: 2400 + (i % 7) * 300, delay: (i % 12) * 160, easing: "ease-in", fill: "both" },
    );
    fall.finished.then(() => suit.remove(), () => suit.remove());
  }
}

const SALES = {
  rebuy: [marked("Rebuy: {chips} for {price}"), marked("Rebuy: {chips} for nothing")],
  add_on: [marked("Add-on: {chips} for {price}"), marked("Add-on: {chips} for nothing")],
};

/** Chips that the player may buy now, from here. The key is of this offer, so that two presses are one purchase. */
function drawSale(form, row) {
  if (!form) return;
  form.hidden = !row;
  const key = row ? `${row.chips} ${row.had}` : "";
  if (form.dataset.offer === key) return;
  form.dataset.offer = key;
  if (!row) return;
  form.elements.key.value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const [paid, free] = SALES[row.what];
  form.querySelector("button").textContent = gettext(row.price ? paid : free, { chips: number(row.chips), price: number(row.price) });
}

const jumpWords = ({ amount, place, outs }) =>
  gettext("{prize} from {place}, {outs} to go", { prize: number(amount), place: ordinal(place), outs });
const leftWords = ({ left, entries }) => gettext("{left} of {entries} left", { left: number(left), entries: number(entries) });

function positionWords(you) {
  if (!you) return "";
  if (you.status === "in" && !you.stack) return gettext("Your chips are gone");
  const place = ordinal(you.position || you.place || 0);
  const values = { place, left: number(you.left ?? 0), prize: number(you.secured || you.prize || 0) };
  if (you.status === "in") {
    const among = you.position ? gettext("{place} of {left}", values) : gettext("{left} left", values);
    return you.secured ? [among, gettext("{prize} safe", values)].join(", ") : among;
  }
  if (you.status === "out" && you.prize) return gettext("You finished {place} and won {prize}", values);
  if (you.status === "out") return gettext("You finished {place}", values);
  return you.status === "alternate" ? gettext("Waiting for a seat") : "";
}

/** Tell the player, and take them there; the words about why come as a notice, which is shown in the same place. */
function follow(you) {
  part.movedText.textContent ||= gettext("You are moved to {seat}.", { seat: seatName(you.table, you.seat) });
  part.movedLink.href = tableUrl(you.room_table);
  if (!part.moved.open) part.moved.showModal();
  leaving ||= setTimeout(() => location.assign(tableUrl(you.room_table)), READ_THEM);
}

function notice(message) {
  if (OF_SEATS.has(message.kind)) part.movedText.textContent = message.text;
  showNotice(feed, message, () => part.moved.open);
}

function drawMoves(moves) {
  const key = JSON.stringify(moves);
  if (said.get("moves") === key) return;
  said.set("moves", key);
  part.moves.closest("details").hidden = moves.length === 0;
  part.moves.replaceChildren(
    ...moves.slice(0, 6).map((move) => {
      const item = document.createElement("li");
      const who = document.createElement("strong");
      who.textContent = move.name;
      const rule = move.rule ? ` (${move.rule})` : "";
      const way = { from: seatName(move.from_table, move.from_seat), to: seatName(move.table, move.seat) };
      item.append(who, " ", gettext("from {from} to {to}", way), rule);
      return item;
    }),
  );
}

/** Text where it changed; a part without any goes. */
function say(name, text) {
  if (said.get(name) === text) return;
  said.set(name, text);
  part[name].textContent = text;
  part[name].hidden = !text;
}

feed.open();
setInterval(tick, TICK);
