// Facts in words, for the log and for those who listen. Cards are written as "[As]"; `cards.js` draws or speaks them.
// The finished hand's page says the same sentences (games/tables/words.py); a test holds the two together.

import { gettext, list, marked, number } from "../../cardroom/language.js";
import { amount } from "./amounts.js";
import { handWords } from "./made.js";

export const chips = number;

const STREETS = {
  3: gettext("Third street"), 4: gettext("Fourth street"), 5: gettext("Fifth street"), 6: gettext("Sixth street"),
  7: gettext("Seventh street"),
};
export const streetName = (street) => STREETS[street] ?? "";

/** How well a house bot plays, as the room tells it, in the reader's language. */
const STRENGTHS = {
  Beginner: gettext("Beginner"), Casual: gettext("Casual"), Regular: gettext("Regular"), Expert: gettext("Expert"),
};
const BOTS = {
  Beginner: gettext("Beginner bot"), Casual: gettext("Casual bot"), Regular: gettext("Regular bot"), Expert: gettext("Expert bot"),
};
export const strengthName = (strength) => STRENGTHS[strength] ?? strength ?? "";
export const botName = (strength) => BOTS[strength] ?? strength ?? "";

const WAGERED = {
  bet: marked("{who} bets {amount}."), completion: marked("{who} completes to {amount}."),
  raise: marked("{who} raises to {amount}."), "all-in": marked("{who} is all-in for {amount}."),
};
const HELD = {
  check: marked("{who} checks out of turn."), call: marked("{who} calls out of turn."), wager: marked("{who} wagers out of turn."),
  other: marked("{who} acts out of turn."),
};
const SEEN = {
  "looked-at": marked("{who} has looked at the last card."),
  mixed: marked("{who} has mixed the last card with the holecards."),
  other: marked("{who} has seen the last card."),
};
const ORDERS = {
  "rules-live": gettext("The floor rules a hand live"),
  "orders-low": gettext("The floor orders the true low card to bring it in"),
  misdeal: gettext("The floor calls a misdeal"),
  void: gettext("The floor voids the hand"),
  kills: gettext("The floor kills a hand"),
  penalises: gettext("The floor gives a penalty"),
};
const AWARDED = {
  whole: marked("{who} wins {amount} from the pot."), high: marked("{who} wins {amount} from the pot, high."),
  low: marked("{who} wins {amount} from the pot, low."),
};
const AWARDED_SIDE = {
  whole: marked("{who} wins {amount} from side pot {number}."), high: marked("{who} wins {amount} from side pot {number}, high."),
  low: marked("{who} wins {amount} from side pot {number}, low."),
};

/** A card, or cards, in a sentence; one that nobody may see is "??". */
const inMarks = (card) => (card ? `[${card}]` : "??");

/** Ranks as a low hand is read, from the worst. */
const LOW_ORDER = "KQJT98765432A";
/** Raises are told as what they are; the rest is the dealer's own word. */
const ANNOUNCED = new Set(["lowcard", "pair", "straight", "flush"]);
const POSSIBLE = { "possible flush": gettext("possible flush"), "possible straight": gettext("possible straight") };

function announced({ what, seat, words }, name) {
  const who = name(seat);
  if (what === "low-hand") {
    const ranks = [...words].sort((a, b) => LOW_ORDER.indexOf(a) - LOW_ORDER.indexOf(b)).map((rank) => rank.replace("T", "10"));
    return words ? gettext("{who} is low: {ranks}.", { who, ranks: ranks.join("-") }) : gettext("{who} is low.", { who });
  }
  if (what === "high-hand") {
    return words ? gettext("{who} is high: {hand}.", { who, hand: handWords(words) }) : gettext("{who} is high.", { who });
  }
  const said = ANNOUNCED.has(what) ? dealerSays(words) : "";
  return said && gettext("{who}: {said}.", { who, said });
}

/** "2h is low", "pair of kings" and "possible flush" in the reader's language. */
function dealerSays(words) {
  const [, card, which] = /^([2-9TJQKA][shdc]) is (low|high)$/.exec(words) ?? [];
  if (card) return which === "low" ? gettext("{card} is low", { card: inMarks(card) }) : gettext("{card} is high", { card: inMarks(card) });
  return POSSIBLE[words] ?? handWords(words);
}

