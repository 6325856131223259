// The wall: every figure in its place. Reads the event, writes text, and only where it changed.

import { gettext } from "../../cardroom/language.js";
import { read, timeText } from "../live/reading.js";
import { daytime, face, isLive, levelLine, levelName, number, places, seatName, stakes, stateWords } from "../live/words.js";

const BEFORE = new Set(["draft", "announced", "open"]);
const MOST_MOVES = 6;
/** Whoever was moved longer ago than this has found their seat, ms. */
const MOVE_SHOWN = 15 * 60000;
const MOST_PAYOUTS = 18;

export class Board {
  #said = new Map();

  /** `page` holds the parts, each marked `data-part`. */
  constructor(page) {
    this.page = page;
    this.part = Object.fromEntries([...page.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
  }

  /** What changes with the seconds; the reading it was drawn from, null where there is no clock yet. */
  tick(parts, now) {
    const reading = parts.levels.length ? read(parts.clock, parts.levels, now) : null;
    const { figure, words } = face(parts, reading, now);
    this.#say("time", figure);
    this.#say("note", words);
    this.#say("state", stateWords(parts, reading));
    this.#say("daytime", daytime(now));
    this.#mark(parts, reading, figure);
    this.#moves(parts.moves.filter(({ at }) => at > now - MOVE_SHOWN));
    if (reading) this.#sayLevel(parts, reading);
    return reading;
  }

  /** What changes when something happened. */
  draw(parts) {
    const { event, counts } = parts;
    this.#say("name", event.name);
    this.#figures({
      players: `${number(counts.left)} / ${number(counts.entries)}`,
      average: counts.average ? number(counts.average) : "–",
      pool: counts.pool ? number(counts.pool) : "–",
      tables: number(counts.tables),
      paid: counts.places_paid ? number(counts.places_paid) : "–",
      entry: entryWords(counts),
    });
    this.#payouts(parts.payouts);
    this.page.dataset.state = event.state;
  }

  /** `words`: why what is shown may be old; empty: it is not. */
  warn(words) {
    this.#say("offline", words);
    this.part.offline.hidden = !words;
    this.page.classList.toggle("is-offline", Boolean(words));
  }

  #sayLevel({ event, levels }, reading) {
    const level = levels[reading.level];
    const isOn = isLive(event);
    this.#say("level", isOn ? levelName(level) : BEFORE.has(event.state) ? gettext("Starts in") : "");
    const shown = level.kind === "break" ? (levels[reading.nextLevel] ?? level) : level;
    const isOver = !isOn && !BEFORE.has(event.state);
    const posted = isOver ? [] : stakes(shown);
    this.#list("stakes", posted);
    this.page.classList.toggle("is-wide", posted.some(([, value]) => value.length > 11));
    this.#say("game", gameWords(levels, shown));
    const next = reading.nextLevel === null ? null : levels[reading.nextLevel];
    this.#say("next", isOver ? "" : isOn ? (next ? levelLine(next) : gettext("The last level")) : levelLine(levels[0]));
    this.#say("nextName", isOver ? "" : level.kind === "break" ? gettext("Then") : gettext("Next"));
    const wait = reading.nextBreakIn;
    this.#say("break", reading.isBreak ? gettext("Now") : wait === null || !isOn ? "–" : timeText(wait));
  }

  #mark({ event, tables }, reading, figure) {
    const { classList } = this.page;
    const isOn = isLive(event) && reading !== null;
    classList.toggle("is-paused", isOn && reading.isPaused);
    classList.toggle("is-break", isOn && reading.isBreak);
    classList.toggle("is-last-minute", isOn && !reading.isPaused && !reading.isByHands && reading.remaining <= 60000);
    classList.toggle("is-hand-for-hand", isOn && tables.is_hand_for_hand);
    classList.toggle("is-long", figure.length > 6);
    classList.toggle("is-longer", figure.length > 8);
  }

  #figures(figures) {
    for (const [name, text] of Object.entries(figures)) this.#say(name, text);
  }

  #payouts(rows) {
    const shown = rows.slice(0, MOST_PAYOUTS);
    const rest = rows.length - shown.length;
    this.page.classList.toggle("has-payouts", rows.length > 0);
    if (!rows.length) {
      this.#list("payouts", [[gettext("Not known yet"), ""]]);
      return;
    }
    this.#list("payouts", [
      ...shown.map((row) => [[places(row), row.names.join(", ")].filter(Boolean).join(" "), prizeWords(row)]),
      ...(rest ? [["…", gettext("{count} more", { count: rest })]] : []),
    ]);
  }

  #moves(moves) {
    const rows = moves.slice(0, MOST_MOVES);
    if (this.#isSaid("moves", `${rows.length} ${rows[0]?.at} ${rows[0]?.name}`)) return;
    this.part.moves.replaceChildren(
      ...rows.map((move) => {
        const item = document.createElement("li");
        const name = document.createElement("strong");
        const where = document.createElement("span");
        name.textContent = move.name;
        where.textContent = gettext("to {seat}", { seat: seatName(move.table, move.seat) });
        item.append(name, where);
        return item;
      }),
    );
    this.page.classList.toggle("has-moves", rows.length > 0);
  }

  #list(part, pairs) {
    if (this.#isSaid(part, JSON.stringify(pairs))) return;
    this.part[part].replaceChildren(...pairs.map(([name, value]) => row(name, value)));
  }

  #say(part, text) {
    if (!this.#isSaid(part, text)) this.part[part].textContent = text;
  }

  #isSaid(part, text) {
    if (this.#said.get(part) === text) return true;
    this.#said.set(part, text);
    return false;
  }
}

function row(name, value) {
  const box = document.createElement("div");
  const term = document.createElement("dt");
  const what = document.createElement("dd");
  term.textContent = name;
  what.textContent = value;
  box.append(term, what);
  return box;
}

const prizeWords = ({ amount, is_ticket: isTicket }) => (isTicket ? gettext("Ticket") : amount ? number(amount) : "–");

function entryWords({ is_entry_open: isOpen, late_level: late }) {
  if (!isOpen) return gettext("Closed");
  return late ? gettext("Until the end of level {level}", { level: late }) : gettext("Until the start");
}

const GAMES = {
  "seven-card-stud": gettext("Seven-Card Stud"), "mississippi-stud": gettext("Mississippi Stud"), razz: gettext("Razz"),
  "stud-eight": gettext("Seven-Card Stud Eight-or-Better"),
};
const BETTING = { "spread-limit": gettext("spread limit"), "pot-limit": gettext("pot limit"), "no-limit": gettext("no limit") };

/** Only where it is not the usual game all evening. */
export function gameWords(levels, level) {
  const games = new Set(levels.filter(({ kind }) => kind === "level").map(({ game, betting }) => `${game} ${betting}`));
  if (games.size === 1 && level.is_usual) return "";
  const name = GAMES[level.game] ?? level.game;
  return level.betting === "fixed-limit" ? name : `${name}, ${BETTING[level.betting] ?? level.betting}`;
}
