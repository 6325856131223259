"""The map of the room and the board on the wall."""

from datetime import datetime

from tests.support.crowd import a_full_room
from tests.support.models import FloorCall, Table, User
from tests.web.room_rows import rows

ROWS = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     200       200    200    200   200     200     200      /board/ /board/screens/?where=room
            /api/v1/lobby /api/v1/board
        GET     400       400    400    400   400     400     400      /api/v1/lobby?where=roof
        GET     login     403    403    200   403     200     403      /api/v1/floor/map /floor/
            /floor/?section=x&table=y /floor/map/ /floor/map/{table}/
        GET     login     403    403    404   403     404     403      /floor/map/999999/
        GET     login     403    403    200   403     403     403      /floor/rulings/
        POST    405       405    405    405   405     405     405      /board/
        POST    login     403    403    302   403     403     403      /floor/calls/{call}/answer/
        POST    login     403    403    404   403     403     403      /floor/calls/999999/answer/
    """)
]


def room(people: dict[str, User], now: datetime) -> dict[str, object]:
    table: Table = a_full_room(tables=1, seated=2)[0]
    call = FloorCall.objects.create(table=table, player=people["player"], seat=1, note="", at=now)
    return {"table": table.pk, "call": call.pk}
