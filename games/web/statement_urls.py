"""Pages of statements and histories."""

from django.urls import path

from games.web import statement

urlpatterns = [
    path("me/statement/", statement.mine, name="my_statement"),
    path("me/statement/stays/<int:stay_id>/", statement.my_hands, name="my_statement_hands"),
    path("me/statement/<slug:form>/", statement.my_file, name="my_statement_file"),
    path("me/history/", statement.my_history, name="my_history"),
    path("me/history/<slug:form>/", statement.my_history_file, name="my_history_file"),
    path("players/<int:player_id>/statement/", statement.of_player, name="player_statement"),
    path("players/<int:player_id>/statement/<slug:form>/", statement.file_of_player, name="player_statement_file"),
]
