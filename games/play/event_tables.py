"""Tables of events: opened, given stakes, read by the director, closed.

Each event names the director of its tables. Between two hands the table asks that director, and does nothing by itself.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.db import IntegrityError, transaction

from cardroom.core.errors import Conflict, Invalid, NotFound
from games.engine.facts.base import Fact
from games.engine.facts.mistakes import HandVoided
from games.engine.facts.play import HandStarted, PotAwarded, RoundClosed
from games.engine.games import GAMES, STRUCTURES
from games.play import hands
from games.play.opening import TableStakes
from games.rulebooks import services as rulebook_services
from games.tables import journal as table_journal
from games.tables import locking
from games.tables.models.tables import Hand, Seat, Table


def lock_event_tables(table_ids: Collection[int]) -> dict[int, Table]:
    """The tables by id, locked in that order; `NotFound`, or `Invalid` where they are not of one event, `Conflict`
    where one is closed."""
    tables = locking.tables(set(table_ids))
    events = {table.event for table in tables.values()}
    if len(events) > 1 or "" in events:
        raise Invalid("not-of-one-event", "These are not tables of one tournament.")
    for table in tables.values():
        if table.state != Table.State.OPEN:
            raise Conflict("table-closed", "{table} is closed.", table=table.name)
    return tables


def store_all(tables: Iterable[Table]) -> None:
    """Write the tables' rows, and their alarms at `wake_at`. Three statements for all that are between hands, and two
    for each of the others."""
    changed = list(tables)
    locking.store_idle([table for table in changed if table.hand_id is None])
    for table in changed:
        if table.hand_id is not None:
            locking.store(table, wake_at=table.wake_at)
        locking.tell(table)


@dataclass(frozen=True, slots=True)
class TableLine:
    """An open table without its seats. `hand`: the one being played, None between two; `due_at`: when its alarm rings,
    None while it is held; `stakes`, `game` and `betting`: of the next hand."""

    table: int
    name: str
    seat_count: int
    hand: int | None
    last_hand: int | None
    due_at: datetime | None
    stakes: TableStakes
    game: str
    betting: str


def listing(*, event: str) -> dict[int, TableLine]:
    """The event's open tables by id. One query."""
    stakes = ("ante", "bring_in", "small_bet", "big_bet", "smallest_chip")
    rows = (
        Table.objects.filter(event=event, state=Table.State.OPEN)
        .order_by("pk")
        .values_list(
            "pk", "name", "seat_count", "play__hand", "play__last_hand", "play__wake_at", *stakes, "game", "structure"
        )
    )
    return {row[0]: TableLine(*row[:6], TableStakes(*row[6:11]), *row[11:]) for row in rows}


def event_of(*, table_id: int) -> str:
    """The event that a table belongs to, "" for none. `NotFound` where there is no such table."""
    event = Table.objects.filter(pk=table_id).values_list("event", flat=True).first()
    if event is None:
        raise NotFound("no-such-table", "There is no such table.")
    return event


@dataclass(frozen=True)
class HandOutcome:
    """A hand that is over. `before` and `after`: chips by seat number; `players`: ids by seat number. `is_void`: it
    was misdealt or called off, every chip is back. `winners`: by seat that lost its last chip, who won it."""

    hand: int
    number: int
    ended_at: datetime
    is_void: bool
    players: dict[int, int]
    before: dict[int, int]
    after: dict[int, int]
    winners: dict[int, tuple[int, ...]]

    @property
    def busted(self) -> tuple[int, ...]:
        """The seats that have no chips left."""
        return tuple(seat for seat, chips in self.after.items() if not chips)


@dataclass(frozen=True)
class EventSeat:
    """A taken seat. `chips`: before the hand being played; `is_away`: it is played without its player; `is_gone`: they
    lost the connection; `misses_hands`: hands of a penalty that are left."""

    number: int
    player: int
    name: str
    is_bot: bool
    chips: int
    is_away: bool
    is_gone: bool
    misses_hands: int
    in_hand: bool


@dataclass(frozen=True)
class EventTableState:
    """A table of an event. `hand`: the one being played, None between two; `due_at`: when its alarm rings; `stakes`,
    `game` and `betting`: of the next hand."""

    table: int
    name: str
    seat_count: int
    is_open: bool
    version: int
    hand: int | None
    last_hand: int | None
    hand_count: int
    deal_at: datetime | None
    due_at: datetime | None
    stakes: TableStakes
    game: str
    betting: str
    seats: dict[int, EventSeat]

    @property
    def is_between_hands(self) -> bool:
        return self.hand is None