function dealt(fact, who) {
  const up = fact.cards.filter(([, card, isUp]) => isUp && card).map(([seat, card]) => `${who(seat)} ${inMarks(card)}`);
  const down = fact.cards.filter(([, , isUp]) => !isUp);
  const own = down.filter(([, card]) => card);
  const sentences = [];
  for (const seat of new Set(own.map(([seat]) => seat))) {
    const held = own.filter(([owner]) => owner === seat).map(([, card]) => inMarks(card));
    sentences.push(gettext("{who} gets {cards} down.", { who: who(seat), cards: list(held) }));
  }
  const unseen = new Set(down.filter(([, card]) => !card).map(([seat]) => who(seat)));
  if (up.length) sentences.push(gettext("Dealt up: {cards}.", { cards: up.join(", ") }));
  else if (unseen.size) sentences.push(gettext("A card down to {players}.", { players: list([...unseen]) }));
  return sentences.join(" ");
}

function dealtTooSoon(fact, who) {
  const cards = fact.cards.map(([seat, card]) =>
    card ? `${who(seat)} ${inMarks(card)}` : gettext("{who} one down", { who: who(seat) }));
  return gettext("Dealt too soon: {cards}.", { cards: cards.join(", ") });
}

function ordered({ what, seat, reason }, name) {
  const order = ORDERS[what] ?? what;
  const who = seat ? name(seat) : "";
  if (who && reason) return gettext("{order}: {who} ({reason}).", { order, who, reason });
  if (who) return gettext("{order}: {who}.", { order, who });
  return reason ? gettext("{order} ({reason}).", { order, reason }) : gettext("{order}.", { order });
}

function awarded(fact, name) {
  const texts = fact.pot === 0 ? AWARDED : AWARDED_SIDE;
  return gettext(texts[fact.share] ?? texts.whole, { who: name(fact.seat), amount: amount(fact.amount), number: fact.pot });
}

function drop(fact) {
  if (fact.why === "no-call") return gettext("No rake: the hand ended on third street without a call.");
  const funds = [
    [fact.rake, marked("rake {amount}")], [fact.promo, marked("promotions {amount}")], [fact.jackpot, marked("jackpot {amount}")],
  ];
  const said = funds.filter(([taken]) => taken).map(([taken, text]) => gettext(text, { amount: amount(taken) })).join(", ");
  return said && `${said[0].toUpperCase()}${said.slice(1)}.`;
}

function shown(fact, who) {
  const five = fact.five?.length ? ` (${fact.five.map(inMarks).join(" ")})` : "";
  const low = fact.low_words ? gettext("low: {ranks}", { ranks: fact.low_words }) : "";
  const hand = [`${handWords(fact.words)}${five}`, low].filter(Boolean).join("; ");
  return gettext("{who} shows {hand}.", { who: who(fact.seat), hand });
}

function pots(fact) {
  const [main, ...side] = fact.pots.map(([chipsIn]) => amount(chipsIn));
  if (main === undefined) return "";
  const others = side.map((each, i) => gettext("side pot {number} {amount}", { number: i + 1, amount: each }));
  const all = [gettext("Pot {amount}", { amount: main }), ...others].join(", ");
  return `${all}.`;
}

