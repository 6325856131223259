"""Hands as the floor hears of them: who is out, who is back, what somebody has, and hand-for-hand.

`busts` are pairs of an entrant and their chips when the hand began (None: not known). It decides who finishes higher of
several who go in one hand, so it must be said of them.
"""

from collections.abc import Sequence
from typing import Unpack

from cardroom.services.errors import Invalid
from tournaments.engine.commands import Bust, Count, CountTable, HandDone, HandForHand, Revive
from tournaments.journal import Receipt
from tournaments.services import staff
from tournaments.services.directing import Directed, Order, in_the_room, reason_of, whole
from tournaments.services.floor.ordering import give, ordering, seed

Busts = Sequence[tuple[int, int | None]]
_BY_STACKS = "RROP v11, Tournaments"


def bust(
    *, busts: Busts, eliminators: Sequence[int] = (), table: int = 0, hand: int = 0, **order: Unpack[Order]
) -> Receipt:
    """These are out, all by one hand at one table. `eliminators`: the entrants who won the chips; where there are
    bounties they share them. For directors, and for the floor and the dealers at the tables.

    Refuses: `Invalid` (several in one hand without their stacks), `Illegal` (out already, sits elsewhere, online).
    """
    with ordering(staff.TABLES, **order) as held:
        if held.earlier is None:
            in_the_room(held.locked, "whoever has lost all their chips is out automatically")
            held.play(Bust(_busts(held, busts), table, hand, tuple(eliminators)))
    return held.receipt


def revive(*, entrant: int, stack: int | None = None, reason: str, **order: Unpack[Order]) -> Receipt:
    """The bust was a mistake: the player is back in their seat, or in one that is drawn. `stack` None: what they
    had."""
    reason_of(reason, of="somebody who comes back")
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            in_the_room(held.locked, "nobody is out by mistake")
            held.play(Revive(entrant, seed(), stack))
    return held.receipt


def count(*, entrant: int, chips: int, **order: Unpack[Order]) -> Receipt:
    """So many chips were counted before the player."""
    with ordering(staff.TABLES, **order) as held:
        if held.earlier is None:
            in_the_room(held.locked, "chips are counted by the tables")
            held.play(Count(entrant, whole(chips, "count")))
    return held.receipt


def count_table(*, table: int, stacks: Sequence[tuple[int, int]], **order: Unpack[Order]) -> Receipt:
    """So many chips were counted before those at one table, or before some of them: `stacks`, (entrant, chips). One
    count, which stands or is taken back as a whole.

    Refuses: `Illegal` (nothing was counted, somebody sits elsewhere, more chips than are in play, online).
    """
    with ordering(staff.TABLES, **order) as held:
        if held.earlier is None:
            in_the_room(held.locked, "chips are counted by the tables")
            held.play(CountTable(table, tuple([(number, whole(chips, "count")) for number, chips in stacks])))
    return held.receipt


def hand_for_hand(*, on: bool, **order: Unpack[Order]) -> Receipt:
    """Every table waits for the last before the next hand, or no longer."""
    return give(HandForHand(on), **order)


def hand_done(
    *,
    table: int,
    busts: Busts = (),
    eliminators: Sequence[int] = (),
    stacks: Sequence[tuple[int, int]] = (),
    **order: Unpack[Order],
) -> Receipt:
    """A table has played its hand. With the last table that was still playing the hand of hand-for-hand is over.

    `stacks`: (entrant, chips) after it, where they were counted. Refuses as `bust` does.
    """
    with ordering(staff.TABLES, **order) as held:
        if held.earlier is None:
            in_the_room(held.locked, "the tables say themselves when a hand is over")
            held.play(HandDone(table, _busts(held, busts), tuple(eliminators), tuple(stacks)))
    return held.receipt


def _busts(held: Directed, busts: Busts) -> tuple[tuple[int, int], ...]:
    """With the stacks that were not said: they do not matter for one alone, nor where all share by hand-for-hand."""
    state = held.locked.state
    said = []
    for number, stack in busts:
        if stack is None:
            if len(busts) > 1 and not state.is_hand_for_hand:
                raise Invalid(
                    "Several are out by one hand: say what each had when it began, for more chips finish higher.",
                    "stacks-required",
                    _BY_STACKS,
                )
            stack = state.entrants[number].stack if number in state.entrants else 0
        said.append((number, whole(stack, "stack")))
    return tuple(said)