def outcome(*, table_id: int) -> HandOutcome | None:
    """The outcome of the last hand that is over at a table; None before the first. Two queries, or three."""
    hand = Hand.objects.filter(table=table_id, ended_at__isnull=False).order_by("-pk").first()
    if hand is None:
        return None
    facts = table_journal.facts(hand.pk, upto=hand.seq)
    started = facts[0]
    assert isinstance(started, HandStarted)
    after = {int(seat): chips for seat, chips in hand.stacks.items()}
    return HandOutcome(
        hand=hand.pk,
        number=hand.number,
        ended_at=hand.ended_at,
        is_void=isinstance(facts[-1], HandVoided),
        players={seat: sitter.player for seat, sitter in table_journal.sitters(hand).items()},
        before=dict(started.stacks),
        after=after,
        winners={seat: _winners(facts, seat) for seat, chips in after.items() if not chips},
    )


def _winners(facts: Sequence[Fact], seat: int) -> tuple[int, ...]:
    """The seats that won the last pot that this seat could have won; for a seat that folded or was killed, the main
    pot."""
    closed = [fact.pots for fact in facts if isinstance(fact, RoundClosed)]
    pots = closed[-1] if closed else ()
    last = max((number for number, (_, seats) in enumerate(pots) if seat in seats), default=0)
    won = {fact.seat for fact in facts if isinstance(fact, PotAwarded) and fact.pot == last and fact.seat != seat}
    return tuple(sorted(won))


def states(*, event: str, table_ids: list[int] | None = None) -> dict[int, EventTableState]:
    """The event's tables by id; closed ones only where `table_ids` names them. Two queries."""
    rows = Table.objects.filter(event=event).order_by("pk")
    rows = rows.exclude(state=Table.State.CLOSED) if table_ids is None else rows.filter(pk__in=table_ids)
    tables = {table.pk: table for table in rows}
    seats: dict[int, dict[int, EventSeat]] = {pk: {} for pk in tables}
    for seat in Seat.objects.filter(table__in=tables).select_related("player", "account").order_by("table", "number"):
        seats[seat.table_id][seat.number] = _seat(tables[seat.table_id], seat)
    return {
        pk: EventTableState(
            table=pk,
            name=table.name,
            seat_count=table.seat_count,
            is_open=table.state == Table.State.OPEN,
            version=table.version,
            hand=table.hand_id,
            last_hand=table.last_hand_id,
            hand_count=table.hand_count,
            deal_at=table.deal_at,
            due_at=table.wake_at,
            stakes=TableStakes(table.ante, table.bring_in, table.small_bet, table.big_bet, table.smallest_chip),
            game=table.game,
            betting=table.structure,
            seats=seats[pk],
        )
        for pk, table in tables.items()
    }


def _seat(table: Table, seat: Seat) -> EventSeat:
    return EventSeat(
        number=seat.number,
        player=seat.player_id,
        name=seat.player.username,
        is_bot=seat.player.is_bot,
        chips=seat.account.balance,
        is_away=hands.is_away(table, seat),
        is_gone=seat.gone_at is not None,
        misses_hands=seat.misses_hands,
        in_hand=table.is_in_hand(seat.number),
    )


_LONGEST_NAME, _LONGEST_EVENT = 60, 40


