"""The chat of the lobby, and its log."""

from datetime import datetime
from typing import Any

from cardroom.models import User
from cardroom.services import chat
from tests.web.room_rows import LOGIN, for_roles

FLOOR = ("floor", "manager")
LOG = ("manager", "auditor")
EVERYBODY = ("player", "dealer", "floor", "cashier", "manager", "auditor")
WHY = {"reason": "Spoils the game"}
HOUR = {"what": "silence", "hours": "1"} | WHY

ROWS = [
    for_roles("GET", "/chat/", 200, *EVERYBODY),
    for_roles("POST", "/chat/", LOGIN, *EVERYBODY, data={"text": "Good evening"}),
    for_roles("POST", "/chat/", 400, *EVERYBODY, data={"text": " "}),
    for_roles("POST", "/chat/", LOGIN, *FLOOR, data={"what": "announce", "text": "The last hand is at four"}),
    for_roles("POST", "/chat/", LOGIN, *FLOOR, data={"what": "unsilence", "player": "{auditor}"}),
    for_roles("GET", "/chat/lines/", 200, *EVERYBODY),
    for_roles("GET", "/chat/{line}/", 200, *FLOOR),
    for_roles("GET", "/chat/999999/", 404, *FLOOR),
    for_roles("POST", "/chat/{line}/", LOGIN, *FLOOR, data={"what": "hide"} | WHY),
    for_roles("POST", "/chat/{line}/", LOGIN, *FLOOR, data=HOUR),
    for_roles("POST", "/chat/{line}/", LOGIN, "manager", data=HOUR | {"hours": ""}, others=403),
    for_roles("POST", "/chat/{line}/", 400, *FLOOR, data={"what": "hide"}),
    for_roles("GET", "/chat/log/", 200, *LOG),
    for_roles("GET", "/chat/log/?since=soon", 400, *LOG),
    for_roles("GET", "/chat/log.csv", 200, *LOG),
    for_roles("GET", "/api/v1/chat", 200, *EVERYBODY),
    for_roles("POST", "/api/v1/chat", 201, *EVERYBODY, data={"text": "Good evening"}),
    for_roles("POST", "/api/v1/chat/announcements", 201, *FLOOR, data={"text": "The last hand is at four"}),
    for_roles("POST", "/api/v1/chat/{line}/hide", 200, *FLOOR, data=WHY),
    for_roles("PUT", "/api/v1/chat/silences/{player}", 200, "manager", data=WHY),
    for_roles("PUT", "/api/v1/chat/silences/{player}", 200, *FLOOR, data=WHY | {"until": "2030-01-06T10:00:00Z"}),
    for_roles("DELETE", "/api/v1/chat/silences/{auditor}", 204, *FLOOR),
    for_roles("GET", "/api/v1/chat/log?who=pia", 200, *LOG),
]


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    player = people["player"]
    line = chat.say(by=player, text="<b>Good</b> evening https://example.org/" + "x" * 120, now=now)
    chat.announce(by=people["floor"], text="The tables close at four", now=now)
    return {"player": player.pk, "auditor": people["auditor"].pk, "line": line.pk}
