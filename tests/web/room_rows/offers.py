"""Games on offer, drop schedules, sections, and what is done with a table as a whole."""

from datetime import datetime
from typing import Any

from cardroom.core.models import User
from tests.support.offers import TERMS
from tests.support.parts.games import drops, offers, opening, private, sections
from tests.web.room_rows import LOGIN, Row, for_roles, rows

STAFF = ("dealer", "floor", "cashier", "manager", "auditor")
FLOOR = ("floor", "manager")
NEW = {"name": "Razz 5/10", "game": "razz"}

_ACT = "/floor/tables/{table}/actions"
_API = "/api/v1"
_API_TABLE = f"{_API}/tables/{{table}}"


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    manager = people["manager"]
    drop = drops.save(name="Five of a hundred", by=manager, now=now)
    offer = offers.create(**{**TERMS, "name": "Stud 15/30"}, by=manager, now=now)
    hall = offers.create(**{**TERMS, "name": "Hall", "is_physical": True}, by=manager, now=now)
    made = {
        "drop": drop, "offer": offer, "section": sections.create(name="Bar", by=manager, now=now),
        "table": opening.open_for(offer_id=offer.pk, by=manager, now=now),
        "private": opening.open_for(offer_id=offer.pk, by=manager, password="acorn", now=now),
        "hall": opening.open_for(offer_id=hall.pk, by=manager, now=now, name="Table 1"), "player": people["player"],
    }  # fmt: skip
    private.invite(table_id=made["private"].pk, player=people["player"], by=manager, now=now)
    return {name: row.pk for name, row in made.items()}


def _managers(method: str, path: str, status: int, data: dict[str, Any] | None = None) -> Row:
    return for_roles(method, path, status, "manager", data=data)


def _floor(method: str, path: str, status: int, data: dict[str, Any] | None = None) -> Row:
    return for_roles(method, path, status, *FLOOR, data=data)


ROWS = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     login     403    403    200   403     200     200      /floor/offers/ /floor/schedules/ /floor/sections/
        GET     login     403    403    403   403     200     403      /floor/offers/new/ /floor/offers/{offer}/
            /floor/schedules/new/ /floor/schedules/{drop}/
        GET     login     403    403    200   403     200     403      /floor/offers/{offer}/open/
            /api/v1/tables/{private}/invitations
        GET     login     403    200    200   200     200     200      /floor/tables/{table}/actions/
            /api/v1/offers/{offer}/tables /api/v1/floor/tables /api/v1/floor/tables/{table} /api/v1/tables/{hall}/counts
        GET     login     200    200    200   200     200     200      /tables/{private}/unlock/
        GET     200       200    200    200   200     200     200      /api/v1/offers /api/v1/offers/{offer}
            /api/v1/drop-schedules /api/v1/drop-schedules/{drop} /api/v1/sections
        POST    login     403    403    403   403     302     403      /floor/offers/{offer}/withdraw/
            /floor/offers/{offer}/relist/ /floor/offers/{offer}/up/ /floor/schedules/{drop}/retire/
            /floor/sections/{section}/remove/
        POST    login     403    403    403   403     404     403      /floor/offers/{offer}/sideways/
        POST    login     403    403    302   403     302     403      /floor/tables/{table}/actions/resume/
            /floor/tables/{table}/actions/take-up/ /floor/tables/{table}/actions/break-up/
            /floor/tables/{table}/actions/close/ /floor/tables/{table}/actions/reopen/
        POST    login     403    403    403   403     200     403      /api/v1/offers/{offer}/withdraw
            /api/v1/offers/{offer}/relist /api/v1/drop-schedules/{drop}/retire
        POST    login     403    403    201   403     201     403      /api/v1/offers/{offer}/tables
        POST    login     200    200    200   200     200     200      /api/v1/drop-schedules/preview
        DELETE  login     403    403    403   403     204     403      /api/v1/sections/{section}
        DELETE  login     403    403    204   403     204     403      /api/v1/tables/{private}/invitations/{player}
    """),
    _managers("POST", "/floor/offers/new/", 400, {"do": "save"}),
    _floor("POST", "/floor/offers/{offer}/open/", LOGIN, {"seat_count": 8, "bots": 0}),
    _floor("POST", "/floor/tables/add/", LOGIN, {"name": "Table 12"}),
    _managers("POST", "/floor/sections/add/", LOGIN, {"name": "Hall"}),
    _managers("POST", "/floor/sections/{section}/rename/", LOGIN, {"name": "Long bar"}),
    _floor("POST", f"{_ACT}/pause/", LOGIN, {"reason": "Fire drill"}),
    _floor("POST", f"{_ACT}/message/", LOGIN, {"text": "Food at ten"}),
    _floor("POST", f"{_ACT}/edit/", LOGIN, {"name": "Oak", "has_spectators": "on"}),
    _floor("POST", f"{_ACT}/privacy/", LOGIN, {"is_private": "on"}),
    _floor("POST", "/floor/tables/{private}/actions/invite/", LOGIN, {"player": "pia"}),
    _floor("POST", "/floor/tables/{private}/actions/uninvite/", LOGIN, {"player_id": "1"}),
    _floor("POST", "/floor/tables/{hall}/actions/count/", LOGIN, {"counted": 0}),
    _managers("POST", f"{_API}/offers", 201, NEW),
    _managers("PATCH", f"{_API}/offers/{{offer}}", 200, {"ante": 2}),
    _managers("PUT", f"{_API}/offers/order", 200, {"ids": []}),
    _managers("POST", f"{_API}/drop-schedules", 201, {"name": "Three"}),
    _managers("POST", f"{_API}/sections", 201, {"name": "Hall"}),
    _managers("PUT", f"{_API}/sections", 400, {"ids": []}),
    _managers("PATCH", f"{_API}/sections/{{section}}", 200, {"name": "Long bar"}),
    _floor("POST", f"{_API}/floor/tables", 201, {"name": "Table 12"}),
    _floor("PATCH", f"{_API}/floor/tables/{{table}}", 200, {"name": "Oak"}),
    *(_floor("POST", f"{_API_TABLE}/{verb}", 200, {"reason": "Late"}) for verb in ("pause", "resume", "take-up")),
    *(_floor("POST", f"{_API_TABLE}/{verb}", 200, {"reason": "Late"}) for verb in ("break-up", "close", "reopen")),
    _floor("POST", f"{_API_TABLE}/message", 200, {"text": "Food at ten"}),
    _floor("PUT", f"{_API_TABLE}/section", 200, {"section": None}),
    _floor("PUT", f"{_API_TABLE}/privacy", 200, {"is_private": True}),
    _floor("POST", f"{_API}/tables/{{private}}/invitations", 201, {"player": "pia"}),
    for_roles("POST", f"{_API}/tables/{{private}}/unlock", 200, "player", *STAFF, data={"password": "acorn"}),
    _floor("POST", f"{_API}/tables/{{hall}}/counts", 201, {"counted": 0}),
]
