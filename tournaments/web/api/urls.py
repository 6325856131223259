"""The resources of tournaments."""

from itertools import chain

from cardroom.web import operations as of
from cardroom.web.api.routes import resource
from tournaments.web.api import events, files, mine, results
from tournaments.web.rooms import DECLARED

EVENT = "tournaments/<id:tournament_id>"
_steps = (resource(f"{EVENT}/{step}", view, name=f"api-event-{step}") for step, view in events.STEPS.items())

urlpatterns = [
    *resource("me/tournaments", mine.MyTournamentsView, name="api-my-tournaments"),
    *resource("tournaments", events.TournamentsView, name="api-tournaments"),
    *resource(EVENT, events.TournamentView, name="api-tournament"),
    *chain.from_iterable(_steps),
    *resource(f"{EVENT}/board", events.BoardView, name="api-event-board"),
    *resource(f"{EVENT}/facts", events.FactsView, name="api-event-facts"),
    *resource(f"{EVENT}/messages", events.MessagesView, name="api-event-messages"),
    *resource(f"{EVENT}/results", results.ResultsView, name="api-event-results"),
    *resource(f"{EVENT}/knock-outs", results.KnockOutsView, name="api-knock-outs"),
    *resource(f"{EVENT}/stats", results.StatsView, name="api-event-stats"),
    *resource(f"{EVENT}/log", results.LogView, name="api-event-log"),
    *resource(f"{EVENT}/exports/<slug:what>/<slug:form>", files.ExportView, name="api-event-export"),
    *of.resources(DECLARED),
]
