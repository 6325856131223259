"""Games on offer, drop schedules, sections, and what is done with a table as a whole."""

from datetime import datetime
from typing import Any

from cardroom.models import User
from games.services import offers, private, schedules, sections, tables
from tests.support.offers import TERMS
from tests.web.room_rows import LOGIN, Row, for_all, for_roles

SEES = ("floor", "manager", "auditor")
STAFF = ("dealer", "floor", "cashier", "manager", "auditor")
FLOOR = ("floor", "manager")
NEW = {"name": "Razz 5/10", "game": "razz"}

_OFFER = "/floor/offers/{offer}"
_ACT = "/floor/tables/{table}/actions"
_API = "/api/v1"
_API_TABLE = f"{_API}/tables/{{table}}"


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    manager = people["manager"]
    drop = schedules.save(name="Five of a hundred", by=manager, now=now)
    offer = offers.create(**{**TERMS, "name": "Stud 15/30"}, by=manager, now=now)
    hall = offers.create(**{**TERMS, "name": "Hall", "is_physical": True}, by=manager, now=now)
    made = {
        "drop": drop.pk,
        "offer": offer.pk,
        "section": sections.create(name="Bar", by=manager, now=now).pk,
        "table": tables.open_for(offer_id=offer.pk, by=manager, now=now).pk,
        "private": tables.open_for(offer_id=offer.pk, by=manager, password="acorn", now=now).pk,
        "hall": tables.open_for(offer_id=hall.pk, by=manager, now=now, name="Table 1").pk,
        "player": people["player"].pk,
    }
    private.invite(table_id=made["private"], player=people["player"], by=manager, now=now)
    return made


def _managers(method: str, path: str, status: int, data: dict[str, Any] | None = None) -> Row:
    return for_roles(method, path, status, "manager", data=data)


def _floor(method: str, path: str, status: int, data: dict[str, Any] | None = None) -> Row:
    return for_roles(method, path, status, *FLOOR, data=data)


