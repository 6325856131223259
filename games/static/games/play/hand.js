// A hand as one viewer sees it, folded from redacted facts. Pure: no page, no socket, no clock.
// A snapshot and the increments that follow it run through the same `apply`.

/** A hand of which nothing is known yet. `games`: what the room says of each game, by its slug. */
export function emptyHand(id = null, games = {}) {
  return {
    id, seq: 0, street: 0, seats: {}, order: [], dealer: 0, pot: 0, pots: [], level: 0, sizes: [],
    turn: null, opener: 0, isBetting: false, owesBringIn: false, common: [], isShowdown: false, isOver: false, raises: 0, isCapped: false, awards: [], drop: null,
    book: null, games, game: null, isLimit: false, bigBet: 0, playersLeft: 0, log: [],
  };
}

function newSeat(stack) {
  return {
    stack, start: stack, bet: 0, total: 0, won: 0, cards: [], kept: 0, isLive: true, isAbsent: false, isTabled: false,
    isMucked: false, five: null, made: "", lowFive: null, lowMade: "", did: null,
  };
}

/** Chips from a seat into the middle; `asBet` when they lie in front of it. */
function pay(hand, number, amount, asBet) {
  const seat = hand.seats[number];
  seat.stack -= amount;
  seat.total += amount;
  hand.pot += amount;
  if (asBet) seat.bet += amount;
}

function killed(hand, { seat }) {
  hand.seats[seat].isLive = false;
  if (hand.turn?.seat === seat) hand.turn = null;
}

/** All of a seat's cards become known; a common card may stand among them and is not the seat's. */
function reveal(hand, number, cards) {
  const seat = hand.seats[number];
  seat.isTabled = true;
  const own = cards.filter((card) => !hand.common.includes(card));
  if (own.length === seat.cards.length) seat.cards = seat.cards.map((held, i) => ({ ...held, card: own[i] }));
}

