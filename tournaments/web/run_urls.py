"""What is edited step by step while an event runs, and its log."""

from django.urls import path

from tournaments.web import run_levels, run_log, run_race

_EVENT = "tournaments/<int:tournament_id>/"
_RUN = f"{_EVENT}run/"

urlpatterns = [
    path(f"{_RUN}tables/<int:number>/race/", run_race.race, name="tournament_run_race"),
    path(f"{_RUN}levels/", run_levels.levels, name="tournament_run_levels"),
    path(f"{_RUN}log/", run_log.log, name="tournament_run_log"),
]