PAGES = [
    for_roles("GET", "/floor/offers/", 200, *SEES),
    _managers("GET", "/floor/offers/new/", 200),
    _managers("GET", f"{_OFFER}/", 200),
    _managers("POST", "/floor/offers/new/", 400, {"do": "save"}),
    _managers("POST", f"{_OFFER}/withdraw/", LOGIN),
    _managers("POST", f"{_OFFER}/relist/", LOGIN),
    _managers("POST", f"{_OFFER}/up/", LOGIN),
    _managers("POST", f"{_OFFER}/sideways/", 400),
    _floor("GET", f"{_OFFER}/open/", 200),
    _floor("POST", f"{_OFFER}/open/", LOGIN, {"seat_count": 8, "bots": 0}),
    _floor("POST", "/floor/tables/add/", LOGIN, {"name": "Table 12"}),
    for_roles("GET", "/floor/schedules/", 200, *SEES),
    _managers("GET", "/floor/schedules/new/", 200),
    _managers("GET", "/floor/schedules/{drop}/", 200),
    _managers("POST", "/floor/schedules/{drop}/retire/", LOGIN),
    for_roles("GET", "/floor/sections/", 200, *SEES),
    _managers("POST", "/floor/sections/add/", LOGIN, {"name": "Hall"}),
    _managers("POST", "/floor/sections/{section}/rename/", LOGIN, {"name": "Long bar"}),
    _managers("POST", "/floor/sections/{section}/remove/", LOGIN),
    for_roles("GET", f"{_ACT}/", 200, *STAFF),
    _floor("POST", f"{_ACT}/pause/", LOGIN, {"reason": "Fire drill"}),
    _floor("POST", f"{_ACT}/resume/", LOGIN),
    _floor("POST", f"{_ACT}/take-up/", LOGIN),
    _floor("POST", f"{_ACT}/break-up/", LOGIN),
    _floor("POST", f"{_ACT}/close/", LOGIN),
    _floor("POST", f"{_ACT}/reopen/", LOGIN),
    _floor("POST", f"{_ACT}/message/", LOGIN, {"reason": "Food at ten"}),
    _floor("POST", f"{_ACT}/edit/", LOGIN, {"name": "Oak", "has_spectators": "on"}),
    _floor("POST", f"{_ACT}/privacy/", LOGIN, {"is_private": "on"}),
    _floor("POST", "/floor/tables/{private}/actions/invite/", LOGIN, {"player": "pia"}),
    _floor("POST", "/floor/tables/{private}/actions/uninvite/", LOGIN, {"player": "1"}),
    _floor("POST", "/floor/tables/{hall}/actions/count/", LOGIN, {"counted": 0}),
    for_roles("GET", "/tables/{private}/unlock/", 200, "player", *STAFF),
]
RESOURCES = [
    for_all("GET", f"{_API}/offers", 200),
    for_all("GET", f"{_API}/offers/{{offer}}", 200),
    _managers("POST", f"{_API}/offers", 201, NEW),
    _managers("PATCH", f"{_API}/offers/{{offer}}", 200, {"ante": 2}),
    _managers("POST", f"{_API}/offers/{{offer}}/withdraw", 200),
    _managers("POST", f"{_API}/offers/{{offer}}/relist", 200),
    _managers("PUT", f"{_API}/offers/order", 200, {"ids": []}),
    for_roles("GET", f"{_API}/offers/{{offer}}/tables", 200, *STAFF),
    _floor("POST", f"{_API}/offers/{{offer}}/tables", 201, {}),
    for_all("GET", f"{_API}/drop-schedules", 200),
    for_all("GET", f"{_API}/drop-schedules/{{drop}}", 200),
    _managers("POST", f"{_API}/drop-schedules", 201, {"name": "Three"}),
    _managers("POST", f"{_API}/drop-schedules/{{drop}}/retire", 200),
    for_roles("POST", f"{_API}/drop-schedules/preview", 200, "player", *STAFF),
    for_all("GET", f"{_API}/sections", 200),
    _managers("POST", f"{_API}/sections", 201, {"name": "Hall"}),
    _managers("PUT", f"{_API}/sections", 400, {"ids": []}),
    _managers("PATCH", f"{_API}/sections/{{section}}", 200, {"name": "Long bar"}),
    _managers("DELETE", f"{_API}/sections/{{section}}", 204),
    for_roles("GET", f"{_API}/floor/tables", 200, *STAFF),
    _floor("POST", f"{_API}/floor/tables", 201, {"name": "Table 12"}),
    for_roles("GET", f"{_API}/floor/tables/{{table}}", 200, *STAFF),
    _floor("PATCH", f"{_API}/floor/tables/{{table}}", 200, {"name": "Oak"}),
    *(_floor("POST", f"{_API_TABLE}/{verb}", 200, {"reason": "Late"}) for verb in ("pause", "resume", "take-up")),
    *(_floor("POST", f"{_API_TABLE}/{verb}", 200, {"reason": "Late"}) for verb in ("break-up", "close", "reopen")),
    _floor("POST", f"{_API_TABLE}/message", 200, {"text": "Food at ten"}),
    _floor("PUT", f"{_API_TABLE}/section", 200, {"section": None}),
    _floor("PUT", f"{_API_TABLE}/privacy", 200, {"is_private": True}),
    _floor("GET", f"{_API}/tables/{{private}}/invitations", 200),
    _floor("POST", f"{_API}/tables/{{private}}/invitations", 201, {"player": "pia"}),
    _floor("DELETE", f"{_API}/tables/{{private}}/invitations/{{player}}", 204),
    for_roles("POST", f"{_API}/tables/{{private}}/unlock", 200, "player", *STAFF, data={"password": "acorn"}),
    for_roles("GET", f"{_API}/tables/{{hall}}/counts", 200, *STAFF),
    _floor("POST", f"{_API}/tables/{{hall}}/counts", 201, {"counted": 0}),
]
ROWS = [*PAGES, *RESOURCES]
