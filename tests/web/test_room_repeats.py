"""`Idempotency-Key` in the cash room: a request that comes twice is done once, and a key is for one request only."""

import json
import re
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test import Client
from django.urls import get_resolver
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiParameter

from cardroom.accounts import push, visits
from cardroom.core.web.api import keys
from tests.support.evening import Evening
from tests.support.lists import ListRoom
from tests.support.models import Jackpot, Picture, TimeCharge, User
from tests.support.offers import person
from tests.support.parts.cardroom import access, drawers, notices, people, vault
from tests.support.parts.games import calling, collection, seating, shifts
from tests.support.unguarded import unguarded
from tests.web.conftest import NOW
from tests.web.room_rows import areas, filled_in

WHY = {"reason": "Because of that"}
AREAS = {area.__name__.rpartition(".")[2]: area for area in areas()}


class Ask(NamedTuple):
    """`other`: what else is asked for under the same key; None where nothing else can be asked there.

    `test_live_parts.py` asks each by itself too, in the room as it is laid out: what it needs stands there already.
    """

    who: str
    path: str
    data: dict[str, Any] = {}
    other: dict[str, Any] | None = None
    method: str = "POST"


CAGE = [
    Ask("cashier", "cage/slips", {"kind": "deposit", "player": "{player}", "amount": 5}, {"amount": 6}),
    Ask("cashier", "cage/slips/{slip}/reversal", WHY, {"reason": "Something else"}),
    Ask("manager", "cage/sessions", {"drawer": "{other}", "counted": 0}, {"counted": 1}),
    Ask("cashier", "cage/sessions/{session}/fill", {"amount": 10}, {"amount": 11}),
    Ask("cashier", "cage/sessions/{session}/take", {"amount": 10}, {"amount": 11}),
    Ask("cashier", "cage/sessions/{session}/count", {"counted": 1500}, {"counted": 1501}),
    Ask("cashier", "cage/sessions/{session}/close", {"counted": 1500}, {"counted": 1501}),
    Ask("manager", "cage/vault", {"amount": 10, **WHY}, {"reason": "Something else"}),
    Ask("cashier", "cage/vault/counts", {"counted": 100, **WHY}, {"counted": 101}),
    Ask("player", "me/cashier/requests", {"kind": "deposit", "amount": 5}, {"amount": 6}),
    Ask("manager", "cage/drawers", {"name": "Window 9"}, {"name": "Window 8"}),
    Ask("floor", "cage/sessions/{desk}/join"),
    Ask("dora", "cage/sessions/{desk}/leave"),
    Ask("manager", "cage/drawers/{other}", method="DELETE"),
    Ask("manager", "cage/limits", {"role": "cashier", "verb": "comp", "slip": 5, "day": 5}, {"slip": 6}, "PUT"),
    Ask("manager", "cage/players/{player}/credit-line", {"most": 10, **WHY}, {"most": 11}, "PUT"),
    Ask("cashier", "cage/requests/{request}/fulfil", {}, {"reason": "Something else"}),
    Ask("cashier", "cage/requests/{request}/refuse", WHY, {"reason": "Something else"}),
    Ask("manager", "approvals/{approval}/decision", {"approve": True}, {"reason": "Something else"}),
    Ask("cashier", "approvals/{approval}", method="DELETE"),
    Ask("player", "me/cashier/requests/{request}", method="DELETE"),
]
#: As a browser has it: its key is the generator of the curve.
BROWSER = {
    "endpoint": "https://fcm.googleapis.com/x",
    "p256dh": "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
    "auth": "A" * 22,
}
PLAYERS = [
    Ask("cashier", "players", {"name": "Wil Walker", "phone": "+49 30 1234"}, {"name": "Wil Wanderer"}),
    Ask("manager", "accounts", {"name": "newcomer"}, {"name": "latecomer"}),
    Ask("manager", "accounts/{player}/close", WHY, {"reason": "Something else"}),
    Ask("player", "me", {"wants_mail": True}, {"wants_mail": False}, "PATCH"),
    Ask("floor", "players/{player}/visit", {}, None),
    Ask("manager", "accounts/{player}/adjust", {"amount": 5, **WHY}, {"amount": 6}),
    Ask("floor", "connections/{handle}/message", {"text": "Phone!"}, {"text": "Door!"}),
    Ask("player", "me/bans", {"until": None}, {"until": "2031-01-01T00:00:00Z"}),
    Ask("player", "me/limits", {"kind": "time-day", "amount": 90}, {"amount": 91}),
    Ask("manager", "players/{player}/bans", WHY, {"reason": "Something else"}),
    Ask("floor", "players/{player}/cards", {"was": "lost"}, {"was": "replaced"}),
    Ask("floor", "players/{player}/notes", {"text": "Left-handed"}, {"text": "Right-handed"}),
    Ask("dealer", "trail", {"text": "The lights went out"}, {"text": "The lights are on"}),
    Ask("manager", "accounts/{player}", {"name": "pia.two"}, {"name": "pia.three"}, "PATCH"),
    Ask("manager", "accounts/{player}/reopen", WHY, {"reason": "Something else"}),
    Ask("manager", "accounts/{player}/password", {"password": "all-the-burns"}, {"password": "all-the-folds"}, "PUT"),
    Ask("manager", "accounts/{player}/roles/{role}", method="PUT"),
    Ask("manager", "accounts/{player}/roles/{role}", method="DELETE"),
    Ask("manager", "blacklist", {"kind": "name", "value": "troll", **WHY}, {"value": "trolls"}),
    Ask("manager", "blacklist/{line}", WHY, {"reason": "Something else"}, "PATCH"),
    Ask("manager", "blacklist/{line}", method="DELETE"),
    Ask("floor", "connections/{handle}/terminate", WHY, {"reason": "Something else"}),
    Ask("player", "me/sessions/{handle}", method="DELETE"),
    Ask("player", "me/sessions", method="DELETE"),
    Ask("floor", "players/{player}/member", {"name": "Pia Oak"}, {"name": "Pia Elm"}, "PUT"),
    Ask("floor", "players/{player}/cards/lost"),
    Ask("floor", "players/{guest}/visit", method="DELETE"),
    Ask("manager", "bans/{ban}/lift", WHY, {"reason": "Something else"}),
    Ask("floor", "notes/{note}", method="DELETE"),
    Ask("player", "me/limits/{change}", method="DELETE"),
    Ask("player", "me/look", {"felt": "blue"}, {"felt": "red"}, "PATCH"),
    Ask("player", "me/keys", {"fold": "Q"}, {"fold": "W"}, "PATCH"),
    Ask("player", "me/keys", method="DELETE"),
    Ask("player", "me/push", BROWSER, {"endpoint": f"{BROWSER['endpoint']}2"}, "PUT"),
    Ask("player", "me/push/{browser}", method="DELETE"),
    Ask("player", "me/messages/{notice}/read"),
    Ask("dealer", "pictures/reports", {"player": "{name}", **WHY}, {"reason": "Something else"}),
    Ask("floor", "pictures/{player}/remove", WHY, {"reason": "Something else"}),
    Ask("floor", "pictures/{player}/dismiss"),
]
CHAT = [
    Ask("player", "chat", {"text": "Good evening"}, {"text": "Good night"}),
    Ask("floor", "chat/announcements", {"text": "Last hand at four"}, {"text": "Last hand at five"}),
    Ask("floor", "chat/{word}/dismiss"),
    Ask("player", "chat/{word}/report", WHY, {"reason": "Something else"}),
    Ask("floor", "chat/{line}/hide", WHY, {"reason": "Something else"}),
    Ask(
        "floor", "chat/silences/{player}", WHY | {"until": "2030-01-06T10:00:00Z"}, {"reason": "Something else"}, "PUT"
    ),
    Ask("floor", "chat/silences/{auditor}", method="DELETE"),
    Ask("manager", "chat/words", {"words": ["fish"]}, {"words": ["donkey"]}, "PUT"),
]
OFFERS = [
    Ask("manager", "offers", {"name": "Razz 5/10", "game": "razz"}, {"name": "Razz 10/20"}),
    Ask("manager", "offers/order", {"ids": ["{offer}"]}, {"ids": []}, "PUT"),
    Ask("manager", "offers/{offer}", {"ante": 2}, {"ante": 3}, "PATCH"),
    Ask("manager", "offers/{offer}/withdraw", WHY, {"reason": "Something else"}),
    Ask("manager", "offers/{offer}/relist", WHY, {"reason": "Something else"}),
    Ask("floor", "offers/{offer}/tables", {"name": "Oak"}, {"name": "Ash"}),
    Ask("manager", "drop-schedules", {"name": "Three"}, {"name": "Four"}),
    Ask("manager", "drop-schedules/{drop}/retire", WHY, {"reason": "Something else"}),
    Ask("manager", "sections", {"name": "Hall"}, {"name": "Cellar"}),
    Ask("manager", "sections", {"ids": ["{section}"]}, {"ids": []}, "PUT"),
    Ask("manager", "sections/{section}", {"name": "Long bar"}, {"name": "Short bar"}, "PATCH"),
    Ask("manager", "sections/{section}", method="DELETE"),
    Ask("floor", "tables/{table}/section", {"section": "{section}"}, {"section": None}, "PUT"),
    Ask("floor", "floor/tables", {"name": "Table 12"}, {"name": "Table 13"}),
    Ask("floor", "floor/tables/{table}", {"name": "Oak"}, {"name": "Ash"}, "PATCH"),
    *(
        Ask("floor", f"tables/{{table}}/{verb}", WHY, {"reason": "Something else"})
        for verb in ("pause", "resume", "take-up", "break-up", "close", "reopen")
    ),
    Ask("floor", "tables/{table}/message", {"text": "Food at ten"}, {"text": "Food at nine"}),
    Ask("floor", "tables/{table}/chat", {"text": "Food at ten"}, {"text": "Food at nine"}),
    Ask("floor", "tables/{hall}/counts", {"counted": 0}, {"counted": 1, **WHY}),
    Ask("manager", "tables/{table}/rulebook", {"rulebook": "home"}, {"rulebook": "gardens"}, "PUT"),
    Ask("floor", "tables/{table}/privacy", {"is_private": True}, {"is_private": False}, "PUT"),
    Ask("floor", "tables/{private}/invitations", {"player": "pia"}),
    Ask("floor", "tables/{private}/invitations/{player}", method="DELETE"),
]
_MOVE = {"player": 9001, "to_table": "{table}", "number": 7, "why": "asked"}
_SEATING, _ROOM = "tables/{table}/seating", "tables/{room}/seating"
SEATING = [
    Ask("floor", f"{_SEATING}/seat", {"player": 9003, "buy_in": 500}, {"buy_in": 600}),
    Ask("floor", f"{_SEATING}/move", _MOVE, {"number": 6}),
    Ask("floor", f"{_SEATING}/cancel-move", {"player": 9001}, {"player": 9004}),
    Ask("floor", f"{_SEATING}/swap", {"player": 9001, "other": 9004}, {"player": 9004, "other": 9001}),
    Ask("floor", f"{_SEATING}/unseat", {"player": 9001, **WHY}, {"reason": "Something else"}),
    Ask("dealer", f"{_SEATING}/absent", {"player": 9001}),
    Ask("dealer", f"{_SEATING}/back", {"player": 9004}),
    Ask("manager", f"{_SEATING}/pick-up", {"player": 9004, **WHY}, {"reason": "Something else"}),
    Ask("floor", f"{_SEATING}/hold", {"player": 9003, "why": "lock-up", "minutes": 5}, {"minutes": 6}),
    Ask("floor", f"{_SEATING}/release", {"player": "{player}"}, {"player": 9003}),
    Ask("player", "me/holds/{table}", method="DELETE"),
    Ask("cashier", f"{_ROOM}/top-up", {"player": 9002, "amount": 100}, {"amount": 101}),
    Ask("cashier", f"{_ROOM}/cash-in", {"player": 9002, "amount": 100}, {"amount": 101}),
    Ask("cashier", f"{_ROOM}/cash-out", {"player": 9002, "count": 500}, {"count": 499}),
    Ask("dealer", f"{_ROOM}/count", {"counts": {"1": 450}}, {"counts": {"1": 440}}),
    Ask("cashier", f"{_ROOM}/box", {"amount": 20}, {"amount": 21}),
    Ask("cashier", "tables/{room}/window/buy-in", {"player": 9003, "amount": 500}, {"amount": 600}),
    Ask("cashier", "tables/{room}/window/cash-out", {"player": 9002, "count": 500}, {"count": 499}),
]
TIMES = [
    Ask("floor", "tables/{table}/time/pause", {"player": "{player}"}, {"player": "{bob}"}),
    Ask("floor", "tables/{table}/time/resume", {"player": "{bob}"}, {"player": "{player}"}),
    Ask("player", "tables/{table}/time/refuse"),
    Ask("floor", "time-charges/{charge}/waive", WHY, {"reason": "Something else"}),
    Ask("floor", "time-charges/{owed}/collect"),
]
LISTS = [
    Ask("player", "lists/{offer}", {"wishes": {"seats": [1]}}, {"wishes": {"seats": [2]}}),
    Ask("floor", "lists/{offer}/names", {"player": "{bob}"}, {"player": "{ann}"}),
    Ask("floor", "tables/{table}/next", {"player": "{cid}"}, {"player": "{bob}"}),
    Ask("floor", "list-entries/{waiting}/call", {"table": "{table}", **WHY}, {"reason": "Something else"}),
    Ask("floor", "list-entries/{waiting}/seat", {"buy_in": 400, **WHY}, {"buy_in": 401}),
    Ask("floor", "list-entries/{waiting}/pass-over", WHY, {"to": "off"}),
    Ask("floor", "list-entries/{waiting}/leave", WHY, {"reason": "Something else"}),
    Ask("floor", "list-entries/{waiting}/transfer", {"offer": "{second}"}, {"offer": "{third}"}),
    Ask("ann", "list-entries/{called}/answer", {"reply": "coming"}, {"reply": "cancel"}),
    Ask("ann", "list-entries/{called}/take-seat", {"buy_in": 400}, {"buy_in": 401}),
]
JACKPOTS = [
    Ask("manager", "jackpots", {"name": "Bad beat", **WHY}, {"name": "Good beat"}),
    Ask("manager", "jackpots/{jackpot}", {"add": 500, **WHY}, {"add": 501}),
    Ask("floor", "shifts", {"name": "Late"}, {"name": "Early"}),
    Ask("dealer", "dealers/{dealer}/{clock}", {"place": "Event 3, table 2", "minutes": 30}, {"minutes": 40}),
]
CALLS = [Ask("floor", "floor/calls/{call}/answer")]
SHIFT = [Ask("floor", "shifts/{shift}/close", {"remark": "Quiet"}, {"remark": "Loud"})]


