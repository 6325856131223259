"""Cards, visits, bans, limits, notes, accounts, connections, the trail."""

from datetime import datetime
from typing import Any

from django.test import Client
from django.utils import timezone

from cardroom.accounts import bans, blacklist, members, notes, sessions
from cardroom.core.models import User
from cardroom.ledger import limits
from tests.support.offers import person
from tests.web.room_rows import LOGIN, Row, for_roles, rows

DESK = ("floor", "cashier", "manager")
FLOOR = ("floor", "manager")
EVERYBODY = ("player", "dealer", "floor", "cashier", "manager", "auditor")
REGISTER = {"name": "Pia Ash", "phone": "+49 170 1234567"}
WHY = {"reason": "Because of that"}
BAN = {"reason": "Threw a glass", "until": "2030-01-06T10:00"}
A_DAY = {"reason": "Threw a glass", "length": "1", "sure": "yes"}

ROWS = [
    *rows("""
                anonymous player dealer floor cashier manager auditor
        GET     login     200    200    200   200     200     200      /me/card/ /me/limits/ /api/v1/me/limits
            /api/v1/me/bans
        GET     login     403    403    200   200     200     403      /players/ /players/?q=pia /players/{player}/
            /players/{player}/card.pdf /api/v1/players?q=pia /api/v1/players/{player} /api/v1/visits
            /api/v1/players/{player}/bans /api/v1/players/{player}/notes
        GET     login     403    403    404   404     404     403      /players/999999/
        GET     login     405    405    405   405     405     405      /players/{player}/do/
        GET     login     403    403    403   403     200     403      /staff/accounts/ /staff/accounts/{player}/
            /staff/blacklist/ /api/v1/accounts /api/v1/accounts/{player} /api/v1/blacklist /api/v1/blacklist/{line}
        GET     login     403    403    200   403     200     403      /staff/connections/ /api/v1/connections
            /api/v1/connections/{handle}
        GET     login     403    403    403   403     200     200      /staff/errors/?q=x /trail/ /trail/trail.csv
            /trail/trail.pdf /api/v1/trail?verb=card /api/v1/trail/csv?verb=card /api/v1/trail/pdf
            /api/v1/faults?words=x
        GET     login     403    403    403   403     400     400      /trail/?since=soon
        GET     login     403    403    403   403     404     404      /trail/trail.xls /api/v1/trail/xls
        GET     login     200    404    404   404     404     404      /api/v1/me/card
        POST    login     302    404    404   404     404     404      /me/card/
        POST    login     403    403    200   200     200     403      /api/v1/players/{player}/cards/lost
            /api/v1/players/{player}/visit
        PUT     login     403    403    403   403     200     403      /api/v1/accounts/{player}/roles/dealer
        PUT     login     403    403    403   403     202     403      /api/v1/accounts/{player}/roles/auditor
        PUT     login     403    403    403   403     404     403      /api/v1/accounts/{player}/roles/king
        DELETE  login     200    404    404   404     404     404      /api/v1/me/card /api/v1/me/limits/{change}
        DELETE  login     403    403    404   404     404     403      /api/v1/players/{player}/visit
        DELETE  login     403    403    204   403     204     403      /api/v1/notes/{note}
        DELETE  login     403    403    403   403     200     403      /api/v1/accounts/{player}/roles/dealer
        DELETE  login     403    403    403   403     204     403      /api/v1/blacklist/{line}
    """),
    for_roles("POST", "/me/limits/", LOGIN, *EVERYBODY, data={"kind": "time-day", "amount": "90"}),
    for_roles("POST", "/me/limits/", 400, *EVERYBODY, data={"kind": "time-day", "amount": "ninety"}),
    for_roles("POST", "/me/limits/exclude/", LOGIN, *EVERYBODY, data={"days": "7", "sure": "on"}),
    for_roles("POST", "/me/limits/exclude/", 400, *EVERYBODY, data={"days": "7"}),
    for_roles("POST", "/players/", LOGIN, *DESK, data=REGISTER),
    for_roles("POST", "/players/", 400, *DESK, data={"name": "P"}),
    for_roles("POST", "/players/{player}/do/", LOGIN, *DESK, data={"what": "check-in"}),
    for_roles("POST", "/players/{player}/do/", 404, *DESK, data={"what": "nothing"}),
    for_roles("POST", "/players/{player}/do/", LOGIN, *FLOOR, data={"what": "ban"} | A_DAY),
    for_roles(
        "POST", "/players/{player}/do/", LOGIN, "manager", data={"what": "ban"} | A_DAY | {"length": "permanent"}
    ),
    for_roles("POST", "/staff/accounts/", LOGIN, "manager", data={"name": "wren"}),
    for_roles("POST", "/staff/accounts/{player}/", LOGIN, "manager", data={"what": "close", "reason": "Moved away"}),
    for_roles("POST", "/staff/connections/{handle}/", LOGIN, *FLOOR, data={"what": "message", "text": "Phone!"}),
    for_roles("POST", "/staff/connections/{handle}/", LOGIN, *FLOOR, data={"what": "terminate", "reason": "Shouts"}),
    for_roles("POST", "/staff/connections/none/", 404, *FLOOR, data={"what": "message", "text": "Phone!"}),
    for_roles("POST", "/staff/blacklist/", LOGIN, "manager", data={"kind": "name", "value": "troll", "reason": "Spam"}),
    for_roles("POST", "/api/v1/me/limits", 201, *EVERYBODY, data={"kind": "time-day", "amount": 90}),
    for_roles("POST", "/api/v1/me/bans", 201, *EVERYBODY, data={"until": None}),
    for_roles("POST", "/api/v1/players", 201, *DESK, data=REGISTER),
    for_roles("PUT", "/api/v1/players/{player}/member", 200, *DESK, data=REGISTER),
    for_roles("POST", "/api/v1/players/{player}/cards", 201, *DESK, data={"was": "lost"}),
    Row("POST", "/api/v1/visits", 401, 403, 403, 404, 404, 404, 403, {"barcode": "1234567890123"}),
    for_roles("POST", "/api/v1/players/{player}/bans", 201, *FLOOR, data=BAN | {"until": "2030-01-06T10:00:00Z"}),
    for_roles("POST", "/api/v1/players/{player}/bans", 201, "manager", data=WHY),
    for_roles("POST", "/api/v1/bans/{ban}/lift", 200, "manager", data=WHY),
    for_roles("POST", "/api/v1/players/{player}/notes", 201, *DESK, data={"text": "Left-handed", "flag": "host"}),
    for_roles("POST", "/api/v1/accounts", 201, "manager", data={"name": "wren"}),
    for_roles("PATCH", "/api/v1/accounts/{player}", 200, "manager", data={"name": "pia.two"}),
    for_roles("POST", "/api/v1/accounts/{player}/close", 200, "manager", data=WHY),
    for_roles("POST", "/api/v1/accounts/{player}/reopen", 200, "manager", data=WHY),
    for_roles("PUT", "/api/v1/accounts/{player}/password", 204, "manager", data={"password": "all-the-burns"}),
    for_roles("POST", "/api/v1/accounts/{player}/adjust", 200, "manager", data={"amount": 5} | WHY),
    for_roles("POST", "/api/v1/blacklist", 201, "manager", data={"kind": "name", "value": "troll"} | WHY),
    for_roles("PATCH", "/api/v1/blacklist/{line}", 200, "manager", data=WHY),
    for_roles("POST", "/api/v1/connections/{handle}/message", 204, *FLOOR, data={"text": "Phone!"}),
    for_roles("POST", "/api/v1/connections/{handle}/terminate", 204, *FLOOR, data=WHY),
    Row("POST", "/api/v1/trail", 401, 403, 201, 201, 201, 201, 403, {"text": "The lights went out"}),
]


def room(people: dict[str, User], now: datetime) -> dict[str, Any]:
    """There is a second manager, who is asked before a role is given."""
    person("max", "manager")
    player, manager = people["player"], people["manager"]
    card = members.register(player=player, by=manager, now=now, name="Pia Ash")
    note = notes.write(player=player, text="Left-handed", by=people["floor"], now=now)
    line = blacklist.add(kind="network", value="198.51.100.0/24", reason="Abuse", by=manager, now=now)
    ban = bans.ban(player=people["auditor"], reason="Rude", by=manager, now=now, where="room")
    limits.request_limit(by=player, kind="loss-day", amount=100, now=now)
    change = limits.request_limit(by=player, kind="loss-day", amount=200, now=now)
    Client().force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    session = sessions.open_now(now=timezone.now(), user=player).first()
    assert session is not None
    made = {"player": player, "note": note, "line": line, "ban": ban, "change": change}
    return {name: row.pk for name, row in made.items()} | {"barcode": card.barcode, "handle": session.handle}
