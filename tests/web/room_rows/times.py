"""Statements, histories, comps and time."""

from datetime import datetime
from typing import Any

from cardroom.models import User
from games.models import TimeCharge
from tests.support.timing import TimedTable
from tests.web.room_rows import Row, for_roles

FLOOR = ("floor", "manager")
BOOKS = ("floor", "cashier", "manager", "auditor")
NOBODY = 999_999
LOOK = "?reason=asked+at+the+desk"


def _mine(method: str, path: str, status: int = 200, data: dict[str, Any] | None = None) -> Row:
    """The same for everybody who is logged in."""
    nobody = 401 if path.startswith("/api/") else 302
    return Row(method, path, nobody, *[status] * 6, data or {})


ROWS = [
    _mine("GET", "/me/statement/"),
    _mine("GET", "/me/statement/?since=2030-01-01&until=2030-01-09&hands=on"),
    _mine("GET", "/me/statement/?since=never", 400),
    _mine("GET", "/me/statement/?cursor=made-up", 400),
    _mine("GET", "/me/statement/csv/"),
    _mine("GET", "/me/statement/pdf/"),
    _mine("GET", "/me/statement/doc/", 404),
    _mine("GET", "/me/history/csv/"),
    _mine("GET", "/me/history/pdf/?span=all"),
    _mine("GET", "/me/history/doc/", 404),
    _mine("GET", "/me/statement/stays/{stay}/"),
    _mine("GET", "/me/history/"),
    _mine("GET", "/me/history/?span=all"),
    for_roles("GET", "/players/{player}/statement/", 200, *BOOKS),
    for_roles("GET", "/players/{player}/statement/" + LOOK, 200, *BOOKS),
    for_roles("GET", "/players/999/statement/" + LOOK, 404, *BOOKS),
    for_roles("GET", "/players/{player}/statement/csv/" + LOOK, 200, *BOOKS),
    for_roles("GET", "/players/{player}/statement/csv/", 400, *BOOKS),
    Row("GET", "/tables/{table}/time/", 302, 200, 200, 200, 200, 200, 200),
    _mine("GET", "/tables/999/time/", 404),
    for_roles("POST", "/tables/{table}/time/pause/", 302, *FLOOR, data={"player": 0}),
    _mine("POST", "/tables/{table}/time/pause/", 404, {"player": NOBODY}),
    _mine("POST", "/tables/{table}/time/stop/", 404),
    for_roles("POST", "/tables/{table}/time/end-courtesy/", 422, "dealer", *FLOOR, data={"player": 0}),
    Row("POST", "/tables/{table}/time/refuse/", 302, 302, 404, 404, 404, 404, 404),
    Row("POST", "/tables/{table}/time/pay/", 302, 409, 404, 404, 404, 404, 404),
    for_roles("POST", "/time/{charge}/waive/", 302, *FLOOR, data={"reason": "long misdeal"}),
    for_roles("POST", "/time/{charge}/waive/", 400, *FLOOR, data={}),
    for_roles("POST", "/time/{charge}/collect/", 409, *FLOOR),
    _mine("POST", "/time/{charge}/burn/", 404),
    _mine("GET", "/api/v1/me/statement"),
    _mine("GET", "/api/v1/me/statement?limit=0", 400),
    _mine("GET", "/api/v1/me/statement/csv"),
    _mine("GET", "/api/v1/me/statement/doc", 404),
    _mine("GET", "/api/v1/me/history/pdf"),
    _mine("GET", "/api/v1/me/history/doc", 404),
    for_roles("GET", "/api/v1/players/{player}/statement/pdf" + LOOK, 200, *BOOKS),
    _mine("GET", "/api/v1/players/{player}/statement/pdf", 400),
    _mine("GET", "/api/v1/me/history"),
    _mine("GET", "/api/v1/me/comps"),
    for_roles("GET", "/api/v1/players/{player}/statement" + LOOK, 200, *BOOKS),
    _mine("GET", "/api/v1/players/{player}/statement", 400),
    _mine("GET", "/api/v1/tables/{table}/time"),
    for_roles("GET", "/api/v1/tables/{empty}/time", 200, "dealer", "cashier", "auditor", *FLOOR),
    _mine("GET", "/api/v1/tables/999/time", 404),
    for_roles("POST", "/api/v1/tables/{table}/time/pause", 200, *FLOOR, data={"player": 0}),
    for_roles("POST", "/api/v1/tables/{table}/time/resume", 409, *FLOOR, data={"player": 0}),
    Row("POST", "/api/v1/tables/{table}/time/refuse", 401, 200, 404, 404, 404, 404, 404),
    Row("POST", "/api/v1/tables/{table}/time/pay", 401, 409, 404, 404, 404, 404, 404),
    for_roles("POST", "/api/v1/tables/{table}/time/end-courtesy", 422, "dealer", *FLOOR, data={"player": 0}),
    for_roles("POST", "/api/v1/time-charges/{charge}/waive", 200, *FLOOR, data={"reason": "long misdeal"}),
    for_roles("POST", "/api/v1/time-charges/{charge}/collect", 409, *FLOOR),
]
WORDS = {"verb": "pause", "form": "csv"}


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    table = TimedTable()
    player = table.sit(people["player"])
    table.sit("bob")
    table.ring()
    for row in ROWS:
        if row.data.get("player", NOBODY) != NOBODY:
            row.data["player"] = player.pk
    stay = player.stays.get()
    charge = TimeCharge.objects.get(player=player)
    return {"table": table.pk, "empty": TimedTable().pk, "player": player.pk, "stay": stay.pk, "charge": charge.pk}
