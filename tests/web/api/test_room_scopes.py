"""What a token has to be good for, at every address of the cash room that changes something."""

import re

from django.core.cache import cache
from django.urls import resolve

from tests.support.parts.cardroom import access, tokens
from tests.web.room_rows import areas, example

#: The first that fits counts. `<>` is a number or a word; a scope that is one's own is for what one does for oneself.
SCOPES = (
    (r"drop-schedules/preview", "read"),
    (r"(accounts|blacklist|bans|offers|drop-schedules|sections|jackpots)(/<>)?$", "manage"),
    (r"accounts/|bans/|blacklist/|drop-schedules/|sections/|reports/", "manage"),
    (r"offers/(order|<>/(withdraw|relist))", "manage"),
    (r"cage/(limits|players/<>/credit-line)|approvals/<>/decision|players/<>/bans", "manage"),
    (
        r"cage/|approvals/<>$|players(/|$)|visits|notes/|tables/<>/(window/|seating/(top-up|cash-in|cash-out|box))",
        "cage",
    ),
    (r"me/|chat$|chat/<>/report|lists/<>$|list-entries/<>/(answer|leave|take-seat|transfer)", "play"),
    (r"tables/<>/(unlock|time/(pay|refuse))", "play"),
    (r"", "direct"),
)


def _changes():
    found = set()
    for area in areas():
        for row in area.ROWS:
            if row.path.startswith("/api/") and row.method != "GET":
                path = example(area, row.path)
                plain = re.sub(r"<\w+:\w+>", "<>", resolve(path).route).removeprefix("api/v1/")
                scope = next(scope for pattern, scope in SCOPES if re.match(pattern, plain))
                found.add((row.method, path, scope))
    return sorted(found)


def test_a_token_without_the_scope_changes_nothing(api, ann):
    for role in ("dealer", "floor", "cashier", "manager", "auditor"):
        access.grant_role(user=ann, role=role, by=None)
    without = {scope: api(ann, *(each for each in tokens.SCOPES if each != scope)) for scope in tokens.SCOPES}
    wrong = []
    for method, path, scope in _changes():
        cache.clear()
        answer = without[scope].generic(method, path, "{}", "application/json")
        if answer.status_code != 403 or f"lacks the scope '{scope}'" not in answer.json()["detail"]:
            wrong.append(f"{method} {path}: {answer.status_code} without {scope}")
    assert not wrong, "\n".join(wrong)
    assert len(_changes()) > 100
