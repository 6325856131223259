// Amounts at the table as the viewer likes them: in chips, or in big bets. The log keeps to chips, as the hand does.

import { gettext, number } from "../../cardroom/language.js";
import { chips } from "./words.js";

let bigBet = 0;

/** Write amounts in big bets of so many chips; 0: in chips. */
export function writeInBets(size) {
  bigBet = size;
}

/** "1,250", or "12.5 BB". */
export const amount = (count) => (bigBet ? gettext("{bets} BB", { bets: number(inBets(count, bigBet)) }) : chips(count));

/** 125 chips, at big bets of 10 -> "12.5". Two places below ten, one below a hundred, none above. */
export function inBets(count, size) {
  const bets = count / size;
  const places = bets < 10 ? 2 : bets < 100 ? 1 : 0;
  return String(Number(bets.toFixed(places)));
}
