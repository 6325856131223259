"""How an event came out: places, who knocked out whom, what is won and what was paid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from cardroom.core.sentences import translated
from tournaments.engine import clock as clocks
from tournaments.engine import facts as f
from tournaments.engine.clock import Structure
from tournaments.engine.prizes import payouts
from tournaments.engine.prizes.payouts import Payouts
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events.models import Tournament
from tournaments.prizes.models import Payout


@dataclass(frozen=True, slots=True)
class EventOutcome:
    """One entry's result. `place` None: still in; `tied`: how many share it; `prize`: as of now; `is_counted`: their
    `stack` is what was counted; `paid`: what they have got of prize and bounties."""

    entrant: int
    player: int
    name: str
    place: int | None
    tied: int
    prize: int
    bounties: int
    stack: int
    is_counted: bool
    paid: int
    re_entry_of: int
    is_disqualified: bool


@dataclass(frozen=True, slots=True)
class KnockOut:
    """Somebody went out. `place` is as of now: it may still go down while entry is open; `by`: names; `level`: the
    index of the level, `level_name` its name."""

    entrant: int
    name: str
    at: datetime
    place: int
    tied: int
    by: tuple[str, ...]
    table: int
    hand: int
    level: int
    level_name: str
    is_disqualified: bool = False


def results(tournament: Tournament) -> list[EventOutcome]:
    """Everybody whose entry counts, best first; those still in, by chips, before those out. One query."""
    if not tournament.seq:
        return []
    paid = _paid_by_entry(tournament)
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return [_result(state, standing.entrant, paid) for standing in state.standings()]


def knock_outs(tournament: Tournament) -> list[KnockOut]:
    """Knock-outs with time, place and by whom, the latest first. Usually no query."""
    if not tournament.seq:
        return []
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        knocked_out: list[KnockOut] = []
        clock, structure = clocks.begin(state.structure, 0, is_running=False), _first_structure(state)
        for fact in state.log.of(state.facts):
            if isinstance(fact, f.TermsChanged):
                structure = fact.config.structure
            elif isinstance(fact, f.LevelsEdited):
                structure = replace(structure, levels=(*structure.levels[: fact.from_level], *fact.levels))
            clock = getattr(fact, "clock", clock)
            if isinstance(fact, f.Busted | f.Disqualified):
                level = clocks.clock_at(clock, structure, fact.at).level
                knocked_out += _outs(state, fact, level, translated(structure.name(level)))
        return knocked_out[::-1]


def prizes(tournament: Tournament) -> Payouts:
    """The current prizes, with overlay, tickets and notes. Raises the engine's `IllegalCommand` where own
    amounts do not sum."""
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return payouts.work_out(state.pool, state.entries, state.config.payout)


def _paid_by_entry(tournament: Tournament) -> dict[int, int]:
    sums: dict[int, int] = {}
    rows = Payout.objects.filter(tournament=tournament, state=Payout.State.PAID)
    for number, amount in rows.values_list("entry__number", "amount"):
        sums[number] = sums.get(number, 0) + amount
    return sums


def _result(state: EventEngine, number: int, paid: dict[int, int]) -> EventOutcome:
    entry_state = state.entrants[number]
    return EventOutcome(
        entrant=number,
        player=entry_state.player,
        name=entry_state.name,
        place=entry_state.place or None,
        tied=entry_state.tied,
        prize=entry_state.prize or (state.prize_of(number) if 0 < entry_state.place <= state.places_paid() else 0),
        bounties=entry_state.bounties_won,
        stack=entry_state.stack if entry_state.is_in else 0,
        is_counted=state.is_counted(entry_state),
        paid=paid.get(number, 0),
        re_entry_of=entry_state.re_entry_of,
        is_disqualified=entry_state.is_disqualified,
    )


def _first_structure(state: EventEngine) -> Structure:
    first = state.facts[0]
    return first.config.structure if isinstance(first, f.EventAnnounced) else state.structure


def _outs(state: EventEngine, fact: f.Busted | f.Disqualified, level: int, level_name: str) -> list[KnockOut]:
    """One knock-out for each player who is out, the lowest place first."""
    by: tuple[str, ...] = ()
    numbers, table, hand = [getattr(fact, "entrant", 0)], 0, 0
    if isinstance(fact, f.Busted):
        by = tuple([state.entrants[number].name for number in fact.by])
        numbers, table, hand = [number for number, *_ in fact.outs], fact.table, fact.hand
    outs = []
    for number in numbers:
        entrant = state.entrants[number]
        if entrant.is_placed and entrant.out_at == fact.at:
            at = event_journal.moment(fact.at)
            where = table or entrant.last[0]
            is_struck = isinstance(fact, f.Disqualified)
            place = (entrant.place, entrant.tied)
            outs.append(KnockOut(number, entrant.name, at, *place, by, where, hand, level, level_name, is_struck))
    return outs
