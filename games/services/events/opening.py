"""Tables for an event: opened without alarms, given their stakes, closed when nobody sits there any more."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from cardroom.services.errors import Conflict, Invalid
from games.engine.family import GAMES, STRUCTURES
from games.models import Table
from games.services import rulebooks
from games.services.events.store import locked, store_all
from games.services.tables import Stakes

_LONGEST_NAME, _LONGEST_EVENT = 60, 40


@transaction.atomic
def open_tables(
    *,
    event: str,
    unit: str,
    specs: Sequence[tuple[str, int]],
    stakes: Stakes,
    game: str = "seven-card-stud",
    betting: str = "fixed-limit",
    rulebook: str = "roberts-v4",
    act_seconds: int = 30,
    time_bank_seconds: int = 60,
    extra_seconds: Sequence[int] = (),
    extra_cap_seconds: int = 0,
    pause_seconds: int = 4,
    now: datetime,
) -> list[Table]:
    """Open a table for each (name, seats) of `specs`; they wait, empty and without an alarm, until `release`.

    `event`: "<prefix>:<id>", see `register`; `unit`: of its chips, never cash; `betting`: beside fixed limit the small
    bet is the least one. `extra_seconds`: for the first, second, ... action of a player who lost touch, of which they
    get `extra_cap_seconds` in the whole event. Refuses: `Invalid` (what cannot be played), `Conflict` (a name is
    taken).
    """
    _check_event(event, unit)
    _check_stakes(stakes, game, betting)
    for name, seat_count in specs:
        if not 1 <= len(name.strip()) <= _LONGEST_NAME or not 2 <= seat_count <= 8:
            raise Invalid(f"A table has a name of 1 to {_LONGEST_NAME} characters and 2 to 8 seats.", "bad-table")
    if act_seconds < 1 or min(time_bank_seconds, extra_cap_seconds, pause_seconds, *extra_seconds) < 0:
        raise Invalid("An act clock has a second or more, and no other time is below 0.", "bad-clock")
    most = max((seat_count for _, seat_count in specs), default=2)
    rulebooks.check_table(rulebook, structure=betting, setting="tournament", seats=most, bring_in=stakes.bring_in)
    made = [
        Table(
            name=name,
            event=event,
            unit=unit,
            game=game,
            structure=betting,
            setting="tournament",
            rulebook=rulebook,
            ante=stakes.ante,
            bring_in=stakes.bring_in,
            small_bet=stakes.small_bet,
            big_bet=stakes.big_bet,
            smallest_chip=stakes.smallest_chip,
            seat_count=seat_count,
            min_buy_in=0,
            max_buy_in=0,
            act_seconds=act_seconds,
            time_bank_seconds=time_bank_seconds,
            bank_refill_seconds=0,
            missed_clocks_allowed=1,
            extra_seconds=list(extra_seconds),
            extra_cap_seconds=extra_cap_seconds,
            pause_seconds=pause_seconds,
            bots=0,
            opened_at=now,
        )
        for name, seat_count in specs
    ]
    try:
        with transaction.atomic():
            return Table.objects.bulk_create(made)
    except IntegrityError as error:
        raise Conflict("A table of one of these names is there already.", "name-taken") from error


@transaction.atomic
def set_stakes(
    *,
    table_ids: Collection[int],
    stakes: Stakes,
    game: str = "seven-card-stud",
    betting: str = "fixed-limit",
    now: datetime,
) -> None:
    """What is played for from the next hand on; a hand being played goes on as it began. Refuses: `Invalid`."""
    _check_stakes(stakes, game, betting)
    terms = {
        "game": game,
        "structure": betting,
        "ante": stakes.ante,
        "bring_in": stakes.bring_in,
        "small_bet": stakes.small_bet,
        "big_bet": stakes.big_bet,
        "smallest_chip": stakes.smallest_chip,
    }
    tables = locked(table_ids)
    most = {table.rulebook: table.seat_count for table in sorted(tables.values(), key=lambda each: each.seat_count)}
    for book, seats in most.items():
        rulebooks.check_table(book, structure=betting, setting="tournament", seats=seats, bring_in=stakes.bring_in)
    _change(tables, terms)


@transaction.atomic
def set_extra_time(
    *, table_ids: Collection[int], extra_seconds: Sequence[int], extra_cap_seconds: int, now: datetime
) -> None:
    """The extra time of players who lost touch, from their next turns on; see `open_tables`."""
    if min(extra_cap_seconds, *extra_seconds, 0) < 0:
        raise Invalid("No time is below 0.", "bad-clock")
    _change(locked(table_ids), {"extra_seconds": list(extra_seconds), "extra_cap_seconds": extra_cap_seconds})


@transaction.atomic
def close_tables(*, table_ids: Collection[int], now: datetime) -> None:
    """Close tables at which nobody sits and no hand is played. Refuses: `Conflict`."""
    tables = locked(table_ids)
    taken = set(Table.objects.filter(pk__in=tables, seats__isnull=False).values_list("pk", flat=True))
    for table in tables.values():
        if table.hand_id is not None or table.pk in taken:
            raise Conflict(f"Somebody sits at {table.name} still: move or remove them first.", "table-taken")
        table.state, table.wake_at, table.deal_at = Table.State.CLOSED, None, None
    store_all(tables.values())


def _change(tables: dict[int, Table], values: dict[str, Any]) -> None:
    Table.objects.filter(pk__in=tables).update(**values)
    store_all(tables.values())


def _check_event(event: str, unit: str) -> None:
    prefix, _, which = event.partition(":")
    if not (prefix and which) or len(event) > _LONGEST_EVENT:
        raise Invalid(f'An event is named "<kind>:<id>", in at most {_LONGEST_EVENT} characters.', "bad-event")
    if not unit or len(unit) > _LONGEST_EVENT or unit == "cash":
        raise Invalid("The chips of an event have a unit of their own.", "bad-unit")


def _check_stakes(stakes: Stakes, game: str, betting: str) -> None:
    if game not in GAMES:
        raise Invalid(f"There is no game {game!r}: {', '.join(GAMES)}.", "no-such-game")
    if betting not in STRUCTURES:
        raise Invalid(f"There is no betting structure {betting!r}: {', '.join(STRUCTURES)}.", "no-such-structure")
    is_rising = 0 <= stakes.bring_in <= stakes.small_bet <= stakes.big_bet
    if stakes.smallest_chip < 0:
        raise Invalid("The smallest chip in play is worth 1 or more; 0 where nobody says.", "bad-stakes")
    if not is_rising or not stakes.small_bet or stakes.ante < 0 or not (stakes.ante or stakes.bring_in):
        raise Invalid(
            "The stakes must rise: bring-in <= small bet <= big bet, and an ante or a bring-in above 0.", "bad-stakes"
        )
