"""Waiting lists: everybody's, one's own, the floor's, and the kiosk."""

from datetime import datetime

from cardroom.models import User
from games.services import lists
from tests.support.lists import ListRoom
from tests.web.room_rows import LOGIN, Row, for_all, for_roles

STAFF = ("floor", "manager")
WORDS = {"verb": "coming"}

ROWS = [
    for_all("GET", "/lists/", 200),
    for_all("GET", "/lists/{offer}/", 200),
    for_all("GET", "/lists/999999/", 404),
    Row("POST", "/lists/{offer}/join/", *[LOGIN] * 7),
    Row("POST", "/lists/999999/join/", LOGIN, *[404] * 6),
    Row("GET", "/me/lists/", LOGIN, *[200] * 6),
    Row("GET", "/me/lists/{entry}/", LOGIN, *[404] * 6),
    Row("POST", "/me/lists/{entry}/leave/", LOGIN, 404, 404, 400, 404, 400, 404),
    Row("POST", "/me/lists/{entry}/seat/", LOGIN, 404, 404, 409, 404, 409, 404, {"buy_in": 500}),
    for_all("GET", "/me/calls/", 200),
    Row("POST", "/me/notices/999999/read/", LOGIN, *[404] * 6),
    for_roles("GET", "/floor/lists/", 200, *STAFF),
    for_roles("GET", "/floor/lists/side/", 200, *STAFF),
    for_roles("GET", "/floor/lists/find/", 200, *STAFF),
    for_roles("POST", "/floor/lists/add/", 400, *STAFF, data={"offer": 1}),
    for_roles("GET", "/floor/lists/{entry}/", 200, *STAFF),
    for_roles("POST", "/floor/lists/{entry}/pass/", LOGIN, *STAFF, data={"reason": "not here"}),
    for_roles("POST", "/floor/lists/{entry}/dance/", 404, *STAFF),
    for_roles("POST", "/floor/lists/tables/999999/call-next/", 404, *STAFF),
    Row("GET", "/kiosk/", 403, 403, 403, 200, 403, 200, 403),
    for_all("POST", "/kiosk/close/", 403),
    for_all("POST", "/kiosk/join/", 403, {"offer": 1, "who": "Ana"}),
    for_all("GET", "/api/v1/lists", 200),
    for_all("GET", "/api/v1/lists/{offer}", 200),
    Row("POST", "/api/v1/lists/999999", 401, *[404] * 6),
    for_roles("POST", "/api/v1/lists/{offer}/names", 400, *STAFF),
    Row("GET", "/api/v1/list-entries/{entry}", 401, 404, 404, 200, 404, 200, 404),
    Row("POST", "/api/v1/list-entries/{entry}/answer", 401, 404, 404, 409, 404, 409, 404, {"reply": "coming"}),
    Row("POST", "/api/v1/list-entries/{entry}/take-seat", 401, 404, 404, 409, 404, 409, 404, {"buy_in": 500}),
    Row("POST", "/api/v1/list-entries/{entry}/leave", 401, 404, 404, 400, 404, 400, 404),
    Row("POST", "/api/v1/list-entries/{entry}/transfer", 401, *[404] * 6, {"offer": 999999}),
    for_roles("POST", "/api/v1/list-entries/999999/call", 404, *STAFF),
    for_roles("POST", "/api/v1/list-entries/999999/seat", 404, *STAFF),
    for_roles("POST", "/api/v1/list-entries/{entry}/pass-over", 200, *STAFF, data={"reason": "not here"}),
    for_roles("GET", "/api/v1/tables/{table}/next", 200, *STAFF),
    for_roles("POST", "/api/v1/tables/999999/next", 404, *STAFF),
    Row("GET", "/api/v1/me/lists", 401, *[200] * 6),
    Row("GET", "/api/v1/me/notices", 401, *[200] * 6),
    Row("POST", "/api/v1/me/notices/999999/read", 401, *[404] * 6),
    Row("GET", "/api/v1/me/messages", 401, *[200] * 6),
    Row("POST", "/api/v1/me/messages/999999/read", 401, *[404] * 6),
    for_roles("POST", "/kiosk/open/", LOGIN, *STAFF),  # logs them out: the last
]


def room(people: dict[str, User], now: datetime) -> dict[str, object]:
    made = ListRoom(is_physical=True)
    made.now = now
    entry = made.join("waiting")
    assert lists.next_for(made.table, now=now) is not None
    return {"offer": made.offer.pk, "entry": entry.pk, "table": made.table.pk}
