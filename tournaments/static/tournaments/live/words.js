// How a tournament's numbers are said.

import { gettext, list, locale, ngettext, number, pgettext } from "../../cardroom/language.js";
import { timeText } from "./reading.js";

export { number };

const ENDINGS = [
  pgettext("place", "{n}th"), pgettext("place", "{n}st"), pgettext("place", "{n}nd"), pgettext("place", "{n}rd"),
];
/** 60 → 60th, 1 → 1st. */
export function ordinal(place) {
  const tens = place % 100;
  const ending = tens > 10 && tens < 14 ? 0 : place % 10;
  return (ENDINGS[ending] ?? ENDINGS[0]).replace("{n}", number(place));
}

const isFixed = (level) => level.betting === "fixed-limit";

/** What is posted and bet in a level, as [name, value] pairs; none in a break. */
export function stakes(level) {
  if (level.kind === "break") return [];
  const bets = isFixed(level) ? [pgettext("stakes", "Bets"), betsOf(level)] : [gettext("Least bet"), number(level.small_bet)];
  return [[gettext("Ante"), level.ante], [gettext("Bring-in"), level.bring_in]]
    .filter(([, amount]) => amount)
    .map(([name, amount]) => [name, number(amount)])
    .concat([bets]);
}

const betsOf = (level) => `${number(level.small_bet)}/${number(level.big_bet)}`;
const chipsOf = (worth) => gettext("{worth}s", { worth: number(worth) });

const postedWords = (level) => [
  level.ante && gettext("ante {amount}", { amount: number(level.ante) }),
  level.bring_in && gettext("bring-in {amount}", { amount: number(level.bring_in) }),
  isFixed(level) ? betsOf(level) : gettext("least bet {amount}", { amount: number(level.small_bet) }),
].filter(Boolean);

/** `ante 50, bring-in 100, 300/600`; a break says how long it is. */
export function stakesLine(level) {
  const what = level.kind === "break" ? [ngettext("{n} minute", "{n} minutes", level.minutes)] : postedWords(level);
  const gone = level.colour_up.length ? [gettext("the {chips} are coloured up", { chips: list(level.colour_up.map(chipsOf)) })] : [];
  return [...what, ...gone].join(", ");
}

/** `Level 8`, `Break 2`. */
export const levelName = ({ kind, number: n }) => (kind === "break" ? gettext("Break {n}", { n }) : gettext("Level {n}", { n }));

/** `Level 8: ante 100, bring-in 100, 400/800`. */
export const levelLine = (level) => `${levelName(level)}: ${stakesLine(level)}`;

const PHASES = {
  announced: gettext("Announced"), open: gettext("Registration open"), finished: gettext("Finished"), cancelled: gettext("Cancelled"),
};

/** Whether it is being played, be it paused. */
export const isLive = ({ state }) => state === "running" || state === "paused";

export const RUNNING = gettext("Running");

/** One word or two for where the event stands at `now`. */
export function stateWords({ event, tables, deal }, reading) {
  if (event.state in PHASES) return PHASES[event.state];
  if (deal) return gettext("A deal is being negotiated");
  if (tables.is_hand_for_hand) return gettext("Hand for hand");
  if (reading?.isPaused) return gettext("Paused");
  if (reading?.isBreak) return gettext("Break");
  return RUNNING;
}

/** The large figure and the words under it: time left, overtime, hands left, or how long until the start. */
export function face({ event, tables }, reading, now) {
  if (event.state === "finished") return { figure: gettext("The end"), words: "" };
  if (event.state === "cancelled") return { figure: gettext("Cancelled"), words: "" };
  if (!isLive(event)) return beforeTheStart(event, now);
  if (reading.isByHands) {
    return { figure: String(reading.handsLeft), words: ngettext("hand left in this level", "hands left in this level", reading.handsLeft) };
  }
  if (reading.isOvertime) return { figure: `+${timeText(reading.overtime)}`, words: gettext("over time, in the last level") };
  return { figure: timeText(reading.remaining), words: waitingWords(tables) || (reading.isPaused ? gettext("The clock is paused") : "") };
}

/** Hand for hand: which tables everybody waits for. */
function waitingWords({ is_hand_for_hand: isOn, waiting, count }) {
  if (!isOn) return "";
  if (!waiting.length || waiting.length === count) return gettext("Hand for hand: every table plays its hand");
  const tables = `${waiting.slice(0, 8).join(", ")}${waiting.length > 8 ? " …" : ""}`;
  return ngettext("Hand for hand: waiting for table {tables}", "Hand for hand: waiting for tables {tables}", waiting.length, { tables });
}

function beforeTheStart(event, now) {
  if (event.starts_at === null) return { figure: gettext("Soon"), words: gettext("The start is not set yet") };
  const wait = event.starts_at - now;
  if (wait <= 0) return { figure: timeText(0), words: gettext("Starts any moment") };
  if (wait >= 86400000) return { figure: dayText(event.starts_at), words: gettext("Starts at {time}", { time: daytime(event.starts_at) }) };
  return { figure: timeText(wait), words: gettext("Starts at {time}", { time: daytime(event.starts_at) }) };
}

/** The page says its zone: that of the room, or the one its reader chose. */
export const zone = () => ({ timeZone: globalThis.document?.documentElement.dataset.zone });
export const daytime = (at) =>
  new Date(at).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", ...zone() });
const dayText = (at) => new Date(at).toLocaleDateString(locale, { day: "numeric", month: "short", ...zone() });

/** `1st`, `4th–5th`. */
export const places = ({ first, last }) => (first === last ? ordinal(first) : `${ordinal(first)}–${ordinal(last)}`);

export const seatName = (table, seat) => gettext("table {table}, seat {seat}", { table, seat });
