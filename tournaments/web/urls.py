"""Pages of tournaments."""

from django.urls import path

from tournaments.web import (
    before,
    before_series,
    before_templates,
    before_tickets,
    clock,
    leagues,
    prints_urls,
    register,
    register_desk,
    results,
    run_urls,
    views,
)

_EVENT = "tournaments/<int:tournament_id>/"
_DESK = f"{_EVENT}desk/"

urlpatterns = [
    path("tournaments/", views.tournaments, name="tournaments"),
    path("tournaments/new/", before.new, name="tournament_new"),
    path("tournaments/templates/", before_templates.template_list, name="tournament_templates"),
    path("tournaments/templates/<int:template_id>/", before_templates.edit_template, name="tournament_template"),
    path(
        "tournaments/templates/<int:template_id>/put-away/",
        before_templates.archive_template,
        name="tournament_template_archive",
    ),
    path("tournaments/series/", before_series.series_list, name="tournament_series"),
    path("tournaments/series/new/", before_series.new_series, name="tournament_series_new"),
    path("tournaments/series/<int:series_id>/", before_series.series, name="tournament_one_series"),
    path("tournaments/series/<int:series_id>/edit/", before_series.edit_series, name="tournament_series_edit"),
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
    path(f"{_EVENT}template/", before_templates.save_template, name="tournament_save_template"),
    path(f"{_EVENT}tickets/", before_tickets.ticket_list, name="tournament_tickets"),
    path(f"{_EVENT}tickets/give/", before_tickets.give, name="tournament_ticket_give"),
    path(f"{_EVENT}tickets/<int:ticket_id>/end/", before_tickets.end, name="tournament_ticket_end"),
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
    *leagues.urlpatterns,
    *prints_urls.urlpatterns,
    *run_urls.urlpatterns,
]
