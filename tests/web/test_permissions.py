"""Who gets what answer at which address: one table, and a walk that fails on an address missing from it."""

from collections.abc import Iterator
from http.cookies import SimpleCookie
from typing import NamedTuple

import pytest
from django.db import transaction
from django.urls import get_resolver, resolve
from django.utils import timezone

from cardroom.models import ApiToken
from cardroom.services import access, tokens
from games.services import rulebooks
from tests.web.room_rows import areas, example
from tests.web.test_event_permissions import ROWS as OF_EVENTS
from tests.web.test_event_permissions import WORDS

LOGIN = 302  # to the page for logging in, or away from it


class Row(NamedTuple):
    """Statuses for somebody not logged in, a player who sits at the table, and one of the floor who does not."""

    method: str
    path: str
    anonymous: int
    player: int
    floor: int
    data: dict[str, object] = {}


TABLE, HAND, TOKEN = "{table}", "{hand}", "{token}"
HOUSE = "river-room"
SIT = {"number": 5, "buy_in": 500}
PRACTICE = {"rulebook": "gardens", "game": "razz", "setting": "cash", "rate": 70}
#: The addresses of allauth are its own to guard; here is what each answers to whoever comes by.
PAGES = [
    Row("GET", "/", 200, 200, 200),
    Row("GET", "/lobby/", 200, 200, 200),
    Row("POST", "/", 405, 405, 405),
    Row("GET", f"/tables/{TABLE}/", 200, 200, 200),
    Row("GET", "/tables/999/", 404, 404, 404),
    Row("GET", f"/tables/{TABLE}/sit/", LOGIN, 405, 405),
    Row("POST", f"/tables/{TABLE}/sit/", LOGIN, 409, LOGIN, SIT),  # to the table: the floor may play like anybody
    Row("POST", "/tables/999/sit/", LOGIN, 404, 404, SIT),
    Row("POST", f"/tables/{TABLE}/sit/", LOGIN, 400, 400, {"number": "five", "buy_in": "all"}),
    Row("POST", f"/tables/{TABLE}/top-up/", LOGIN, LOGIN, 404, {"amount": 100}),
    Row("POST", f"/tables/{TABLE}/sit-out/", LOGIN, LOGIN, 404),
    Row("POST", f"/tables/{TABLE}/come-back/", LOGIN, 409, 404),
    Row("POST", f"/tables/{TABLE}/leave/", LOGIN, LOGIN, 404),
    Row("GET", f"/tables/{TABLE}/hands/", 200, 200, 200),
    Row("GET", "/tables/999/hands/", 404, 404, 404),
    Row("GET", f"/hands/{HAND}/", 200, 200, 200),
    Row("GET", "/hands/999999/", 404, 404, 404),
    Row("GET", "/rules/", 200, 200, 200),
    Row("GET", "/rules/roberts-v4/", 200, 200, 200),
    Row("GET", "/rules/none/", 404, 404, 404),
    Row("GET", "/rules/house/", 200, 200, 200),
    Row("GET", "/rules/house/new/", LOGIN, 403, 403),  # rules are for managers to write
    Row("POST", "/rules/house/new/", LOGIN, 403, 403, {"base": "gardens", "name": "Mine", "save": "1"}),
    Row("GET", f"/rules/house/{HOUSE}/", 200, 200, 200),
    Row("GET", "/rules/house/none/", 404, 404, 404),
    Row("GET", f"/rules/house/{HOUSE}/history/", 200, 200, 200),
    Row("GET", f"/rules/house/{HOUSE}/2030-01-05/", 200, 200, 200),
    Row("GET", f"/rules/house/{HOUSE}/2030-01-06/", 404, 404, 404),
    Row("GET", f"/rules/house/{HOUSE}/edit/", LOGIN, 403, 403),
    Row("POST", f"/rules/house/{HOUSE}/edit/", LOGIN, 403, 403, {"save": "1", "after": "2030-01-05"}),
    Row("GET", f"/tables/{TABLE}/rulebook/", LOGIN, 403, 403),
    Row("POST", f"/tables/{TABLE}/rulebook/", LOGIN, 403, 403, {"rulebook": "gardens"}),
    Row("GET", "/me/", LOGIN, 200, 200),
    Row("GET", "/me/four-colour/", LOGIN, 405, 405),
    Row("POST", "/me/four-colour/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/me/mail/", LOGIN, 405, 405),
    Row("POST", "/me/mail/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/me/tokens/", LOGIN, 200, 200),
    Row("POST", "/me/tokens/", LOGIN, 200, 200, {"name": "mine", "scopes": "read", "days": 3}),
    Row("GET", f"/me/tokens/{TOKEN}/revoke/", LOGIN, 405, 405),
    Row("POST", f"/me/tokens/{TOKEN}/revoke/", LOGIN, LOGIN, 404),  # the floor has no hand in a player's tokens
    Row("GET", "/healthz", 200, 200, 200),
    Row("GET", "/metrics", 404, 404, 404),
    Row("GET", "/nowhere/", 404, 404, 404),
]
CONSOLES = [
    Row("GET", f"/tables/{TABLE}/deal/", LOGIN, 403, 409),  # this table deals by itself
    Row("GET", "/tables/999/deal/", LOGIN, 403, 404),
    Row("GET", "/floor/", LOGIN, 403, 200),
    Row("POST", "/floor/", LOGIN, 405, 405),
    Row("GET", f"/floor/tables/{TABLE}/", LOGIN, 403, 200),
    Row("GET", "/floor/tables/999/", LOGIN, 403, 404),
    Row("GET", "/desk/", 200, 200, 200),
    Row("GET", "/desk/?what=too-early", 200, 200, 200),
    Row("GET", "/desk/?what=nothing", 400, 400, 400),
    Row("GET", "/desk/?what=too-early&players=99", 400, 400, 400),
    Row("GET", "/desk/?what=too-early&rulebook=none", 400, 400, 400),
    Row("GET", "/desk/?what=too-early&odd=1", 400, 400, 400),
    Row("POST", "/desk/", 405, 405, 405),
    Row("GET", "/practice/", LOGIN, 200, 200),
    Row("POST", "/practice/", LOGIN, LOGIN, LOGIN, PRACTICE),  # to the situation that waits
    Row("POST", "/practice/", LOGIN, 400, 400, PRACTICE | {"rate": 101}),
    Row("POST", "/practice/", LOGIN, 400, 400, PRACTICE | {"rulebook": "none"}),
    Row("GET", "/practice/999/", LOGIN, 404, 404),
    Row("POST", "/practice/999/", LOGIN, 404, 404, {"number": 1, "choice": "|"}),
    Row("GET", "/floor/rulings/", LOGIN, 403, 200),
    Row("GET", "/floor/log/", LOGIN, 403, 200),
    Row("GET", "/floor/log/?before=9", LOGIN, 403, 200),
]
ACCOUNTS = [
    Row("GET", "/accounts/login/", 200, LOGIN, LOGIN),
    Row("GET", "/accounts/signup/", 200, LOGIN, LOGIN),
    Row("GET", "/accounts/logout/", LOGIN, 200, 200),
    Row("GET", "/accounts/inactive/", 200, 200, 200),
    Row("GET", "/accounts/reauthenticate/", LOGIN, 200, 200),
    Row("GET", "/accounts/email/", LOGIN, 200, 200),
    Row("GET", "/accounts/confirm-email/", 200, 200, 200),
    Row("GET", "/accounts/confirm-email/nobodys-key/", 200, 200, 200),
    Row("GET", "/accounts/password/change/", LOGIN, 200, 200),
    Row("GET", "/accounts/password/set/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/accounts/password/reset/", 200, 200, 200),
    Row("GET", "/accounts/password/reset/done/", 200, 200, 200),
    Row("GET", "/accounts/password/reset/key/1-nobodys-key/", 200, 200, 200),
    Row("GET", "/accounts/password/reset/key/done/", 200, 200, 200),
    Row("GET", "/accounts/login/code/confirm/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/accounts/2fa/", LOGIN, 200, 200),
    Row("GET", "/accounts/2fa/authenticate/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/accounts/2fa/reauthenticate/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/accounts/2fa/totp/activate/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/accounts/2fa/totp/deactivate/", LOGIN, 404, 404),
    Row("GET", "/accounts/2fa/recovery-codes/", LOGIN, 404, 404),
    Row("GET", "/accounts/2fa/recovery-codes/generate/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/accounts/2fa/recovery-codes/download/", LOGIN, 404, 404),
    Row("GET", "/accounts/2fa/webauthn/", LOGIN, 200, 200),
    Row("GET", "/accounts/2fa/webauthn/add/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/accounts/2fa/webauthn/reauthenticate/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/accounts/2fa/webauthn/login/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/accounts/2fa/webauthn/keys/9/edit/", LOGIN, LOGIN, LOGIN),
    Row("GET", "/accounts/2fa/webauthn/keys/9/remove/", LOGIN, LOGIN, LOGIN),
]
API = [
    Row("GET", "/api/v1/", 200, 200, 200),
    Row("GET", "/api/schema/", 200, 200, 200),
    Row("GET", "/api/docs/", 200, 200, 200),
    Row("GET", "/api/v1/me", 401, 200, 200),
    Row("PATCH", "/api/v1/me", 401, 200, 200, {"four_colour": True}),
    Row("GET", "/api/v1/me/transfers", 401, 200, 200),
    Row("GET", "/api/v1/me/seats", 401, 200, 200),
    Row("GET", "/api/v1/me/sealed-view", 401, 404, 404),
    Row("POST", "/api/v1/me/sealed-view", 401, 403, 403, {"reason": "I want to know"}),
    Row("DELETE", "/api/v1/me/sealed-view", 401, 204, 204),
    Row("GET", "/api/v1/tokens", 401, 200, 200),
    Row("POST", "/api/v1/tokens", 401, 201, 201, {"name": "mine", "scopes": ["read"]}),
    Row("GET", f"/api/v1/tokens/{TOKEN}", 401, 405, 405),
    Row("DELETE", f"/api/v1/tokens/{TOKEN}", 401, 204, 404),
    Row("GET", "/api/v1/tables", 200, 200, 200),
    Row("GET", f"/api/v1/tables/{TABLE}", 200, 200, 200),
    Row("GET", f"/api/v1/tables/{TABLE}/seats", 200, 200, 200),
    Row("DELETE", f"/api/v1/tables/{TABLE}/seats", 401, 200, 404),
    Row("POST", f"/api/v1/tables/{TABLE}/seats", 401, 409, 201, {"seat": 5, "buy_in": 500}),
    Row("POST", f"/api/v1/tables/{TABLE}/seats/leave", 401, 200, 404),
    Row("POST", f"/api/v1/tables/{TABLE}/seats/top-up", 401, 200, 404, {"amount": 100}),
    Row("POST", f"/api/v1/tables/{TABLE}/seats/sit-out", 401, 200, 404),
    Row("POST", f"/api/v1/tables/{TABLE}/seats/come-back", 401, 409, 404),
    Row("GET", f"/api/v1/tables/{TABLE}/hands", 200, 200, 200),
    Row("GET", f"/api/v1/hands/{HAND}", 200, 200, 200),
    Row("GET", f"/api/v1/hands/{HAND}/facts", 200, 200, 200),
    Row(
        "POST", f"/api/v1/hands/{HAND}/act", 401, 409, 403, {"action": "fold", "expected_seq": 1, "command_id": "fold"}
    ),
    Row("POST", f"/api/v1/tables/{TABLE}/start-hand", 401, 403, 422, {"command_id": "x"}),
    Row("POST", f"/api/v1/tables/{TABLE}/call-floor", 401, 201, 201),
    Row("GET", f"/api/v1/hands/{HAND}/dealer", 401, 403, 200),
    Row("POST", f"/api/v1/hands/{HAND}/dealer", 401, 403, 409, {"what": "notice", "command_id": "x"}),
    Row("GET", f"/api/v1/hands/{HAND}/floor", 401, 403, 200),
    Row("POST", f"/api/v1/hands/{HAND}/floor", 401, 403, 409, {"what": "void", "reason": "late", "command_id": "x"}),
    Row("POST", f"/api/v1/hands/{HAND}/sealed", 401, 403, 403),  # nobody but an auditor, and with an open view
    Row("GET", "/api/v1/floor", 401, 403, 200),
    Row("GET", "/api/v1/floor/calls", 401, 403, 200),
    Row("POST", "/api/v1/floor/calls/999/answer", 401, 403, 404),
    Row("GET", "/api/v1/floor/log", 401, 403, 200),
    Row("GET", "/api/v1/rulings", 200, 200, 200),
    Row("GET", "/api/v1/desk", 200, 200, 200),
    Row("POST", "/api/v1/desk", 401, 200, 200, {"what": "too-early"}),
    Row("GET", "/api/v1/desk/too-early", 200, 200, 200),
    Row("GET", "/api/v1/desk/nothing", 400, 400, 400),
    Row("POST", "/api/v1/practice", 401, 201, 201, {"rulebook": "home"}),
    Row("GET", "/api/v1/practice/results", 401, 200, 200),
    Row("GET", "/api/v1/practice/999", 401, 404, 404),
    Row("POST", "/api/v1/practice/999/answer", 401, 404, 404, {"number": 1, "key": "", "verdict": ""}),
    Row("GET", "/api/v1/rulebooks", 200, 200, 200),
    Row("GET", "/api/v1/rulebooks/roberts-v4", 200, 200, 200),
    Row("GET", "/api/v1/rulebooks/choices", 200, 200, 200),
    Row("GET", "/api/v1/rulebooks/house", 200, 200, 200),
    Row("POST", "/api/v1/rulebooks/house", 401, 403, 403, {"name": "Mine", "base": "home", "changes": {}}),
    Row("GET", f"/api/v1/rulebooks/house/{HOUSE}", 200, 200, 200),
    Row("GET", f"/api/v1/rulebooks/house/{HOUSE}/versions", 200, 200, 200),
    Row("POST", f"/api/v1/rulebooks/house/{HOUSE}/versions", 401, 403, 403, {"after": "2030-01-05", "changes": {}}),
    Row("GET", f"/api/v1/rulebooks/house/{HOUSE}/versions/2030-01-05", 200, 200, 200),
    Row("GET", f"/api/v1/tables/{TABLE}/rulebook", 200, 200, 200),
    Row("PUT", f"/api/v1/tables/{TABLE}/rulebook", 401, 403, 403, {"rulebook": "gardens"}),
]
ROWS = [*PAGES, *CONSOLES, *ACCOUNTS, *API]


