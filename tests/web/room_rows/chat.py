"""The chat of the lobby, and its log."""

from datetime import datetime
from typing import Any

from cardroom.accounts import chat
from cardroom.core.models import User
from tests.support.evening import player as another
from tests.web.room_rows import LOGIN, for_roles, rows

FLOOR = ("floor", "manager")
EVERYBODY = ("player", "dealer", "floor", "cashier", "manager", "auditor")
WHY = {"reason": "Spoils the game"}
HOUR = {"what": "silence", "player_id": "{player}", "hours": "1"} | WHY

ROWS = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     login     200    200    200   200     200     200      /chat/ /chat/lines/ /api/v1/chat
        GET     login     403    403    200   403     200     403      /chat/{line}/
        GET     login     403    403    404   403     404     403      /chat/999999/
        GET     login     403    403    403   403     200     200      /chat/log/ /chat/log.csv /api/v1/chat/log?who=pia
        GET     login     403    403    403   403     400     400      /chat/log/?since=soon
        GET     login     403    403    403   403     200     403      /api/v1/chat/words
        DELETE  login     403    403    204   403     204     403      /api/v1/chat/silences/{auditor}
    """),
    for_roles("POST", "/chat/", LOGIN, *EVERYBODY, data={"text": "Good evening"}),
    for_roles("POST", "/chat/", 400, *EVERYBODY, data={"text": " "}),
    for_roles("POST", "/chat/", LOGIN, *FLOOR, data={"what": "announce", "text": "The last hand is at four"}),
    for_roles("POST", "/chat/", LOGIN, *FLOOR, data={"what": "unsilence", "player_id": "{auditor}"}),
    for_roles("POST", "/chat/", LOGIN, *FLOOR, data={"what": "dismiss", "line_id": "{line}"}),
    for_roles("POST", "/chat/", LOGIN, "manager", data={"what": "words", "words": "fish, donkey"}),
    for_roles("POST", "/chat/", 400, "manager", data={"what": "words", "words": "x" * 41}),
    for_roles("POST", "/chat/report/", LOGIN, *EVERYBODY, data={"line_id": "{word}"} | WHY),
    for_roles("POST", "/chat/{line}/", LOGIN, *FLOOR, data={"what": "hide"} | WHY),
    for_roles("POST", "/chat/{line}/", LOGIN, *FLOOR, data=HOUR),
    for_roles("POST", "/chat/{line}/", LOGIN, "manager", data=HOUR | {"hours": ""}, others=403),
    for_roles("POST", "/chat/{line}/", 400, *FLOOR, data={"what": "hide"}),
    for_roles("POST", "/api/v1/chat", 201, *EVERYBODY, data={"text": "Good evening"}),
    for_roles("POST", "/api/v1/chat/announcements", 201, *FLOOR, data={"text": "The last hand is at four"}),
    for_roles("POST", "/api/v1/chat/{line}/hide", 200, *FLOOR, data=WHY),
    for_roles("POST", "/api/v1/chat/{line}/dismiss", 200, *FLOOR),
    for_roles("POST", "/api/v1/chat/{word}/report", 200, *EVERYBODY, data=WHY),
    for_roles("PUT", "/api/v1/chat/words", 200, "manager", data={"words": ["fish"]}),
    for_roles("PUT", "/api/v1/chat/silences/{player}", 200, "manager", data=WHY),
    for_roles("PUT", "/api/v1/chat/silences/{player}", 200, *FLOOR, data=WHY | {"until": "2030-01-06T10:00:00Z"}),
]


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    player = people["player"]
    line = chat.say(by=player, text="<b>Good</b> evening https://example.org/" + "x" * 120, now=now)
    chat.announce(by=people["floor"], text="The tables close at four", now=now)
    word = chat.say(by=another("wes", 0, now=now), text="Good night", now=now)
    return {"player": player.pk, "auditor": people["auditor"].pk, "line": line.pk, "word": word.pk}