def cage_room(staff: dict[str, User], now: datetime) -> dict[str, Any]:
    """Besides: a director who has joined the drawer of the tournament desk."""
    made = AREAS["cage"].room(staff, now)
    staff["dora"] = person("dora", "director")
    drawers.join(session_id=made["desk"], by=staff["dora"], now=now)
    return made


def players_room(staff: dict[str, User], now: datetime) -> dict[str, Any]:
    """Besides: somebody who is here, a browser that is told by push, a notice, and a picture."""
    guest = visits.register_guest(name="Gus Guest", by=staff["floor"], now=now)
    browser = push.subscribe(**BROWSER, by=staff["player"], now=now)
    notice = notices.tell(player=staff["player"], kind="staff", text="Food at ten", now=now)
    assert notice is not None
    Picture.objects.create(player=staff["player"], digest="d", body=b"", at=now)
    more = {
        "name": staff["player"].username,
        "role": "floor",
        "guest": guest.pk,
        "browser": browser.pk,
        "notice": notice.pk,
    }
    return AREAS["players"].room(staff, now) | more


def seats_room(staff: dict[str, User], now: datetime) -> dict[str, Any]:
    """Besides: somebody who is away at the same table, and a cashier with a drawer."""
    made = AREAS["seating"].room(staff, now)
    online = Evening.__new__(Evening)
    online.now = now
    dan = AREAS["seating"]._person(online, "dana", 9004)
    seating.seat(table_id=made["table"], player=dan, buy_in=500, by=staff["floor"], now=now)
    seating.mark_absent(table_id=made["table"], player=dan, by=staff["floor"], now=now)
    drawer = drawers.make_drawer(name="Window 1", by=staff["manager"], now=now)
    vault.vault(amount=5_000, by=staff["manager"], now=now, reason="what lies there on the first day")
    drawers.open_drawer(drawer_id=drawer.pk, counted=5_000, from_vault=5_000, by=staff["cashier"], now=now)
    return made | {"player": staff["player"].pk}


