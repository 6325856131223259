"""The page behind the link of a call, for anybody who has the link."""

from datetime import datetime
from typing import Any

from games.waitlists import calling
from tests.support.lists import ListRoom
from tests.support.models import ListEntry, User
from tests.web.room_rows import for_all

WORDS = {"token": "1-1~x"}
ROWS = [
    for_all("GET", "/calls/{token}/", 200),
    for_all("POST", "/calls/{token}/", 302, {"reply": "coming"}),
    for_all("POST", "/calls/{token}/", 400, {"reply": "dance"}),
    for_all("GET", "/calls/1-1~forged/", 404),
]


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    desk = ListRoom(call_minutes=120)
    entry = desk.join(desk.player("cora"))
    calling.call_next(table_id=desk.table.pk, by=desk.floor, now=now)
    return {"token": calling.token_of(ListEntry.objects.get(pk=entry.pk))}
