"""The resources of dealers, the floor, and rulings."""

from cardroom.web.api.routes import resource
from games.web.api import dealing, floor, rulings

urlpatterns = [
    *resource("tables/<id:table_id>/start-hand", dealing.StartHandView, name="api-start-hand"),
    *resource("tables/<id:table_id>/call-floor", floor.CallFloorView, name="api-call-floor"),
    *resource("hands/<id:hand_id>/dealer", dealing.DealerView, name="api-dealer"),
    *resource("hands/<id:hand_id>/floor", floor.FloorHandView, name="api-floor-hand"),
    *resource("hands/<id:hand_id>/sealed", floor.SealedView, name="api-sealed"),
    *resource("floor", floor.FloorView, name="api-floor"),
    *resource("floor/calls", floor.CallsView, name="api-floor-calls"),
    *resource("floor/calls/<id:call_id>/answer", floor.AnswerView, name="api-answer-call"),
    *resource("floor/log", floor.FloorLogView, name="api-floor-log"),
    *resource("rulings", rulings.RulingsView, name="api-rulings"),
]