def times_room(staff: dict[str, User], now: datetime) -> dict[str, Any]:
    """Besides: a charge that is owed still, and somebody whose time is paused."""
    made = AREAS["times"].room(staff, now)
    bob = User.objects.get(username="timo")
    owed = TimeCharge.objects.get(player=bob)
    with unguarded():
        TimeCharge.objects.filter(pk=owed.pk).update(paid=0, state="owed")
    collection.pause(table_id=made["table"], player=bob, by=staff["floor"], now=now)
    return made | {"bob": bob.pk, "owed": owed.pk}


def lists_room(staff: dict[str, User], now: datetime) -> dict[str, Any]:
    """A table with a free seat for ann, who is called, and one for cid and bob, who wait."""
    room = ListRoom(seat_count=4)
    ann, cid = room.player("ann"), room.player("cid")
    called, waiting = room.join(ann), room.join(cid)
    bob = room.player("bob")
    calling.call_next(table_id=room.table.pk, by=room.floor, now=room.now)
    more = [ListRoom(is_physical=True).offer for _ in range(2)]
    people.issue_play_money(user=staff["player"], amount=5_000, reference="t", reason="a test", now=now)
    staff["ann"] = ann
    return {
        "offer": room.offer.pk, "table": room.table.pk, "called": called.pk, "waiting": waiting.pk,
        "ann": ann.pk, "cid": cid.pk, "bob": bob.pk, "second": more[0].pk, "third": more[1].pk,
    }  # fmt: skip


