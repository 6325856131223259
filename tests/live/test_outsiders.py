"""What somebody who is not logged in may send: it is refused in good order, leaves no line in the room's error log, and
of sockets there are so many from one address, and none for staff without a second factor where the room asks for it."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.utils import timezone

from cardroom.accounts import tokens
from tests.live.conftest import a_room, written_to
from tests.live.socket import RoomSocket, Socket
from tests.support.room import Room

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TOKEN = {"Cookie": f"csrftoken={'c' * 32}", "X-CSRFToken": "c" * 32}
UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip
NEWS = "/ws/room/?topics=lobby"
ALL, ANONYMOUS = 5, 3


@pytest.fixture(scope="module")
def room(tmp_path_factory, _migrated_database: str, django_db_blocker: Any) -> Iterator[Room]:
    given = {"CARDROOM_SOCKETS": str(ALL), "CARDROOM_SOCKETS_ANONYMOUS": str(ANONYMOUS)}
    given |= {"TRUSTED_PROXIES": "1", "CSRF_TRUSTED_ORIGINS": "https://club.example,https://*.hall.example:444"}
    given |= {"ALLOWED_HOSTS": "127.0.0.1,cards.example", "CARDROOM_STAFF_FACTOR": "true"}
    with a_room(tmp_path_factory, _migrated_database, **given) as here, written_to(here, django_db_blocker):
        yield here


def answer(room: Room, what: str, body: bytes = b"", **headers: str) -> int:
    """The status of the answer to a request that no library would send."""
    given = {"Host": f"127.0.0.1:{room.port}", "Connection": "close", "Content-Length": str(len(body))} | headers
    lines = [f"{what} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items()), "", ""]
    with socket.create_connection(("127.0.0.1", room.port), timeout=60) as line:
        line.sendall("\r\n".join(lines).encode("latin-1") + body)
        return int(line.recv(1024).split()[1])


def errors(room: Room) -> list[str]:
    told = [json.loads(line) for line in room.log().splitlines() if line.startswith("{")]
    return [line["event"] for line in told if line["level"] in {"error", "critical"}]


PARTS = b"".join(b'--a\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n\r\n' for _ in range(200))
BAD: list[tuple[str, bytes, dict[str, str], int]] = [
    *((f"GET /{path}", b"", {"Host": "evil.example"}, 400) for path in ("", "nowhere", "static/x", "api/v1/tables")),
    ("GET /", b"", {"Host": "a b"}, 400),
    ("GET /?" + "&".join(f"a{n}=1" for n in range(3000)), b"", {}, 400),
    ("POST /accounts/login/", b"&".join(b"a=1" for _ in range(3000)), FORM | TOKEN, 400),
    ("POST /accounts/login/", b"a=" + b"x" * 3_000_000, FORM | TOKEN, 400),
    ("POST /accounts/login/", PARTS + b"--a--", TOKEN | {"Content-Type": "multipart/form-data; boundary=a"}, 400),
    ("POST /accounts/login/", b"a=1", TOKEN | {"Content-Type": f"{FORM['Content-Type']}; charset=utf-16"}, 400),
    ("POST /nowhere", b"a=1", TOKEN | {"Content-Type": f"{FORM['Content-Type']}; charset=utf-16"}, 404),
    ("GET /accounts/login/?next=https://[::", b"", {}, 200),
    ("GET /accounts/signup/?next=https://[::", b"", {}, 200),
    ("GET /", b"", {"Cookie": r'sessionid="\000aaaaaaaaaaaaaaaa"'}, 200),
    ("GET /", b"", {"HX-Request": "true", "HX-Current-URL": "https://[::"}, 200),
    (f"GET {NEWS}", b"", UPGRADE | {"Origin": "https://[::"}, 403),
    (f"GET {NEWS}", b"", UPGRADE | {"Origin": "\xff\xfe"}, 403),
    (f"GET {NEWS}", b"", UPGRADE | {"Origin": "http://127.0.0.1:abc"}, 403),
    (f"GET {NEWS}", b"", UPGRADE | {"Cookie": r'sessionid="\000aaaaaaaaaaaaaaaa"'}, 403),
    ("GET /ws/tables/999999999999999999/", b"", UPGRADE | {"Origin": "null"}, 403),
]


@pytest.mark.parametrize(("what", "body", "headers", "status"), BAD, ids=lambda value: str(value)[:40])
def test_what_an_outsider_gets_wrong_is_refused_and_no_fault_of_the_room(room, what, body, headers, status) -> None:
    before = len(errors(room))
    assert answer(room, what, body, **headers) == status
    assert errors(room)[before:] == []


ACT = '{"type": "act", "hand": 4611686018427387904, "command_id": "x", "action": "\\u0000"}'


def test_what_a_player_gets_wrong_at_a_socket_is_no_fault_either(room, somebody, open_table, watch) -> None:
    line = watch(open_table(), somebody())
    for said in ("\0", ACT):
        line.say(said)
        assert line.until_type("refused")["status"] < 500
    assert errors(room) == []


TLS, CARDS = {"X-Forwarded-Proto": "https"}, {"Host": "cards.example"}


@pytest.mark.parametrize(
    ("origin", "headers", "is_ours"),
    [
        ("http://127.0.0.1:{port}", {}, True), ("https://127.0.0.1:{port}", {}, False),
        ("http://127.0.0.1:1", {}, False), ("http://127.0.0.1", {}, False), ("http://cards.example", {}, False),
        ("http://cards.example", CARDS, True), ("http://cards.example:81", CARDS, False),
        ("http://evil.example", {"Host": "evil.example"}, False),
        ("https://cards.example", CARDS | TLS, True), ("http://cards.example", CARDS | TLS, False),
        ("https://club.example", {}, True), ("http://club.example", {}, False),
        ("https://club.example:8443", {}, False), ("https://east.hall.example:444", {}, True),
        ("https://east.hall.example", {}, False), ("null", {}, False), (None, {}, False),
    ],
)  # fmt: skip
def test_a_socket_is_for_pages_of_the_same_scheme_host_and_port(room, origin, headers, is_ours) -> None:
    said = {} if origin is None else {"Origin": origin.format(port=room.port)}
    assert answer(room, f"GET {NEWS}", **UPGRADE, **said, **headers) == (101 if is_ours else 403)


def test_staff_without_a_second_factor_has_no_socket_by_session_or_token(open_table, somebody, watch) -> None:
    table, dealer, here = open_table(), somebody("dealer"), {"headers": {"X-Forwarded-For": "203.0.113.30"}}
    _, secret = tokens.issue(by=dealer, name="a program", scopes=["read"], now=timezone.now())
    for line in (watch(table, dealer, **here), watch(table, token=secret, **here)):
        told = line.until_type("refused")
        assert (told["status"], told["code"], line.closing_code()) == (403, "second-factor", 4403)
    assert watch(table, somebody(), **here).until_type("snapshot")
    TOTP.activate(dealer, generate_totp_secret())
    assert watch(table, dealer, **here).until_type("snapshot")
    assert watch(table, token=secret, **here).until_type("snapshot")


@pytest.fixture
def listen(connected) -> Callable[..., RoomSocket]:
    """`listen(user, address)`: a socket of somebody behind the proxy that is trusted."""

    def listening(user: Any, address: str, **more: str) -> RoomSocket:
        return connected(RoomSocket, "lobby", user, headers={"X-Forwarded-For": address} | more)

    return listening


def is_too_many(line: RoomSocket) -> bool:
    """Told so in words, and closed with "come back later"."""
    kind = line.next()
    if kind["type"] == "hello":
        return False
    assert (kind["type"], kind["code"], kind["status"]) == ("refused", "too-many-sockets", 429)
    assert "connections" in kind["message"]
    assert line.closing_code() == 1013
    return True


def test_so_many_from_one_address_and_fewer_of_those_who_are_not_logged_in(listen, somebody) -> None:
    here, player = "203.0.113.7", somebody()
    rail = [listen(None, here) for _ in range(ANONYMOUS)]
    assert not any(map(is_too_many, rail))
    assert is_too_many(listen(None, f"198.51.100.1, {here}")), (
        "what a client says of its own address counts for nothing"
    )
    assert not is_too_many(listen(None, "203.0.113.8"))
    assert not any(map(is_too_many, [listen(player, here) for _ in range(ALL - ANONYMOUS)]))
    assert is_too_many(listen(player, here))
    german = listen(player, here, **{"Accept-Language": "de"}).next()
    assert german["message"].startswith(f"{ALL} Verbindungen sind"), "as the pages of this browser are"
    rail[0].close()
    again = partial(listen, player, here)
    assert any(not is_too_many(again()) for _ in range(50)), "who has gone is not counted"


def test_a_network_of_the_new_kind_is_one_address(listen) -> None:
    rail = [listen(None, f"2001:db8:1:2::{number}") for number in range(1, ANONYMOUS + 2)]
    assert [is_too_many(line) for line in rail] == [False] * ANONYMOUS + [True]
    assert not is_too_many(listen(None, "2001:db8:1:3::1"))


def test_who_is_not_logged_in_is_answered_five_times_a_second(open_table, connected) -> None:
    line = connected(Socket, open_table().pk, headers={"X-Forwarded-For": "203.0.113.20"})
    line.until_type("snapshot")
    begun = time.monotonic()
    for _ in range(30):
        line.say({"type": "ping"})
    for _ in range(30):
        line.until_type("pong", "refused")
    # Twenty at once; of the other ten each waits its fifth of a second, or is passed over and takes as long.
    assert time.monotonic() - begun >= 1.0
