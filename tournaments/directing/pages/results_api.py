"""The API of results: places, knock-outs, the log, hands, and an event in numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Annotated, Any

from django.utils import timezone

from cardroom.core.arguments import Limits
from cardroom.core.web.api.answers import PlainAnswer
from cardroom.core.web.api.routes import NewestFirst
from cardroom.core.web.api.shapes import NAMED, Shape, object_of
from cardroom.core.web.resources import Resource, addresses, reads
from games.tables.queries import history
from tournaments.directing import outcomes
from tournaments.directing.pages.directing_api import answer_of
from tournaments.engine import plain
from tournaments.engine.config import FREE, Paid
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events import queries as event_queries
from tournaments.events.models import Tournament
from tournaments.prizes.queries import prizes_of
from tournaments.registration.pages.views import EVENT, event_for

_MOST_DEEP = 10**9


@dataclass(frozen=True)
class Stats:
    """An event in numbers, as of fact `seq`. `players`: people who entered, `entries` count re-entries too; `received`:
    all that was paid, in its parts; `overlay`: what the guarantee adds; `played_ms`: since the start;
    `median`, `largest` and `smallest`: of the stacks that were counted, None without any."""

    tournament: int
    seq: int = 0
    players: int = 0
    entries: int = 0
    re_entries: int = 0
    rebuys: int = 0
    add_ons: int = 0
    alternates: int = 0
    withdrawn: int = 0
    left: int = 0
    out: int = 0
    tables: int = 0
    chips: int = 0
    average: int = 0
    median: int | None = None
    largest: int | None = None
    smallest: int | None = None
    received: Paid = FREE
    overlay: int = 0
    prizes: int = 0
    places_paid: int = 0
    bounties_won: int = 0
    moves: int = 0
    hands: int = 0
    played_ms: int = 0


def stats(*, tournament_id: int, by: Any) -> Stats:
    """An event in numbers."""
    row = event_for(by, tournament_id)
    if not row.seq:
        return Stats(row.pk)
    with event_journal.looking(row.pk, upto=row.seq) as state:
        return _count_stats(row, state, event_journal.ms(timezone.now()))


def _count_stats(row: Tournament, state: EventEngine, now: int) -> Stats:
    everybody = state.entrants.values()
    stacks = sorted(entrant.stack for entrant in state.in_play() if state.is_counted(entrant))
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


def _numbered_list(rows: Callable[[Tournament], Any]) -> Callable[..., list[tuple[int, Any]]]:
    """A list of an event in the order that `rows` gives it. Its pages go by the places in it, from 1."""

    def read(*, tournament_id: int, before: int | None, limit: int, by: Any) -> list[tuple[int, Any]]:
        start = min(before or 0, _MOST_DEEP)
        return list(enumerate(rows(event_for(by, tournament_id))[start : start + limit], start + 1))

    return read


def _page_of(row: type) -> PlainAnswer:
    """A page of a list as `_in_order` gives it."""
    schema = NewestFirst().get_paginated_response_schema({"type": "array", "items": object_of(row)})
    return PlainAnswer(schema | {NAMED: f"{row.__name__}Page"}, lambda rows: plain.to_plain([line for _, line in rows]))


class EventHandSummary(Shape):
    of = history.EventHandRow
    field_names = "id table table_name number ended_at pot winners net"
    help_texts = {
        "net": "What it brought you; null where you were not in it.",
        "winners": "Of the whole pot or of parts.",
    }


def hands_of(
    *,
    tournament_id: int,
    own: Annotated[bool, Limits(default=False, help_text="Only those you were in.")] = False,
    before: int | None,
    limit: int,
    by: Any,
) -> list[history.EventHandRow]:
    """The hands of an event that are over, the newest first."""
    return history.hands_of_event(event_for(by, tournament_id).unit, by, own=own, before=before, limit=limit)


class EventResultResource(Resource):
    """What there is to see of an event."""

    tags = ("results",)


class ResultsResource(EventResultResource):
    path = f"{EVENT}results"
    get = reads(
        _numbered_list(outcomes.results),
        name="event_results",
        summary="Results, best first; players still in by chips, then those out",
        is_public=True,
        answers=_page_of(outcomes.EventOutcome),
        number=lambda line: line[0],
    )


class KnockOutsResource(EventResultResource):
    path = f"{EVENT}knock-outs"
    get = reads(
        _numbered_list(outcomes.knock_outs),
        name="knock_outs",
        summary="Knock-outs, latest first",
        is_public=True,
        answers=_page_of(outcomes.KnockOut),
        number=lambda line: line[0],
    )


class EventLogResource(EventResultResource):
    path = f"{EVENT}log"
    get = reads(
        _numbered_list(event_queries.log),
        name="event_log",
        summary="The log, latest first",
        is_public=True,
        answers=_page_of(event_queries.LogLine),
        number=lambda line: line[0],
    )


class HandsResource(EventResultResource):
    path = f"{EVENT}hands"
    get = reads(
        hands_of,
        name="event_hands",
        summary="The hands of an event",
        description="Those that are over, newest first, as far as you were in them or may watch.",
        is_public=True,
        answers=EventHandSummary,
        number=lambda hand: hand.id,
    )


class StatsResource(EventResultResource):
    path = f"{EVENT}stats"
    get = reads(stats, name="event_stats", summary="An event in numbers", is_public=True, answers=answer_of(Stats))


api = addresses([ResultsResource, KnockOutsResource, EventLogResource, HandsResource, StatsResource])
