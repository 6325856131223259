// Facts in words, for the log and for those who listen. Cards are written as "[As]"; `cards.js` draws or speaks them.
// The finished hand's page says the same sentences (games/tables/words.py); a test holds the two together.

const number = (chips) => String(chips).replace(/\B(?=(\d{3})+$)/g, ",");
export const chips = number;

const STREETS = { 3: "Third street", 4: "Fourth street", 5: "Fifth street", 6: "Sixth street", 7: "Seventh street" };
export const streetName = (street) => STREETS[street] ?? "";

const WAGERED = { bet: "bets", completion: "completes to", raise: "raises to", "all-in": "is all-in for" };
const HELD = { check: "checks", call: "calls", wager: "wagers" };
const SEEN = { "looked-at": "has looked at the last card", mixed: "has mixed the last card with the holecards" };
const VOID = { misdeal: "A misdeal", void: "The hand is void" };
const ORDERS = {
  "rules-live": "rules a hand live", "orders-low": "orders the true low card to bring it in", misdeal: "calls a misdeal",
  void: "voids the hand", kills: "kills a hand", penalises: "gives a penalty",
};

/** A card, or cards, in a sentence; one that nobody may see is "??". */
const marked = (card) => (card ? `[${card}]` : "??");
const markedIn = (words) => words.replace(/\b([2-9TJQKA][shdc])\b/g, "[$1]");

/** Ranks as a low hand is read, from the worst. */
const LOW_ORDER = "KQJT98765432A";
/** Raises are told as what they are; the rest is the dealer's own word. */
const ANNOUNCED = new Set(["lowcard", "pair", "straight", "flush"]);

function announced({ what, seat, words }, who) {
  if (what === "low-hand") {
    const ranks = [...words].sort((a, b) => LOW_ORDER.indexOf(a) - LOW_ORDER.indexOf(b)).map((rank) => rank.replace("T", "10"));
    return words ? `${who(seat)} is low: ${ranks.join("-")}.` : `${who(seat)} is low.`;
  }
  if (what === "high-hand") return words ? `${who(seat)} is high: ${words}.` : `${who(seat)} is high.`;
  return ANNOUNCED.has(what) ? `${who(seat)}: ${markedIn(words)}.` : "";
}

const list = (parts) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);

function dealt(fact, who) {
  const up = fact.cards.filter(([, card, isUp]) => isUp && card).map(([seat, card]) => `${who(seat)} ${marked(card)}`);
  const down = fact.cards.filter(([, , isUp]) => !isUp);
  const own = down.filter(([, card]) => card);
  const sentences = [];
  for (const seat of new Set(own.map(([seat]) => seat))) {
    const held = own.filter(([owner]) => owner === seat).map(([, card]) => marked(card));
    sentences.push(`${who(seat)} gets ${list(held)} down.`);
  }
  const unseen = new Set(down.filter(([, card]) => !card).map(([seat]) => who(seat)));
  if (up.length) sentences.push(`Dealt up: ${up.join(", ")}.`);
  else if (unseen.size) sentences.push(`A card down to ${list([...unseen])}.`);
  return sentences.join(" ");
}

function dealtTooSoon(fact, who) {
  const cards = fact.cards.map(([seat, card]) => `${who(seat)} ${card ? marked(card) : "one down"}`);
  return `Dealt too soon: ${cards.join(", ")}.`;
}

function ordered({ what, seat, reason }, who) {
  const order = ORDERS[what] ?? what;
  return `The floor ${order}${seat ? `: ${who(seat)}` : ""}${reason ? ` (${reason})` : ""}.`;
}

function wonWhat(fact) {
  const pot = fact.pot === 0 ? "the pot" : `side pot ${fact.pot}`;
  const share = { high: ", high", low: ", low" }[fact.share] ?? "";
  return `${number(fact.amount)} from ${pot}${share}`;
}

function drop(fact) {
  if (fact.why === "no-call") return "No rake: the hand ended on third street without a call.";
  const funds = [[fact.rake, "Rake"], [fact.promo, "promotions"], [fact.jackpot, "jackpot"]];
  const said = funds.filter(([taken]) => taken).map(([taken, name]) => `${name} ${number(taken)}`).join(", ");
  return said && `${said[0].toUpperCase()}${said.slice(1)}.`;
}

