"""Series: events that belong together."""

from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework import serializers

from cardroom.services import access
from cardroom.services.errors import CardroomError, NotFound
from cardroom.web.api.fields import Flag, Order, Text
from cardroom.web.cage_pages import went_to
from cardroom.web.operations import Form, Operation, Page, Read
from tournaments.models import Series, Tournament
from tournaments.services import series as services
from tournaments.services import staff
from tournaments.web.api.orders import DIRECTORS
from tournaments.web.api.terms_fields import Day

Refusal = CardroomError | None


# -- what is sent and told ---------------------------------------------------------------------------------------------


class SeriesRow(serializers.ModelSerializer[Series]):
    """Events that belong together."""

    class Meta:
        model = Series
        fields = ("id", "name", "description", "starts_on", "ends_on", "is_archived")


class SeriesChange(Order):
    """What is to be different."""

    name = Text(max_length=80, required=False)
    description = Text(max_length=10_000, required=False, allow_blank=True)
    starts_on = Day(required=False, allow_null=True)
    ends_on = Day(required=False, allow_null=True)
    is_archived = Flag(required=False)


class SeriesOrder(Order):
    """A new series."""

    name = Text(max_length=80)
    description = Text(max_length=10_000, required=False, allow_blank=True)
    starts_on = Day(required=False, allow_null=True)
    ends_on = Day(required=False, allow_null=True)


# -- pages -------------------------------------------------------------------------------------------------------------


def series_list(request: HttpRequest) -> HttpResponse:
    context = {"series": _listed(), "is_director": access.has_role(request.user, *staff.DIRECTORS)}
    return render(request, "tournaments/before/series_list.html", context)


def series(request: HttpRequest, *, series_id: int) -> HttpResponse:
    """A series, and its events in the order in which they are played."""
    row = _series(series_id)
    is_director = access.has_role(request.user, *staff.DIRECTORS)
    events = row.tournaments.order_by("starts_at", "pk")
    if not is_director:
        events = events.exclude(state=Tournament.State.DRAFT)
    context = {"series": row, "events": events, "is_director": is_director}
    return render(request, "tournaments/before/series.html", context)


def new_series(request: HttpRequest, *, refusal: Refusal = None, typed: Any = None) -> HttpResponse:
    context = {"title": "New series", "typed": typed or {}, "refusal": refusal, "key": token_urlsafe(12)}
    return render(request, "tournaments/before/series_form.html", context)


def edit_series(request: HttpRequest, *, series_id: int, refusal: Refusal = None, typed: Any = None) -> HttpResponse:
    row = _series(series_id)
    context = {"title": f"Edit {row.name}", "typed": typed or SeriesRow(row).data, "refusal": refusal}
    return render(request, "tournaments/before/series_form.html", context)


def _listed() -> Any:
    return Series.objects.filter(is_archived=False).order_by("-starts_on", "name")


def _series(series_id: int) -> Series:
    row = Series.objects.filter(pk=series_id).first()
    if row is None:
        raise NotFound("There is no such series.", "no-such-series")
    return row


def _saved(request: HttpRequest, row: Series) -> HttpResponse:
    return went_to(request, f"{row.name} is saved.", "tournament_one_series", row.pk)


ALL = Page("tournaments/series/", "tournament_series", series_list, is_public=True)
ONE = Page("tournaments/series/<id:series_id>/", "tournament_one_series", series, is_public=True)
NEW = Page("tournaments/series/new/", "tournament_series_new", new_series, staff.DIRECTORS)
EDIT = Page("tournaments/series/<id:series_id>/edit/", "tournament_series_edit", edit_series, staff.DIRECTORS)

_read = partial(Read, tag="series", scope="direct", is_public=True, out=SeriesRow)
_verb = partial(Operation, tag="series", scope="direct", roles=staff.DIRECTORS, out=SeriesRow, refuses=(409, 422))

PAGES = [ALL, NEW, ONE, EDIT]
DECLARED = [
    _read(name="all_series", summary="Series", address="series", many=True, finds=lambda by: _listed()),
    _verb(
        name="make_series", summary="Make a series", address="series", does=services.create, order=SeriesOrder,
        description=f"{DIRECTORS} The same name once more, under another key, is refused.", keyed=True, status=201,
        form=Form(NEW.address, NEW.name, NEW, _saved),
    ),
    _read(
        name="series", summary="A series", address="series/<id:series_id>",
        description="Its events: `tournaments?series=`.", finds=lambda by, series_id: _series(series_id),
    ),
    _verb(
        name="edit_series", summary="Change a series", address="series/<id:series_id>", method="PATCH",
        description=DIRECTORS, does=services.edit, order=SeriesChange, form=Form(EDIT.address, EDIT.name, EDIT, _saved),
    ),
]  # fmt: skip