def jackpots_room(staff: dict[str, User], now: datetime) -> dict[str, Any]:
    jackpot = Jackpot.objects.create(name="Old one", made_at=now, state="live")
    return {"jackpot": jackpot.pk, "dealer": staff["dealer"].pk, "clock": "clock-in"}


def shift_room(staff: dict[str, User], now: datetime) -> dict[str, Any]:
    return {"shift": shifts.open_(name="Late", by=staff["manager"], now=now).pk}


Room = Callable[[dict[str, User], datetime], dict[str, Any]]
ROOMS: dict[str, tuple[list[Ask], Room]] = {
    "cage": (CAGE, cage_room), "players": (PLAYERS, players_room), "chat": (CHAT, AREAS["chat"].room),
    "offers": (OFFERS, AREAS["offers"].room), "seating": (SEATING, seats_room), "times": (TIMES, times_room),
    "lists": (LISTS, lists_room), "jackpots and shifts": (JACKPOTS, jackpots_room), "a shift": (SHIFT, shift_room),
    "calls": (CALLS, AREAS["live"].room),
}  # fmt: skip


def count_rows() -> dict[str, int]:
    """How many rows of everything there are."""
    tables = [model._meta.db_table for model in apps.get_models() if model.__module__.startswith(("cardroom", "games"))]
    with connection.cursor() as cursor:
        cursor.execute(" union all ".join(f"select '{table}', count(*) from {table}" for table in tables))
        return dict(cursor.fetchall())


