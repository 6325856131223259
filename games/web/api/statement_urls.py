"""The resources of statements, histories, comps and time."""

from itertools import chain

from cardroom.web.api.routes import resource
from games.web.api import statement, times

urlpatterns = [
    *resource("me/statement", statement.MyStatementView, name="api-my-statement"),
    *resource("me/statement/<slug:form>", statement.MyStatementFileView, name="api-my-statement-file"),
    *resource("me/history/<slug:form>", statement.MyHistoryFileView, name="api-my-history-file"),
    *resource("me/history", statement.MyHistoryView, name="api-my-history"),
    *resource("me/comps", statement.MyCompsView, name="api-my-comps"),
    *resource("players/<id:player_id>/statement", statement.PlayerStatementView, name="api-player-statement"),
    *resource(
        "players/<id:player_id>/statement/<slug:form>",
        statement.PlayerStatementFileView,
        name="api-player-statement-file",
    ),
    *resource("tables/<id:table_id>/time", times.TableTimeView, name="api-table-time"),
    *chain.from_iterable(
        resource(f"tables/<id:table_id>/time/{verb}", view, name=f"api-time-{verb}")
        for verb, view in times.VERBS.items()
    ),
    *resource("tables/<id:table_id>/time/end-courtesy", times.EndCourtesyView, name="api-time-end-courtesy"),
    *resource("time-charges/<id:charge_id>/waive", times.WaiveView, name="api-time-waive"),
    *resource("time-charges/<id:charge_id>/collect", times.CollectView, name="api-time-collect"),
]
