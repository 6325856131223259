"""The map of the room and the board on the wall."""

from datetime import datetime

from cardroom.models import User
from games.models import FloorCall, Table
from tests.support.crowd import a_full_room
from tests.web.room_rows import LOGIN, Row, for_all, for_roles

STAFF = ("floor", "manager")

ROWS = [
    for_all("GET", "/board/", 200),
    for_all("GET", "/board/screens/?where=room", 200),
    for_all("POST", "/board/", 405),
    for_all("GET", "/api/v1/lobby", 200),
    for_all("GET", "/api/v1/lobby?where=roof", 400),
    for_all("GET", "/api/v1/board", 200),
    for_roles("GET", "/api/v1/floor/map", 200, *STAFF),
    for_roles("GET", "/floor/", 200, *STAFF),
    for_roles("GET", "/floor/?section=x&table=y", 200, *STAFF),
    for_roles("GET", "/floor/map/", 200, *STAFF),
    for_roles("GET", "/floor/map/{table}/", 200, *STAFF),
    Row("GET", "/floor/map/999999/", LOGIN, 403, 403, 404, 403, 404, 403),
    for_roles("GET", "/floor/rulings/", 200, "floor"),
    for_roles("POST", "/floor/calls/{call}/answer/", LOGIN, "floor"),
    Row("POST", "/floor/calls/999999/answer/", LOGIN, 403, 403, 404, 403, 403, 403),
]


def room(people: dict[str, User], now: datetime) -> dict[str, object]:
    table: Table = a_full_room(tables=1, seated=2)[0]
    call = FloorCall.objects.create(table=table, player=people["player"], seat=1, note="", at=now)
    return {"table": table.pk, "call": call.pk}