@pytest.mark.parametrize("area", ROOMS)
def test_what_is_asked_twice_under_one_key_is_done_once(area, staff, browse):
    asks, room = ROOMS[area]
    places = room(staff, NOW)
    wrong = []
    for ask in asks:
        with transaction.atomic():
            wrong += _faults(ask, partial(_send, browse(staff[ask.who]), ask, places))
            if ask.who in access.ROLES:
                wrong += _shared_key_faults(ask, partial(_send, browse(_colleague(ask.who)), ask, places))
            transaction.set_rollback(True)
    assert not wrong, "\n".join(wrong)


def _send(client: Client, ask: Ask, places: dict[str, Any], data: dict[str, Any]) -> Any:
    path, headers = f"/api/v1/{ask.path.format_map(places)}", {"Idempotency-Key": "once"}
    return client.generic(ask.method, path, json.dumps(filled_in(data, places)), "application/json", headers=headers)


def _read(answer: Any) -> Any:
    return answer.json() if answer.content else None


def _faults(ask: Ask, send: Callable[[dict[str, Any]], Any]) -> list[str]:
    first = send(ask.data)
    if not 200 <= first.status_code < 300:
        return [f"{ask.path}: {first.status_code} {first.content[:300]}"]
    before = count_rows()
    again = send(ask.data)
    if (first.headers.get(keys.REPLAYED), again.headers.get(keys.REPLAYED)) != (None, "true"):
        return [f"{ask.path}: which answer is a repeat is not told"]
    more = {name: rows - before[name] for name, rows in count_rows().items() if rows != before[name]}
    if first.status_code != again.status_code or _read(first) != _read(again) or more:
        return [f"{ask.path}: again {again.status_code} {again.content[:300]} {more}"]
    if ask.other is not None and (other := send(ask.data | ask.other)).status_code != 409:
        return [f"{ask.path}: something else under the same key {other.status_code} {other.content[:200]}"]
    return []


