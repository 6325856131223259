"""The resources of dealers and the floor, of rulings, the desk and practice."""

from cardroom.web.api.routes import resource
from games.web.api import dealing, desk, floor, practice, room, rulings

urlpatterns = [
    *resource("tables/<id:table_id>/start-hand", dealing.StartHandView, name="api-start-hand"),
    *resource("tables/<id:table_id>/call-floor", floor.CallFloorView, name="api-call-floor"),
    *resource("hands/<id:hand_id>/dealer", dealing.DealerView, name="api-dealer"),
    *resource("hands/<id:hand_id>/floor", floor.FloorHandView, name="api-floor-hand"),
    *resource("hands/<id:hand_id>/sealed", floor.SealedView, name="api-sealed"),
    *resource("floor", floor.FloorView, name="api-floor"),
    *resource("floor/map", room.MapView, name="api-floor-map"),
    *resource("lobby", room.LobbyView, name="api-lobby"),
    *resource("board", room.BoardView, name="api-board"),
    *resource("floor/calls", floor.CallsView, name="api-floor-calls"),
    *resource("floor/calls/<id:call_id>/answer", floor.AnswerView, name="api-answer-call"),
    *resource("floor/log", floor.FloorLogView, name="api-floor-log"),
    *resource("rulings", rulings.RulingsView, name="api-rulings"),
    *resource("desk", desk.DeskView, name="api-desk"),
    *resource("desk/<slug:what>", desk.DeskAnswerView, name="api-desk-answer"),
    *resource("practice", practice.PracticeView, name="api-practice"),
    *resource("practice/results", practice.PracticeResultsView, name="api-practice-results"),
    *resource("practice/<id:session_id>", practice.SituationView, name="api-situation"),
    *resource("practice/<id:session_id>/answer", practice.PracticeAnswerView, name="api-practice-answer"),
]
