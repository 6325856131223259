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
    for_roles("POST", "/players/", LOGIN, *DESK, data=REGISTER),
    for_roles("POST", "/players/", 400, *DESK, data={"name": "P"}),
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
    for_roles("GET", "/staff/errors/?q=x", 200, *TRAIL),
    for_roles("POST", "/staff/blacklist/", LOGIN, "manager", data={"kind": "name", "value": "troll", "reason": "Spam"}),
    for_roles("GET", "/trail/", 200, *TRAIL),
    for_roles("GET", "/trail/?since=soon", 400, *TRAIL),
    for_roles("GET", "/trail/trail.csv", 200, *TRAIL),
    for_roles("GET", "/trail/trail.pdf", 200, *TRAIL),
    for_roles("GET", "/trail/trail.xls", 404, *TRAIL),
]
WHY = {"reason": "Because of that"}
API = [
    Row("GET", "/api/v1/me/card", 401, 200, *[404] * 5),
    Row("DELETE", "/api/v1/me/card", 401, 200, *[404] * 5),
    for_roles("GET", "/api/v1/me/limits", 200, *EVERYBODY),
    for_roles("POST", "/api/v1/me/limits", 201, *EVERYBODY, data={"kind": "time-day", "amount": 90}),
    Row("DELETE", "/api/v1/me/limits/{change}", 401, 200, *[404] * 5),
    for_roles("GET", "/api/v1/me/bans", 200, *EVERYBODY),
    for_roles("POST", "/api/v1/me/bans", 201, *EVERYBODY, data={"until": None}),
    for_roles("GET", "/api/v1/players?q=pia", 200, *DESK),
    for_roles("POST", "/api/v1/players", 201, *DESK, data=REGISTER),
    for_roles("GET", "/api/v1/players/{player}", 200, *DESK),
    for_roles("PUT", "/api/v1/players/{player}/member", 200, *DESK, data=REGISTER),
    for_roles("POST", "/api/v1/players/{player}/cards", 201, *DESK, data={"was": "lost"}),
    for_roles("POST", "/api/v1/players/{player}/cards/lost", 200, *DESK),
    for_roles("POST", "/api/v1/players/{player}/visit", 200, *DESK),
    for_roles("DELETE", "/api/v1/players/{player}/visit", 404, *DESK),
    for_roles("GET", "/api/v1/visits", 200, *DESK),
    Row("POST", "/api/v1/visits", 401, 403, 403, 404, 404, 404, 403, {"barcode": "1234567890123"}),
    for_roles("GET", "/api/v1/players/{player}/bans", 200, *DESK),
    for_roles("POST", "/api/v1/players/{player}/bans", 201, *FLOOR, data=BAN | {"until": "2030-01-06T10:00:00Z"}),
    for_roles("POST", "/api/v1/players/{player}/bans", 201, "manager", data=WHY),
    for_roles("POST", "/api/v1/bans/{ban}/lift", 200, "manager", data=WHY),
    for_roles("GET", "/api/v1/players/{player}/notes", 200, *DESK),
    for_roles("POST", "/api/v1/players/{player}/notes", 201, *DESK, data={"text": "Left-handed", "flag": "host"}),
    for_roles("DELETE", "/api/v1/notes/{note}", 204, *FLOOR),
    for_roles("GET", "/api/v1/accounts", 200, "manager"),
    for_roles("POST", "/api/v1/accounts", 201, "manager", data={"name": "wren"}),
    for_roles("GET", "/api/v1/accounts/{player}", 200, "manager"),
    for_roles("PATCH", "/api/v1/accounts/{player}", 200, "manager", data={"name": "pia.two"}),
    for_roles("POST", "/api/v1/accounts/{player}/close", 200, "manager", data=WHY),
    for_roles("POST", "/api/v1/accounts/{player}/reopen", 200, "manager", data=WHY),
    for_roles("PUT", "/api/v1/accounts/{player}/password", 204, "manager", data={"password": "all-the-burns"}),
    for_roles("PUT", "/api/v1/accounts/{player}/roles/dealer", 200, "manager"),
    for_roles("DELETE", "/api/v1/accounts/{player}/roles/dealer", 200, "manager"),
    for_roles("PUT", "/api/v1/accounts/{player}/roles/king", 404, "manager"),
    for_roles("POST", "/api/v1/accounts/{player}/adjust", 200, "manager", data={"amount": 5} | WHY),
    for_roles("GET", "/api/v1/blacklist", 200, "manager"),
    for_roles("POST", "/api/v1/blacklist", 201, "manager", data={"kind": "name", "value": "troll"} | WHY),
    for_roles("GET", "/api/v1/blacklist/{line}", 200, "manager"),
    for_roles("PATCH", "/api/v1/blacklist/{line}", 200, "manager", data=WHY),
    for_roles("DELETE", "/api/v1/blacklist/{line}", 204, "manager"),
    for_roles("GET", "/api/v1/connections", 200, *FLOOR),
    for_roles("GET", "/api/v1/connections/{handle}", 200, *FLOOR),
    for_roles("POST", "/api/v1/connections/{handle}/message", 204, *FLOOR, data={"text": "Phone!"}),
    for_roles("POST", "/api/v1/connections/{handle}/terminate", 204, *FLOOR, data=WHY),
    for_roles("GET", "/api/v1/trail?verb=card", 200, *TRAIL),
    for_roles("GET", "/api/v1/trail/csv?verb=card", 200, *TRAIL),
    for_roles("GET", "/api/v1/trail/pdf", 200, *TRAIL),
    for_roles("GET", "/api/v1/trail/xls", 404, *TRAIL),
    for_roles("GET", "/api/v1/faults?words=x", 200, *TRAIL),
    Row("POST", "/api/v1/trail", 401, 403, 201, 201, 201, 201, 403, {"text": "The lights went out"}),
]
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
