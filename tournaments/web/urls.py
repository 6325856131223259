"""Pages of tournaments."""

from django.urls import path

from tournaments.web import (
    before,
    clock,
    leagues,
    prints_urls,
    registration,
    results,
    run_urls,
    series,
    templates,
    tickets,
    views,
)

_EVENT = "tournaments/<int:tournament_id>/"

urlpatterns = [
    path("tournaments/", views.tournaments, name="tournaments"),
    path("tournaments/new/", before.new, name="tournament_new"),
    path(_EVENT, views.flyer, name="tournament"),
    path(f"{_EVENT}players/", views.players, name="tournament_players"),
    path(f"{_EVENT}results/", results.results, name="tournament_results"),
    path(f"{_EVENT}edit/", before.edit, name="tournament_edit"),
    path(f"{_EVENT}announce/", before.announce, name="tournament_announce"),
    path(f"{_EVENT}open/", before.open_registration, name="tournament_open"),
    path(f"{_EVENT}start/", before.start, name="tournament_start"),
    path(f"{_EVENT}cancel/", before.cancel, name="tournament_cancel"),
    path(f"{_EVENT}delete/", before.delete, name="tournament_delete"),
    path("tournaments/<int:tournament_id>/clock/", clock.clock, name="tournament_clock"),
    path("tournaments/<int:tournament_id>/clock/worker.js", clock.worker, name="tournament_clock_worker"),
    *registration.urlpatterns,
    *templates.urlpatterns,
    *series.urlpatterns,
    *leagues.urlpatterns,
    *tickets.urlpatterns,
    *prints_urls.urlpatterns,
    *run_urls.urlpatterns,
]
