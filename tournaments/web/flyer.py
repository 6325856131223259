"""All that the public page of an event says, made from the terms it is played under and the facts it has come to.

An event that takes no entries yet says the same of itself, with nobody in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments import journal
from tournaments.engine import payouts
from tournaments.engine.config import EventConfig, Paid
from tournaments.engine.errors import IllegalAction
from tournaments.engine.structure import Level
from tournaments.engine.tournament import Tournament as Engine
from tournaments.models import Payment, Tournament
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
    """A seat of a table, and who sits there; `is_counted`: somebody has counted their chips."""

    number: int
    entrant: int | None
    name: str
    chips: int
    is_counted: bool = True


@dataclass(frozen=True)
class TableRow:
    number: int
    chairs: list[Chair]
    is_halted: bool


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
    tables: list[TableRow]
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
            tables=[_table(state, table.number) for table in tables[:MOST_TABLES]],
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


def _table(state: Engine, number: int) -> TableRow:
    table = state.tables[number]
    chairs = []
    for seat in range(1, table.size + 1):
        entrant = state.entrants[table.seats[seat]] if seat in table.seats else None
        if entrant is None:
            chairs.append(Chair(seat, None, "", 0))
        else:
            chairs.append(Chair(seat, entrant.number, entrant.name, entrant.stack, state.is_counted(entrant)))
    return TableRow(number, chairs, table.is_halted)
