"""Where an event is run: the director's console, the dealers' tablets, and the deal."""

from django.urls import path

from tournaments.web import deals, run, run_levels, run_log, run_orders, run_panels, run_race, tablet

_EVENT = "tournaments/<int:tournament_id>/"
_RUN = f"{_EVENT}run/"
_TABLE = f"{_EVENT}tables/<int:number>/"

urlpatterns = [
    path(_RUN, run.console, name="tournament_run"),
    path(f"{_RUN}do/", run_orders.do, name="tournament_run_do"),
    path(f"{_RUN}players/<int:number>/", run_panels.panel, {"name": "player"}, name="tournament_run_player"),
    path(f"{_RUN}tables/<int:number>/", run_panels.panel, {"name": "table"}, name="tournament_run_table"),
    path(f"{_RUN}tables/<int:number>/race/", run_race.race, name="tournament_run_race"),
    path(f"{_RUN}clock/", run_panels.panel, {"name": "clock"}, name="tournament_run_clock"),
    path(f"{_RUN}prizes/", run_panels.panel, {"name": "prizes"}, name="tournament_run_prizes"),
    path(f"{_RUN}levels/", run_levels.levels, name="tournament_run_levels"),
    path(f"{_RUN}log/", run_log.log, name="tournament_run_log"),
    path(f"{_EVENT}tables/", tablet.tablets, name="tournament_tablets"),
    path(_TABLE, tablet.tablet, name="tournament_tablet"),
    path(f"{_TABLE}do/", tablet.do, name="tournament_tablet_do"),
    *deals.urlpatterns,
]
