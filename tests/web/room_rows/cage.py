"""The cage: slips, drawers, approvals, limits, and a player's own cashier page."""

from datetime import datetime
from typing import Any

from cardroom.models import User
from cardroom.services import access, cage
from cardroom.services.cage import requests
from tests.web.room_rows import LOGIN, Row, for_roles

STAFF, SEES = ("cashier", "manager"), ("cashier", "manager", "auditor")
LOOKS = ("cashier", "floor", "manager", "auditor")
API = "/api/v1"
SLIP = {"kind": "deposit", "player": 1, "amount": 5}
WHY = {"reason": "a mistake"}

PAGES = [
    for_roles("GET", "/cage/", 200, *STAFF),
    for_roles("GET", "/cage/?q=pia", LOGIN, *STAFF),
    for_roles("GET", "/cage/?q=nobody", 200, *STAFF),
    for_roles("GET", "/cage/?player={player}", 200, *STAFF),
    for_roles("GET", "/cage/?player=99999", 404, *STAFF),
    for_roles("GET", "/cage/?player=x", 400, *STAFF),
    for_roles("GET", "/cage/do/", 405, *STAFF, others=405),
    for_roles("GET", "/cage/window/", 200, *STAFF),
    for_roles("GET", "/cage/window/?player={player}", 200, *STAFF),
    for_roles("GET", "/cage/window/?player=99999", 404, *STAFF),
    for_roles("POST", "/cage/window/buy-in/", 400, *STAFF, data={"player": "{player}", "amount": 5}),
    for_roles("POST", "/cage/window/tables/99999/cash-out/", 404, *STAFF, data={"player": "{player}"}),
    Row("POST", "/cage/do/", LOGIN, 403, 403, 403, 302, 409, 403, SLIP | {"player": "{player}"}),
    for_roles("POST", "/cage/do/", 400, *STAFF, data=SLIP | {"player": "{player}", "amount": -5}),
    for_roles("POST", "/cage/players/{player}/credit-line/", LOGIN, "manager", data={"most": 100} | WHY),
    for_roles("POST", "/cage/players/{player}/credit-line/", 400, "manager", data={"most": "all"}),
    for_roles("POST", "/cage/requests/{request}/", LOGIN, *STAFF, data=WHY),
    for_roles("POST", "/cage/requests/{request}/", 400, *STAFF, data={"reason": ""}),
    for_roles("POST", "/cage/requests/99999/", 404, *STAFF, data=WHY),
    for_roles("GET", "/cage/slips/", 200, *SEES),
    for_roles("GET", "/cage/slips/?form=csv&kind=deposit", 200, *SEES),
    for_roles("GET", "/cage/slips/{slip}/", 200, *SEES, "player", others=404),
    for_roles("GET", "/cage/slips/99999/", 404, others=404),
    Row("POST", "/cage/slips/{slip}/reverse/", LOGIN, 403, 403, 403, 302, 409, 403, WHY),
    for_roles("POST", "/cage/slips/{slip}/receipt/", 200, *SEES, "player", others=404),
    for_roles("GET", "/cage/slips/{slip}/receipt/", 405, others=405),
    for_roles("GET", "/cage/drawers/", 200, *SEES),
    Row("POST", "/cage/drawers/open/", LOGIN, 403, 403, 403, 409, 302, 403, {"drawer_id": "{other}", "counted": "0"}),
    for_roles("POST", "/cage/drawers/new/", LOGIN, "manager", data={"name": "Window 9"}),
    for_roles("POST", "/cage/drawers/{other}/retire/", LOGIN, "manager"),
    for_roles("POST", "/cage/drawers/{drawer}/retire/", 409, "manager"),
    Row("POST", "/cage/drawers/fill/", LOGIN, 403, 403, 403, 302, 409, 403, {"amount": 10}),
    Row("POST", "/cage/drawers/take/", LOGIN, 403, 403, 403, 302, 409, 403, {"amount": 10}),
    Row("POST", "/cage/drawers/count/", LOGIN, 403, 403, 403, 302, 409, 403, {"counted": "1500"}),
    Row("POST", "/cage/drawers/count/", LOGIN, 403, 403, 403, 400, 400, 403, {"counted": "many"}),
    Row("POST", "/cage/drawers/close/", LOGIN, 403, 403, 403, 302, 409, 403, {"counted": "1500"}),
    Row("POST", "/cage/drawers/close/", LOGIN, 403, 403, 403, 422, 409, 403, {"counted": "1400"}),
    for_roles("POST", "/cage/drawers/close/", LOGIN, *STAFF, data={"counted": "1500", "session_id": "{session}"} | WHY),
    for_roles("POST", "/cage/vault/", LOGIN, "manager", data={"amount": 10, "way": "in"} | WHY),
    for_roles("GET", "/cage/sessions/{session}/", 200, *SEES),
    for_roles("GET", "/cage/sessions/99999/", 404, *SEES),
    for_roles("GET", "/cage/sessions/{session}/report.pdf", 200, *SEES),
    for_roles("GET", "/cage/sessions/{session}/report.csv", 200, *SEES),
    for_roles("GET", "/cage/approvals/", 200, *LOOKS),
    Row("POST", "/cage/approvals/{approval}/decide/", LOGIN, 403, 403, 403, 403, 302, 403, {"approve": "yes"}),
    Row("POST", "/cage/approvals/{approval}/take-back/", LOGIN, 403, 403, 403, 302, 403, 403),
    for_roles("GET", "/cage/limits/", 200, *SEES),
    for_roles("POST", "/cage/limits/", LOGIN, "manager", data={"role": "cashier", "verb": "deposit", "slip": 5}),
    for_roles("GET", "/me/cashier/", 200, others=200),
    for_roles("POST", "/me/cashier/ask/", LOGIN, others=LOGIN, data={"kind": "deposit", "amount": 5}),
    for_roles("POST", "/me/cashier/{request}/take-back/", LOGIN, "player", others=404),
]
RESOURCES = [
    for_roles("GET", f"{API}/cage/slips", 200, *SEES),
    Row("POST", f"{API}/cage/slips", 401, 403, 403, 403, 404, 404, 403, SLIP | {"player": 99999}),
    for_roles("GET", f"{API}/cage/slips/{{slip}}", 200, *SEES, "player", others=404),
    for_roles("POST", f"{API}/cage/slips/{{slip}}/receipt", 200, *SEES, "player", others=404),
    Row("POST", f"{API}/cage/slips/{{slip}}/reversal", 401, 403, 403, 403, 201, 409, 403, WHY),
    for_roles("GET", f"{API}/cage/drawers", 200, *SEES),
    for_roles("POST", f"{API}/cage/drawers", 201, "manager", data={"name": "Window 9"}),
    for_roles("DELETE", f"{API}/cage/drawers/{{other}}", 204, "manager"),
    for_roles("GET", f"{API}/cage/sessions", 200, *SEES),
    Row("POST", f"{API}/cage/sessions", 401, 403, 403, 403, 404, 404, 403, {"drawer": 99999, "counted": 0}),
    for_roles("GET", f"{API}/cage/sessions/{{session}}", 200, *SEES),
    Row("POST", f"{API}/cage/sessions/{{session}}/fill", 401, 403, 403, 403, 201, 409, 403, {"amount": 10}),
    Row("POST", f"{API}/cage/sessions/{{session}}/take", 401, 403, 403, 403, 201, 409, 403, {"amount": 10}),
    Row("POST", f"{API}/cage/sessions/{{session}}/count", 401, 403, 403, 403, 201, 409, 403, {"counted": 10}),
    Row("POST", f"{API}/cage/sessions/{{session}}/close", 401, 403, 403, 403, 200, 400, 403, {"counted": 1500}),
    for_roles("POST", f"{API}/cage/sessions/{{session}}/close", 200, *STAFF, data={"counted": 1500} | WHY),
    for_roles("GET", f"{API}/cage/sessions/{{session}}/report.pdf", 200, *SEES),
    for_roles("GET", f"{API}/cage/vault", 200, *SEES),
    for_roles("POST", f"{API}/cage/vault", 201, "manager", data={"amount": 10} | WHY),
    for_roles("GET", f"{API}/cage/limits", 200, *SEES),
    for_roles(
        "PUT", f"{API}/cage/limits", 200, "manager", data={"role": "cashier", "verb": "comp", "slip": 5, "day": None}
    ),
    for_roles("GET", f"{API}/cage/players/{{player}}", 200, *SEES),
    for_roles("PUT", f"{API}/cage/players/{{player}}/credit-line", 200, "manager", data={"most": 10} | WHY),
    for_roles("GET", f"{API}/cage/requests", 200, *SEES),
    Row("POST", f"{API}/cage/requests/{{request}}/fulfil", 401, 403, 403, 403, 200, 409, 403),
    for_roles("POST", f"{API}/cage/requests/{{request}}/refuse", 200, *STAFF, data=WHY),
    for_roles("POST", f"{API}/tables/99999/window/buy-in", 404, *STAFF, data={"player": 99999, "amount": 5}),
    for_roles("POST", f"{API}/tables/99999/window/cash-out", 404, *STAFF, data={"player": 99999}),
    for_roles("GET", f"{API}/approvals", 200, *LOOKS),
    Row("POST", f"{API}/approvals/{{approval}}/decision", 401, 403, 403, 403, 403, 200, 403, {"approve": True}),
    Row("DELETE", f"{API}/approvals/{{approval}}", 401, 403, 403, 403, 204, 403, 403),
    for_roles("GET", f"{API}/me/cashier", 200, others=200),
    for_roles("GET", f"{API}/me/cashier/requests", 200, others=200),
    for_roles("POST", f"{API}/me/cashier/requests", 201, others=201, data={"kind": "deposit", "amount": 5}),
    for_roles("DELETE", f"{API}/me/cashier/requests/{{request}}", 204, "player", others=404),
]
ROWS = PAGES + RESOURCES
WORDS: dict[str, str] = {}


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    """The cashier has a drawer of 1,500 open, with a slip, a request and an approval of the player's."""
    cay, mia, pia = people["cashier"], people["manager"], people["player"]
    for role in ("cashier", "manager"):
        access.grant_role(user=people[role], role=role, by=None)
    drawer = cage.make_drawer(name="Window 1", by=mia, now=now)
    other = cage.make_drawer(name="Window 2", by=mia, now=now)
    cage.vault(amount=50_000, by=mia, now=now, reason="what lies there on the first day")
    session = cage.open_drawer(drawer_id=drawer.pk, counted=1_000, from_vault=1_000, by=cay, now=now)
    slip = cage.deposit(player=pia, amount=500, by=cay, now=now)
    asked = requests.make(player=pia, kind="deposit", amount=50, now=now)
    approval = cage.request(verb="deposit", player=pia, amount=20_001, by=cay, now=now)
    return {
        "player": pia.pk,
        "drawer": drawer.pk,
        "other": other.pk,
        "session": session.pk,
        "slip": slip.pk,
        "request": asked.pk,
        "approval": approval.pk,
    }
