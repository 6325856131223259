"""The resources of jackpots."""

from cardroom.web.api.routes import resource
from games.web.api import jackpots

urlpatterns = [
    *resource("jackpots", jackpots.JackpotsView, name="api-jackpots"),
    *resource("jackpots/<id:jackpot_id>", jackpots.JackpotView, name="api-jackpot"),
    *resource("jackpots/<id:jackpot_id>/hits", jackpots.HitsView, name="api-jackpot-hits"),
]
