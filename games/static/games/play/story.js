// The facts of the hand on the table in their order, without those that were taken back, and what can be read off them.

import { isRoutine } from "./rulings.js";

/** Somebody did something: rulings before it belong to another mistake than those after it. */
const DEEDS = new Set([
  "cards-dealt", "common-card-dealt", "prematurely-dealt", "bring-in-posted", "checked", "called", "wagered", "folded",
  "last-card-seen", "upcards-picked-up", "upcards-reordered", "declared-all-in", "player-left", "player-back", "ordered",
]);

const DEALS = new Set(["cards-dealt", "common-card-dealt"]);
/** What a deal is made of: rulings in it are of the same mistake, whether a card fell before or after them. */
const OF_A_DEAL = new Set([...DEALS, "card-burned", "cards-eliminated", "stub-remixed", "ruled"]);
const CLOSES = new Set(["round-closed", "hand-ended", "hand-voided"]);
const ACTS = new Set(["bring-in-posted", "checked", "called", "wagered", "folded", "declared-all-in"]);

export class Story {
  lines = [];

  clear() {
    this.lines = [];
  }

  add(seq, kind, fact) {
    if (kind === "entry-reversed") this.lines = this.lines.filter((line) => line.seq <= fact.upto);
    else this.lines.push({ seq, kind, fact });
  }

  /** The last facts of a kind first: the newest one, or undefined. */
  last(kind) {
    return this.lines.findLast((line) => line.kind === kind);
  }

  /**
   * The rulings that still concern the table, cause first: those of the last mistake, until a later street is dealt.
   * Each is {seq, ruling, after: the facts since, isOld: somebody has acted since}. When the hand is over the old ones go.
   */
  rulings() {
    const { lines } = this;
    const last = lines.findLastIndex(({ kind, fact }) => kind === "ruled" && !isRoutine(fact));
    if (last < 0 || this.#isPast(last)) return [];
    let first = last;
    while (first > 0 && !DEEDS.has(lines[first - 1].kind)) first -= 1;
    if (first > 0 && DEALS.has(lines[first - 1].kind)) while (first > 0 && OF_A_DEAL.has(lines[first - 1].kind)) first -= 1;
    return lines
      .slice(first, last + 1)
      .filter(({ kind, fact }) => kind === "ruled" && !isRoutine(fact))
      .map(({ seq, fact }) => {
        const after = lines.filter((line) => line.seq > seq);
        // A fold right behind it is what the ruling itself came to.
        const acts = after.filter((line) => ACTS.has(line.kind) && !(line.seq === seq + 1 && fact.seats.includes(line.fact.seat)));
        return { seq, ruling: fact, after, isOld: acts.length > 0 };
      })
      .filter(({ isOld }) => !isOld || !lines.some(({ kind }) => kind === "hand-ended"));
  }

  /** Cards dealt too soon that still lie with the seats: [seat, card, isUp]. */
  premature() {
    const early = [];
    for (const { kind, fact } of this.lines) {
      if (kind === "prematurely-dealt") early.push(...fact.cards);
      else if (kind === "cards-eliminated") early.length = 0;
      else if (kind === "premature-card-kept") early.splice(early.findIndex(([seat]) => seat === fact.seat), 1);
    }
    return early;
  }

  has(kind, seat) {
    return this.lines.some((line) => line.kind === kind && line.fact.seat === seat);
  }

  /** What each seat won, pot by pot added up, in the order of the awards: [{seat, amount, words}]. */
  awards() {
    const won = new Map();
    for (const { kind, fact } of this.lines) {
      if (kind === "pot-awarded") won.set(fact.seat, (won.get(fact.seat) ?? 0) + fact.amount);
    }
    const shown = new Map(this.lines.filter(({ kind }) => kind === "hand-shown").map(({ fact }) => [fact.seat, fact.words]));
    return [...won].map(([seat, amount]) => ({ seat, amount, words: shown.get(seat) ?? "" }));
  }

  /** Seats that may declare all-in now: the last ruling left them the choice and nobody has acted on it in turn. */
  mayDeclare() {
    const at = this.lines.findLastIndex(({ kind, fact }) => kind === "ruled" && fact.verdict === "all-in-option");
    if (at < 0) return [];
    const since = this.lines.slice(at + 1);
    let turn = 0; // an action out of turn takes the choice from nobody
    for (const { kind, fact } of since) {
      if (kind === "action-on") turn = fact.seat;
      if (CLOSES.has(kind) || (ACTS.has(kind) && kind !== "declared-all-in" && fact.seat === turn)) return [];
    }
    const declared = new Set(since.filter(({ kind }) => kind === "declared-all-in").map(({ fact }) => fact.seat));
    return this.lines[at].fact.seats.filter((seat) => !declared.has(seat));
  }

  /** The seat that has to show now, and whether it may muck instead; null for none. As `choicesOf` takes it. */
  showDue() {
    const at = this.lines.findLastIndex(({ kind }) => kind === "show-due");
    if (at < 0) return null;
    const over = new Set(["hand-shown", "hand-mucked", "hand-killed", "hand-ended", "hand-voided"]);
    if (this.lines.slice(at + 1).some(({ kind }) => over.has(kind))) return null;
    const { seat, may_muck } = this.lines[at].fact;
    return { seat, must_show: true, may_muck: may_muck !== false };
  }

  #isPast(at) {
    const { seq, fact } = this.lines[at];
    // These are ruled before the street they belong to is dealt.
    const isAhead = (fact.key === "premature_deal" && fact.verdict === "eliminated") || fact.key === "deck_exhaustion";
    const dealt = this.lines.filter(({ kind }) => kind === "cards-dealt" || kind === "common-card-dealt");
    const streets = new Set(dealt.filter((line) => line.seq > seq).map((line) => line.fact.street));
    for (const line of dealt.filter((each) => each.seq < seq)) streets.delete(line.fact.street);
    return streets.size > (isAhead ? 1 : 0);
  }
}
