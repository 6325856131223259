"""The addresses of tournaments: pages, forms and resources."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.urls import path

from cardroom.core.web import operations as of
from tournaments.directing.pages import (
    before,
    clock,
    console_forms,
    directing,
    events,
    levels,
    money,
    prizes,
    registration,
    results,
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
    views, events, registration, directing, console_forms, clock, results, prizes, levels, leagues, leagues_api, series,
    series_api, tickets, tickets_api, money,
)  # fmt: skip


def _of_all(name: str) -> Iterator[Any]:
    return chain.from_iterable(getattr(room, name, ()) for room in ROOMS)


api = list(_of_all("api"))

urlpatterns = [
    path("tournaments/new/", before.new, name="tournament_new"),
    path(f"{_EVENT}edit/", before.edit, name="tournament_edit"),
    path("tournaments/templates/<id:template_id>/", before.edit_template, name="tournament_template"),
    path(f"{_EVENT}run/levels/", levels.to_come, name="tournament_run_levels"),
    *_of_all("urlpatterns"),
    *of.pages(_of_all("PAGES"), posts=_of_all("POSTS")),
]