def _colleague(role: str) -> User:
    """Another one of the staff who holds this role."""
    user = User.objects.create_user(f"second-{role}", date_joined=NOW)
    access.grant_role(user=user, role=role, by=None)
    return user


def _shared_key_faults(ask: Ask, send: Callable[[dict[str, Any]], Any]) -> list[str]:
    """What is wrong where a colleague asks for the same under the same key: it is a request of their own."""
    before = count_rows()
    answer = send(ask.data)
    if answer.status_code < 300 and count_rows() == before:
        return [f"{ask.path}: a colleague was given the answer to another's request"]
    if answer.status_code >= 500 or (answer.status_code >= 400 and _read(answer)["code"] in ("key-used", "key-taken")):
        return [f"{ask.path}: a colleague's key {answer.status_code} {answer.content[:200]}"]
    return []


#: Addresses that take a key and are asked elsewhere: of events, hands, seats, rulebooks, tokens, home games, clubs.
ELSEWHERE = re.compile(
    r"(tournaments|templates|structures|series|leagues|seasons|tickets|me/tickets|me/notices|me/sealed-view)\b"
    r"|(hands|practice|rulebooks|tokens|home-games|clubs|club-links|me/leaderboard)\b"
    r"|tables/<>/(seats|call-floor|start-hand|time/end-courtesy)\b|jackpots/<>/hits"
)


def test_every_write_repeated_with_its_key_changes_nothing(monkeypatch):
    asked = {(ask.method, re.sub(r"{\w+}", "<>", ask.path)) for asks, _ in ROOMS.values() for ask in asks}
    by_their_services, takes, changing = set(), set(), set()
    # What the schema says for all of them is told from what each, loaded by now, says of itself.
    assert get_resolver().url_patterns
    monkeypatch.setattr(keys, "PARAMETER", OpenApiParameter("of-all", str, OpenApiParameter.HEADER))
    for address, operations in SchemaGenerator().get_schema(public=True)["paths"].items():
        for method, operation in operations.items():
            one = (method.upper(), re.sub(r"{\w+}", "<>", address.removeprefix("/api/v1/")))
            said = {parameter["name"] for parameter in operation.get("parameters", [])}
            changing |= {one} if method != "get" else set()
            takes |= {one} if said & {keys.HEADER, "of-all"} else set()
            by_their_services |= {one} if keys.HEADER in said else set()
    assert by_their_services
    assert takes == changing
    missing = {one for one in by_their_services if not ELSEWHERE.match(one[1])} - asked
    assert not missing, f"write an `Ask` in this file for {sorted(missing)}"
    assert asked <= takes


def test_a_key_is_for_one_address_and_a_refusal_leaves_it_free(staff, browse):
    """Whether a service takes the key itself or not: both are asked, in either order."""
    places = jackpots_room(staff, NOW)
    manager = browse(staff["manager"])
    found = Ask("manager", "clubs", {"name": "River Rats"})
    liked = Ask("manager", "me", {"wants_mail": False}, method="PATCH")
    for first, other in ((found, liked), (liked, found)):
        with transaction.atomic():
            assert _send(manager, first, places, {}).status_code == 400
            assert _send(manager, other, places, other.data).status_code < 300
            refused = _send(manager, first, places, first.data)
            assert (refused.status_code, refused.json()["code"]) == (409, "key-used")
            assert _send(manager, other, places, other.data).headers[keys.REPLAYED] == "true"
            transaction.set_rollback(True)
    # Of a picture nothing is kept, so that it is read again in no transaction.
    picture = Ask("manager", "me/picture", {"picture": "bm8="}, method="PUT")
    for _ in range(2):
        assert _send(manager, picture, places, picture.data).json()["code"] == "bad-picture"
    with transaction.atomic():
        assert _send(manager, liked, places, liked.data).status_code < 300
        transaction.set_rollback(True)
    shift = Ask("manager", "shifts", {"name": "Late"})
    with transaction.atomic():
        assert _send(manager, shift, places, shift.data).status_code < 300
        another = shift._replace(path="jackpots", data={"name": "Bad beat", **WHY})
        assert _send(manager, another, places, another.data).json()["code"] == "key-used", (
            "neither does another service"
        )
        transaction.set_rollback(True)
