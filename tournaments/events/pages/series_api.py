"""Series of events for programs."""

from typing import Any

from rest_framework import serializers

from cardroom.core.web.api.fields import Change, FlagField, RequestBody, Text
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.events import queries as event_queries
from tournaments.events import series as series_services
from tournaments.events.models import Series
from tournaments.events.pages.fields import DIRECTORS, DayField


class SeriesRow(serializers.ModelSerializer[Series]):
    """Events that belong together."""

    class Meta:
        model = Series
        fields = ("id", "name", "description", "starts_on", "ends_on", "is_archived")


class _OfSeries(RequestBody):
    name = Text(max_length=80, required=False)
    description = Text(max_length=10_000, required=False, allow_blank=True)
    starts_on = DayField(required=False, allow_null=True)
    ends_on = DayField(required=False, allow_null=True)


class SeriesChange(Change, _OfSeries):
    """What is to be different."""

    is_archived = FlagField(required=False)


class SeriesOrder(_OfSeries):
    """A new series."""

    name = Text(max_length=80)


def all_series(*, by: Any) -> Any:
    """The series that are not put away."""
    return event_queries.shown_series()


def one_series(*, series_id: int, by: Any) -> Series:
    """A series."""
    return event_queries.one_series(series_id)


class OfSeries(Resource):
    """Series: read by everybody, changed by directors."""

    tags, scope = ("series",), "direct"


class AllSeriesResource(OfSeries):
    path = "series"
    get = reads(all_series, name="all_series", summary="Series", is_public=True, answers=SeriesRow, many=True)
    post = does(
        series_services.create,
        name="make_series",
        summary="Create a series",
        description=f"{DIRECTORS} A name that exists is refused, under another key.",
        body=SeriesOrder,
        answers=SeriesRow,
        status=201,
        refuses=(409, 422),
    )


class OneSeriesResource(OfSeries):
    path = "series/<id:series_id>"
    get = reads(
        one_series,
        name="series",
        summary="A series",
        description="Its events: `tournaments?series=`.",
        is_public=True,
        answers=SeriesRow,
    )
    patch = does(
        series_services.edit,
        name="edit_series",
        summary="Change a series",
        description=DIRECTORS,
        body=SeriesChange,
        answers=SeriesRow,
        refuses=(409, 422),
    )


api = addresses([AllSeriesResource, OneSeriesResource])