@transaction.atomic
def open_tables(
    *, event: str, unit: str, specs: Sequence[tuple[str, int]], stakes: TableStakes, game: str = "seven-card-stud",
    betting: str = "fixed-limit", rulebook: str = "roberts-v4", now: datetime, act_seconds: int = 30, **times: Any,
) -> list[Table]:  # fmt: skip
    """Open a table for each (name, seats) of `specs`; they wait, empty and without an alarm, until `release`.

    `event`: "<kind>:<id>"; `unit`: of its chips, never cash; `betting`: beside fixed limit the small bet is the least
    one. `times`: the other seconds that `TableTerms` has. Refuses: `Invalid` (what cannot be played), `Conflict` (a
    name is taken).
    """
    _check_event(event, unit)
    _check_stakes(stakes, game, betting)
    for name, seat_count in specs:
        if not 1 <= len(name.strip()) <= _LONGEST_NAME or not 2 <= seat_count <= GAMES[game].most_seats:
            raise Invalid(
                "bad-table",
                "A table has a name of 1 to {longest_name} characters and 2 to 8 seats.",
                longest_name=_LONGEST_NAME,
            )
    lists = [list(value) if isinstance(value, Sequence) else [value] for value in times.values()]
    if act_seconds < 1 or min(chain(*lists), default=0) < 0:
        raise Invalid("bad-clock", "An act clock has a second or more, and no other time is below 0.")
    most = max((seat_count for _, seat_count in specs), default=2)
    rulebook_services.check_table(
        rulebook, structure=betting, setting="tournament", seats=most, bring_in=stakes.bring_in
    )
    terms = {
        "event": event,
        "unit": unit,
        "setting": "tournament",
        "rulebook": rulebook,
        "act_seconds": act_seconds,
        "min_buy_in": 0,
        "max_buy_in": 0,
        "bank_refill_seconds": 0,
        "missed_clocks_allowed": 1,
        "bots": 0,
        **_game_fields(stakes, game, betting),
        **{name: list(value) if isinstance(value, Sequence) else value for name, value in times.items()},
    }
    tables = [Table(name=name, seat_count=seat_count, opened_at=now, **terms) for name, seat_count in specs]
    try:
        with transaction.atomic():
            return Table.objects.bulk_create(tables)
    except IntegrityError as error:
        raise Conflict("name-taken", "A table of one of these names is there already.") from error


@transaction.atomic
def set_stakes(
    *,
    table_ids: Collection[int],
    stakes: TableStakes,
    game: str = "seven-card-stud",
    betting: str = "fixed-limit",
    now: datetime,
) -> None:
    """Set stakes and game from the next hand on; a hand being played goes on as it began. Refuses: `Invalid`."""
    _check_stakes(stakes, game, betting)
    tables = lock_event_tables(table_ids)
    most = {table.rulebook: table.seat_count for table in sorted(tables.values(), key=lambda row: row.seat_count)}
    for book, seats in most.items():
        rulebook_services.check_table(
            book, structure=betting, setting="tournament", seats=seats, bring_in=stakes.bring_in
        )
    _change(tables, _game_fields(stakes, game, betting))


def _game_fields(stakes: TableStakes, game: str, betting: str) -> dict[str, Any]:
    return {"game": game, "structure": betting, **asdict(stakes)}


@transaction.atomic
def close_tables(*, table_ids: Collection[int], now: datetime) -> None:
    """Close tables at which nobody sits and no hand is played. Refuses: `Conflict`."""
    tables = lock_event_tables(table_ids)
    taken = set(Table.objects.filter(pk__in=tables, seats__isnull=False).values_list("pk", flat=True))
    for table in tables.values():
        if table.hand_id is not None or table.pk in taken:
            raise Conflict(
                "table-taken", "Somebody sits at {table} still: move or remove them first.", table=table.name
            )
        table.state, table.wake_at, table.deal_at = Table.State.CLOSED, None, None
    _change(tables, {"state": Table.State.CLOSED})


def _change(tables: dict[int, Table], values: dict[str, Any]) -> None:
    Table.objects.filter(pk__in=tables).update(**values)
    store_all(tables.values())


def _check_event(event: str, unit: str) -> None:
    prefix, _, which = event.partition(":")
    if not (prefix and which) or len(event) > _LONGEST_EVENT:
        raise Invalid(
            "bad-event",
            'A tournament is named "<kind>:<id>", in at most {longest_event} characters.',
            longest_event=_LONGEST_EVENT,
        )
    if not unit or len(unit) > _LONGEST_EVENT or unit == "cash":
        raise Invalid("bad-unit", "The chips of a tournament have a unit of their own.")


def _check_stakes(stakes: TableStakes, game: str, betting: str) -> None:
    if game not in GAMES:
        raise Invalid("no-such-game", "There is no game {game!r}: {games}.", game=game, games=", ".join(GAMES))
    if betting not in STRUCTURES:
        raise Invalid(
            "no-such-structure",
            "There is no betting structure {betting!r}: {structures}.",
            betting=betting,
            structures=", ".join(STRUCTURES),
        )
    is_rising = 0 <= stakes.bring_in <= stakes.small_bet <= stakes.big_bet
    if stakes.smallest_chip < 0:
        raise Invalid("bad-stakes", "The smallest chip in play is worth 1 or more; 0 where nobody says.")
    if not is_rising or not stakes.small_bet or stakes.ante < 0 or not (stakes.ante or stakes.bring_in):
        raise Invalid(
            "bad-stakes", "The stakes must rise: bring-in <= small bet <= big bet, and an ante or a bring-in above 0."
        )
