"""Between the hands of an event: the next one dealt, tables held and released, penalties, time banks refilled."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from cardroom.services.errors import Invalid, NotFound
from games.engine.errors import IllegalAction
from games.models import Seat, Table
from games.services import clocks, dealing, lineup
from games.services.events.store import locked, store_all

_MOST_HANDS = 1000


@dataclass(frozen=True)
class Dealt:
    """The hand that was dealt; or None, and `why` not, in words and (`code`) in a word for programs: "stale",
    "hand-in-play", "too-early", "not-enough-players", or what the rulebook refused."""

    hand: int | None
    why: str = ""
    code: str = ""


@transaction.atomic
def deal(*, table_id: int, players_left: int, version: int | None = None, now: datetime) -> Dealt:
    """Deal the next hand to everybody with chips; whoever is away or serves a penalty is dealt in and absent.

    `players_left` in the whole event; `version`: the table's as its director was told, nothing is dealt if it moved on.
    Refuses: `NotFound`, `Conflict` (the table is closed). Locks the table.
    """
    table = locked([table_id])[table_id]
    if version is not None and table.version != version:
        return Dealt(None, "The table has moved on.", "stale")
    if table.hand_id is not None:
        return Dealt(None, "A hand is being played here.", "hand-in-play")
    if table.deal_at is not None and now < table.deal_at:
        return Dealt(None, "The last hand is still being looked at.", "too-early")
    seats = lineup.seats_of(table)
    if not lineup.are_enough(table, seats):
        return Dealt(None, "There are not enough players with chips here.", "not-enough-players")
    table.players_left = players_left
    try:
        return Dealt(dealing.deal(table, seats, now=now).pk)
    except IllegalAction as error:
        return Dealt(None, error.message, error.code)


@transaction.atomic
def hold(*, table_ids: Collection[int], now: datetime) -> None:
    """Deal no more at these tables until `release`; a hand being played goes on to its end, and the director is asked
    then."""
    _ring_at(table_ids, None)


@transaction.atomic
def release(*, table_ids: Collection[int], at: datetime, over: timedelta = timedelta(0), now: datetime) -> None:
    """Ask the director what is due at these tables `at` that moment, or when the last showdown there has been seen;
    at one after the other within the time `over`, so that a house of many tables need not deal at all of them at once.
    Where a hand is being played the director is asked when it is over."""
    _ring_at(table_ids, at, over)


@transaction.atomic
def penalise(*, table_id: int, player_id: int, hands: int, now: datetime) -> None:
    """Have a player absent for so many hands more, dealt in all the same. Refuses: `NotFound`, `Invalid`."""
    if not 1 <= hands <= _MOST_HANDS:
        raise Invalid(f"A penalty lasts 1 to {_MOST_HANDS} hands.", "bad-hands")
    tables = locked([table_id])
    if not Seat.objects.filter(table=table_id, player=player_id).update(misses_hands=F("misses_hands") + hands):
        raise NotFound("The player has no seat at this table.", "not-seated")
    store_all(tables.values())


@transaction.atomic
def refill(*, event: str, ms: int, now: datetime) -> None:
    """Add so much to every time bank of the event, in hands being played and turns that have begun as well. Locks the
    tables."""
    if ms <= 0:
        raise Invalid("A refill is a millisecond or more.", "bad-clock")
    ids = Table.objects.filter(event=event, state=Table.State.OPEN).values_list("pk", flat=True)
    tables = locked(list(ids))
    Seat.objects.filter(table__in=tables).update(time_bank_ms=F("time_bank_ms") + ms)
    playing = [table for table in tables.values() if table.hand_id is not None]
    for table in playing:
        for number in map(int, table.clocks):
            clock = clocks.of(table, number)
            clocks.put(table, number, clock._replace(bank=clock.bank + ms))
        _lengthen_turn(table)
    store_all(playing)


def _lengthen_turn(table: Table) -> None:
    if table.deadline is None or clocks.of(table, table.to_act).is_away:
        return
    is_alarm = table.wake_at == table.deadline
    clocks.lengthen(table, extra_ms=table.extra_ms)
    if is_alarm:
        table.wake_at = table.deadline


def _ring_at(table_ids: Collection[int], at: datetime | None, over: timedelta = timedelta(0)) -> None:
    changed = [table for table in locked(table_ids).values() if table.hand_id is None]
    for place, table in enumerate(changed):
        when = at and at + over * place / len(changed)
        table.wake_at = when and max(when, table.deal_at or when)
    store_all(changed)
