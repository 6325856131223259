"""What a director sees of the event: clock, tables and players, and what can be undone.

Read from the folded event that this process shares; times are milliseconds since the epoch, as the engine has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext, ngettext

from cardroom.core.errors import NotFound
from cardroom.core.sentences import translated
from tournaments.directing.undoing import MoneyBack, next_undo
from tournaments.engine import clock as clocks
from tournaments.engine import facts as f
from tournaments.engine import labels
from tournaments.engine.clock import Level, Reading, Structure
from tournaments.engine.state import Entrant, Penalty
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.prizes.queries import prizes_of


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A taken seat. `counted_at`: when the stack was last counted, None for never; `penalties`: in words;
    `misses_hands`: what is left of them; `clock_ends_at`: the clock is on the player until then, None where it is not;
    `is_held`: out when the hand of hand-for-hand is over; `has_arrived`: the dealer has seen them."""

    seat: int
    entrant: int
    name: str
    stack: int
    counted_at: int | None
    bounty: int
    penalties: tuple[str, ...]
    misses_hands: int
    clock_ends_at: int | None
    is_reserved: bool
    is_held: bool
    has_arrived: bool


@dataclass(frozen=True, slots=True)
class EventTableRow:
    """An open table. `seats`: by number, None where nobody sits; `opened`: empty seats, the one that opened last
    first; `hand_done`: it waits for the others in hand-for-hand."""

    number: int
    seats: tuple[tuple[int, SeatRow | None], ...]
    opened: tuple[int, ...]
    players: int
    hands: int
    is_halted: bool
    hand_done: bool


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody without a seat, or out, by name."""

    entrant: int
    name: str
    place: int = 0


@dataclass(frozen=True, slots=True)
class SeatMoveRow:
    """Somebody was moved by fact `seq`."""

    seq: int
    at: int
    entrant: int
    name: str
    from_table: int
    from_seat: int
    table: int
    seat: int
    why: str
    rule: str


@dataclass(frozen=True, slots=True)
class Console:
    """An event to be run, as of fact `seq`. `level` is what is played or rested in now; `left` of `entries` are in;
    `undo_label` is the last order, `undo_refusal` why it stands, empty where it can be undone, and `undo_money` what
    moves back then, for which a reason is given; `redo_label` is empty where nothing can be redone; `entry_override`:
    the director's word on entry, None where it goes by the terms. `waiting`: tables that still play the hand of
    hand-for-hand; `out`: the last ones out, the latest first."""

    seq: int
    version: int
    phase: str
    reading: Reading
    level_name: str
    level: Level
    next_level: Level | None
    entries: int
    left: int
    average: int
    chips: int
    pool: int
    prizes: tuple[int, ...]
    places_paid: int
    is_locked: bool
    is_stale: bool
    is_paid: bool
    is_entry_open: bool
    entry_override: bool | None
    entry_closes_at: int | None
    is_hand_for_hand: bool
    is_hand_for_hand_due: bool
    hand_number: int
    waiting: tuple[int, ...]
    tables: tuple[EventTableRow, ...]
    unseated: tuple[PersonRow, ...]
    alternates: tuple[PersonRow, ...]
    out: tuple[PersonRow, ...]
    undo_label: str
    undo_refusal: str
    undo_money: tuple[MoneyBack, ...]
    redo_label: str
    deal: f.DealMade | None


def console(*, tournament: Tournament, now: datetime) -> Console:
    """The whole console. One query. `NotFound` where registration has not opened."""
    arrived = _arrived_numbers(tournament)
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return _console(tournament, state, arrived, event_journal.ms(now))


def table(*, tournament: Tournament, number: int) -> EventTableRow:
    """One table, for the dealer's tablet. `NotFound` where it is not open."""
    arrived = _arrived_numbers(tournament)
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        if number not in state.tables:
            raise NotFound("no-such-table", "There is no table {number} open.", number=number)
        return _table(state, number, arrived)


_MOST_MOVES = 200


def moves(*, tournament: Tournament, after: int = 0) -> list[SeatMoveRow]:
    """Moves in force, of facts after `after`, the latest 200 first: for move slips and lists."""
    if not tournament.seq:
        return []
    latest: list[SeatMoveRow] = []
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        for action in reversed(state.log.actions):
            if action.last <= after or len(latest) >= _MOST_MOVES:
                break
            if "moved" not in action.kinds and "final-table-drawn" not in action.kinds:
                continue
            for seq in range(action.last, action.first - 1, -1):
                latest += _moves_of(state, seq)
    return latest[:_MOST_MOVES]


def _console(row: Tournament, state: EventEngine, arrived: frozenset[int], now_ms: int) -> Console:
    reading = state.reading(now_ms)
    levels = state.structure.levels
    out = sorted(
        (entrant for entrant in state.entrants.values() if entrant.status == "out"), key=lambda entrant: -entrant.below
    )
    undo = next_undo(row, state)
    return Console(
        seq=state.seq,
        version=row.version,
        phase=state.phase,
        reading=reading,
        level_name=translated(state.structure.name(reading.level)),
        level=levels[reading.level],
        next_level=levels[reading.next_level] if reading.next_level is not None else None,
        entries=state.entries,
        left=state.left,
        average=state.average(),
        chips=state.chips,
        pool=max(state.pool, state.config.payout.guarantee),
        prizes=prizes_of(state),
        places_paid=state.places_paid(),
        is_locked=state.locked is not None,
        is_stale=state.is_payout_stale,
        is_paid=row.paid_at is not None,
        is_entry_open=state.is_entry_open(now_ms),
        entry_override=state.entry_override,
        entry_closes_at=state.entry_closes_at(now_ms),
        is_hand_for_hand=state.is_hand_for_hand,
        is_hand_for_hand_due=state.is_hand_for_hand_due(now_ms),
        hand_number=state.hand_number,
        waiting=tuple([table.number for table in state.in_use() if state.is_hand_for_hand and not table.hand_done]),
        tables=tuple([_table(state, number, arrived) for number in sorted(state.tables)]),
        unseated=tuple([_person(entrant) for entrant in state.in_play() if not entrant.table]),
        alternates=tuple([_person(state.entrants[number]) for number in state.alternates]),
        out=tuple([_person(entrant) for entrant in out[:50]]),
        undo_label=undo.label,
        undo_refusal=undo.refusal,
        undo_money=undo.money,
        redo_label=translated(state.redo_label),
        deal=state.deal,
    )


