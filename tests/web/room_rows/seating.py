"""Seats: staff's acts at a table, seats that are held, and a player's own."""

from datetime import datetime

from cardroom.accounts import people
from tests.support.evening import Evening
from tests.support.models import Table, TablePlay, User
from tests.support.parts.games import holds, seating
from tests.web.room_rows import LOGIN, for_roles, rows

STAFF = ("dealer", "floor", "cashier", "manager")
FLOOR = ("floor", "manager")
MONEY = ("floor", "cashier", "manager")
_DO, _API = "/floor/tables/{table}/seats/do/", "/api/v1/tables/{table}/seating"
_ROOM_DO, _ROOM = "/floor/tables/{room}/seats/do/", "/api/v1/tables/{room}/seating"
_HERE = {"to_table": "{table}"}
#: Numbers of players are told to the rows by `room`, in this order.
ANN, BOB = "9001", "9002"

ROWS = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     login     403    200    200   200     200     403      /floor/tables/{table}/seats/
            /floor/tables/{room}/seats/ /tables/{room}/tablet/ /api/v1/tables/{table}/seating
        GET     login     403    404    404   404     404     403      /floor/tables/999999/seats/
        GET     login     405    405    405   405     405     405      /floor/tables/{table}/seats/do/
        GET     login     200    200    200   200     200     200      /me/seats/ /api/v1/me/holds
        POST    login     403    404    404   404     404     403      /tables/{room}/tablet/nothing/
        POST    login     403    302    302   403     403     403      /tables/{room}/tablet/call/
        POST    login     403    302    422   403     422     403      /tables/{room}/tablet/clock-in/
        POST    login     302    404    404   404     404     404      /me/seats/{table}/give-up/
        DELETE  login     200    200    200   200     200     200      /api/v1/me/holds/{table}
    """),
    for_roles("POST", _DO, 404, *STAFF, data={"verb": "nothing"}),
    for_roles("POST", _DO, LOGIN, *MONEY, data={"verb": "seat", "who": "cid", "buy_in": 500})._replace(dealer=403),
    for_roles("POST", _DO, LOGIN, *FLOOR, data={"verb": "hold", "who": "cid", "minutes": 5}),
    for_roles("POST", _DO, LOGIN, *FLOOR, data={"verb": "release", "player": ANN}),
    for_roles("POST", _DO, LOGIN, *FLOOR, data={"verb": "move", "player": ANN, "number": 7, "why": "asked"} | _HERE),
    for_roles("POST", _DO, LOGIN, *FLOOR, data={"verb": "unseat", "player": ANN, "reason": "closing"}),
    for_roles("POST", _DO, LOGIN, "dealer", *FLOOR, data={"verb": "absent", "player": ANN}),
    for_roles("POST", _DO, 409, "dealer", *FLOOR, data={"verb": "back", "player": ANN}),
    for_roles("POST", _DO, 409, *FLOOR, data={"verb": "pick-up", "player": ANN}),
    for_roles("POST", _ROOM_DO, LOGIN, *MONEY, data={"verb": "top-up", "player": BOB, "amount": 100}),
    for_roles("POST", _ROOM_DO, LOGIN, *MONEY, data={"verb": "cash-in", "player": BOB, "amount": 100}),
    for_roles("POST", _ROOM_DO, LOGIN, *MONEY, data={"verb": "cash-out", "player": BOB, "count": 500}),
    for_roles("POST", _ROOM_DO, LOGIN, *STAFF, data={"verb": "count", "counts-1": "450"}),
    for_roles("POST", _ROOM_DO, LOGIN, *MONEY, data={"verb": "box", "amount": 20}),
    for_roles("GET", "/tables/{table}/tablet/", LOGIN, *STAFF),  # to the console
    for_roles("POST", f"{_API}/seat", 200, *MONEY, data={"player": 9003, "buy_in": 500}),
    for_roles("POST", f"{_API}/seat", 400, *STAFF, data={"player": "ann"}),
    for_roles("POST", f"{_API}/seat", 404, *STAFF, data={"player": 123456, "buy_in": 500}),
    for_roles("POST", f"{_API}/move", 404, *FLOOR, data={"player": 9001, "to_table": 999999, "why": "x y z"}),
    for_roles("POST", f"{_API}/cancel-move", 200, *FLOOR, data={"player": 9001}),
    for_roles("POST", f"{_API}/swap", 404, *FLOOR, data={"player": 9001, "other": 9002}),
    for_roles("POST", f"{_API}/unseat", 200, *FLOOR, data={"player": 9001, "reason": "closing"}),
    for_roles("POST", f"{_API}/absent", 200, "dealer", *FLOOR, data={"player": 9001}),
    for_roles("POST", f"{_API}/back", 409, "dealer", *FLOOR, data={"player": 9001}),
    for_roles("POST", f"{_API}/pick-up", 409, *FLOOR, data={"player": 9001}),
    for_roles("POST", f"{_API}/hold", 200, *FLOOR, data={"player": 9003, "why": "lock-up", "minutes": 5}),
    for_roles("POST", f"{_API}/hold", 200, *FLOOR, data={"player": 9003, "why": "reserved"}),
    for_roles("POST", f"{_API}/release", 200, *FLOOR, data={"player": 9003}),
    for_roles("POST", f"{_API}/top-up", 422, *MONEY, data={"player": 9001, "amount": 5}),  # a table online
    for_roles("POST", f"{_ROOM}/top-up", 200, *MONEY, data={"player": 9002, "amount": 100}),
    for_roles("POST", f"{_API}/cash-in", 422, *MONEY, data={"player": 9001, "amount": 5}),  # a table online
    for_roles("POST", f"{_ROOM}/cash-in", 202, *MONEY, data={"player": 9002, "amount": 100}),
    for_roles("POST", f"{_ROOM}/cash-in", 202, *MONEY, data={"player": None, "guest": "Ana Ruiz", "amount": 500}),
    for_roles("POST", f"{_ROOM}/cash-out", 200, *MONEY, data={"player": 9002, "count": 500}),
    for_roles("POST", f"{_ROOM}/count", 200, *STAFF, data={"counts": {"1": 450}}),
    for_roles("POST", f"{_ROOM}/box", 200, *MONEY, data={"amount": 20}),
]


def room(staff: dict[str, User], now: datetime) -> dict[str, object]:
    """A table online where ann sits and a seat is held for the player, and one in the room where bob sits."""
    online, here = Evening(), Evening(dealt_by="person")
    Table.objects.filter(pk=here.pk).update(is_physical=True)
    TablePlay.objects.filter(pk=here.pk).update(wake_at=None)
    for table, name, number in ((online, "ann", 9001), (here, "bob", 9002)):
        player = _person(table, name, number)
        said = {"buy_in": 500, "by": staff["floor"], "now": now}
        seating.seat(table_id=table.pk, player=player, **said)
    _person(online, "cid", 9003)
    holds.hold(table_id=online.pk, number=8, player=staff["player"], why="reserved", until=None, by=None, now=now)
    return {"table": online.pk, "room": here.pk}


def _person(table: Evening, name: str, number: int) -> User:
    """Somebody with a number that the rows can name."""
    player = User.objects.create_user(name, password="seven-cards", pk=number)
    people.issue_play_money(user=player, amount=10_000, reference=f"test:{number}", reason="for a test", now=table.now)
    return player
