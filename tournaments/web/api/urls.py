"""The resources of tournaments."""

from cardroom.web import operations as of
from cardroom.web.api.routes import resource
from tournaments.web.api import files, results
from tournaments.web.rooms import DECLARED

EVENT = "tournaments/<id:tournament_id>"

urlpatterns = [
    *resource(f"{EVENT}/results", results.ResultsView, name="api-event-results"),
    *resource(f"{EVENT}/knock-outs", results.KnockOutsView, name="api-knock-outs"),
    *resource(f"{EVENT}/stats", results.StatsView, name="api-event-stats"),
    *resource(f"{EVENT}/log", results.LogView, name="api-event-log"),
    *resource(f"{EVENT}/exports/<slug:what>/<slug:form>", files.ExportView, name="api-event-export"),
    *of.resources(DECLARED),
]
