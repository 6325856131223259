"""The cage: slips, drawers, approvals, limits, and a player's own cashier page."""

from datetime import datetime
from typing import Any

from cardroom.cage import drawers, requests, slips, vault
from cardroom.core.errors import Illegal
from cardroom.core.models import User
from tests.support.offers import person
from tests.support.refusals import refused
from tests.web.room_rows import LOGIN, Row, for_roles, rows

STAFF = ("cashier", "manager")
API = "/api/v1"
SLIP = {"kind": "deposit", "player": 1, "amount": 5}
CLOSES_ANOTHERS = {"counted": "1500", "session_id": "{session}", "reason": "a mistake"}
WHY, LIMIT = {"reason": "a mistake"}, {"slip": None, "day": 5}

ROWS = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     login     403    403    403   200     200     403      /cage/ /cage/?q=nobody /cage/?player={player}
            /cage/window/ /cage/window/?player={player}
        GET     login     403    403    403   302     302     403      /cage/?q=pia
        GET     login     403    403    403   404     404     403      /cage/?player=99999 /cage/window/?player=99999
        GET     login     403    403    403   400     400     403      /cage/?player=x
        GET     login     405    405    405   405     405     405      /cage/do/ /cage/slips/{slip}/receipt/
        GET     login     403    403    403   200     200     200      /cage/slips/ /cage/slips/?form=csv&kind=deposit
            /cage/vault/ /api/v1/cage/vault/counts /cage/limits/ /api/v1/cage/slips /api/v1/cage/vault
            /api/v1/cage/limits /api/v1/cage/players/{player} /api/v1/cage/requests
        GET     login     403    403    200   200     200     200      /cage/drawers/ /api/v1/cage/drawers
            /api/v1/cage/sessions /cage/sessions/{desk}/ /api/v1/cage/sessions/{desk}
        GET     login     403    403    404   200     200     200      /cage/sessions/{session}/
            /api/v1/cage/sessions/{session}
        GET     login     403    403    404   409     409     200      /cage/sessions/{session}/report.pdf
            /cage/sessions/{session}/report.csv /api/v1/cage/sessions/{session}/report.pdf
        GET     login     200    404    404   200     200     200      /cage/slips/{slip}/ /api/v1/cage/slips/{slip}
        GET     login     404    404    404   404     404     404      /cage/slips/99999/
        GET     login     403    403    404   404     404     404      /cage/sessions/99999/
        POST    login     403    403    302   409     302     403      /cage/sessions/{desk}/join/
        POST    login     403    403    200   409     200     403      /api/v1/cage/sessions/{desk}/join
        POST    login     403    403    302   302     302     403      /cage/sessions/{desk}/leave/
        POST    login     403    403    200   200     200     403      /api/v1/cage/sessions/{desk}/leave
        POST    login     403    403    409   409     409     403      /cage/sessions/{session}/join/
        GET     login     403    403    200   200     200     200      /cage/approvals/ /api/v1/approvals
        GET     login     200    200    200   200     200     200      /me/cashier/ /api/v1/me/cashier
            /api/v1/me/cashier/requests
        POST    login     200    404    404   200     200     200      /cage/slips/{slip}/receipt/
            /api/v1/cage/slips/{slip}/receipt
        POST    login     403    403    403   403     302     403      /cage/drawers/{other}/retire/
        POST    login     403    403    403   403     409     403      /cage/drawers/{drawer}/retire/
        POST    login     403    403    403   302     403     403      /cage/approvals/{approval}/take-back/
        POST    login     302    404    404   404     404     404      /me/cashier/{request}/take-back/
        POST    login     403    403    403   200     409     403      /api/v1/cage/requests/{request}/fulfil
        DELETE  login     403    403    403   403     204     403      /api/v1/cage/drawers/{other}
        DELETE  login     403    403    403   204     403     403      /api/v1/approvals/{approval}
        DELETE  login     204    404    404   404     404     404      /api/v1/me/cashier/requests/{request}
    """),
    for_roles("POST", "/cage/window/buy-in/", 400, *STAFF, data={"player": "{player}", "amount": 5}),
    for_roles("POST", "/cage/window/tables/99999/cash-out/", 404, *STAFF, data={"player": "{player}"}),
    Row("POST", "/cage/do/", LOGIN, 403, 403, 403, 302, 409, 403, SLIP | {"player": "{player}"}),
    for_roles("POST", "/cage/do/", 400, *STAFF, data=SLIP | {"player": "{player}", "amount": -5}),
    for_roles("POST", "/cage/players/{player}/credit-line/", LOGIN, "manager", data={"most": 100} | WHY),
    for_roles("POST", "/cage/players/{player}/credit-line/", 400, "manager", data={"most": "all"}),
    Row("POST", "/cage/requests/{request}/", LOGIN, 403, 403, 403, 302, 409, 403),
    for_roles("POST", "/cage/requests/99999/", 404, *STAFF, data=WHY),
    for_roles("POST", "/cage/requests/99999/refuse/", 404, *STAFF, data=WHY),
    for_roles("POST", "/cage/requests/{request}/refuse/", LOGIN, *STAFF, data=WHY),
    for_roles("POST", "/cage/requests/{request}/refuse/", 400, *STAFF, data={"reason": ""}),
    Row("POST", "/cage/slips/{slip}/reverse/", LOGIN, 403, 403, 403, 302, 409, 403, WHY),
    Row("POST", "/cage/drawers/open/", LOGIN, 403, 403, 403, 409, 302, 403, {"drawer": "{other}", "counted": "0"}),
    for_roles("POST", "/cage/drawers/new/", LOGIN, "manager", data={"name": "Window 9"}),
    Row("POST", "/cage/drawers/fill/", LOGIN, 403, 403, 403, 302, 409, 403, {"amount": 10}),
    Row("POST", "/cage/drawers/take/", LOGIN, 403, 403, 403, 302, 409, 403, {"amount": 10}),
    Row("POST", "/cage/drawers/count/", LOGIN, 403, 403, 409, 302, 409, 403, {"counted": "1500"}),
    Row("POST", "/cage/drawers/count/", LOGIN, 403, 403, 400, 400, 400, 403, {"counted": "many"}),
    Row("POST", "/cage/drawers/close/", LOGIN, 403, 403, 409, 302, 409, 403, {"counted": "1500"}),
    Row("POST", "/cage/drawers/close/", LOGIN, 403, 403, 409, 422, 409, 403, {"counted": "1400"}),
    Row("POST", "/cage/drawers/close/", LOGIN, 403, 403, 404, 302, 302, 403, CLOSES_ANOTHERS),
    Row("POST", "/cage/drawers/fill/", LOGIN, 403, 403, 403, 302, 302, 403, {"amount": 10, "session_id": "{desk}"}),
    for_roles("POST", "/cage/vault/", LOGIN, "manager", data={"amount": 10, "way": "in"} | WHY),
    Row("POST", "/cage/vault/count/", LOGIN, 403, 403, 403, 302, 422, 403, {"counted": "100"} | WHY),
    Row("POST", "/cage/vault/count/", LOGIN, 403, 403, 403, 422, 302, 403, {"counted": "49000"}),
    for_roles("POST", "/cage/vault/count/", 422, *STAFF, data={"pieces-100": "4"}),
    Row("POST", "/cage/approvals/{approval}/decide/", LOGIN, 403, 403, 403, 403, 302, 403, {"approve": "yes"}),
    for_roles("POST", "/cage/limits/", LOGIN, "manager", data={"role": "cashier", "verb": "deposit", "slip": 5}),
    for_roles("POST", "/cage/limits/", LOGIN, "manager", data={"role": "manager", "verb": "vault", "slip": 500_000}),
    for_roles("POST", "/me/cashier/ask/", LOGIN, others=LOGIN, data={"kind": "deposit", "amount": 5}),
    Row("POST", f"{API}/cage/slips", 401, 403, 403, 403, 404, 404, 403, SLIP | {"player": 99999}),
    Row("POST", f"{API}/cage/slips/{{slip}}/reversal", 401, 403, 403, 403, 202, 409, 403, WHY),
    for_roles("POST", f"{API}/cage/drawers", 201, "manager", data={"name": "Window 9"}),
    Row("POST", f"{API}/cage/sessions", 401, 403, 403, 404, 404, 404, 403, {"drawer": 99999, "counted": 0}),
    Row("POST", f"{API}/cage/sessions/{{session}}/fill", 401, 403, 403, 403, 201, 409, 403, {"amount": 10}),
    Row("POST", f"{API}/cage/sessions/{{session}}/take", 401, 403, 403, 403, 201, 409, 403, {"amount": 10}),
    Row("POST", f"{API}/cage/sessions/{{session}}/count", 401, 403, 403, 409, 422, 409, 403, {"counted": 10}),
    Row("POST", f"{API}/cage/sessions/{{session}}/count", 401, 403, 403, 409, 422, 409, 403, {"counted": 10} | WHY),
    Row("POST", f"{API}/cage/sessions/{{session}}/count", 401, 403, 403, 409, 201, 409, 403, {"counted": 1500}),
    Row("POST", f"{API}/cage/sessions/{{session}}/close", 401, 403, 403, 409, 200, 400, 403, {"counted": 1500}),
    Row("POST", f"{API}/cage/sessions/{{session}}/close", 401, 403, 403, 409, 200, 200, 403, {"counted": 1500} | WHY),
    for_roles("POST", f"{API}/cage/vault", 201, "manager", data={"amount": 10} | WHY),
    Row("POST", f"{API}/cage/vault/counts", 401, 403, 403, 403, 422, 201, 403, {"pieces": {"10000": 4, "1000": 9}}),
    Row("POST", f"{API}/cage/vault/counts", 401, 403, 403, 403, 202, 422, 403, {"counted": 100} | WHY),
    for_roles("POST", f"{API}/cage/vault/counts", 422, *STAFF, data={"counted": 100}),
    for_roles("PUT", f"{API}/cage/limits", 200, "manager", data={"role": "cashier", "verb": "comp"} | LIMIT),
    for_roles("PUT", f"{API}/cage/limits", 202, "manager", data={"role": "manager", "verb": "vault"} | LIMIT),
    for_roles(
        "PUT", f"{API}/cage/limits", 200, "manager", data={"role": "cashier", "verb": "comp", "slip": 5, "day": 5}
    ),
    for_roles("PUT", f"{API}/cage/players/{{player}}/credit-line", 200, "manager", data={"most": 10} | WHY),
    for_roles("POST", f"{API}/cage/requests/{{request}}/refuse", 200, *STAFF, data=WHY),
    for_roles("POST", f"{API}/tables/99999/window/buy-in", 404, *STAFF, data={"player": 99999, "amount": 5}),
    for_roles("POST", f"{API}/tables/99999/window/cash-out", 404, *STAFF, data={"player": 99999}),
    Row("POST", f"{API}/approvals/{{approval}}/decision", 401, 403, 403, 403, 403, 200, 403, {"approve": True}),
    for_roles("POST", f"{API}/me/cashier/requests", 201, others=201, data={"kind": "deposit", "amount": 5}),
]


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    """The cashier has a drawer of 1,500 open, with a slip, a request and an approval of the player's, and counted 100
    in the vault, where 49,000 lie: the same again is their count, and to everybody else it is a first one."""
    cay, mia, pia = people["cashier"], people["manager"], people["player"]
    drawer = drawers.make_drawer(name="Window 1", by=mia, now=now)
    other = drawers.make_drawer(name="Window 2", by=mia, now=now)
    vault.vault(amount=50_000, by=mia, now=now, reason="what lies there on the first day")
    session = drawers.open_drawer(drawer_id=drawer.pk, counted=1_000, from_vault=1_000, by=cay, now=now)
    slip = slips.deposit(player=pia, amount=500, by=cay, now=now)
    desk = drawers.make_drawer(name="Tournament desk", by=mia, now=now, is_for_events=True)
    shared = drawers.open_drawer(drawer_id=desk.pk, counted=0, by=person("dirk", "director"), now=now)
    asked = requests.make(by=pia, kind="deposit", amount=50, now=now)
    approval = slips.deposit(player=pia, amount=20_001, by=cay, now=now)
    refused(Illegal, "count again", vault.count_vault, counted=100, by=cay, now=now)
    made = {"player": pia, "drawer": drawer, "other": other, "session": session, "slip": slip, "request": asked}
    made["desk"] = shared
    return {name: row.pk for name, row in made.items()} | {"approval": approval.pk}
