// What this page knows of the table: takes the server's messages in, folds facts at a pace the eye can follow.
// `shown` is the hand as drawn; facts that came meanwhile wait in a queue. Numbers decide, never the order of arrival.

import { apply, emptyHand } from "./hand.js";

/** How long the eye gets, in ms, after a fact has been drawn. */
const HOLD = {
  "antes-posted": 250, "cards-dealt": 420, "common-card-dealt": 500, "bring-in-posted": 220, checked: 200, called: 220,
  wagered: 220, folded: 200, "bet-returned": 200, "round-closed": 380, "showdown-opened": 350, "hand-tabled": 300,
  "hand-shown": 500, "hand-mucked": 160, "drop-taken": 160, "pot-awarded": 450,
};
/** What brings cards: nothing is told of it before they lie where they are seen. */
const DEALS = new Set(["cards-dealt", "common-card-dealt", "cards-put-right", "premature-card-kept"]);
/** How long the eye gets after cards that it has followed to their place, ms. */
const LANDED = 120;
/** How long a result stays before the next hand's cards cover it. */
const LINGER = 2200;
/** More than this waiting, and what is old is drawn at once. */
const MOST_WAITING = 30;

export class Client {
  #queue = []; #timer = 0; #isInstant; #isCalm; #pace; #catchingUp = null; #overSince = 0; #at = 0; #landing = null;

  /** `on`: {deal(), fact(kind, fact, hand, {seq, isInstant, isFlown}), reset(), draw(), refused(m), done(m), catchUp({hand, after}),
   * you()}. `deal` draws the cards and answers with a promise of when they lie, or null. */
  constructor(on, { isInstant = () => false, isCalm = () => false, pace = () => 1 } = {}) {
    this.on = on;
    this.#isInstant = isInstant;
    this.#isCalm = isCalm;
    this.#pace = pace;
    this.shown = emptyHand();
    this.received = { hand: null, seq: 0 };
    this.you = { seat: null };
    this.table = null;
    this.names = {};
    this.games = {};
    this.numbers = {};
    this.clock = null;
    this.offset = 0;
  }

  /** Whether all that has come is drawn: only then is the turn on screen the turn at the table. */
  get isCurrent() {
    return this.#queue.length === 0 && !this.isLanding;
  }

  /** Whether cards are on their way to their places: `shown` has them, and nothing is told of them yet. */
  get isLanding() {
    return this.#landing !== null;
  }

  /** Milliseconds of the server's clock, as well as this page knows. */
  now() {
    return Date.now() + this.offset;
  }

  /** `at`: when it came, as `Date.now()` was then. */
  receive(message, at = Date.now()) {
    this.#at = at;
    this.#RECEIVE[message.type]?.(message);
  }

  #RECEIVE = {
    snapshot: (message) => {
      clearTimeout(this.#timer);
      this.#timer = 0;
      this.#queue = [];
      this.#landing = null;
      this.#catchingUp = null;
      this.you = message.you ?? { seat: null };
      this.#setTable(message.table);
      if (message.hand) this.numbers[message.hand] = message.number;
      const id = message.hand ?? null;
      this.games = message.games;
      this.shown = emptyHand(id, this.games);
      this.on.reset(id, message);
      for (const [seq, kind, fact] of message.facts ?? []) {
        apply(this.shown, seq, kind, fact);
        this.#tell({ seq, kind, fact }, true);
      }
      this.received = { hand: id, seq: this.shown.seq };
      this.#setClock(message.clock);
      this.on.draw();
    },
    facts: (message) => {
      if (message.number && this.table) this.table = { ...this.table, hand: { id: message.hand, number: message.number } };
      if (message.number) this.numbers[message.hand] = message.number;
      this.#setClock(message.clock);
      this.#take(message);
      this.#pump();
    },
    table: (message) => {
      this.you = message.you ?? message.table.you ?? this.you;
      this.#setTable(message.table);
      this.on.draw();
    },
    clock: (message) => {
      this.#setClock(message);
      this.on.draw();
    },
    refused: (message) => this.on.refused(message),
    done: (message) => this.on.done(message),
  };

