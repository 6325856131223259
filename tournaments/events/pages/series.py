"""Pages of series: events that belong together."""

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from tournaments.events import queries as event_queries
from tournaments.events import series as series_services
from tournaments.events import staff
from tournaments.events.models import Tournament
from tournaments.events.pages.leagues import SaveRowForm, is_director
from tournaments.events.pages.series_api import SeriesChange, SeriesOrder, SeriesRow


def series_list(request: HttpRequest) -> Context:
    return {"series": event_queries.shown_series(), "is_director": is_director(request)}


def series(request: HttpRequest, *, series_id: int) -> Context:
    """A series, and its events in the order in which they are played."""
    row = event_queries.one_series(series_id)
    events = row.tournaments.order_by("starts_at", "pk")
    if not is_director(request):
        events = events.exclude(state=Tournament.State.DRAFT)
    return {"series": row, "events": events, "is_director": is_director(request)}


def new_series(request: HttpRequest) -> Context:
    return {"title": gettext("New series")}


def edit_series(request: HttpRequest, *, series_id: int) -> Context:
    row = event_queries.one_series(series_id)
    return {"title": gettext("Edit {name}").format(name=row.name), "typed": request.POST or SeriesRow(row).data}


_SERIES, _TEMPLATES = "tournaments/series/", "tournaments/events/before/series"
ALL_SERIES = Page(_SERIES, "tournament_series", series_list, is_public=True, template=f"{_TEMPLATES}_list.html")
ONE_SERIES = Page(
    f"{_SERIES}<id:series_id>/", "tournament_one_series", series, is_public=True, template=f"{_TEMPLATES}.html"
)
NEW_SERIES = Page(
    f"{_SERIES}new/", "tournament_series_new", new_series, staff.DIRECTORS, template=f"{_TEMPLATES}_form.html"
)
EDIT_SERIES = Page(
    f"{_SERIES}<id:series_id>/edit/", "tournament_series_edit", edit_series, staff.DIRECTORS,
    template=f"{_TEMPLATES}_form.html",
)  # fmt: skip


class CreateSeriesForm(SaveRowForm):
    page, does, body, shown = NEW_SERIES, series_services.create, SeriesOrder, ONE_SERIES
    then = gettext_lazy("{0.name} is saved.")


class EditSeriesForm(SaveRowForm):
    page, does, body, shown = EDIT_SERIES, series_services.edit, SeriesChange, ONE_SERIES
    then = gettext_lazy("{0.name} is saved.")


urlpatterns = page_urls([ALL_SERIES, NEW_SERIES, ONE_SERIES, EDIT_SERIES], forms=[CreateSeriesForm, EditSeriesForm])
