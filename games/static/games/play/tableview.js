// The server's `table` object, read once into the names this page uses.

/** @returns {name, stakes, seatCount, seats, actSeconds, maySit, wallet, minBuyIn, maxBuyIn, lastHand, rulebook, handId,
 * nextDealAt, state, event, isPhysical, isShown, doBotsWait, isHandDealt, isSpoken, isFloorCalled, hasHelp, raiseCap} */
export function readTable(raw) {
  const taken = new Map(raw.seats.map((seat) => [seat.number, seat]));
  const seats = Array.from({ length: raw.seat_count }, (_, i) => {
    const seat = taken.get(i + 1);
    return seat?.name
      ? { number: i + 1, name: seat.name, isBot: seat.is_bot, strength: seat.strength ?? "", avatar: seat.avatar ?? "", stack: seat.stack, state: seat.state, isGone: seat.is_gone }
      : { number: i + 1, name: "", isBot: false, stack: 0, state: "free" };
  });
  return {
    name: raw.name,
    stakes: raw.stakes ?? null,
    seatCount: raw.seat_count,
    seats,
    actSeconds: raw.act_seconds ?? 30,
    event: raw.event ?? "",
    isPhysical: raw.is_physical ?? false,
    isShown: raw.is_shown ?? true,
    doBotsWait: raw.bots_wait_for_people ?? false,
    maySit: raw.state === "open" && !raw.event && !raw.is_physical,
    wallet: raw.wallet ?? 0,
    minBuyIn: raw.min_buy_in,
    maxBuyIn: raw.max_buy_in,
    lastHand: raw.last_hand ?? null,
    rulebook: raw.rulebook,
    handId: raw.hand?.id ?? null,
    nextDealAt: raw.next_deal_at ?? null,
    state: raw.state,
    isHandDealt: raw.dealt_by === "person",
    isSpoken: raw.is_spoken ?? false,
    isFloorCalled: raw.floor_called ?? false,
    hasHelp: raw.has_help ?? true,
    raiseCap: raw.raise_cap ?? null,
  };
}

/** The same of a hand that is over, with nothing to sit down at. `seats`: number, name and stack of who was in it. */
export function pastTable({ id, seatCount, seats }) {
  const rows = new Map(seats.map((seat) => [seat.number, seat]));
  return {
    seatCount, handId: id, maySit: false, event: "",
    seats: Array.from({ length: seatCount }, (_, i) => ({ number: i + 1, name: "", isBot: false, stack: 0, state: "playing", ...rows.get(i + 1) })),
  };
}
