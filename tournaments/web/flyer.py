"""All that the public page of an event says, made from the terms it is played under and the facts it has come to.

An event that takes no entries yet says the same of itself, with nobody in it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments import journal
from tournaments.engine import payouts
from tournaments.engine.clock import Reading
from tournaments.engine.config import EventConfig, Paid
from tournaments.engine.errors import IllegalAction
from tournaments.engine.state import Entrant
from tournaments.engine.structure import Level
from tournaments.engine.tournament import Tournament as Engine
from tournaments.models import Payment, Tournament, TournamentEntry
from tournaments.moments import moment, ms
from tournaments.services import prices, terms

MOST_TABLES = 40


@dataclass(frozen=True)
class Price:
    """What one kind of payment costs, in its parts, and the `chips` it gives; `when`: words for until when."""

    what: str
    name: str
    paid: Paid
    chips: int
    when: str


@dataclass(frozen=True)
class LevelRow:
    """`begins`: how long after the start, breaks included, None after a level by hands; `at`: when, where the start is
    known and nothing has moved the clock yet; `is_last_entry`: entry closes at its end."""

    index: int
    name: str
    level: Level
    begins: timedelta | None
    at: datetime | None
    is_now: bool
    is_played: bool
    is_last_entry: bool
    has_add_on: bool


@dataclass(frozen=True)
class PrizeRow:
    """Places `first` to `last` get `amount` each."""

    first: int
    last: int
    amount: int
    is_ticket: bool


@dataclass(frozen=True)
class Chair:
    """A seat. `entrant` 0: nobody sits there. `called_until`: the clock is on them until then, ms; `is_held`: out when
    the hand of hand-for-hand is over; `is_found`: this one was looked for. `counted_at`: when the stack was counted;
    where it never was, it is not `is_counted`, and `chips` are those of the beginning."""

    number: int
    entrant: int = 0
    name: str = ""
    chips: int = 0
    is_counted: bool = True
    counted_at: datetime | None = None
    missing: int = 0
    called_until: int = 0
    is_held: bool = False
    is_reserved: bool = False
    is_seen: bool = True
    is_found: bool = False


@dataclass(frozen=True)
class Table:
    """`waits`: its hand of hand-for-hand is still being played by others; `chips`: those of the stacks that were
    counted."""

    number: int
    chairs: tuple[Chair, ...]
    is_halted: bool
    hand_done: bool
    hands: int

    @property
    def seated(self) -> tuple[Chair, ...]:
        return tuple([chair for chair in self.chairs if chair.entrant])

    @property
    def players(self) -> int:
        return len(self.seated)

    @property
    def chips(self) -> int:
        return sum(chair.chips for chair in self.counted)

    @property
    def counted(self) -> tuple[Chair, ...]:
        return tuple([chair for chair in self.seated if chair.is_counted])

    @property
    def unseen(self) -> int:
        return sum(not chair.is_seen for chair in self.seated)


@dataclass(frozen=True)
class ClockFace:
    """What the event's clock says, with the stakes of now and of the next level; `next_level` None after the last."""

    reading: Reading
    name: str
    level: Level
    next_name: str
    next_level: Level | None
    is_by_hands: bool

    @classmethod
    def of(cls, state: Engine, now_ms: int) -> ClockFace:
        reading, structure = state.reading(now_ms), state.structure
        level, next_ = structure.levels[reading.level], reading.next_level
        following = (structure.name(next_), structure.levels[next_]) if next_ is not None else ("", None)
        return cls(reading, structure.name(reading.level), level, *following, level.is_by_hands)


@dataclass(frozen=True)
class Sheet:
    """`pool`: what the prizes come from, the guarantee included; `overlay`: what the house would add to reach it;
    `closes_at`: when entry closes, where the clock can tell; `ends_level`: the name of the level it closes with."""

    config: EventConfig
    prices: list[Price]
    levels: list[LevelRow]
    prizes: list[PrizeRow]
    notes: tuple[str, ...]
    are_prizes_final: bool
    paid_in: int
    pool: int
    overlay: int
    entries: int
    left: int
    alternates: int
    average: int
    tables: list[Table]
    tables_in_all: int
    is_entry_open: bool
    last_entry: str
    closes_at: datetime | None


@contextmanager
def looking(row: Tournament, *, now: datetime) -> Iterator[Engine]:
    """The event folded from its facts, shared with others: change nothing and keep nothing of it. One whose
    registration has not opened is looked at as it would open now."""
    if not row.seq:
        yield Engine.start(terms.config_of(row), ms(now))
        return
    with journal.looking(row.pk, upto=row.seq) as state:
        yield state


def sheet(row: Tournament, *, now: datetime) -> Sheet:
    """One query where this process has not folded the event yet, else none."""
    with looking(row, now=now) as state:
        found = _payouts(state)
        tables = state.in_use()
        last = state.last_entry_level()
        closes = state.entry_closes_at(ms(now))
        return Sheet(
            config=state.config,
            prices=price_rows(row, state.config),
            levels=level_rows(row, state, now=now),
            prizes=_prize_rows(found),
            notes=found.notes,
            are_prizes_final=row.is_live and not state.is_entry_open(ms(now)),
            paid_in=state.pool,
            pool=max(state.pool, state.config.payout.guarantee),
            overlay=max(0, state.config.payout.guarantee - state.pool),
            entries=state.entries,
            left=state.left,
            alternates=len(state.alternates),
            average=state.average(),
            tables=[seated_at(state, each.number, now_ms=ms(now)) for each in tables[:MOST_TABLES]],
            tables_in_all=len(tables),
            is_entry_open=state.is_entry_open(ms(now)),
            last_entry=state.structure.name(last) if last is not None else "",
            closes_at=moment(closes) if closes is not None else None,
        )


