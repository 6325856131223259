"""Jackpots: everybody looks, the floor reports hits, managers ask and decide."""

from datetime import datetime
from typing import Any

from cardroom.models import User
from games.models import Jackpot
from tests.web.room_rows import Row, for_all, for_roles

_HIT = {"table": 1, "loser": 1, "winner": 2, "losing": "2s2h2d2c3s", "winning": "3d3h3c4s4d"}

ROWS: list[Row] = [
    for_all("GET", "/jackpots/", 200),
    for_all("GET", "/jackpots/fragment/", 200),
    for_roles("POST", "/jackpots/change/", 400, "manager"),
    for_roles("POST", "/jackpots/hit/", 400, "floor", "manager"),
    for_roles("POST", "/jackpots/decide/", 400, "manager"),
    for_all("GET", "/api/v1/jackpots", 200),
    for_roles("POST", "/api/v1/jackpots", 400, "manager", data={"reason": "a test"}),
    for_all("GET", "/api/v1/jackpots/{jackpot}", 200),
    for_roles("POST", "/api/v1/jackpots/{jackpot}", 400, "manager", data={"reason": "a test"}),
    for_all("GET", "/api/v1/jackpots/{jackpot}/hits", 200),
    for_roles("POST", "/api/v1/jackpots/{jackpot}/hits", 404, "floor", "manager", data=_HIT),
]


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    return {"jackpot": Jackpot.objects.create(name="Bad beat", made_at=now).pk}