const APPLY = {
  "hand-started"(hand, fact) {
    const at = new Map(fact.stacks);
    for (const number of fact.order) hand.seats[number] = newSeat(at.get(number));
    for (const number of fact.absent) if (hand.seats[number]) hand.seats[number].isAbsent = true;
    const { rulebook: slug, rulebook_version: version } = fact;
    Object.assign(hand, {
      order: [...fact.order], dealer: fact.dealer, book: slug.startsWith("house:") ? `${slug}@${version}` : slug,
      game: hand.games[fact.game] ?? null, isLimit: fact.structure === "fixed-limit", bigBet: fact.big_bet, playersLeft: fact.players_left,
    });
  },
  "antes-posted"(hand, { antes }) {
    for (const [number, chips] of antes) pay(hand, number, chips, false);
  },
  "cards-dealt"(hand, { street, cards }) {
    hand.street = street;
    for (const [number, card, isUp] of cards) hand.seats[number].cards.push({ card, isUp });
  },
  "common-card-dealt"(hand, { card, street }) {
    hand.street = street;
    hand.common.push(card);
  },
  "no-card-left"(hand, { street }) {
    hand.street = street;
  },
  "round-opened"(hand, { street, opener, sizes, is_bring_in: owesBringIn }) {
    Object.assign(hand, { street, opener, sizes: [...sizes], level: 0, raises: 0, isCapped: false, isBetting: true, owesBringIn, turn: null });
    for (const seat of Object.values(hand.seats)) seat.did = null;
  },
  "action-on"(hand, fact) {
    hand.turn = { ...fact };
  },
  "bring-in-posted"(hand, { seat, amount, level }) {
    pay(hand, seat, amount, true);
    Object.assign(hand, { level, turn: null, owesBringIn: false });
    hand.seats[seat].did = { what: "bring-in", amount };
  },
  checked(hand, { seat }) {
    hand.turn = null;
    hand.seats[seat].did = { what: "check" };
  },
  called(hand, { seat, amount }) {
    pay(hand, seat, amount, true);
    hand.turn = null;
    hand.seats[seat].did = { what: "call", amount };
  },
  wagered(hand, fact) {
    pay(hand, fact.seat, fact.amount, true);
    Object.assign(hand, {
      level: fact.to, sizes: [...fact.sizes], raises: fact.raises, isCapped: fact.is_capped, turn: null, owesBringIn: false,
    });
    hand.seats[fact.seat].did = { what: fact.verb, amount: fact.to };
  },
  folded(hand, fact) {
    killed(hand, fact);
    hand.seats[fact.seat].did = { what: "fold" };
  },
  "hand-killed": killed,
  "player-left"(hand, { seat }) {
    hand.seats[seat].isAbsent = true;
  },
  "player-back"(hand, { seat }) {
    hand.seats[seat].isAbsent = false;
  },
  "bet-returned"(hand, { seat, amount }) {
    const back = hand.seats[seat];
    back.stack += amount;
    back.total -= amount;
    back.bet = Math.max(0, back.bet - amount);
    hand.pot -= amount;
    hand.isBetting = false; // the round is over, or is opened anew
  },
  "round-closed"(hand, { pots }) {
    hand.pots = pots.map(([chips, seats]) => ({ chips, seats: [...seats] }));
    Object.assign(hand, { level: 0, turn: null, isBetting: false, owesBringIn: false });
    for (const seat of Object.values(hand.seats)) seat.bet = 0;
  },
  "showdown-opened"(hand) {
    Object.assign(hand, { isShowdown: true, isBetting: false, turn: null });
  },
  "hand-tabled"(hand, { seat, cards }) {
    reveal(hand, seat, cards);
  },
  "hand-shown"(hand, fact) {
    reveal(hand, fact.seat, fact.cards);
    Object.assign(hand.seats[fact.seat], {
      five: fact.five, made: fact.words, lowFive: fact.low_five, lowMade: fact.low_words,
    });
  },
  "hand-mucked"(hand, { seat }) {
    Object.assign(hand.seats[seat], { isMucked: true, isLive: false });
  },
  "drop-taken"(hand, fact) {
    hand.drop = fact;
    hand.pot -= fact.rake + fact.promo + fact.jackpot;
    fact.pots.forEach((taken, i) => {
      if (hand.pots[i]) hand.pots[i].chips -= taken;
    });
  },
  "pot-awarded"(hand, { pot, seat, amount, share }) {
    const winner = hand.seats[seat];
    winner.stack += amount;
    winner.won += amount;
    hand.pot -= amount;
    if (hand.pots[pot]) hand.pots[pot].chips -= amount;
    hand.awards.push({ pot, seat, amount, share });
  },
  // What a dealer's mistake leads to. Cards dealt too soon belong to nobody and are not drawn.
  "ante-returned"(hand, { seat, amount }) {
    const back = hand.seats[seat];
    back.stack += amount;
    back.total -= amount;
    hand.pot -= amount;
  },
  "cards-put-right"(hand, { cards, gave_up: gaveUp = [], streets = [] }) {
    const away = streets.length ? gaveUp : cards.map(([number]) => [number, 1]);
    // A last card kept early lies behind those of the street in play.
    const end = (seat) => seat.cards.length - seat.kept;
    for (const [number, count] of away) hand.seats[number].cards.splice(end(hand.seats[number]) - count, count);
    for (const [number, card, isUp] of cards) hand.seats[number].cards.splice(end(hand.seats[number]), 0, { card, isUp });
  },
  "premature-card-kept"(hand, { seat, card, is_up: isUp = false }) {
    hand.seats[seat].cards.push({ card, isUp });
    hand.seats[seat].kept = 1;
  },
  "declared-all-in"(hand, { seat }) {
    hand.seats[seat].did = { what: "declared" };
    if (hand.turn?.seat === seat) hand.turn = null;
  },
  /** The hand is again what its facts up to `upto` made it; the log stays whole. */
  "entry-reversed"(hand, { upto }) {
    const before = emptyHand(hand.id, hand.games);
    for (const [seq, kind, fact] of hand.log) if (seq <= upto) apply(before, seq, kind, fact);
    Object.assign(hand, before, { log: hand.log });
  },
  "hand-revived"(hand, { seat }) {
    hand.seats[seat].isLive = true;
  },
  "hand-voided"(hand, { stacks }) {
    for (const [number, chips] of stacks) hand.seats[number].stack = chips;
    Object.assign(hand, { pot: 0, pots: [], isOver: true, isBetting: false, turn: null });
  },
  "hand-ended"(hand, { stacks }) {
    for (const [number, chips] of stacks) hand.seats[number].stack = chips;
    Object.assign(hand, { isOver: true, isBetting: false, turn: null });
  },
};

/** Fold one fact into `hand`, in place. Kinds unknown here change nothing that is drawn. */
export function apply(hand, seq, kind, fact) {
  hand.log.push([seq, kind, fact]);
  APPLY[kind]?.(hand, fact);
  hand.seq = seq;
}

/** Whether the seat has put in all it had and still plays for the pot. */
export const isAllIn = (seat) => seat.isLive && seat.stack === 0 && seat.total > 0 && seat.won === 0;
