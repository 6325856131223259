"""Tables: opening and closing them, and what is due at one when its alarm rings."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction

from cardroom.services import alarms
from cardroom.services.errors import Conflict, Illegal, Invalid
from games import signals
from games.engine.family import GAMES
from games.models import Table
from games.services import (
    dealing,
    directors,
    hands,
    house_bots,
    lineup,
    locking,
    pacing,
    rulebooks,
    settling,
    stacks,
    watched,
)

#: While a newcomer waits, the bots of a hand play so many turns at one ringing of the alarm.
_TURNS_IN_A_HURRY = 4


@dataclass(frozen=True)
class Stakes:
    """The stakes of a fixed-limit table, in chips."""

    ante: int
    bring_in: int
    small_bet: int
    big_bet: int


@transaction.atomic
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
    **settings: int,
) -> Table:
    """Open a cash table. `settings`: seconds and counts by their names on `Table`, such as `act_seconds`.

    `dealt_by` a person: the hands wait for his commands, and nobody has a clock unless `act_seconds` says so; `deck`:
    whose cards he deals. Its first alarm brings the bots. Refuses: `Invalid` (what cannot be played), `Conflict` (the
    name is taken).
    """
    _check_table(name, stakes, min_buy_in, max_buy_in, seat_count, game, rulebook, bots)
    settings = _with_clock(dealt_by, deck, is_hand_shown, settings)
    try:
        with transaction.atomic():
            table = Table.objects.create(
                name=name,
                game=game,
                rulebook=rulebook,
                ante=stakes.ante,
                bring_in=stakes.bring_in,
                small_bet=stakes.small_bet,
                big_bet=stakes.big_bet,
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
                **settings,
            )
    except IntegrityError as error:
        raise Conflict(f"There is a table called {name} already.", "name-taken") from error
    locking.store(table, wake_at=now)
    signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version)
    return table


@transaction.atomic
def close(*, table_id: int, now: datetime) -> Table:
    """Close a table: when the hand being played is over, everybody is cashed out. Locks the table."""
    table = locking.table(table_id)
    _check_is_of_the_room(table)
    if table.state != Table.State.OPEN:
        return table
    if table.hand_id is None:
        settling.close_up(table, lineup.seats_of(table), now=now)
        locking.store(table, wake_at=None)
    else:
        table.state = Table.State.CLOSING
        locking.store(table, wake_at=table.wake_at)
    signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version)
    return table


@transaction.atomic
def reopen(*, table_id: int, now: datetime) -> Table:
    """Open a closed table again, as it was, with nobody at it. Locks the table."""
    table = locking.table(table_id)
    _check_is_of_the_room(table)
    if table.state != Table.State.OPEN:
        table.state = Table.State.OPEN
        locking.store(table, wake_at=table.wake_at or now)
        signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version)
    return table


def wake(*, table_id: int, fence: int | None, now: datetime) -> bool:
    """The table's alarm: do what is due by the table's own record, once; False when nothing was.

    Due can be: the next deal, a bot's move, a clock that has run out, a seat to be picked up; between two hands of an
    event whatever its director does, which this waits for with nothing locked. An alarm that is late,
    early, rung twice or overtaken (`fence`; None: whichever alarm is set) does no harm. Locks the table.
    """
    table = Table.objects.select_related("hand").filter(pk=table_id).first()
    if table is None or not _is_due(table, fence, now):
        if table is None or table.wake_at is None:
            alarms.cancel(kind=locking.ALARM, key=str(table_id))
        return False
    if table.event:
        pacing.note(table.wake_at, now=now)
    if table.hand_id is None and table.event:
        return directors.ask(table, now=now)
    if table.hand_id is None:
        return _between_hands(table_id, version=table.version, now=now)
    if house_bots.is_to_act(table):
        return _let_bots_act(table, now=now)
    return hands.time_out(hand_id=table.hand_id, expected_seq=table.seq, now=now)


def _is_due(table: Table, fence: int | None, now: datetime) -> bool:
    if fence is not None and fence != table.version:
        return False
    return table.wake_at is not None and now >= table.wake_at


def _let_bots_act(table: Table, *, now: datetime) -> bool:
    """One bot's move, or several in a row while a newcomer waits to be dealt in, or where nobody minds."""
    if table.event and house_bots.are_alone(table) and not watched.is_watched(table.pk, now=now):
        return house_bots.play_on(table.pk, version=table.version, turns=settings.CARDROOM_BOT_TURNS, now=now)
    if not house_bots.move(table, now=now):
        return False
    for _ in range(_TURNS_IN_A_HURRY - 1 if table.people_waiting else 0):
        after = Table.objects.select_related("hand").get(pk=table.pk)
        if after.hand_id != table.hand_id or not house_bots.is_to_act(after) or not house_bots.move(after, now=now):
            break
    return True


@transaction.atomic
def _between_hands(table_id: int, *, version: int, now: datetime) -> bool:
    """Pick up seats that were kept long enough, see to the bots, and deal if a hand is due."""
    table = locking.table(table_id)
    if table.version != version:
        return False
    before = lineup.seats_of(table)
    overdue = [seat for seat in before if lineup.is_kept(seat) and now >= lineup.pick_up_at(table, seat)]
    if overdue:
        stacks.hold((seat.player for seat in overdue), and_house=table.bots > 0)
    for seat in overdue:
        stacks.cash_out(seat, table, now=now)
    seats = house_bots.keep(table, [seat for seat in before if seat not in overdue], now=now)
    if [seat.pk for seat in seats] != [seat.pk for seat in before]:
        signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version + 1)
    if lineup.is_dealable(table, seats) and (table.deal_at is None or now >= table.deal_at):
        dealing.deal(table, seats, now=now)
    else:
        locking.store(table, wake_at=lineup.next_wake(table, seats, now=now))
    return True


def _check_is_of_the_room(table: Table) -> None:
    if table.event:
        raise Illegal("A table of a tournament is opened and closed by its tournament.", "table-of-an-event")


def _check_table(
    name: str, stakes: Stakes, min_buy_in: int, max_buy_in: int, seat_count: int, game: str, rulebook: str, bots: int
) -> None:
    if not 1 <= len(name.strip()) <= 60:
        raise Invalid("A table has a name of 1 to 60 characters.", "bad-name")
    if game not in GAMES:
        raise Invalid(f"There is no game {game!r}: {', '.join(GAMES)}.", "no-such-game")
    if not 2 <= seat_count <= 8:
        raise Invalid("A stud table has 2 to 8 seats.", "bad-seats")
    if not 0 < stakes.bring_in <= stakes.small_bet <= stakes.big_bet or stakes.ante < 0:
        raise Invalid("The stakes must rise: 0 < bring-in <= small bet <= big bet, and no ante below 0.", "bad-stakes")
    if not stakes.big_bet <= min_buy_in <= max_buy_in:
        raise Invalid("The buy-in goes from one big bet or more up to the table's most.", "bad-buy-in")
    if not 0 <= bots < seat_count:
        raise Invalid("At least one seat stays free of bots.", "bad-bots")
    rulebooks.check_table(rulebook, structure="fixed-limit", setting="cash", seats=seat_count, bring_in=stakes.bring_in)


def _with_clock(dealt_by: str, deck: str, is_hand_shown: bool, settings: dict[str, int]) -> dict[str, int]:
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