def addresses(resolver, before="") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        address = before + str(pattern.pattern).removeprefix("^") if before else str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from addresses(pattern, address)
        else:
            yield address


@pytest.fixture
def somebody(finished):
    """Who asks, by his column in the table; the player sits in seat 1 and has a token."""
    floor = finished.player("flo")
    for user in (finished.ann, floor):
        user.set_password("all-the-burns")
        user.save()
    access.grant_role(user=floor, role="floor", by=None)
    manager = finished.player("mia")
    access.grant_role(user=manager, role="manager", by=None)
    rulebooks.found(name="River Room", base="gardens", changes={}, by=manager, now=finished.now)
    token, _ = tokens.issue(user=finished.ann, name="notebook", scopes=["read"], now=timezone.now())
    finished.token = token.pk
    return {"anonymous": None, "player": finished.ann, "floor": floor}


@pytest.mark.usefixtures("_remembered_logins")
@pytest.mark.parametrize("role", ["anonymous", "player", "floor"])
def test_every_address_answers_each_role_as_the_table_says(finished, somebody, browse, role):
    wrong = []
    client = browse(somebody[role])
    cookies = client.cookies.output(header="")
    for row in ROWS:
        path = row.path.format(table=finished.pk, hand=finished.hand, token=finished.token)
        client.cookies = SimpleCookie(cookies)  # some of allauth's pages end what somebody began
        body = (
            {"data": row.data, "content_type": "application/json"} if path.startswith("/api/") else {"data": row.data}
        )
        with transaction.atomic():
            answer = getattr(client, row.method.lower())(path, **body)
            transaction.set_rollback(True)
        if answer.status_code != getattr(row, role):
            wrong.append(f"{row.method} {path}: {answer.status_code}, not {getattr(row, role)}")
    assert not wrong, "\n".join(wrong)


