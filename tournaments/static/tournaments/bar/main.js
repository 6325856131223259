// The event at the table: its clock, where the player stands, and the way to their new seat when they are moved.

import { isCalm } from "../../games/play/motion.js";
import { play } from "../../games/play/sound.js";
import { Feed } from "../live/feed.js";
import { showNotice } from "../live/notices.js";
import { read, timeText } from "../live/reading.js";
import { face, isLive, levelLine, number, ordinal, seatName, stateWords } from "../live/words.js";

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
  say("level", isOn ? parts.levels[reading.level].name : stateWords(parts, reading));
  say("time", reading?.isByHands && isOn ? `${figure} ${figure === "1" ? "hand" : "hands"}` : figure);
  const next = isOn && reading.nextLevel !== null ? levelLine(parts.levels[reading.nextLevel]) : "";
  say("next", next && `Next ${next}`);
  const wait = isOn && !reading.isBreak ? reading.nextBreakIn : null;
  say("break", wait === null ? "" : `Break in ${timeText(wait)}`);
  const state = stateWords(parts, reading);
  say("state", state === "Running" ? "" : state);
  const until = feed.event.you?.clock_ends_at;
  say("called", until && until > now ? `The clock is on you: ${Math.ceil((until - now) / 1000)} s` : "");
  if (hasEnded(feed.event) && main.dataset.handState !== "playing") ending ||= setTimeout(tellEnd, SEEN);
  root.classList.toggle("is-last-minute", isOn && !reading.isPaused && !reading.isByHands && reading.remaining <= 60000);
}

/** Where the player stands; if they sat here and sit elsewhere now, the page goes after them. */
function drawOwn({ you, parts }) {
  say("position", positionWords(you));
  say("average", you?.status === "in" ? `Average ${number(parts.counts.average)}` : `${number(parts.counts.left)} of ${number(parts.counts.entries)} left`);
  const jump = you?.next_jump;
  say("jump", jump ? `${number(jump.amount)} from ${ordinal(jump.place)}, ${jump.outs} to go` : "");
  for (const what of ["rebuy", "add_on"]) drawSale(part[what], you?.on_sale.find((row) => row.what === what));
  const isElsewhere = Boolean(you?.room_table && you.room_table !== here);
  part.seat.hidden = !isElsewhere;
  if (isElsewhere) {
    part.seat.href = tableUrl(you.room_table);
    part.seat.textContent = `To your seat: ${seatName(you.table, you.seat)}`;
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
  const among = `of ${number(parts.counts.entries)}`;
  const bounties = you.bounties_won ? `Bounties: ${number(you.bounties_won)}.` : "";
  const prize = you.prize ? `Your prize: ${number(you.prize)}.` : isWon ? "" : "No prize this time.";
  part.endPlace.textContent = ordinal(you.place);
  part.endTitle.textContent = isWon ? "You win the event!" : `You finish ${ordinal(you.place)} ${among}`;
  part.endWords.textContent = [isWon && `First ${among}.`, prize, bounties].filter(Boolean).join(" ");
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

const SALES = { rebuy: "Rebuy", add_on: "Add-on" };

/** Chips that the player may buy now, from here. The key is of this offer, so that two presses are one purchase. */
function drawSale(form, row) {
  if (!form) return;
  form.hidden = !row;
  const key = row ? `${row.chips} ${row.had}` : "";
  if (form.dataset.offer === key) return;
  form.dataset.offer = key;
  if (!row) return;
  form.elements.key.value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  form.querySelector("button").textContent = `${SALES[row.what]}: ${number(row.chips)} for ${row.price ? number(row.price) : "nothing"}`;
}

function positionWords(you) {
  if (!you) return "";
  if (you.status === "in" && !you.stack) return "Your chips are gone";
  const among = you.position ? `${ordinal(you.position)} of ${number(you.left)}` : `${number(you.left)} left`;
  if (you.status === "in") return `${among}${you.secured ? `, ${number(you.secured)} safe` : ""}`;
  if (you.status === "out") return `You finished ${ordinal(you.place)}${you.prize ? ` and won ${number(you.prize)}` : ""}`;
  return you.status === "alternate" ? "Waiting for a seat" : "";
}

/** Tell the player, and take them there; the words about why come as a notice, which is shown in the same place. */
function follow(you) {
  part.movedText.textContent ||= `You are moved to ${seatName(you.table, you.seat)}.`;
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
      item.append(who, ` from ${seatName(move.from_table, move.from_seat)} to ${seatName(move.table, move.seat)}${rule}`);
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
