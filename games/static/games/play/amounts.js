// Amounts at the table as the viewer likes them: in chips, or in big bets; everywhere on it, the dealer's lines too. What
// is bought, and the stakes themselves, are chips.

import { gettext, number } from "../../cardroom/language.js";

let bigBet = 0;

/** Write amounts in big bets of so many chips; 0: in chips. */
export function writeInBets(size) {
  bigBet = size;
}

/** What amounts are written in now: so many chips, 0 for chips themselves. */
export const unit = () => bigBet;

/** "1,250", or "12.5 BB". */
export const amount = (count) => (bigBet ? gettext("{bets} BB", { bets: number(inBets(count, bigBet)) }) : number(count));

/** 125 chips, at big bets of 10 -> "12.5". Two places below ten, one below a hundred, none above. */
export function inBets(count, size) {
  const bets = count / size;
  const places = bets < 10 ? 2 : bets < 100 ? 1 : 0;
  return String(Number(bets.toFixed(places)));
}
