"""What the director's console and the tablets show of an event: its tables seat by seat, its numbers, what was done.

Read from the folded event and three small queries, however many play; a large event shows some of its tables and is
searched for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest

from tournaments.engine.clock import Reading
from tournaments.engine.errors import IllegalAction
from tournaments.engine.state import Entrant
from tournaments.engine.structure import Level
from tournaments.engine.tournament import Tournament as Engine
from tournaments.engine.words import listed
from tournaments.models import DealProposal, Tournament, TournamentEntry
from tournaments.moments import moment, ms
from tournaments.services import suggestions
from tournaments.services.suggestions import Suggestion
from tournaments.web.flyer import PrizeRow, looking, prize_rows
from tournaments.web.run_tables import Table, seated_at

MOST_TABLES = 60
_MOST_FOUND = 20
_MOST_ACTIONS = 12
_MOST_OUTS = 12


@dataclass(frozen=True)
class Done:
    """Something the floor did. `stands`: it was not undone."""

    label: str
    at: datetime


@dataclass(frozen=True)
class Out:
    """Somebody who went out; `by`: the names of who won their chips, `table` 0 where it is not known."""

    name: str
    at: datetime
    place: int
    tied: int
    by: str
    table: int
    is_disqualified: bool


@dataclass(frozen=True)
class ClockFace:
    """The level being played and the next one; `next_level` None after the last."""

    reading: Reading
    name: str
    level: Level
    next_name: str = ""
    next_level: Level | None = None
    is_by_hands: bool = False


@dataclass(frozen=True)
class Board:
    """An event as its director sees it at one moment."""

    seq: int
    phase: str
    format: str
    is_flight: bool
    clock: ClockFace
    entries: int
    left: int
    alternates: tuple[tuple[int, str], ...]
    average: int
    chips: int
    pool: int
    places_paid: int
    is_entry_open: bool
    entry_kept: bool | None
    entry_closes_at: datetime | None
    last_entry: str
    is_hand_for_hand: bool
    hand_number: int
    waiting: tuple[int, ...]
    playing_a_hand: int
    held: tuple[str, ...]
    unseated: tuple[tuple[int, str], ...]
    tables: tuple[Table, ...]
    tables_in_all: int
    found: tuple[tuple[int, str, str], ...]
    prizes: tuple[PrizeRow, ...]
    prizes_note: str
    is_locked: bool
    is_stale: bool
    has_deal: bool
    to_play_for: int
    deal_votes: tuple[int, int] | None
    undo_label: str
    redo_label: str
    done: tuple[Done, ...]
    has_moves: bool
    outs: tuple[Out, ...]
    suggestions: tuple[Suggestion, ...]
    is_arranged: bool

    @property
    def urgent(self) -> int:
        return sum(each.is_confirmable for each in self.suggestions)


def board(row: Tournament, *, now: datetime, asked: str = "") -> Board:
    """`asked`: a part of a name, an entry's number, or `t4` for a table."""
    unseen = frozenset(
        TournamentEntry.objects.filter(tournament=row, state=TournamentEntry.State.IN, arrived_at=None).values_list(
            "number", flat=True
        )
    )
    proposal = DealProposal.objects.filter(tournament=row, state=DealProposal.State.OPEN).first()
    votes = (proposal.votes.count(), len(proposal.amounts)) if proposal else None
    with looking(row, now=now) as state:
        return _board(row, state, unseen, votes, asked=asked, now=now)


def clock_face(state: Engine, now_ms: int) -> ClockFace:
    """What the event's clock says, with the stakes of now and of the next level."""
    reading, levels = state.reading(now_ms), state.structure.levels
    following = reading.next_level
    return ClockFace(
        reading=reading,
        name=state.structure.name(reading.level),
        level=levels[reading.level],
        next_name=state.structure.name(following) if following is not None else "",
        next_level=levels[following] if following is not None else None,
        is_by_hands=levels[reading.level].is_by_hands,
    )


