"""Cards, visits, bans, limits, notes, accounts, connections, the trail."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from cardroom.models import User
from cardroom.services import blacklist, cards, limits, notes, sessions, standing
from tests.web.room_rows import LOGIN, Row, for_roles

DESK = ("floor", "cashier", "manager")
FLOOR = ("floor", "manager")
TRAIL = ("manager", "auditor")
WORDS = {"handle": "0123456789abcdef"}
EVERYBODY = ("player", "dealer", "floor", "cashier", "manager", "auditor")
REGISTER = {"name": "Pia Ash", "phone": "+49 170 1234567"}
BAN = {"reason": "Threw a glass", "until": "2030-01-06T10:00"}

PAGES = [
    for_roles("GET", "/me/card/", 200, *EVERYBODY),
    Row("POST", "/me/card/", LOGIN, 302, *[404] * 5),
    for_roles("GET", "/me/limits/", 200, *EVERYBODY),
    for_roles("POST", "/me/limits/", LOGIN, *EVERYBODY, data={"kind": "time-day", "amount": "90"}),
    for_roles("POST", "/me/limits/", 400, *EVERYBODY, data={"kind": "time-day", "amount": "ninety"}),
    for_roles("POST", "/me/limits/exclude/", LOGIN, *EVERYBODY, data={"days": "7", "sure": "on"}),
    for_roles("POST", "/me/limits/exclude/", 400, *EVERYBODY, data={"days": "7"}),
    for_roles("GET", "/players/", 200, *DESK),
    for_roles("GET", "/players/?q=pia", 200, *DESK),
    for_roles("GET", "/players/{player}/", 200, *DESK),
    for_roles("GET", "/players/999999/", 404, *DESK),
    for_roles("GET", "/players/{player}/do/", 405, *EVERYBODY),
    for_roles("POST", "/players/{player}/do/", LOGIN, *DESK, data={"what": "check-in"}),
    for_roles("POST", "/players/{player}/do/", 400, *DESK, data={"what": "nothing"}),
    for_roles("POST", "/players/{player}/do/", LOGIN, *FLOOR, data={"what": "ban"} | BAN),
    for_roles("POST", "/players/{player}/do/", LOGIN, "manager", data={"what": "ban", "reason": "Threw a glass"}),
    for_roles("GET", "/players/{player}/card.pdf", 200, *DESK),
    for_roles("GET", "/staff/accounts/", 200, "manager"),
    for_roles("POST", "/staff/accounts/", LOGIN, "manager", data={"name": "wren"}),
    for_roles("GET", "/staff/accounts/{player}/", 200, "manager"),
    for_roles("POST", "/staff/accounts/{player}/", LOGIN, "manager", data={"what": "close", "reason": "Moved away"}),
    for_roles("GET", "/staff/connections/", 200, *FLOOR),
    for_roles("POST", "/staff/connections/{handle}/", LOGIN, *FLOOR, data={"what": "message", "text": "Phone!"}),
    for_roles("POST", "/staff/connections/{handle}/", LOGIN, *FLOOR, data={"what": "terminate", "reason": "Shouts"}),
    for_roles("POST", "/staff/connections/none/", 404, *FLOOR, data={"what": "message", "text": "Phone!"}),
    for_roles("GET", "/staff/blacklist/", 200, "manager"),
    for_roles("POST", "/staff/blacklist/", LOGIN, "manager", data={"kind": "name", "value": "troll", "reason": "Spam"}),
    for_roles("GET", "/trail/", 200, *TRAIL),
    for_roles("GET", "/trail/?since=soon", 400, *TRAIL),
    for_roles("GET", "/trail/trail.csv", 200, *TRAIL),
]
API: list[Row] = []
ROWS = [*PAGES, *API]


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    from django.test import Client

    player, manager = people["player"], people["manager"]
    card = cards.register(player=player, by=manager, now=now, name="Pia Ash")
    note = notes.write(player=player, text="Left-handed", by=people["floor"], now=now)
    line = blacklist.add(kind="network", value="198.51.100.0/24", reason="Abuse", by=manager, now=now)
    ban = standing.ban(player=people["auditor"], reason="Rude", by=manager, now=now, where="room")
    limits.wish(player=player, kind="loss-day", amount=100, now=now)
    change = limits.wish(player=player, kind="loss-day", amount=200, now=now)
    Client().force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    session = sessions.open_now(now=timezone.now(), user=player).first()
    assert session is not None
    return {
        "player": player.pk,
        "barcode": card.barcode,
        "note": note.pk,
        "line": line.pk,
        "ban": ban.pk,
        "change": change.pk,
        "handle": session.handle,
    }
