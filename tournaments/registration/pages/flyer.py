"""All that the public page of an event says, made from the terms it is played under and the facts it has come to.

An event that takes no entries yet says the same of itself, with nobody in it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext, ngettext

from cardroom.core.sentences import filled, translated
from tournaments.engine.clock import Level, Reading
from tournaments.engine.config import EventConfig, Paid
from tournaments.engine.config import RebuyTerms as RebuyTerms
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.prizes import payouts
from tournaments.engine.state import Entrant
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events import terms as event_terms
from tournaments.events.journal import moment, ms
from tournaments.events.models import Payment, Tournament, TournamentEntry

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
    known and nothing has moved the clock yet; `is_last_entry`: entry closes at its end, and
    `ends_rebuys` the same of rebuys."""

    index: int
    name: str
    #: Of the level among the levels, or of the break among the breaks.
    number: int
    level: Level
    begins: timedelta | None
    at: datetime | None
    is_now: bool
    is_played: bool
    is_last_entry: bool
    ends_rebuys: bool
    has_add_on: bool


@dataclass(frozen=True)
class PrizeRow:
    """Places `first` to `last` get `amount` each."""

    first: int
    last: int
    amount: int
    is_ticket: bool


@dataclass(frozen=True)
class FlyerSeat:
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
class FlyerTable:
    """`waits`: its hand of hand-for-hand is still being played by others; `chips`: those of the stacks that were
    counted."""

    number: int
    chairs: tuple[FlyerSeat, ...]
    is_halted: bool
    hand_done: bool
    hands: int

    @property
    def seated(self) -> tuple[FlyerSeat, ...]:
        return tuple([chair for chair in self.chairs if chair.entrant])

    @property
    def players(self) -> int:
        return len(self.seated)

    @property
    def chips(self) -> int:
        return sum(chair.chips for chair in self.counted)

    @property
    def counted(self) -> tuple[FlyerSeat, ...]:
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
    def of(cls, state: EventEngine, now_ms: int) -> ClockFace:
        reading, structure = state.reading(now_ms), state.structure
        level, next_ = structure.levels[reading.level], reading.next_level
        following = (translated(structure.name(next_)), structure.levels[next_]) if next_ is not None else ("", None)
        return cls(reading, translated(structure.name(reading.level)), level, *following, level.is_by_hands)


@contextmanager
def looking(row: Tournament, *, now: datetime) -> Iterator[EventEngine]:
    """The event folded from its facts, shared with others: change nothing and keep nothing of it. One whose
    registration has not opened is looked at as it would open now."""
    if not row.seq:
        yield EventEngine.start(event_terms.config_of(row), ms(now))
        return
    with event_journal.looking(row.pk, upto=row.seq) as state:
        yield state


def in_numbers(state: EventEngine, now_ms: int) -> dict[str, Any]:
    """What every page of an event says of it. `pool`: what the prizes come from, the guarantee included; `closes_at`:
    when entry closes, where the clock can tell; `last_entry`: the name of the level it closes with."""
    closes, last = state.entry_closes_at(now_ms), state.last_entry_level()
    return {
        "phase": state.phase,
        "entries": state.entries,
        "left": state.left,
        "average": state.average(),
        "chips": state.chips,
        "pool": max(state.pool, state.config.payout.guarantee),
        "is_entry_open": state.is_entry_open(now_ms),
        "last_entry": translated(state.structure.name(last)) if last is not None else "",
        "closes_at": moment(closes) if closes is not None else None,
        "is_hand_for_hand": state.is_hand_for_hand,
    }


def sheet(row: Tournament, *, now: datetime) -> dict[str, Any]:
    """The page by its parts; `overlay`: what the house would add to reach the guarantee. One query where this process
    has not folded the event yet, else none."""
    with looking(row, now=now) as state:
        payouts_now, tables = _payouts(state), state.in_use()
        return in_numbers(state, ms(now)) | {
            "config": state.config,
            "prices": price_rows(row, state.config),
            "levels": level_rows(row, state, now=now),
            "has_bring_in": any(level.bring_in for level in state.structure.levels),
            "prizes": _prize_rows(payouts_now),
            "notes": tuple([translated(note) for note in payouts_now.notes]),
            "are_prizes_final": row.is_live and not state.is_entry_open(ms(now)),
            "overlay": max(0, state.config.payout.guarantee - state.pool),
            "alternates": len(state.alternates),
            "tables": [seated_at(state, table.number, now_ms=ms(now)) for table in tables[:MOST_TABLES]],
            "tables_in_all": len(tables),
        }


def price_rows(row: Tournament, config: EventConfig) -> list[Price]:
    """What may be paid for in an event, in the order in which people come to it."""
    rows = [_price(row, Payment.Kind.ENTRY, config.starting_stack, _entry_words(config))]
    if config.re_entries:
        chips = config.re_entry_stack or config.starting_stack
        when = ngettext("once, while entry is open", "up to {n} times, while entry is open", config.re_entries)
        rows.append(_price(row, Payment.Kind.RE_ENTRY, chips, when.format(n=config.re_entries)))
    if config.rebuy is not None:
        rows.append(_price(row, Payment.Kind.REBUY, config.rebuy.chips, _rebuy_words(config.rebuy)))
    if config.add_on is not None:
        when = gettext("once, in break {number}").format(number=config.add_on.at_break)
        rows.append(_price(row, Payment.Kind.ADD_ON, config.add_on.chips, when))
    return rows


