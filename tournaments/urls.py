"""The addresses of tournaments: pages, forms and resources."""

from itertools import chain

from django.urls import path

from cardroom.core.web import operations as of
from tournaments.directing.pages import before, clock, directing, events, levels, money, prizes, registration, results
from tournaments.events.pages import leagues
from tournaments.prizes.pages import tickets
from tournaments.registration.pages import views

_EVENT = "tournaments/<id:tournament_id>/"
_ROOMS = (
    views, events, registration, directing, clock, results, prizes, levels, leagues, tickets, money,
)  # fmt: skip

DECLARED = list(chain.from_iterable(room.DECLARED for room in _ROOMS))

api = [*results.api, *of.resources(DECLARED)]

urlpatterns = [
    path("tournaments/new/", before.new, name="tournament_new"),
    path(f"{_EVENT}edit/", before.edit, name="tournament_edit"),
    path("tournaments/templates/<id:template_id>/", before.edit_template, name="tournament_template"),
    path(f"{_EVENT}run/levels/", levels.to_come, name="tournament_run_levels"),
    *results.urlpatterns,
    *of.pages(chain.from_iterable(room.PAGES for room in _ROOMS), DECLARED),
]