def _table(state: EventEngine, number: int, arrived: frozenset[int]) -> EventTableRow:
    table = state.tables[number]
    seats: list[tuple[int, SeatRow | None]] = []
    for seat in range(1, table.size + 1):
        entrant = state.entrants[table.seats[seat]] if seat in table.seats else None
        seats.append((seat, _seat(state, entrant, arrived) if entrant is not None else None))
    players = len(table.seats)
    return EventTableRow(number, tuple(seats), table.opened, players, table.hands, table.is_halted, table.hand_done)


def _seat(state: EventEngine, player: Entrant, arrived: frozenset[int]) -> SeatRow:
    return SeatRow(
        seat=player.seat,
        entrant=player.number,
        name=player.name,
        stack=player.stack,
        counted_at=player.counted_at or None,
        bounty=player.bounty,
        penalties=tuple(
            [
                gettext("{name}: {words}").format(name=_penalty(penalty), words=penalty.reason)
                for penalty in player.penalties
            ]
        ),
        misses_hands=player.missing,
        clock_ends_at=state.called.get(player.number),
        is_reserved=player.reserved is not None,
        is_held=player.number in state.held,
        has_arrived=player.number in arrived,
    )


def _penalty(penalty: Penalty) -> str:
    if penalty.kind == "hands":
        return ngettext("{n} hand", "{n} hands", penalty.count).format(n=penalty.count)
    if penalty.kind == "rounds":
        return ngettext("{n} round", "{n} rounds", penalty.count).format(n=penalty.count)
    return translated(labels.DISQUALIFIED() if penalty.kind == "disqualified" else labels.WARNING())


def _person(entrant: Entrant) -> PersonRow:
    return PersonRow(entrant.number, entrant.name, entrant.place)


def _arrived_numbers(tournament: Tournament) -> frozenset[int]:
    seen = TournamentEntry.objects.filter(tournament=tournament, arrived_at__isnull=False)
    return frozenset(seen.values_list("number", flat=True))


def _moves_of(state: EventEngine, seq: int) -> list[SeatMoveRow]:
    fact = state.facts[seq - 1]
    name = state.entrants
    if isinstance(fact, f.Moved):
        from_, to = (fact.from_table, fact.from_seat), (fact.to_table, fact.to_seat)
        return [
            SeatMoveRow(
                seq, fact.at, fact.entrant, name[fact.entrant].name, *from_, *to, translated(fact.why), fact.rule
            )
        ]
    if isinstance(fact, f.FinalTableDrawn):
        why, rule = gettext("The final table was drawn."), "TDA RP-9"
        return [
            SeatMoveRow(seq, fact.at, entrant, name[entrant].name, 0, 0, table, seat, why, rule)
            for entrant, table, seat in reversed(fact.seats)
        ]
    return []


def payout_lines(tournament: Tournament) -> tuple[list[tuple[str, int]], list[tuple[int, int]], int]:
    """The lines of a sheet of payouts: (name, money) of the shares of a deal, best first; (place, money) of the places
    that no deal has shared; and what the deal left for the winner."""
    if not tournament.seq:
        return [], [], 0
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return deal_shares(state), open_places(state), state.deal.play_for if state.deal is not None else 0


def deal_shares(state: EventEngine) -> list[tuple[str, int]]:
    """(name, money) of those who agreed on a deal, best first; none without one."""
    if state.deal is None:
        return []
    in_order = sorted(state.deal.amounts, key=lambda row: (-row[1], row[0]))
    return [(state.entrants[number].name, money) for number, money in in_order]


def open_places(state: EventEngine) -> list[tuple[int, int]]:
    """(place, money) of the places that no deal has shared; none where own amounts do not sum."""
    shared = len(state.deal.amounts) if state.deal is not None else 0
    return list(enumerate(prizes_of(state), 1))[shared:]


def level_times(tournament: Tournament, structure: Structure, *, now: datetime) -> list[datetime | None]:
    """When each level begins, as far as it can be told: before the start by the plan; then from the level that is
    played on, while the clock runs. A level by hands has no end by the clock."""
    levels = structure.levels
    at: datetime | None = tournament.starts_at
    first = 0
    if tournament.is_live and tournament.seq:
        with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
            clock = clocks.clock_at(state.clock, structure, event_journal.ms(now))
        first, at = clock.level, None
        if isinstance(clock, clocks.Running):
            at = event_journal.moment(clock.ends_at - levels[first].duration_ms)
    elif tournament.is_over:
        at = None
    times: list[datetime | None] = [None] * first
    for level in levels[first:]:
        times.append(at)
        at = None if at is None or level.is_by_hands else at + timedelta(minutes=level.minutes)
    return times
