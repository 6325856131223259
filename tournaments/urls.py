"""The addresses of tournaments: pages, forms and resources."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.urls import path

from cardroom.core.web.page_urls import page_urls
from tournaments.directing.pages import (
    clock,
    clock_api,
    console_forms,
    deal,
    desk,
    directing_api,
    entries_api,
    event_editor,
    events,
    events_api,
    levels_to_come,
    money,
    money_api,
    own_entry,
    panels,
    prints,
    prizes_api,
    results,
    results_api,
    structures_api,
    templates,
    templates_api,
)
from tournaments.events.pages import (
    leagues,
    leagues_api,
    schema,  # noqa: F401  describes fields of events in the OpenAPI document
    series,
    series_api,
)
from tournaments.prizes.pages import tickets, tickets_api
from tournaments.registration.pages import views

_EVENT = "tournaments/<id:tournament_id>/"
ROOMS = (
    views, events, events_api, own_entry, desk, entries_api, panels, directing_api, console_forms, clock, clock_api,
    results, results_api, prints, deal, prizes_api, templates, templates_api, structures_api, leagues, leagues_api,
    series, series_api, tickets, tickets_api, money, money_api,
)  # fmt: skip


def _of_all(name: str) -> Iterator[Any]:
    return chain.from_iterable(getattr(room, name, ()) for room in ROOMS)


api = list(_of_all("api"))

urlpatterns = [
    path("tournaments/new/", event_editor.new, name="tournament_new"),
    path(f"{_EVENT}edit/", event_editor.edit, name="tournament_edit"),
    path("tournaments/templates/<id:template_id>/", event_editor.edit_template, name="tournament_template"),
    path(f"{_EVENT}run/levels/", levels_to_come.levels_page, name="tournament_run_levels"),
    *_of_all("urlpatterns"),
    *page_urls(_of_all("PAGES"), forms=_of_all("POSTS")),
]
