// How a tournament's numbers are said.

import { timeText } from "./reading.js";

const whole = new Intl.NumberFormat("en-GB");

export const number = (amount) => whole.format(amount);

/** 60 → 60th, 1 → 1st. */
export function ordinal(place) {
  const tens = place % 100;
  const ending = tens > 10 && tens < 14 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[place % 10] ?? "th");
  return `${number(place)}${ending}`;
}

const isFixed = (level) => level.betting === "fixed-limit";

/** What is posted and bet in a level, as [name, value] pairs; none in a break. */
export function stakes(level) {
  if (level.kind === "break") return [];
  const bets = isFixed(level) ? ["Bets", `${number(level.small_bet)}/${number(level.big_bet)}`] : ["Least bet", number(level.small_bet)];
  return [["Ante", level.ante], ["Bring-in", level.bring_in]]
    .filter(([, amount]) => amount)
    .map(([name, amount]) => [name, number(amount)])
    .concat([bets]);
}

/** `ante 50, bring-in 100, 300/600`; a break says how long it is. */
export function stakesLine(level) {
  const what = level.kind === "break" ? [level.minutes === 1 ? "1 minute" : `${level.minutes} minutes`] : stakes(level).map(([name, value]) => (name === "Bets" ? value : `${name.toLowerCase()} ${value}`));
  const gone = level.colour_up.length ? [`the ${level.colour_up.map(number).join("s and ")}s are coloured up`] : [];
  return [...what, ...gone].join(", ");
}

/** `Level 8: ante 100, bring-in 100, 400/800`. */
export const levelLine = (level) => `${level.name}: ${stakesLine(level)}`;

const PHASES = { announced: "Announced", open: "Registration open", finished: "Finished", cancelled: "Cancelled" };

/** Whether it is being played, be it paused. */
export const isLive = ({ state }) => state === "running" || state === "paused";

/** One word or two for where the event stands at `now`. */
export function stateWords({ event, tables, deal }, reading) {
  if (event.state in PHASES) return PHASES[event.state];
  if (deal) return "A deal is being negotiated";
  if (tables.is_hand_for_hand) return "Hand for hand";
  if (reading?.isPaused) return "Paused";
  if (reading?.isBreak) return "Break";
  return "Running";
}

/** The large figure and the words under it: time left, overtime, hands left, or how long until the start. */
export function face({ event, tables }, reading, now) {
  if (event.state === "finished") return { figure: "The end", words: "" };
  if (event.state === "cancelled") return { figure: "Cancelled", words: "" };
  if (!isLive(event)) return beforeTheStart(event, now);
  if (reading.isByHands) {
    return { figure: String(reading.handsLeft), words: reading.handsLeft === 1 ? "hand left in this level" : "hands left in this level" };
  }
  if (reading.isOvertime) return { figure: `+${timeText(reading.overtime)}`, words: "over time, in the last level" };
  return { figure: timeText(reading.remaining), words: waitingWords(tables) || (reading.isPaused ? "The clock is paused" : "") };
}

/** Hand for hand: which tables everybody waits for. */
function waitingWords({ is_hand_for_hand: isOn, waiting, count }) {
  if (!isOn) return "";
  if (!waiting.length || waiting.length === count) return "Hand for hand: every table plays its hand";
  return `Hand for hand: waiting for ${waiting.length === 1 ? "table" : "tables"} ${waiting.slice(0, 8).join(", ")}${waiting.length > 8 ? " …" : ""}`;
}

function beforeTheStart(event, now) {
  if (event.starts_at === null) return { figure: "Soon", words: "The start is not set yet" };
  const wait = event.starts_at - now;
  if (wait <= 0) return { figure: timeText(0), words: "Starts any moment" };
  if (wait >= 86400000) return { figure: dayText(event.starts_at), words: `Starts at ${daytime(event.starts_at)}` };
  return { figure: timeText(wait), words: `Starts at ${daytime(event.starts_at)}` };
}

/** The page says its zone: that of the room, or the one its reader chose. */
export const zone = () => ({ timeZone: globalThis.document?.documentElement.dataset.zone });
export const daytime = (at) =>
  new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...zone() });
const dayText = (at) => new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short", ...zone() });

/** `1st`, `4th–5th`. */
export const places = ({ first, last }) => (first === last ? ordinal(first) : `${ordinal(first)}–${ordinal(last)}`);

export const seatName = (table, seat) => `table ${table}, seat ${seat}`;
