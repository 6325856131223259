"""Pages of those who deal and rule, and the desk and practice where that is learnt."""

from django.urls import path

from games.web import dealer, desk, floor, practice, tablet

urlpatterns = [
    path("tables/<int:table_id>/deal/", dealer.console, name="deal"),
    path("tables/<int:table_id>/tablet/", tablet.page, name="table_tablet"),
    path("tables/<int:table_id>/tablet/<slug:verb>/", tablet.do, name="table_tablet_do"),
    path("floor/", floor.room, name="floor"),
    path("floor/map/", floor.tables, name="floor_map"),
    path("floor/map/<int:table_id>/", floor.panel, name="floor_panel"),
    path("floor/calls/<int:call_id>/answer/", floor.answer_call, name="floor_answer"),
    path("floor/rulings/", floor.rulings, name="floor_rulings"),
    path("floor/log/", floor.log, name="floor_log"),
    path("floor/tables/<int:table_id>/", floor.table, name="floor_table"),
    path("desk/", desk.page, name="desk"),
    path("practice/", practice.begin, name="practice"),
    path("practice/<int:session_id>/", practice.session, name="practice_session"),
]
