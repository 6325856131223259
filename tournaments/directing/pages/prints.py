"""Files of an event: receipts, cards and slips to be printed, and its exports."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.views import APIView

from cardroom.core.documents import PDF, File
from cardroom.core.web import parts
from cardroom.core.web.api.routes import resource
from cardroom.core.web.file_answers import file_answer
from tournaments.directing import exports, receipts, seat_cards, sheets
from tournaments.events.models import Tournament
from tournaments.registration.pages.views import EVENT, event_for, event_of

Print = Callable[..., File]


def _receipt(name: str, drawn: Callable[..., bytes]) -> Print:
    """A receipt, which names its own address."""

    def made(request: HttpRequest, row: Tournament, number: int) -> File:
        own_address = request.build_absolute_uri(request.path)
        body = partial(drawn, tournament=row, number=number, by=request.user, now=timezone.now(), address=own_address)
        return _pdf(f"{name}-{row.pk}-{number}", body)

    return made


def _seat_card(request: HttpRequest, row: Tournament, number: int) -> File:
    address = _at_desk(request, row)(number)
    body = partial(seat_cards.seat_card, tournament=row, number=number, by=request.user, address=address)
    return _pdf(f"seat-{row.pk}-{number}", body)


def _seat_cards(request: HttpRequest, row: Tournament) -> File:
    """`?table=` one table; `?after=` the tables behind that one, where there are more cards than one file holds."""
    table, after = (parts.query_number(request, name) or 0 for name in ("table", "after"))
    body = partial(
        seat_cards.seat_cards, tournament=row, by=request.user, table=table, after=after, address=_at_desk(request, row)
    )
    return _pdf(f"seats-{row.pk}", body)


def _move_slips(request: HttpRequest, row: Tournament) -> File:
    """The latest moves; `?after=` a fact: all since then."""
    body = partial(seat_cards.move_slips, tournament=row, by=request.user, after=parts.query_number(request, "after"))
    return _pdf(f"moves-{row.pk}", body)


def _new_moves(request: HttpRequest, row: Tournament) -> File:
    """The moves since they were printed last."""
    body = partial(seat_cards.new_move_slips, tournament=row, by=request.user, now=timezone.now())
    return _pdf(f"moves-{row.pk}", body)


def _payout_receipts(request: HttpRequest, row: Tournament) -> File:
    """All receipts of payouts, each with its own address."""

    def address(number: int) -> str:
        return request.build_absolute_uri(reverse("tournament_payout_receipt", args=[row.pk, number]))

    body = partial(receipts.prize_receipts, tournament=row, by=request.user, now=timezone.now())
    return _pdf(f"payouts-{row.pk}", partial(body, address=address))


def _sheet(name: str, drawn: Callable[..., bytes], **options: Any) -> Print:
    def made(request: HttpRequest, row: Tournament) -> File:
        return _pdf(f"{name}-{row.pk}", partial(drawn, tournament=row, by=request.user, **options))

    return made


def _structure(request: HttpRequest, row: Tournament) -> File:
    body = partial(sheets.structure_sheet, tournament=row, now=timezone.now())
    return _pdf(f"structure-{row.pk}", body)


def _export(request: HttpRequest | Request, row: Tournament, what: str, form: str) -> File:
    """One of `exports.TABLES`, as csv, json or pdf."""
    return exports.export(tournament=row, what=what, form=form, viewer=request.user, now=timezone.now())


def _pdf(name: str, body: Callable[[], bytes]) -> File:
    return File(f"{name}.pdf", PDF, body)


def _at_desk(request: HttpRequest, row: Tournament) -> Callable[[int], str]:
    """The address of an entry at the desk, which finds it by its number."""
    desk = request.build_absolute_uri(reverse("tournament_desk", args=[row.pk]))
    return lambda number: f"{desk}?entry={number}"


def _path(address: str, name: str, printed: Print, *, is_public: bool = False) -> URLPattern:
    """The address of what is shown to be printed, or saved. It takes no HEAD, which would print too."""

    def answer(request: HttpRequest, tournament_id: int, **arguments: Any) -> HttpResponse:
        return file_answer(printed(request, event_of(request, tournament_id), **arguments))

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


urlpatterns = [
    _path("print/receipts/<id:number>/", "receipt", _receipt("receipt", receipts.receipt)),
    _path("print/payouts/<id:number>/", "payout_receipt", _receipt("payout", receipts.prize_receipt)),
    _path("print/seats/", "seat_cards", _seat_cards),
    _path("print/seats/<id:number>/", "seat_card", _seat_card),
    _path("print/moves/", "move_slips", _move_slips),
    _path("print/moves/new/", "new_move_slips", _new_moves),
    _path("print/payouts/", "payout_receipts", _payout_receipts),
    _path("print/payouts/sheet/", "payouts_sheet", _sheet("payouts", sheets.payouts_sheet)),
    _path("print/names/", "seating_names", _sheet("names", sheets.seating_sheet, by_name=True)),
    _path("print/tables/", "seating_tables", _sheet("tables", sheets.seating_sheet, by_name=False)),
    _path("print/counts/", "count_sheets", _sheet("counts", sheets.count_sheets)),
    _path("print/structure/", "structure_sheet", _structure, is_public=True),
    _path("export/<slug:what>.<slug:form>", "export", _export, is_public=True),
]
api = resource(f"{EVENT}exports/<slug:what>/<slug:form>", ExportView, name="api-event-export")