def test_the_table_has_every_address_of_the_room():
    paths = [row.path.format(table=1, hand=1, token=1).partition("?")[0] for row in ROWS if row.path != "/nowhere/"]
    paths += [row.path.format(**dict.fromkeys(WORDS, 1)).partition("?")[0] for row in OF_EVENTS]
    paths += [example(area, row.path) for area in areas() for row in area.ROWS]
    listed = {resolve(path).route for path in paths}
    missing = [
        address
        for address in addresses(get_resolver())
        if not address.startswith("admin/") and address not in listed and address.removesuffix("/") not in listed
    ]
    assert missing == []


def test_nobody_but_staff_gets_into_the_admin(finished, somebody, browse):
    open_to_all = {"admin/login/"}
    paths = ["admin/", "admin/cardroom/user/", "admin/games/hand/", "admin/games/table/", "admin/cardroom/entry/"]
    assert open_to_all.isdisjoint(paths)
    for role in ("anonymous", "player", "floor"):
        for path in paths:
            answer = browse(somebody[role]).get(f"/{path}")
            assert answer.status_code == 302, f"{role} at {path}"
            assert answer["Location"].startswith("/admin/login/")


def test_a_page_that_changes_something_wants_its_own_token(finished, somebody, browse):
    client = browse(somebody["player"], enforce_csrf_checks=True)
    answer = client.post(f"/tables/{finished.pk}/leave/")
    assert answer.status_code == 403
    assert "out of date" in answer.content.decode()
    assert finished.seat_of(finished.ann)


@pytest.mark.smoke
def test_a_revoked_token_is_gone(finished, somebody, browse):
    browse(somebody["player"]).post(f"/me/tokens/{finished.token}/revoke/")
    assert not ApiToken.objects.filter(pk=finished.token).exists()
