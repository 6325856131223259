"""Pages of tournaments."""

from django.urls import path

from tournaments.web import clock

urlpatterns = [
    path("tournaments/<int:tournament_id>/clock/", clock.clock, name="tournament_clock"),
]
