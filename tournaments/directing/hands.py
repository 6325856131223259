"""What directors, the floor and dealers report of hands: busts, players who come back, chip counts, hand-for-hand.

`busts` are pairs of an entrant and their chips when the hand began (None: not known); the chips decide who finishes
higher of several who go out in one hand.
"""

from collections.abc import Sequence
from typing import Annotated

from django.utils.translation import gettext, gettext_lazy

from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.directing.carrying_out import event_and_tables, seed
from tournaments.engine.commands import Bust, CorrectChips, Count, CountTable, HandDone, HandForHand, Revive
from tournaments.events import staff
from tournaments.events.arguments import EntrantNumber, ExpectedSeq, Stack, Why
from tournaments.events.checks import check_in_the_room, reason_of, whole
from tournaments.events.playing import HeldEvent, OrderReceipt

Busts = Sequence[tuple[int, int | None]]
Stacks = Sequence[tuple[int, int]]
_COUNTED = gettext_lazy("chips are counted by the tables")
_BY_STACKS = "RROP v11, Tournaments"


@verb("events.bust", roles=staff.TABLES)
def bust(
    *,
    tournament_id: RowId,
    busts: Busts,
    eliminators: Sequence[int] = (),
    table: int = 0,
    hand: int = 0,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """These entrants are out, all by one hand at one table. `eliminators`: the winners of their chips; where there are
    bounties they share them. For directors, and for the floor and the dealers at the tables.

    Refuses: `Invalid` (several in one hand without their stacks), `Illegal` (out already, sits elsewhere, online).
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, gettext("whoever has lost all their chips is out automatically"))
        event.play(Bust(_busts(event, busts), table, hand, tuple(eliminators)))
    return event.receipt


@verb("events.revive", roles=staff.DIRECTORS)
def revive(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    stack: Annotated[Stack | None, Limits(allow_null=True, help_text="null: what the player had.")] = None,
    reason: Why,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """The bust was a mistake: the player is back in their seat, or in one that is drawn. `stack` None: what they
    had."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, gettext("nobody is out by mistake"))
        reason_of(reason, of=gettext("somebody who comes back"))
        event.play(Revive(entrant, seed(), stack))
    return event.receipt


@verb("events.count", roles=staff.TABLES)
def count(
    *, tournament_id: RowId, entrant: EntrantNumber, chips: Stack, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Note that this many chips were counted before the player."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, _COUNTED)
        event.play(Count(entrant, whole(chips, "count")))
    return event.receipt


@verb("events.count_table", roles=staff.TABLES)
def count_table(
    *, tournament_id: RowId, table: int, stacks: Stacks, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """So many chips were counted before those at one table, or before some of them: `stacks`, (entrant, chips). One
    count, which stands or is taken back as a whole.

    Refuses: `Illegal` (nothing was counted, somebody sits elsewhere, more chips than are in play, online).
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, _COUNTED)
        event.play(CountTable(table, tuple([(number, whole(chips, "count")) for number, chips in stacks])))
    return event.receipt


@verb("events.correct_chips", roles=staff.DIRECTORS)
def correct_chips(
    *, tournament_id: RowId, chips: Stack, reason: Why, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """So many chips are really in play: a chip race went wrong, or a table was given too many. The average, and what a
    count may come to, follow.

    Refuses: `Invalid` (no reason), `Illegal` (as it is already, fewer than were just counted, online).
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, _COUNTED)
        why = reason_of(reason, of=gettext("a correction of the chips in play"))
        event.play(CorrectChips(whole(chips, "count"), why))
    return event.receipt


@verb("events.hand_for_hand", roles=staff.DIRECTORS)
def hand_for_hand(*, tournament_id: RowId, on: bool, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Every table waits for the last before the next hand, or no longer."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(HandForHand(on))
    return event.receipt


@verb("events.hand_done", roles=staff.TABLES)
def hand_done(
    *,
    tournament_id: RowId,
    table: int,
    busts: Busts = (),
    eliminators: Sequence[int] = (),
    stacks: Stacks = (),
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """A table has played its hand. With the last table that was still playing the hand of hand-for-hand is over.

    `stacks`: (entrant, chips) after it, where they were counted. Refuses as `bust` does.
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        check_in_the_room(event.locked, gettext("the tables say themselves when a hand is over"))
        event.play(HandDone(table, _busts(event, busts), tuple(eliminators), tuple(stacks)))
    return event.receipt


def _busts(event: HeldEvent, busts: Busts) -> tuple[tuple[int, int], ...]:
    """Busts with stacks filled in where none were given: one alone, or several who share a place in hand-for-hand."""
    state = event.state
    pairs = []
    for number, stack in busts:
        if stack is None:
            if len(busts) > 1 and not state.is_hand_for_hand:
                raise Invalid(
                    "stacks-required",
                    "Several players are out in one hand: enter the chips of each at its start. More chips "
                    "finish higher.",
                    rule=_BY_STACKS,
                )
            stack = state.entrants[number].stack if number in state.entrants else 0
        pairs.append((number, whole(stack, "stack")))
    return tuple(pairs)
