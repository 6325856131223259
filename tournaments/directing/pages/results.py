"""How an event comes out: places and prizes, knock-outs, the deal, the log of what was done, and its numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Annotated, Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.views import APIView

from cardroom.core.arguments import Limits
from cardroom.core.documents import PDF, File
from cardroom.core.models import User
from cardroom.core.web import parts
from cardroom.core.web.api.routes import NewestFirst, resource
from cardroom.core.web.api.shapes import NAMED, Shape, object_of
from cardroom.core.web.operations import Context, Page, Told, file_answer
from cardroom.core.web.resources import Resource, addresses, reads
from games.tables.queries import history
from tournaments.directing import documents as directing_documents
from tournaments.directing import exports
from tournaments.directing import queries as event_results
from tournaments.directing.pages.directing import told_as
from tournaments.engine import plain
from tournaments.engine.config import FREE, Paid
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events import journal as event_journal
from tournaments.events import queries as event_queries
from tournaments.events import staff
from tournaments.events.models import Payment, Tournament
from tournaments.events.terms import PARTS
from tournaments.prizes.queries import prizes_of
from tournaments.registration.pages.flyer import looking
from tournaments.registration.pages.views import EVENT, event_for, event_of

PLACES_A_PAGE = ACTIONS_A_PAGE = 100
HANDS_A_PAGE = 50
MOST_KNOCK_OUTS = 500
_MOST_DEEP = 10**9

DEALS = {
    "icm": gettext_lazy("by ICM"),
    "chip": gettext_lazy("by chips"),
    "even": gettext_lazy("in even parts"),
    "custom": gettext_lazy("as agreed"),
}


# -- pages -------------------------------------------------------------------------------------------------------------


def results(request: HttpRequest, *, tournament_id: int) -> Context:
    """The places, so far while it is played; `?page=` further down."""
    row = event_of(request, tournament_id)
    with looking(row, now=timezone.now()) as state:
        deal = _deal(state)
    return {
        "tournament": row,
        "page": Paginator(event_results.results(row), PLACES_A_PAGE).get_page(request.GET.get("page")),
        "knock_outs": event_results.knock_outs(row)[:MOST_KNOCK_OUTS],
        "deal": deal,
        "money": _money(row),
    }


def _deal(state: Engine) -> dict[str, Any] | None:
    """`amounts`: (name, amount) in the order of entry; `play_for`: what was left to play for."""
    made = state.deal
    if made is None:
        return None
    amounts = [(state.entrants[number].name, amount) for number, amount in made.amounts]
    return {"kind": DEALS.get(made.deal, made.deal), "play_for": made.play_for, "amounts": amounts}


def _money(row: Tournament) -> dict[str, Any]:
    """What was paid in by part, and how often for what; one query."""
    by_what = (
        Payment.objects.filter(tournament=row, refunded_at=None)
        .values("what")
        .order_by("what")
        .annotate(times=Count("pk"), **{f"all_{part}": Sum(part) for part in PARTS})
    )
    found = list(by_what)
    return {part: sum(each[f"all_{part}"] for each in found) for part in PARTS} | {
        "counts": [(str(Payment.What(each["what"]).label), each["times"]) for each in found]
    }


def log(request: HttpRequest, *, tournament_id: int) -> Context:
    """Everything that was done in an event, with who did it and what was undone; `?page=` further back."""
    row = event_of(request, tournament_id)
    page = Paginator(event_queries.log(row), ACTIONS_A_PAGE).get_page(request.GET.get("page"))
    names = dict(User.objects.filter(pk__in={each.by for each in page if each.by}).values_list("pk", "username"))
    actions = [(each, names.get(each.by or 0, gettext("the house"))) for each in page]
    return {"tournament": row, "page": page, "actions": actions}


def hands(request: HttpRequest, *, tournament_id: int) -> Context:
    """The hands of an event that the viewer may see, newest first: all, or `?own=1` their own; `?before=` goes back."""
    row = event_of(request, tournament_id)
    before, own = parts.asked(request, "before"), bool(parts.asked(request, "own"))
    found = history.hands_of_event(row.unit, request.user, limit=HANDS_A_PAGE + 1, before=before, own=own)
    return {"tournament": row, "hands": found[:HANDS_A_PAGE], "is_full": len(found) > HANDS_A_PAGE, "own": own}


# -- what programs are told --------------------------------------------------------------------------------------------


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
        return _counted(row, state, event_journal.ms(timezone.now()))


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


def _in_order(rows: Callable[[Tournament], Any]) -> Callable[..., list[tuple[int, Any]]]:
    """A list of an event in the order that `rows` gives it. Its pages go by the places in it, from 1."""

    def read(*, tournament_id: int, before: int | None, limit: int, by: Any) -> list[tuple[int, Any]]:
        start = min(before or 0, _MOST_DEEP)
        return list(enumerate(rows(event_for(by, tournament_id))[start : start + limit], start + 1))

    return read


def _page_of(row: type) -> Told:
    """A page of a list as `_in_order` gives it."""
    schema = NewestFirst().get_paginated_response_schema({"type": "array", "items": object_of(row)})
    return Told(schema | {NAMED: f"{row.__name__}Page"}, lambda rows: plain.to_plain([line for _, line in rows]))


class EventHand(Shape):
    of = history.EventHand
    shows = "id table table_name number ended_at pot winners net"
    says = {"net": "What it brought you; null where you were not in it.", "winners": "Of the whole pot or of parts."}


def hands_of(
    *,
    tournament_id: int,
    own: Annotated[bool, Limits(default=False, help_text="Only those you were in.")] = False,
    before: int | None,
    limit: int,
    by: Any,
) -> list[history.EventHand]:
    """The hands of an event that are over, the newest first."""
    return history.hands_of_event(event_for(by, tournament_id).unit, by, own=own, before=before, limit=limit)


class OfResults(Resource):
    """What there is to see of an event."""

    tags = ("results",)


class ResultsResource(OfResults):
    path = f"{EVENT}results"
    get = reads(
        _in_order(event_results.results),
        name="event_results",
        summary="Results, best first; players still in by chips, then those out",
        is_public=True,
        answers=_page_of(event_results.Result),
        number=lambda line: line[0],
    )


class KnockOutsResource(OfResults):
    path = f"{EVENT}knock-outs"
    get = reads(
        _in_order(event_results.knock_outs),
        name="knock_outs",
        summary="Knock-outs, latest first",
        is_public=True,
        answers=_page_of(event_results.KnockOut),
        number=lambda line: line[0],
    )


class LogResource(OfResults):
    path = f"{EVENT}log"
    get = reads(
        _in_order(event_queries.log),
        name="event_log",
        summary="The log, latest first",
        is_public=True,
        answers=_page_of(event_queries.Action),
        number=lambda line: line[0],
    )


class HandsResource(OfResults):
    path = f"{EVENT}hands"
    get = reads(
        hands_of,
        name="event_hands",
        summary="The hands of an event",
        description="Those that are over, newest first, as far as you were in them or may watch.",
        is_public=True,
        answers=EventHand,
        number=lambda hand: hand.id,
    )


class StatsResource(OfResults):
    path = f"{EVENT}stats"
    get = reads(stats, name="event_stats", summary="An event in numbers", is_public=True, answers=told_as(Stats))


PAGES = [
    Page(f"{EVENT}results/", "tournament_results", results, is_public=True, template="tournaments/events/results.html"),
    Page(f"{EVENT}hands/", "tournament_hands", hands, is_public=True, template="tournaments/events/hands.html"),
    Page(f"{EVENT}run/log/", "tournament_run_log", log, staff.DIRECTORS, template="tournaments/directing/log.html"),
]


# Files of an event: receipts, cards and slips to be printed, and its exports.


Print = Callable[..., File]


def _receipt(name: str, drawn: Callable[..., bytes]) -> Print:
    """A receipt, which names its own address."""

    def made(request: HttpRequest, row: Tournament, number: int) -> File:
        here = request.build_absolute_uri(request.path)
        body = partial(drawn, tournament=row, number=number, by=request.user, now=timezone.now(), address=here)
        return _pdf(f"{name}-{row.pk}-{number}", body)

    return made


def _seat_card(request: HttpRequest, row: Tournament, number: int) -> File:
    address = _at_desk(request, row)(number)
    body = partial(directing_documents.seat_card, tournament=row, number=number, by=request.user, address=address)
    return _pdf(f"seat-{row.pk}-{number}", body)


def _seat_cards(request: HttpRequest, row: Tournament) -> File:
    """`?table=` one table; `?after=` the tables behind that one, where there are more cards than one file holds."""
    table, after = (parts.asked(request, name) or 0 for name in ("table", "after"))
    body = partial(
        directing_documents.seat_cards,
        tournament=row,
        by=request.user,
        table=table,
        after=after,
        address=_at_desk(request, row),
    )
    return _pdf(f"seats-{row.pk}", body)


def _move_slips(request: HttpRequest, row: Tournament) -> File:
    """The latest moves; `?after=` a fact: all since then."""
    body = partial(directing_documents.move_slips, tournament=row, by=request.user, after=parts.asked(request, "after"))
    return _pdf(f"moves-{row.pk}", body)


def _new_moves(request: HttpRequest, row: Tournament) -> File:
    """The moves since they were printed last."""
    body = partial(directing_documents.new_move_slips, tournament=row, by=request.user, now=timezone.now())
    return _pdf(f"moves-{row.pk}", body)


def _payout_receipts(request: HttpRequest, row: Tournament) -> File:
    """All receipts of payouts, each with its own address."""

    def address(number: int) -> str:
        return request.build_absolute_uri(reverse("tournament_payout_receipt", args=[row.pk, number]))

    made = partial(directing_documents.prize_receipts, tournament=row, by=request.user, now=timezone.now())
    return _pdf(f"payouts-{row.pk}", partial(made, address=address))


def _sheet(name: str, drawn: Callable[..., bytes], **options: Any) -> Print:
    def made(request: HttpRequest, row: Tournament) -> File:
        return _pdf(f"{name}-{row.pk}", partial(drawn, tournament=row, by=request.user, **options))

    return made


def _structure(request: HttpRequest, row: Tournament) -> File:
    made = partial(directing_documents.structure_sheet, tournament=row, now=timezone.now())
    return _pdf(f"structure-{row.pk}", made)


def _export(request: HttpRequest | Request, row: Tournament, what: str, form: str) -> File:
    """One of `exports.TABLES`, as csv, json or pdf."""
    return exports.export(tournament=row, what=what, form=form, viewer=request.user, now=timezone.now())


def _pdf(name: str, body: Callable[[], bytes]) -> File:
    return File(f"{name}.pdf", PDF, body)


def _at_desk(request: HttpRequest, row: Tournament) -> Callable[[int], str]:
    """Where an entry is found at the desk, by its number."""
    desk = request.build_absolute_uri(reverse("tournament_desk", args=[row.pk]))
    return lambda number: f"{desk}?entry={number}"


def _path(address: str, name: str, made: Print, *, is_public: bool = False) -> URLPattern:
    """The address of what is shown to be printed, or saved. It takes no HEAD, which would print too."""

    def answer(request: HttpRequest, tournament_id: int, **asked: Any) -> HttpResponse:
        return file_answer(made(request, event_of(request, tournament_id), **asked))

    view = never_cache(require_GET(answer))
    return path(f"{EVENT}{address}", view if is_public else login_required(view), name=f"tournament_{name}")


class ExportView(APIView):
    """One table of an event as a file."""

    class ByAddress(DefaultContentNegotiation):
        """The address says the form: whatever a program accepts, a refusal is a problem in JSON."""

        def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
            return renderers[0], renderers[0].media_type

    tags = ("results",)
    is_public = True
    content_negotiation_class = ByAddress

    @extend_schema(
        operation_id="export",
        summary="An event as a file",
        description=f"`what`: {', '.join(exports.TABLES)}; `form`: csv or json, for the results also pdf. Entries and "
        "payouts are for the staff of the desk.",
        responses={
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "application/pdf"): OpenApiTypes.BINARY,
        },
    )
    def get(self, request: Request, tournament_id: int, what: str, form: str) -> HttpResponse:
        return file_answer(_export(request, event_for(request.user, tournament_id), what, form), is_saved=True)


api = [
    *addresses([ResultsResource, KnockOutsResource, LogResource, HandsResource, StatsResource]),
    *resource(f"{EVENT}exports/<slug:what>/<slug:form>", ExportView, name="api-event-export"),
]

urlpatterns = [
    _path("print/receipts/<id:number>/", "receipt", _receipt("receipt", directing_documents.receipt)),
    _path("print/payouts/<id:number>/", "payout_receipt", _receipt("payout", directing_documents.prize_receipt)),
    _path("print/seats/", "seat_cards", _seat_cards),
    _path("print/seats/<id:number>/", "seat_card", _seat_card),
    _path("print/moves/", "move_slips", _move_slips),
    _path("print/moves/new/", "new_move_slips", _new_moves),
    _path("print/payouts/", "payout_receipts", _payout_receipts),
    _path("print/payouts/sheet/", "payouts_sheet", _sheet("payouts", directing_documents.payouts_sheet)),
    _path("print/names/", "seating_names", _sheet("names", directing_documents.seating_sheet, by_name=True)),
    _path("print/tables/", "seating_tables", _sheet("tables", directing_documents.seating_sheet, by_name=False)),
    _path("print/counts/", "count_sheets", _sheet("counts", directing_documents.count_sheets)),
    _path("print/structure/", "structure_sheet", _structure, is_public=True),
    _path("export/<slug:what>.<slug:form>", "export", _export, is_public=True),
]