const SENTENCES = {
  "antes-posted": (fact) => {
    const sum = fact.antes.reduce((all, [, paid]) => all + paid, 0);
    return sum ? gettext("Antes are in: {amount}.", { amount: amount(sum) }) : "";
  },
  "cards-dealt": dealt,
  "stub-remixed": () => gettext("The deck runs short: the stub and the burns are mixed again."),
  "common-card-dealt": (fact) => gettext("A common card for everybody: {card}.", { card: inMarks(fact.card) }),
  "no-card-left": () => gettext("The deck is out: nobody gets another card."),
  announced,
  ruled: (fact) => fact.words,
  "call-weighed": (fact) => (fact.is_beaten ? gettext("That call was beaten by cards in sight; it stands.") : ""),
  "round-opened": (fact, who) => (fact.opener === fact.named ? "" : gettext("{who} opens instead.", { who: who(fact.opener) })),
  "timed-out": (fact, who) => gettext("{who} ran out of time.", { who: who(fact.seat) }),
  "bring-in-posted": (fact, who) => gettext("{who} brings it in for {amount}.", { who: who(fact.seat), amount: amount(fact.amount) }),
  checked: (fact, who) => gettext("{who} checks.", { who: who(fact.seat) }),
  called: (fact, who) => gettext("{who} calls {amount}.", { who: who(fact.seat), amount: amount(fact.amount) }),
  wagered: (fact, who) => gettext(WAGERED[fact.verb], { who: who(fact.seat), amount: amount(fact.to) }),
  folded: (fact, who) => gettext("{who} folds.", { who: who(fact.seat) }),
  "hand-killed": (fact, who) => gettext("{who}’s hand is dead.", { who: who(fact.seat) }),
  "player-left": (fact, who) => gettext("{who} is away.", { who: who(fact.seat) }),
  "player-back": (fact, who) => gettext("{who} is back.", { who: who(fact.seat) }),
  "bet-returned": (fact, who) =>
    gettext("Uncalled bet ({amount}) returned to {who}.", { amount: amount(fact.amount), who: who(fact.seat) }),
  "round-closed": pots,
  "last-card-seen": (fact, who) => gettext(SEEN[fact.how] ?? SEEN.other, { who: who(fact.seat) }),
  "cards-put-right": (fact, who) =>
    gettext("The dealer puts the cards right: {players}.", { players: list([...new Set(fact.cards.map(([seat]) => who(seat)))]) }),
  "prematurely-dealt": dealtTooSoon,
  "premature-card-kept": (fact, who) =>
    fact.may_bet
      ? gettext("{who} keeps the card dealt too soon and may not raise on this street.", { who: who(fact.seat) })
      : gettext("{who} keeps the card dealt too soon and may not bet or raise on this street.", { who: who(fact.seat) }),
  "cards-eliminated": () => gettext("The cards dealt too soon are out of play."),
  "ante-returned": (fact, who) =>
    gettext("The ante of {amount} goes back to {who}.", { amount: amount(fact.amount), who: who(fact.seat) }),
  "upcards-picked-up": (fact, who) => gettext("{who} picks up the upcards.", { who: who(fact.seat) }),
  "upcards-reordered": (fact, who) => gettext("{who} changes the order of the upcards.", { who: who(fact.seat) }),
  "declared-all-in": (fact, who) => gettext("{who} declares all-in.", { who: who(fact.seat) }),
  "action-held": (fact, who) => gettext(HELD[fact.verb] ?? HELD.other, { who: who(fact.seat) }),
  "action-released": (fact, who) => gettext("{who} is no longer held to it.", { who: who(fact.seat) }),
  ordered,
  "entry-reversed": ({ reason }) =>
    reason
      ? gettext("The last entry was a mistake and is taken back ({reason}).", { reason })
      : gettext("The last entry was a mistake and is taken back."),
  "hand-revived": (fact, who) => gettext("{who}’s hand is ruled live.", { who: who(fact.seat) }),
  "deck-fouled": ({ card }) => {
    if (card === "joker") return gettext("The deck is fouled: there is a joker in it.");
    return card ? gettext("The deck is fouled: {card} is there twice.", { card: inMarks(card) }) : gettext("The deck is fouled.");
  },
  "hand-voided": (fact) =>
    fact.why === "misdeal" ? gettext("A misdeal: every chip goes back.") : gettext("The hand is void: every chip goes back."),
  "hand-tabled": (fact, who) => gettext("{who} turns up {cards}.", { who: who(fact.seat), cards: fact.cards.map(inMarks).join(" ") }),
  "hand-shown": shown,
  "hand-mucked": (fact, who) => gettext("{who} mucks.", { who: who(fact.seat) }),
  "drop-taken": drop,
  "pot-awarded": awarded,
};

/** The fact as a sentence, or "" where there is nothing to say. `who(seat)` is the player's name. */
export const sentence = (kind, fact, who) => SENTENCES[kind]?.(fact, who) ?? "";
