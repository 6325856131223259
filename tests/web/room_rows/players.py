"""Cards, visits, bans, limits, notes, accounts, connections, the trail."""

from datetime import datetime
from typing import Any

from cardroom.models import User
from tests.web.room_rows import Row

ROWS: list[Row] = []


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    return {"player": people["player"].pk}
