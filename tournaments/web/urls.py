"""Pages of tournaments."""

from django.urls import path

from cardroom.web import operations as of
from tournaments.web import before, clock, prints_urls, results, rooms, run_urls, templates, views

_EVENT = "tournaments/<int:tournament_id>/"

urlpatterns = [
    path("tournaments/", views.tournaments, name="tournaments"),
    path("tournaments/new/", before.new, name="tournament_new"),
    path(_EVENT, views.flyer, name="tournament"),
    path(f"{_EVENT}players/", views.players, name="tournament_players"),
    path(f"{_EVENT}results/", results.results, name="tournament_results"),
    path(f"{_EVENT}edit/", before.edit, name="tournament_edit"),
    path("tournaments/templates/<int:template_id>/", templates.edit_template, name="tournament_template"),
    path("tournaments/<int:tournament_id>/clock/", clock.clock, name="tournament_clock"),
    path("tournaments/<int:tournament_id>/clock/worker.js", clock.worker, name="tournament_clock_worker"),
    *of.pages(rooms.PAGES, rooms.DECLARED),
    *prints_urls.urlpatterns,
    *run_urls.urlpatterns,
]
