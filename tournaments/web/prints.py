"""Files of an event: receipts, cards and slips to be printed, and its exports."""

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from cardroom.services.errors import Invalid
from cardroom.services.prints.files import PDF, File
from cardroom.web import files
from tournaments.models import Tournament
from tournaments.services import exports, prints
from tournaments.web.views import event_of

_MOST = 10**9


@login_required
@never_cache
@require_GET
def receipt(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    row = event_of(request, tournament_id)
    body = prints.receipt(tournament=row, number=number, by=request.user, now=timezone.now(), address=_here(request))
    return _pdf(f"receipt-{row.pk}-{number}.pdf", body)


@login_required
@never_cache
@require_GET
def prize_receipt(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    row = event_of(request, tournament_id)
    body = prints.prize_receipt(
        tournament=row, number=number, by=request.user, now=timezone.now(), address=_here(request)
    )
    return _pdf(f"payout-{row.pk}-{number}.pdf", body)


@login_required
@never_cache
@require_GET
def seat_card(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    row = event_of(request, tournament_id)
    address = _at_desk(request, row)(number)
    body = prints.seat_card(tournament=row, number=number, by=request.user, address=address)
    return _pdf(f"seat-{row.pk}-{number}.pdf", body)


@login_required
@never_cache
@require_GET
def seat_cards(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """`?table=` one table; `?after=` the tables behind that one, where there are more cards than one file holds."""
    row = event_of(request, tournament_id)
    table, after = _whole(request, "table") or 0, _whole(request, "after") or 0
    body = prints.seat_cards(tournament=row, by=request.user, table=table, after=after, address=_at_desk(request, row))
    return _pdf(f"seats-{row.pk}.pdf", body)


@login_required
@never_cache
@require_GET
def move_slips(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The latest moves; `?after=` a fact: all since then."""
    row = event_of(request, tournament_id)
    body = prints.move_slips(tournament=row, by=request.user, after=_whole(request, "after"))
    return _pdf(f"moves-{row.pk}.pdf", body)


@never_cache
@require_GET
def structure(request: HttpRequest, tournament_id: int) -> HttpResponse:
    row = event_of(request, tournament_id)
    return _pdf(f"structure-{row.pk}.pdf", prints.structure_sheet(tournament=row))


@never_cache
@require_GET
def export(request: HttpRequest, tournament_id: int, what: str, form: str) -> HttpResponse:
    """One of `exports.TABLES`, as csv, json or pdf."""
    row = event_of(request, tournament_id)
    file = exports.export(tournament=row, what=what, form=form, viewer=request.user, now=timezone.now())
    return files.answer(file)


def _pdf(name: str, body: bytes) -> HttpResponse:
    return files.answer(File(name, PDF, body))


def _here(request: HttpRequest) -> str:
    """This document's own address, without what was asked beside it."""
    return request.build_absolute_uri(request.path)


def _at_desk(request: HttpRequest, row: Tournament) -> Callable[[int], str]:
    """Where an entry is found at the desk, by its number."""
    desk = request.build_absolute_uri(reverse("tournament_desk", args=[row.pk]))
    return lambda number: f"{desk}?entry={number}"


def _whole(request: HttpRequest, name: str) -> int | None:
    given = request.GET.get(name, "")
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and int(given[:12]) < _MOST):
        raise Invalid(f"`{name}` is a whole number.", "bad-number")
    return int(given)
