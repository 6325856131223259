"""Reports are managers' and auditors', a cashier's those of his drawers; shifts are the floor's."""

from datetime import datetime
from typing import Any

from cardroom.models import User
from tests.web.room_rows import LOGIN, Row, for_roles

_READERS = ("manager", "auditor")
_STAFF = ("dealer", "floor", "manager", "auditor")

ROWS: list[Row] = [
    for_roles("GET", "/reports/", 200, "cashier", *_READERS),
    for_roles("GET", "/reports/{name}/", 200, *_READERS),
    for_roles("GET", "/reports/cage/", 200, "cashier", *_READERS),
    for_roles("GET", "/reports/cage/csv/", 200, "cashier", *_READERS),
    for_roles("GET", "/reports/{name}/{form}/", 200, *_READERS),
    for_roles("POST", "/reports/wishes/", LOGIN, "manager"),
    for_roles("GET", "/shifts/", 200, *_STAFF),
    for_roles("POST", "/shifts/{verb}/", 404, "floor", "manager"),
    for_roles("POST", "/dealers/{verb}/", 404, "dealer", "floor", "manager"),
    for_roles("GET", "/floor/dealers/", 200, "floor", "manager"),
    for_roles("GET", "/api/v1/reports", 200, "cashier", *_READERS),
    for_roles("GET", "/api/v1/reports/wishes", 200, *_READERS),
    for_roles("POST", "/api/v1/reports/wishes", 404, "manager", data={"user": "nobody", "every": "day"}),
    for_roles("GET", "/api/v1/reports/{name}", 200, *_READERS),
    for_roles("GET", "/api/v1/reports/cage", 200, "cashier", *_READERS),
    for_roles("GET", "/api/v1/reports/{name}/{form}", 200, *_READERS),
    for_roles("GET", "/api/v1/shifts", 200, *_STAFF),
    for_roles("POST", "/api/v1/shifts", 400, "floor", "manager", data={"name": ""}),
    for_roles("POST", "/api/v1/shifts/{shift}/close", 404, "floor", "manager"),
    for_roles("GET", "/api/v1/dealers", 200, *_STAFF),
    for_roles("POST", "/api/v1/dealers/{dealer}/{verb}", 404, "dealer", "floor", "manager"),
    for_roles("GET", "/api/v1/downs", 200, *_STAFF),
]
WORDS = {"name": "drop", "form": "pdf", "verb": "weather"}


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    return {"dealer": people["dealer"].pk, "shift": 10**9, **WORDS}
