"""The resources of statements, histories and comps."""

from cardroom.web.api.routes import resource
from games.web.api import statement

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
]
