"""Where an event is run: the director's console, the dealers' tablets, and the deal."""

from django.urls import path

from tournaments.web import run_levels, run_log, run_race, tablet

_EVENT = "tournaments/<int:tournament_id>/"
_RUN = f"{_EVENT}run/"
_TABLE = f"{_EVENT}tables/<int:number>/"

urlpatterns = [
    path(f"{_RUN}tables/<int:number>/race/", run_race.race, name="tournament_run_race"),
    path(f"{_RUN}levels/", run_levels.levels, name="tournament_run_levels"),
    path(f"{_RUN}log/", run_log.log, name="tournament_run_log"),
    path(f"{_EVENT}tables/", tablet.tablets, name="tournament_tablets"),
    path(_TABLE, tablet.tablet, name="tournament_tablet"),
    path(f"{_TABLE}do/", tablet.do, name="tournament_tablet_do"),
]