def level_rows(row: Tournament, state: EventEngine, *, now: datetime) -> list[LevelRow]:
    """The structure, with where the clock stands in it."""
    is_live = state.phase == "running"
    here = state.level(ms(now)) if is_live else -1
    last = state.last_entry_level()
    rebuys = state.structure.index(state.config.rebuy.until_level) if state.config.rebuy else None
    add_on = state.config.add_on.at_break if state.config.add_on else 0
    begins: timedelta | None = timedelta()
    rows: list[LevelRow] = []
    for index, level in enumerate(state.structure.levels):
        at = row.starts_at + begins if row.starts_at and begins is not None and state.phase == "registering" else None
        rows.append(
            LevelRow(
                index=index,
                name=translated(state.structure.name(index)),
                number=state.structure.break_number(index) if level.is_break else state.structure.number(index),
                level=level,
                begins=begins,
                at=at,
                is_now=index == here,
                is_played=is_live and index < here,
                is_last_entry=index == last,
                ends_rebuys=index == rebuys,
                has_add_on=level.is_break and state.structure.break_number(index) == add_on,
            )
        )
        begins = None if begins is None or level.is_by_hands else begins + timedelta(minutes=level.minutes)
    return rows


def _price(row: Tournament, what: Payment.Kind, chips: int, when: str) -> Price:
    return Price(what.value, str(what.label), event_terms.price_of(row, what), chips, when)


def _entry_words(config: EventConfig) -> str:
    if not config.late_level:
        return gettext("until the start")
    if config.has_entry_in_break:
        return gettext("until the end of level {level} and the break after it").format(level=config.late_level)
    return gettext("until the end of level {level}").format(level=config.late_level)


def _rebuy_words(rebuy: RebuyTerms) -> str:
    values = {"n": rebuy.most, "chips": rebuy.at_most_stack, "level": rebuy.until_level}
    if rebuy.most and rebuy.at_most_stack:
        pattern = ngettext(
            "once, with {chips:,} chips or fewer, through level {level}",
            "up to {n} times, with {chips:,} chips or fewer, through level {level}",
            rebuy.most,
        )
    elif rebuy.most:
        pattern = ngettext(
            "once, when out of chips, through level {level}",
            "up to {n} times, when out of chips, through level {level}",
            rebuy.most,
        )
    elif rebuy.at_most_stack:
        pattern = gettext("with {chips:,} chips or fewer, through level {level}")
    else:
        pattern = gettext("when out of chips, through level {level}")
    return filled(pattern, **values)


def prize_rows(state: EventEngine) -> list[PrizeRow]:
    """What each place gets as things stand; none where the terms and what was paid do not go together."""
    return _prize_rows(_payouts(state))


def _payouts(state: EventEngine) -> payouts.Payouts:
    """The payouts as they stand now, or as they were locked."""
    try:
        current = payouts.work_out(state.pool, state.entries, state.config.payout)
        prizes = state.prizes()
    except IllegalCommand as error:
        return payouts.Payouts((), notes=(translated(error.message),))
    return current if current.prizes == prizes else payouts.Payouts(prizes, current.overlay, current.tickets)


def _prize_rows(payout: payouts.Payouts) -> list[PrizeRow]:
    rows: list[PrizeRow] = []
    for place, amount in enumerate(payout.prizes, 1):
        is_ticket = place <= payout.tickets
        if rows and rows[-1].amount == amount and rows[-1].is_ticket == is_ticket:
            rows[-1] = PrizeRow(rows[-1].first, place, amount, is_ticket)
        else:
            rows.append(PrizeRow(place, place, amount, is_ticket))
    return rows


def counted_at(state: EventEngine, entrant: Entrant) -> datetime | None:
    """When the stack was last counted; None where it never was, and online, where every hand says it."""
    return moment(entrant.counted_at) if entrant.counted_at and state.config.conduct != "online" else None


def table_of(row: Tournament, number: int, *, now: datetime) -> FlyerTable | None:
    """One table; None where it is not open. Two queries at most."""
    with looking(row, now=now) as state:
        if number not in state.tables:
            return None
        numbers = state.tables[number].seats.values()
        unseen = TournamentEntry.objects.filter(tournament=row, number__in=list(numbers), arrived_at=None)
        return seated_at(state, number, unseen=frozenset(unseen.values_list("number", flat=True)), now_ms=ms(now))


def seated_at(
    state: EventEngine, number: int, *, unseen: Container[int] | None = None, matches: Container[int] = (), now_ms: int
) -> FlyerTable:
    """Table `number`. `unseen`: the entrants that no dealer has seen in their seats (None: the table is shown to
    everybody, without the times of counts); `matches`: the entrants that a search found."""
    table = state.tables[number]
    kept = {seat: entrant for entrant, (at, seat) in state.reserved.items() if at == number}
    chairs = []
    for seat in range(1, table.size + 1):
        if seat not in table.seats:
            chairs.append(FlyerSeat(seat, is_reserved=seat in kept))
            continue
        sitter = state.entrants[table.seats[seat]]
        until = state.called.get(sitter.number, 0)
        chairs.append(
            FlyerSeat(
                number=seat,
                entrant=sitter.number,
                name=sitter.name,
                chips=sitter.stack,
                is_counted=state.is_counted(sitter),
                counted_at=None if unseen is None else counted_at(state, sitter),
                missing=sitter.missing,
                called_until=until if until > now_ms else 0,
                is_held=sitter.number in state.held,
                is_reserved=sitter.number in state.reserved,
                is_seen=unseen is None or sitter.number not in unseen,
                is_found=sitter.number in matches,
            )
        )
    return FlyerTable(number, tuple(chairs), table.is_halted, table.hand_done, table.hands)
