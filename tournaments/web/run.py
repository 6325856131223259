"""The director's console: the page from which an event is run.

The page is its frame, and its parts, which are drawn anew after every order and whenever the event moves. No part holds
anything that is typed into: that is done in dialogs (`run_panels`) beside them. What it shows is read from the folded
event and three small queries, however many play; a large event shows some of its tables and is searched for the rest.
"""

from __future__ import annotations

import json
from datetime import datetime
from heapq import nlargest
from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.vary import vary_on_headers

from cardroom.services.errors import CardroomError
from tournaments import journal
from tournaments.engine.errors import IllegalAction
from tournaments.engine.state import Entrant
from tournaments.engine.tournament import Tournament as Engine
from tournaments.engine.words import listed
from tournaments.journal import Receipt
from tournaments.models import DealProposal, Tournament, TournamentEntry
from tournaments.moments import moment, ms
from tournaments.services import suggestions
from tournaments.services.suggestions import Suggestion
from tournaments.web.flyer import ClockFace, PrizeRow, in_numbers, looking, prize_rows, seated_at
from tournaments.web.views import event_of, looked_for

MOST_TABLES = 60
_MOST_FOUND = 20
_MOST_ACTIONS = 12
_MOST_OUTS = 12
_LONGEST = 60
_MOST_TOLD = 4


@ensure_csrf_cookie
@vary_on_headers("HX-Request")
def console(request: HttpRequest, *, tournament_id: int) -> HttpResponse:
    """`?q=` a part of a name, the number of an entry, or `t4` for a table."""
    row = event_of(request, tournament_id)
    is_part = request.htmx and not request.htmx.history_restore_request
    return parts_page(request, row) if is_part else console_page(request, row)


def console_page(request: HttpRequest, row: Tournament, *, refusal: CardroomError | None = None) -> HttpResponse:
    """The whole page. `refusal`: why an order was not carried out."""
    context = _context(request, row) | {"refusal": refusal}
    return render(request, "tournaments/run/console.html", context, status=refusal.status if refusal else 200)


def parts_page(request: HttpRequest, row: Tournament) -> HttpResponse:
    """What changes as an event goes on."""
    return render(request, "tournaments/run/_parts.html", _context(request, row) | {"is_part": True})


def _context(request: HttpRequest, row: Tournament) -> dict[str, Any]:
    asked = looked_for(request.POST if request.method == "POST" else request.GET, most=_LONGEST)
    return {
        "tournament": row,
        "seq": row.seq,
        "board": _board(row, now=timezone.now(), asked=asked),
        "is_room": row.conduct == Tournament.Conduct.ROOM,
        "asked": asked,
        "key": token_urlsafe(9),
    }


def words_of(row: Tournament, outcome: Receipt | str) -> str:
    """What was done, by the labels of its facts."""
    if isinstance(outcome, str):
        return outcome
    facts = journal.facts(row.pk, after=outcome.facts_from - 1, upto=outcome.seq)
    labels = [fact.label for fact in facts if fact.label]
    more = f", and {len(labels) - _MOST_TOLD} more" if len(labels) > _MOST_TOLD else ""
    return f"{'; '.join(labels[:_MOST_TOLD])}{more}." if labels else "Noted."


def done(words: str) -> str:
    """The events a page is told of when its order was carried out."""
    return json.dumps({"toast": {"message": words}, "order-done": True})


# -- what it shows -----------------------------------------------------------------------------------------------------


def _board(row: Tournament, *, now: datetime, asked: str) -> dict[str, Any]:
    """The event at one moment, by the names of its parts. `asked`: a part of a name, an entry's number, or `t4` for a
    table."""
    here = TournamentEntry.objects.filter(tournament=row, state=TournamentEntry.State.IN, arrived_at=None)
    unseen = frozenset(here.values_list("number", flat=True))
    proposal = DealProposal.objects.filter(tournament=row, state=DealProposal.State.OPEN).first()
    votes, now_ms = (proposal.votes.count(), len(proposal.amounts)) if proposal else None, ms(now)
    with looking(row, now=now) as state:
        hits = frozenset(_hits(state, asked)) if asked else frozenset()
        is_hfh = state.is_hand_for_hand
        prizes, note = _prizes(state)
        suggested = _suggested(row, state, now_ms)
        return in_numbers(state, now_ms) | {
            "seq": row.seq,
            "format": state.config.format,
            "is_flight": row.parent_id is not None,
            "clock": ClockFace.of(state, now_ms),
            "alternates": [(number, state.entrants[number].name) for number in state.alternates],
            "places_paid": state.places_paid(),
            "entry_kept": state.entry_override,
            "hand_number": state.hand_number + 1,
            "waiting": [each.number for each in state.in_use() if is_hfh and each.deals and not each.hand_done],
            "held": [state.entrants[number].name for number in state.held],
            "unseated": [(one.number, one.name) for one in state.in_play() if not one.table],
            "tables": [
                seated_at(state, number, unseen=unseen, found=hits, now_ms=now_ms)
                for number in _tables_wanted(state, asked, hits)
            ],
            "tables_in_all": len(state.tables),
            "found": _elsewhere(state, hits),
            "prizes": prizes,
            "prizes_note": note,
            "is_locked": state.locked is not None,
            "is_stale": state.is_payout_stale,
            "has_deal": state.deal is not None,
            "to_play_for": state.deal.play_for if state.deal is not None else 0,
            "deal_votes": votes,
            "undo_label": state.undo_label,
            "redo_label": state.redo_label,
            "has_moves": any({"moved", "final-table-drawn"} & set(each.kinds) for each in state.log.standing),
            # The last actions that stand, the latest first.
            "done": [
                {"label": each.label, "at": moment(each.at)} for each in reversed(state.log.standing[-_MOST_ACTIONS:])
            ],
            "outs": _outs(state),
            "suggestions": suggested,
            "urgent": sum(each.is_confirmable for each in suggested),
            "is_arranged": bool(row.options.get(suggestions.AUTO_ARRANGE)),
        }


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


def _prizes(state: Engine) -> tuple[list[PrizeRow], str]:
    try:
        state.prizes()
    except IllegalAction as error:
        return [], error.message
    return prize_rows(state), ""


def _outs(state: Engine) -> list[dict[str, Any]]:
    """Who went out last, the latest first; `by`: the names of who won their chips, `table` 0 where it is not known."""
    gone = (one for one in state.entrants.values() if one.out_at and one.below >= 0)
    return [
        {
            "name": one.name,
            "at": moment(one.out_at),
            "place": one.place,
            "tied": one.tied,
            "by": listed(state.entrants[number].name for number in one.by) if one.by else "",
            "table": one.last[0],
            "is_disqualified": one.is_disqualified,
        }
        for one in nlargest(_MOST_OUTS, gone, key=lambda one: (one.out_at, -one.place))
    ]
