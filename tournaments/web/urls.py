"""Pages of tournaments."""

from django.urls import path

from tournaments.web import (
    before,
    clock,
    leagues,
    prints_urls,
    register,
    register_desk,
    results,
    run_urls,
    series,
    templates,
    tickets,
    views,
)

_EVENT = "tournaments/<int:tournament_id>/"
_DESK = f"{_EVENT}desk/"

urlpatterns = [
    path("tournaments/", views.tournaments, name="tournaments"),
    path("tournaments/new/", before.new, name="tournament_new"),
    path(_EVENT, views.flyer, name="tournament"),
    path(f"{_EVENT}players/", views.players, name="tournament_players"),
    path(f"{_EVENT}results/", results.results, name="tournament_results"),
    path(f"{_EVENT}register/", register.register, name="tournament_register"),
    path(f"{_EVENT}unregister/", register.unregister, name="tournament_unregister"),
    path(f"{_EVENT}re-enter/", register.re_enter, name="tournament_re_enter"),
    path(f"{_EVENT}rebuy/", register.rebuy, name="tournament_rebuy"),
    path(f"{_EVENT}automatic-rebuy/", register.automatic_rebuy, name="tournament_automatic_rebuy"),
    path(f"{_EVENT}add-on/", register.add_on, name="tournament_add_on"),
    path(f"{_EVENT}edit/", before.edit, name="tournament_edit"),
    path(f"{_EVENT}announce/", before.announce, name="tournament_announce"),
    path(f"{_EVENT}open/", before.open_registration, name="tournament_open"),
    path(f"{_EVENT}start/", before.start, name="tournament_start"),
    path(f"{_EVENT}cancel/", before.cancel, name="tournament_cancel"),
    path(f"{_EVENT}delete/", before.delete, name="tournament_delete"),
    path(_DESK, register_desk.desk, name="tournament_desk"),
    path(f"{_DESK}enter/", register_desk.enter, name="tournament_desk_enter"),
    path(f"{_DESK}no-shows/", register_desk.no_shows, name="tournament_no_shows"),
    path(f"{_DESK}<int:number>/take-off/", register_desk.take_back, name="tournament_desk_take_back"),
    path(f"{_DESK}<int:number>/re-enter/", register_desk.re_enter, name="tournament_desk_re_enter"),
    path(f"{_DESK}<int:number>/identify/", register_desk.identify, name="tournament_desk_identify"),
    path(f"{_DESK}<int:number>/rebuy/", register_desk.rebuy, name="tournament_desk_rebuy"),
    path(f"{_DESK}<int:number>/add-on/", register_desk.add_on, name="tournament_desk_add_on"),
    path("tournaments/<int:tournament_id>/clock/", clock.clock, name="tournament_clock"),
    path("tournaments/<int:tournament_id>/clock/worker.js", clock.worker, name="tournament_clock_worker"),
    *templates.urlpatterns,
    *series.urlpatterns,
    *leagues.urlpatterns,
    *tickets.urlpatterns,
    *prints_urls.urlpatterns,
    *run_urls.urlpatterns,
]
