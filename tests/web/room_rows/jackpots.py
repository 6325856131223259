"""Jackpots: everybody looks, the floor reports hits, managers ask and decide."""

from datetime import datetime
from typing import Any

from tests.support.models import Jackpot, User
from tests.web.room_rows import Row, for_roles, rows

_HIT = {"table": 1, "loser": 1, "winner": 2, "losing": "2s2h2d2c3s", "winning": "3d3h3c4s4d"}

ROWS: list[Row] = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     200       200    200    200   200     200     200      /jackpots/ /jackpots/fragment/ /api/v1/jackpots
            /api/v1/jackpots/{jackpot} /api/v1/jackpots/{jackpot}/hits
        POST    login     403    403    403   403     400     403      /jackpots/change/ /jackpots/decide/
        POST    login     403    403    400   403     400     403      /jackpots/hit/
    """),
    for_roles("POST", "/api/v1/jackpots", 400, "manager", data={"reason": "a test"}),
    for_roles("POST", "/api/v1/jackpots/{jackpot}", 400, "manager", data={"reason": "a test"}),
    for_roles("POST", "/api/v1/jackpots/{jackpot}/hits", 404, "floor", "manager", data=_HIT),
]


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    return {"jackpot": Jackpot.objects.create(name="Bad beat", made_at=now).pk}