def price_rows(row: Tournament, config: EventConfig) -> list[Price]:
    """What may be paid for in an event, in the order in which people come to it."""
    rows = [_price(row, Payment.What.ENTRY, config.starting_stack, _entry_words(config))]
    if config.re_entries:
        most = "once" if config.re_entries == 1 else f"up to {config.re_entries} times"
        chips = config.re_entry_stack or config.starting_stack
        rows.append(_price(row, Payment.What.RE_ENTRY, chips, f"{most}, while entry is open"))
    if config.rebuy is not None:
        stack = f"with {config.rebuy.at_most_stack:,} chips or fewer" if config.rebuy.at_most_stack else "without chips"
        most = f"up to {config.rebuy.most} times, " if config.rebuy.most else ""
        until = f"{most}{stack}, through level {config.rebuy.until_level}"
        rows.append(_price(row, Payment.What.REBUY, config.rebuy.chips, until))
    if config.add_on is not None:
        rows.append(_price(row, Payment.What.ADD_ON, config.add_on.chips, f"once, in break {config.add_on.at_break}"))
    return rows


def level_rows(row: Tournament, state: Engine, *, now: datetime) -> list[LevelRow]:
    """The structure, with where the clock stands in it."""
    is_live = state.phase == "running"
    here = state.level(ms(now)) if is_live else -1
    last = state.last_entry_level()
    add_on = state.config.add_on.at_break if state.config.add_on else 0
    begins: timedelta | None = timedelta()
    rows: list[LevelRow] = []
    for index, level in enumerate(state.structure.levels):
        at = row.starts_at + begins if row.starts_at and begins is not None and state.phase == "registering" else None
        rows.append(
            LevelRow(
                index=index,
                name=state.structure.name(index),
                level=level,
                begins=begins,
                at=at,
                is_now=index == here,
                is_played=is_live and index < here,
                is_last_entry=index == last,
                has_add_on=level.is_break and state.structure.break_number(index) == add_on,
            )
        )
        begins = None if begins is None or level.is_by_hands else begins + timedelta(minutes=level.minutes)
    return rows


def _price(row: Tournament, what: Payment.What, chips: int, when: str) -> Price:
    return Price(what.value, str(what.label), prices.of(row, what), chips, when)


def _entry_words(config: EventConfig) -> str:
    if not config.late_level:
        return "until the start"
    through = " and the break after it" if config.has_entry_in_break else ""
    return f"until the end of level {config.late_level}{through}"


def prize_rows(state: Engine) -> list[PrizeRow]:
    """What each place gets as things stand; none where the terms and what was paid do not go together."""
    return _prize_rows(_payouts(state))


def _payouts(state: Engine) -> payouts.Payouts:
    """As they stand: locked ones as they were locked."""
    try:
        found = payouts.work_out(state.pool, state.entries, state.config.payout)
        prizes = state.prizes()
    except IllegalAction as error:
        return payouts.Payouts((), notes=(error.message,))
    return found if found.prizes == prizes else payouts.Payouts(prizes, found.overlay, found.tickets)


def _prize_rows(found: payouts.Payouts) -> list[PrizeRow]:
    rows: list[PrizeRow] = []
    for place, amount in enumerate(found.prizes, 1):
        is_ticket = place <= found.tickets
        if rows and rows[-1].amount == amount and rows[-1].is_ticket == is_ticket:
            rows[-1] = PrizeRow(rows[-1].first, place, amount, is_ticket)
        else:
            rows.append(PrizeRow(place, place, amount, is_ticket))
    return rows


# -- tables -----------------------------------------------------------------------------------------------------------


def counted_at(state: Engine, one: Entrant) -> datetime | None:
    """When the stack was last counted; None where it never was, and online, where every hand says it."""
    return moment(one.counted_at) if one.counted_at and state.config.conduct != "online" else None


def table_of(row: Tournament, number: int, *, now: datetime) -> Table | None:
    """One table; None where it is not open. Two queries at most."""
    with looking(row, now=now) as state:
        if number not in state.tables:
            return None
        numbers = state.tables[number].seats.values()
        unseen = TournamentEntry.objects.filter(tournament=row, number__in=list(numbers), arrived_at=None)
        return seated_at(state, number, unseen=frozenset(unseen.values_list("number", flat=True)), now_ms=ms(now))


def seated_at(
    state: Engine, number: int, *, unseen: Container[int] | None = None, found: Container[int] = (), now_ms: int
) -> Table:
    """Table `number`. `unseen`: those whom no dealer has seen in their seats (None: it is for
    everybody, who are not told when a stack was counted); `found`: those who were looked for."""
    table = state.tables[number]
    kept = {seat: entrant for entrant, (at, seat) in state.reserved.items() if at == number}
    chairs = []
    for seat in range(1, table.size + 1):
        if seat not in table.seats:
            chairs.append(Chair(seat, is_reserved=seat in kept))
            continue
        one = state.entrants[table.seats[seat]]
        until = state.called.get(one.number, 0)
        chairs.append(
            Chair(
                number=seat,
                entrant=one.number,
                name=one.name,
                chips=one.stack,
                is_counted=state.is_counted(one),
                counted_at=None if unseen is None else counted_at(state, one),
                missing=one.missing,
                called_until=until if until > now_ms else 0,
                is_held=one.number in state.held,
                is_reserved=one.number in state.reserved,
                is_seen=unseen is None or one.number not in unseen,
                is_found=one.number in found,
            )
        )
    return Table(number, tuple(chairs), table.is_halted, table.hand_done, table.hands)