def _board(
    row: Tournament,
    state: Engine,
    unseen: frozenset[int],
    votes: tuple[int, int] | None,
    *,
    asked: str,
    now: datetime,
) -> Board:
    now_ms = ms(now)
    hits = frozenset(_hits(state, asked)) if asked else frozenset()
    wanted = _tables_wanted(state, asked, hits)
    used = state.in_use()
    closes, last = state.entry_closes_at(now_ms), state.last_entry_level()
    prizes, note = _prizes(state)
    is_hfh = state.is_hand_for_hand
    return Board(
        seq=row.seq,
        phase=state.phase,
        format=state.config.format,
        is_flight=row.parent_id is not None,
        clock=clock_face(state, now_ms),
        entries=state.entries,
        left=state.left,
        alternates=tuple([(number, state.entrants[number].name) for number in state.alternates]),
        average=state.average(),
        chips=state.chips,
        pool=max(state.pool, state.config.payout.guarantee),
        places_paid=state.places_paid(),
        is_entry_open=state.is_entry_open(now_ms),
        entry_kept=state.entry_override,
        entry_closes_at=moment(closes) if closes is not None else None,
        last_entry=state.structure.name(last) if last is not None else "",
        is_hand_for_hand=is_hfh,
        hand_number=state.hand_number + 1,
        waiting=tuple([table.number for table in used if is_hfh and table.deals and not table.hand_done]),
        playing_a_hand=sum(table.deals for table in used),
        held=tuple([state.entrants[number].name for number in state.held]),
        unseated=tuple([(one.number, one.name) for one in state.in_play() if not one.table]),
        tables=tuple([seated_at(state, number, unseen=unseen, found=hits, now_ms=now_ms) for number in wanted]),
        tables_in_all=len(state.tables),
        found=tuple(_elsewhere(state, hits)),
        prizes=prizes,
        prizes_note=note,
        is_locked=state.locked is not None,
        is_stale=state.is_payout_stale,
        has_deal=state.deal is not None,
        to_play_for=state.deal.play_for if state.deal is not None else 0,
        deal_votes=votes,
        undo_label=state.undo_label,
        redo_label=state.redo_label,
        has_moves=any("moved" in each.kinds or "final-table-drawn" in each.kinds for each in state.log.standing),
        done=tuple(_done(state)),
        outs=tuple(_outs(state)),
        suggestions=tuple(_suggested(row, state, now_ms)),
        is_arranged=bool(row.options.get(suggestions.AUTO_ARRANGE)),
    )


def _suggested(row: Tournament, state: Engine, now_ms: int) -> list[Suggestion]:
    dismissed, owed = suggestions.dismissed(row), suggestions.owed(row, state)
    return suggestions.of(state, now_ms=now_ms, dismissed=dismissed, owed=owed)


def _hits(state: Engine, asked: str) -> list[int]:
    asked = asked.casefold()
    return [
        number
        for number, one in state.entrants.items()
        if one.status != "withdrawn" and (asked in one.name.casefold() or asked == str(number))
    ]


def _tables_wanted(state: Engine, asked: str, hits: frozenset[int]) -> list[int]:
    numbers = sorted(state.tables)
    if asked:
        of_hits = {state.entrants[number].table for number in hits}
        numbers = [number for number in numbers if number in of_hits or asked.casefold() == f"t{number}"]
    return numbers[:MOST_TABLES]


def _elsewhere(state: Engine, hits: frozenset[int]) -> list[tuple[int, str, str]]:
    """Who was found and sits nowhere: (entry, name, how they stand)."""
    away = [state.entrants[number] for number in sorted(hits) if not state.entrants[number].table]
    return [(one.number, one.name, standing_of(one)) for one in away[:_MOST_FOUND]]


def standing_of(one: Entrant) -> str:
    """In a word or two where somebody without a seat is."""
    if one.status == "out":
        return f"out, place {one.place}"
    return "waits for a seat" if one.status == "alternate" else "without a seat"


def _prizes(state: Engine) -> tuple[tuple[PrizeRow, ...], str]:
    try:
        state.prizes()
    except IllegalAction as error:
        return (), error.message
    return tuple(prize_rows(state)), ""


def _outs(state: Engine) -> list[Out]:
    """Who went out last, the latest first."""
    gone = (one for one in state.entrants.values() if one.out_at and one.below >= 0)
    last = nlargest(_MOST_OUTS, gone, key=lambda one: (one.out_at, -one.place))
    return [
        Out(
            name=one.name,
            at=moment(one.out_at),
            place=one.place,
            tied=one.tied,
            by=listed(state.entrants[number].name for number in one.by) if one.by else "",
            table=one.last[0],
            is_disqualified=one.is_disqualified,
        )
        for one in last
    ]


def _done(state: Engine) -> list[Done]:
    """The last actions that stand, the latest first."""
    return [Done(action.label, moment(action.at)) for action in reversed(state.log.standing[-_MOST_ACTIONS:])]
