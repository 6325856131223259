"""Opening a table by hand, with what its players are dealt by; and what is the same however a table is opened."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from cardroom.services import news
from cardroom.services.errors import Conflict, Invalid
from cardroom.services.operations import operation
from games import signals
from games.engine.family import GAMES
from games.models import Table
from games.services import locking, rulebooks, uses

LONGEST_NAME = 60


@dataclass(frozen=True)
class Stakes:
    """The stakes of a fixed-limit table, in chips. `smallest_chip` in play; 0: nobody says."""

    ante: int
    bring_in: int
    small_bet: int
    big_bet: int
    smallest_chip: int = 0


@operation()
def open_table(
    *,
    name: str,
    stakes: Stakes,
    min_buy_in: int,
    max_buy_in: int,
    now: datetime,
    seat_count: int = 8,
    game: str = "seven-card-stud",
    rulebook: str = "roberts-v4",
    bots: int = 0,
    bots_wait_for_people: bool = True,
    dealt_by: str = Table.DealtBy.AUTOMATIC,
    deck: str = Table.Deck.SYSTEM,
    is_spoken: bool = False,
    is_hand_shown: bool = False,
    **settings: Any,
) -> Table:
    """Open a cash table. `settings`: seconds and counts by their names on `Table`, such as `act_seconds`.

    `dealt_by` a person: the hands wait for their commands, and nobody has a clock unless `act_seconds` says so; `deck`:
    whose cards they deal. Its first alarm brings the bots. Refuses: `Invalid` (what cannot be played), `Conflict` (the
    name is taken).
    """
    _check_table(name, stakes, min_buy_in, max_buy_in, seat_count, game, rulebook, bots)
    table = Table(
        name=name,
        game=game,
        rulebook=rulebook,
        ante=stakes.ante,
        bring_in=stakes.bring_in,
        small_bet=stakes.small_bet,
        big_bet=stakes.big_bet,
        smallest_chip=stakes.smallest_chip,
        seat_count=seat_count,
        min_buy_in=min_buy_in,
        max_buy_in=max_buy_in,
        bots=bots,
        bots_wait_for_people=bots_wait_for_people,
        dealt_by=dealt_by,
        deck=deck,
        is_spoken=is_spoken,
        is_hand_shown=is_hand_shown,
        opened_at=now,
        **with_clock(dealt_by, deck, is_hand_shown, settings),
    )
    return opened(made(table), now=now)


def made(table: Table) -> Table:
    """The table as a new row; `Conflict` where its name is taken."""
    try:
        with transaction.atomic():
            table.save(force_insert=True)
    except IntegrityError as error:
        raise Conflict(f"There is a table called {table.name} already.", "name-taken") from error
    return table


def opened(table: Table, *, now: datetime) -> Table:
    """From now on anybody may sit down; the table's first alarm brings its bots. Call with the table locked."""
    table.state, table.deal_at = Table.State.OPEN, None
    uses.note(table, now=now)
    signals.table_opened.send(sender=Table, table=table, now=now)
    locking.store(table, wake_at=now)
    signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version)
    news.tell("lobby", "floor", "board", "lists")
    return table


def check_name(name: str) -> None:
    """`Invalid` where a table cannot be called so."""
    if not 1 <= len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        raise Invalid(f"A table has a name of 1 to {LONGEST_NAME} characters.", "bad-name")


def check_bots(bots: int, seat_count: int) -> None:
    """`Invalid` where so many bots leave no seat free."""
    if type(bots) is not int or not 0 <= bots < seat_count:
        raise Invalid("At least one seat stays free of bots.", "bad-bots")


def _check_table(
    name: str, stakes: Stakes, min_buy_in: int, max_buy_in: int, seat_count: int, game: str, rulebook: str, bots: int
) -> None:
    check_name(name)
    if game not in GAMES:
        raise Invalid(f"There is no game {game!r}: {', '.join(GAMES)}.", "no-such-game")
    if not 2 <= seat_count <= 8:
        raise Invalid("A stud table has 2 to 8 seats.", "bad-seats")
    if not 0 < stakes.bring_in <= stakes.small_bet <= stakes.big_bet or stakes.ante < 0:
        raise Invalid("The stakes must rise: 0 < bring-in <= small bet <= big bet, and no ante below 0.", "bad-stakes")
    if not stakes.big_bet <= min_buy_in <= max_buy_in:
        raise Invalid("The buy-in goes from one big bet or more up to the table's most.", "bad-buy-in")
    check_bots(bots, seat_count)
    rulebooks.check_table(rulebook, structure="fixed-limit", setting="cash", seats=seat_count, bring_in=stakes.bring_in)


def with_clock(dealt_by: str, deck: str, is_hand_shown: bool, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with the clock that such a table has; `Invalid` where they do not go together."""
    if dealt_by not in Table.DealtBy.values or deck not in Table.Deck.values:
        raise Invalid("A table is dealt automatic or by a person, from the system's deck or a typed one.", "bad-deal")
    is_person = dealt_by == Table.DealtBy.PERSON
    if not is_person and (deck != Table.Deck.SYSTEM or is_hand_shown):
        raise Invalid("The automatic dealer deals the system's deck and runs the showdown itself.", "bad-deal")
    if is_person:
        return {"act_seconds": 0} | settings
    if settings.get("act_seconds", 30) < 1:
        raise Invalid("Where nobody deals a clock runs: give the players at least a second.", "bad-clock")
    return settings
