"""What the director's console shows of an event.

It is read from the folded event and three small queries, however many play; a large event shows some of its tables and
is searched for the rest.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from heapq import nlargest
from typing import Any

from django.utils.translation import gettext

from cardroom.core.sentences import translated
from tournaments.directing import queries as directing_queries
from tournaments.directing.undoing import next_undo, slips
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.plain import listed
from tournaments.engine.state import Entrant
from tournaments.engine.tournament import EventEngine
from tournaments.events.journal import moment, ms
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.online import suggestions
from tournaments.online.suggestions import EventSuggestion
from tournaments.prizes.models import DealProposal
from tournaments.registration.pages.flyer import ClockFace, PrizeRow, in_numbers, looking, prize_rows, seated_at

MOST_TABLES = 60
_MOST_FOUND = 20
_MOST_ACTIONS = 12
_MOST_OUTS = 12


def board(row: Tournament, *, now: datetime, query: str) -> dict[str, Any]:
    """The event at one moment, by the names of its parts. `query`: a part of a name, an entry's number, or `t4` for a
    table."""
    not_arrived = TournamentEntry.objects.filter(tournament=row, state=TournamentEntry.State.IN, arrived_at=None)
    unseen = frozenset(not_arrived.values_list("number", flat=True))
    proposal = DealProposal.objects.filter(tournament=row, state=DealProposal.State.OPEN).first()
    votes, now_ms = (proposal.votes.count(), len(proposal.amounts)) if proposal else None, ms(now)
    with looking(row, now=now) as state:
        hits = frozenset(_hits(state, query)) if query else frozenset()
        is_hand_for_hand = state.is_hand_for_hand
        prizes, note = _prizes_or_why(state)
        suggested = _suggestions_now(row, state, now_ms)
        return in_numbers(state, now_ms) | {
            "seq": row.seq,
            "format": state.config.format,
            "is_flight": row.parent_id is not None,
            "clock": ClockFace.of(state, now_ms),
            "alternates": [(number, state.entrants[number].name) for number in state.alternates],
            "places_paid": state.places_paid(),
            "entry_kept": state.entry_override,
            "hand_number": state.hand_number + 1,
            "waiting": [
                table.number for table in state.in_use() if is_hand_for_hand and table.deals and not table.hand_done
            ],
            "held": [state.entrants[number].name for number in state.held],
            "unseated": [(entrant.number, entrant.name) for entrant in state.in_play() if not entrant.table],
            "tables": [
                seated_at(state, number, unseen=unseen, matches=hits, now_ms=now_ms)
                for number in _tables_wanted(state, query, hits)
            ],
            "tables_in_all": len(state.tables),
            "unseated_hits": _without_seat(state, hits),
            "prizes": prizes,
            "prizes_note": note,
            "is_locked": state.locked is not None,
            "is_stale": state.is_payout_stale,
            "has_deal": state.deal is not None,
            "to_play_for": state.deal.play_for if state.deal is not None else 0,
            "deal_shares": directing_queries.deal_shares(state),
            "deal_votes": votes,
            "undo": next_undo(row, state),
            "slips": slips(row, state),
            "redo_label": translated(state.redo_label),
            "has_moves": any({"moved", "final-table-drawn"} & action.kinds for action in state.log.actions),
            # The last actions that stand, the latest first.
            "done": [
                {"label": translated(label), "at": moment(action.at)}
                for action in reversed(state.log.actions[-_MOST_ACTIONS:])
                for label in reversed(action.labels)
            ][:_MOST_ACTIONS],
            "outs": _outs(state),
            "suggestions": suggested,
            "urgent": sum(suggestion.is_confirmable for suggestion in suggested),
            "is_arranged": bool(row.options.get(suggestions.AUTO_ARRANGE)),
        }


def _suggestions_now(row: Tournament, state: EventEngine, now_ms: int) -> list[EventSuggestion]:
    dismissed, owed = suggestions.dismissed(row), suggestions.owed(row, state)
    current = suggestions.suggestions_of(state, now_ms=now_ms, dismissed=dismissed, owed=owed)
    return [suggestions.spoken_of(suggestion) for suggestion in current]


def _hits(state: EventEngine, query: str) -> list[int]:
    query = query.casefold()
    return [
        number
        for number, entrant in state.entrants.items()
        if entrant.status != "withdrawn" and (query in entrant.name.casefold() or query == str(number))
    ]


def _tables_wanted(state: EventEngine, query: str, hits: frozenset[int]) -> list[int]:
    numbers = sorted(state.tables)
    if query:
        of_hits = {state.entrants[number].table for number in hits}
        numbers = [number for number in numbers if number in of_hits or query.casefold() == f"t{number}"]
    return numbers[:MOST_TABLES]


def _without_seat(state: EventEngine, hits: frozenset[int]) -> list[tuple[int, str, str]]:
    """Search hits without a seat: (entry, name, their standing in words)."""
    away = [state.entrants[number] for number in sorted(hits) if not state.entrants[number].table]
    return [(entrant.number, entrant.name, standing_of(entrant)) for entrant in away[:_MOST_FOUND]]


def standing_of(entrant: Entrant) -> str:
    """The standing of an entrant without a seat, in a word or two."""
    if entrant.status == "out":
        return gettext("out, place {place}").format(place=entrant.place)
    return gettext("waits for a seat") if entrant.status == "alternate" else gettext("without a seat")


def _prizes_or_why(state: EventEngine) -> tuple[list[PrizeRow], str]:
    try:
        state.prizes()
    except IllegalCommand as error:
        return [], translated(error.message)
    return open_prize_rows(state), ""


def open_prize_rows(state: EventEngine) -> list[PrizeRow]:
    """What each place gets that no deal has shared."""
    shared = len(state.deal.amounts) if state.deal is not None else 0
    return [replace(row, first=max(row.first, shared + 1)) for row in prize_rows(state) if row.last > shared]


def _outs(state: EventEngine) -> list[dict[str, Any]]:
    """The last entrants out, the latest first. `by`: the names of the winners of their chips; `table` 0: not known."""
    players_out = (entrant for entrant in state.entrants.values() if entrant.out_at and entrant.is_placed)
    return [
        {
            "name": entrant.name,
            "at": moment(entrant.out_at),
            "place": entrant.place,
            "tied": entrant.tied,
            "by": translated(listed(state.entrants[number].name for number in entrant.by)) if entrant.by else "",
            "table": entrant.last[0],
            "is_disqualified": entrant.is_disqualified,
        }
        for entrant in nlargest(_MOST_OUTS, players_out, key=lambda entrant: (entrant.out_at, -entrant.place))
    ]
