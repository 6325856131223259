"""Waiting lists: everybody's, one's own, the floor's, and the kiosk."""

from datetime import datetime

from cardroom.core.models import User
from games.waitlists import choosing
from tests.support.lists import ListRoom
from tests.web.room_rows import LOGIN, Row, for_all, for_roles, rows

STAFF = ("floor", "manager")
WORDS = {"verb": "coming"}

ROWS = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     200       200    200    200   200     200     200      /lists/ /lists/{offer}/ /me/calls/
            /api/v1/lists /api/v1/lists/{offer}
        GET     404       404    404    404   404     404     404      /lists/999999/
        GET     login     200    200    200   200     200     200      /me/lists/ /api/v1/me/lists /api/v1/me/notices
            /api/v1/me/messages
        GET     login     404    404    404   404     404     404      /me/lists/{entry}/
        GET     login     403    403    200   403     200     403      /floor/lists/ /floor/lists/side/
            /floor/lists/find/ /floor/lists/{entry}/ /api/v1/tables/{table}/next
        GET     403       403    403    200   403     200     403      /kiosk/
        GET     login     404    404    200   404     200     404      /api/v1/list-entries/{entry}
        POST    login     302    302    302   302     302     302      /lists/{offer}/join/
        POST    login     404    404    404   404     404     404      /lists/999999/join/ /me/notices/999999/read/
            /api/v1/lists/999999 /api/v1/me/notices/999999/read /api/v1/me/messages/999999/read
        POST    login     404    404    400   404     400     404      /me/lists/{entry}/leave/
            /api/v1/list-entries/{entry}/leave
        POST    login     403    403    404   403     404     403      /floor/lists/{entry}/dance/
            /floor/lists/tables/999999/call-next/ /api/v1/list-entries/999999/call /api/v1/list-entries/999999/seat
            /api/v1/tables/999999/next
        POST    403       403    403    403   403     403     403      /kiosk/close/
        POST    login     403    403    400   403     400     403      /api/v1/lists/{offer}/names
    """),
    Row("POST", "/me/lists/{entry}/seat/", LOGIN, 404, 404, 409, 404, 409, 404, {"buy_in": 500}),
    for_roles("POST", "/floor/lists/add/", 400, *STAFF, data={"offer_id": 1}),
    for_roles("POST", "/floor/lists/{entry}/pass/", LOGIN, *STAFF, data={"reason": "not here"}),
    for_all("POST", "/kiosk/join/", 403, {"offer": 1, "who": "Ana"}),
    Row("POST", "/api/v1/list-entries/{entry}/answer", 401, 404, 404, 409, 404, 409, 404, {"reply": "coming"}),
    Row("POST", "/api/v1/list-entries/{entry}/take-seat", 401, 404, 404, 409, 404, 409, 404, {"buy_in": 500}),
    Row("POST", "/api/v1/list-entries/{entry}/transfer", 401, *[404] * 6, {"offer": 999999}),
    for_roles("POST", "/api/v1/list-entries/{entry}/pass-over", 200, *STAFF, data={"reason": "not here"}),
    for_roles("POST", "/kiosk/open/", LOGIN, *STAFF),  # logs them out: the last
]


def room(people: dict[str, User], now: datetime) -> dict[str, object]:
    made = ListRoom(is_physical=True)
    made.now = now
    entry = made.join("waiting")
    assert choosing.next_for(made.table, now=now) is not None
    return {"offer": made.offer.pk, "entry": entry.pk, "table": made.table.pk}
