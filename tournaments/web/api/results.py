"""How an event comes out: places, knock-outs, the log of what was done, and its numbers."""

from dataclasses import dataclass
from statistics import median
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.typed import object_of
from tournaments import journal, moments
from tournaments.engine import plain
from tournaments.engine.config import Paid
from tournaments.engine.tournament import Tournament as Engine
from tournaments.models import Tournament
from tournaments.selectors import results, tournaments
from tournaments.selectors.prizes import prizes_of
from tournaments.web.api.looking import event_of, in_order


@dataclass(frozen=True)
class Stats:
    """An event in numbers, as of fact `seq`. `players`: people who entered, `entries` count re-entries too; `received`:
    all that was paid, in its parts; `overlay`: what the guarantee adds; `played_ms`: since the start;
    `median`, `largest` and `smallest`: of the stacks that were counted, None without any."""

    tournament: int
    seq: int
    players: int
    entries: int
    re_entries: int
    rebuys: int
    add_ons: int
    alternates: int
    withdrawn: int
    left: int
    out: int
    tables: int
    chips: int
    average: int
    median: int | None
    largest: int | None
    smallest: int | None
    received: Paid
    overlay: int
    prizes: int
    places_paid: int
    bounties_won: int
    moves: int
    hands: int
    played_ms: int


class StatsView(APIView):
    """An event in numbers."""

    tags = ("results",)
    is_public = True

    @extend_schema(operation_id="event_stats", summary="An event in numbers", responses={200: object_of(Stats)})
    def get(self, request: Request, tournament_id: int) -> Response:
        row = event_of(request, tournament_id)
        if not row.seq:
            return Response(plain.to_plain(_nothing(row)))
        with journal.looking(row.pk, upto=row.seq) as state:
            return Response(plain.to_plain(_counted(row, state, moments.ms(timezone.now()))))


def _list(operation: str, summary: str, found: Any, row: type) -> Any:
    """A list of an event in the order that `found` gives it, in pages."""

    @extend_schema(operation_id=operation, summary=summary, responses={200: _page_of(row)})
    def get(self: APIView, request: Request, tournament_id: int) -> Response:
        rows = found(event_of(request, tournament_id))
        page, later = NewestFirst().page(request, in_order(rows), number=lambda each: each[0])
        return Response({"next": later, "results": plain.to_plain([each for _, each in page])})

    fields = {"__doc__": f"{summary}.", "tags": ("results",), "is_public": True, "get": get}
    return type(f"{operation.title().replace('_', '')}View", (APIView,), fields | {"pagination_class": NewestFirst})


def _page_of(row: type) -> dict[str, Any]:
    schema: dict[str, Any] = NewestFirst().get_paginated_response_schema({"type": "array", "items": object_of(row)})
    return schema


ResultsView = _list(
    "event_results", "Everybody, best first; those in by chips, then those out", results.results, results.Result
)
KnockOutsView = _list("knock_outs", "Who went out, the latest first", results.knock_outs, results.KnockOut)
LogView = _list("event_log", "What was done, the latest first", tournaments.log, tournaments.Action)


def _counted(row: Tournament, state: Engine, now: int) -> Stats:
    everybody = state.entrants.values()
    stacks = sorted(one.stack for one in state.in_play() if state.is_counted(one))
    ended = state.ended_at or now
    return Stats(
        tournament=row.pk,
        seq=state.seq,
        players=len({entrant.player for entrant in everybody if entrant.status != "withdrawn"}),
        entries=state.entries,
        re_entries=sum(bool(entrant.re_entry_of) and entrant.status != "withdrawn" for entrant in everybody),
        rebuys=sum(entrant.rebuys for entrant in everybody),
        add_ons=sum(entrant.add_ons for entrant in everybody),
        alternates=len(state.alternates),
        withdrawn=sum(entrant.status == "withdrawn" for entrant in everybody),
        left=state.left,
        out=sum(entrant.status == "out" for entrant in everybody),
        tables=len(state.in_use()),
        chips=state.chips,
        average=state.average(),
        median=int(median(stacks)) if stacks else None,
        largest=stacks[-1] if stacks else None,
        smallest=stacks[0] if stacks else None,
        received=state.received,
        overlay=max(0, state.config.payout.guarantee - state.pool),
        prizes=sum(prizes_of(state)),
        places_paid=state.places_paid(),
        bounties_won=sum(entrant.bounties_won for entrant in everybody),
        moves=sum(
            fact.kind == "moved" for action in state.actions for fact in state.facts[action.first - 1 : action.last]
        ),
        hands=sum(table.hands for table in state.tables.values()),
        played_ms=ended - state.began_at if state.began_at else 0,
    )


def _nothing(row: Tournament) -> Stats:
    numbers = {name: 0 for name, kind in Stats.__annotations__.items() if kind is int}
    no_stack = dict.fromkeys(("median", "largest", "smallest"))
    return Stats(**numbers | no_stack | {"tournament": row.pk, "received": Paid()})