function shown(fact, who) {
  const low = fact.low_words ? `low: ${fact.low_words}` : "";
  const five = fact.five?.length ? ` (${fact.five.map(marked).join(" ")})` : "";
  return `${who(fact.seat)} shows ${[`${fact.words}${five}`, low].filter(Boolean).join("; ")}.`;
}

const SENTENCES = {
  "antes-posted": (fact) => {
    const sum = fact.antes.reduce((all, [, paid]) => all + paid, 0);
    return sum ? `Antes are in: ${number(sum)}.` : "";
  },
  "cards-dealt": dealt,
  "stub-remixed": () => "The deck runs short: the stub and the burns are mixed again.",
  "common-card-dealt": (fact) => `A common card for everybody: ${marked(fact.card)}.`,
  "no-card-left": () => "The deck is out: nobody gets another card.",
  announced,
  ruled: (fact) => fact.words,
  "call-weighed": (fact) => (fact.is_beaten ? "That call was beaten by cards in sight; it stands." : ""),
  "round-opened": (fact, who) => (fact.opener === fact.named ? "" : `${who(fact.opener)} opens instead.`),
  "timed-out": (fact, who) => `${who(fact.seat)} ran out of time.`,
  "bring-in-posted": (fact, who) => `${who(fact.seat)} brings it in for ${number(fact.amount)}.`,
  checked: (fact, who) => `${who(fact.seat)} checks.`,
  called: (fact, who) => `${who(fact.seat)} calls ${number(fact.amount)}.`,
  wagered: (fact, who) => `${who(fact.seat)} ${WAGERED[fact.verb]} ${number(fact.to)}.`,
  folded: (fact, who) => `${who(fact.seat)} folds.`,
  "hand-killed": (fact, who) => `${who(fact.seat)}’s hand is dead.`,
  "player-left": (fact, who) => `${who(fact.seat)} is away.`,
  "player-back": (fact, who) => `${who(fact.seat)} is back.`,
  "bet-returned": (fact, who) => `${number(fact.amount)} nobody called goes back to ${who(fact.seat)}.`,
  "round-closed": (fact) => {
    const [main, ...side] = fact.pots.map(([amount]) => amount);
    if (main === undefined) return "";
    const others = side.map((amount, i) => `side pot ${i + 1} ${number(amount)}`);
    return `Pot ${[number(main), ...others].join(", ")}.`;
  },
  "last-card-seen": (fact, who) => `${who(fact.seat)} ${SEEN[fact.how] ?? "has seen the last card"}.`,
  "cards-put-right": (fact, who) => `The dealer puts the cards right: ${list([...new Set(fact.cards.map(([seat]) => who(seat)))])}.`,
  "prematurely-dealt": dealtTooSoon,
  "premature-card-kept": (fact, who) =>
    `${who(fact.seat)} keeps the card dealt too soon and may not ${fact.may_bet ? "raise" : "bet or raise"} on this street.`,
  "cards-eliminated": () => "The cards dealt too soon are out of play.",
  "ante-returned": (fact, who) => `The ante of ${number(fact.amount)} goes back to ${who(fact.seat)}.`,
  "upcards-picked-up": (fact, who) => `${who(fact.seat)} picks up the upcards.`,
  "upcards-reordered": (fact, who) => `${who(fact.seat)} changes the order of the upcards.`,
  "declared-all-in": (fact, who) => `${who(fact.seat)} declares all-in.`,
  "action-held": (fact, who) => `${who(fact.seat)} ${HELD[fact.verb] ?? "acts"} out of turn.`,
  "action-released": (fact, who) => `${who(fact.seat)} is no longer held to it.`,
  ordered,
  "entry-reversed": ({ reason }) =>
    `The last entry was a mistake and is taken back${reason ? ` (${reason})` : ""}.`,
  "hand-revived": (fact, who) => `${who(fact.seat)}’s hand is ruled live.`,
  "hand-voided": (fact) => `${VOID[fact.why] ?? "The hand is void"}: every chip goes back.`,
  "hand-tabled": (fact, who) => `${who(fact.seat)} turns up ${fact.cards.map(marked).join(" ")}.`,
  "hand-shown": shown,
  "hand-mucked": (fact, who) => `${who(fact.seat)} mucks.`,
  "drop-taken": drop,
  "pot-awarded": (fact, who) => `${who(fact.seat)} wins ${wonWhat(fact)}.`,
};

/** The fact as a sentence, or "" where there is nothing to say. `who(seat)` is the player's name. */
export const sentence = (kind, fact, who) => SENTENCES[kind]?.(fact, who) ?? "";