  #setClock(clock) {
    if (clock === undefined) return;
    this.clock = clock;
    if (clock?.now) this.offset = clock.now - this.#at;
  }

  /** Names stay known when their owners have left, for the hand they played in is told with them. */
  #setTable(table) {
    if (!table) return;
    this.table = table;
    for (const { number, name } of table.seats) this.names[number] = name;
    if (table.hand) this.numbers[table.hand.id] = table.hand.number;
  }

  #take({ hand, facts }) {
    for (const [seq, kind, fact] of facts) {
      const last = hand === this.received.hand ? this.received.seq : 0;
      if (seq <= last) continue;
      if (hand < this.received.hand) continue;
      if (seq > last + 1) {
        this.#catchUp(hand, last);
        return;
      }
      this.#catchingUp = null;
      this.received = { hand, seq };
      this.#queue.push({ hand, seq, kind, fact });
    }
  }

  /** Something was missed: ask for it, once. */
  #catchUp(hand, after) {
    const wanted = `${hand}:${after}`;
    if (this.#catchingUp === wanted) return;
    this.#catchingUp = wanted;
    this.on.catchUp({ hand, after });
  }

  #pump() {
    if (this.#timer || this.isLanding) return;
    let isInstant = this.#isInstant() || this.#queue.length > MOST_WAITING;
    while (this.#queue.length) {
      const rest = isInstant ? 0 : this.#lingers();
      if (rest > 0) {
        this.on.draw();
        this.#wait(rest);
        return;
      }
      const next = this.#queue.shift();
      if (next.hand !== this.shown.id) this.shown = emptyHand(next.hand, this.games);
      apply(this.shown, next.seq, next.kind, next.fact);
      if (!isInstant && this.#lands(next)) return;
      this.#tell(next, isInstant);
      const hold = isInstant ? 0 : this.#holdAfter(next.kind);
      if (hold) {
        this.on.draw();
        this.#wait(hold);
        return;
      }
      isInstant = this.#isInstant() || this.#queue.length > MOST_WAITING;
    }
    this.on.draw();
  }

  /** Cards fly to their places: the rest of what their fact brings waits for them. */
  #lands(next) {
    if (this.#isCalm() || !DEALS.has(next.kind)) return false;
    const mine = (this.#landing = Symbol(next.kind));
    const flight = this.on.deal?.();
    if (!flight) {
      this.#landing = null;
      return false;
    }
    flight.then(() => {
      if (this.#landing !== mine) return; // the table was drawn afresh meanwhile
      this.#landing = null;
      this.#tell(next, false, true);
      this.on.draw();
      this.#wait(LANDED * this.#pace());
    });
    return true;
  }

  #wait(time) {
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#pump();
    }, time);
  }

  /** What is left of the time a showdown stays in sight; the next hand waits for it. */
  #lingers() {
    if (this.#queue[0].kind !== "hand-started" || !this.shown.isShowdown) return 0;
    return this.#overSince + LINGER * (this.#isCalm() ? 0.3 : 1) - Date.now();
  }

  #holdAfter(kind) {
    if (!this.#queue.length) return 0;
    // Where nothing moves there is less to follow.
    const hold = (HOLD[kind] ?? 0) * (this.#isCalm() ? 0.3 : this.#pace());
    // A new deal is waiting: what is left of the old hand is drawn quickly.
    return this.#queue.some((next) => next.kind === "hand-started") ? hold / 4 : hold;
  }

  /** `isFlown`: its cards have been seen to fly to their places. */
  #tell({ seq, kind, fact }, isInstant, isFlown = false) {
    if (kind === "hand-ended") this.#overSince = Date.now();
    this.on.fact(kind, fact, this.shown, { seq, isInstant, isFlown });
  }
}
