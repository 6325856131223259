"""The room's socket: pages hear of their topics at once, those of staff for staff alone, and never in a flood."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from cardroom.accounts import push, tokens
from cardroom.accounts.models import PushSubscription
from cardroom.core import access, topics
from games.play import seats, tables
from tests.live.conftest import APART
from tests.live.socket import RoomSocket
from tests.support.waiting import soon

pytestmark = APART  # what these tests commit is news to the room by Redis


@pytest.fixture
def listen(connected) -> Callable[..., RoomSocket]:
    """`listen("lobby,lists", user)`: a socket that hears of these topics."""
    return partial(connected, RoomSocket)


def test_whoever_sits_down_moves_the_lobby_the_floor_and_the_board(listen, open_table, somebody):
    rail, console = listen("lobby,board").begin(), listen("floor", somebody("floor")).begin()
    table = open_table()
    seats.sit(table_id=table.pk, by=somebody(), number=1, buy_in=500, now=timezone.now())
    rail.until_told("lobby").until_told("board")
    console.until_told("floor")
    tables.close(table_id=table.pk, now=timezone.now())


def test_a_page_hears_only_of_its_own_topics(listen, somebody):
    lists, jackpots = listen("list:7").begin(), listen("jackpots").begin()
    topics.tell("list:8", "cage")
    topics.tell("list:7")
    topics.tell("jackpots")
    assert lists.until_told("list:7").told == ["list:7"]
    assert jackpots.until_told("jackpots").told == ["jackpots"]
    ann, bob = somebody(), somebody()
    hers, curious = listen(f"player:{ann.pk},lobby", ann).begin(), listen(f"player:{ann.pk},lobby", bob).begin()
    assert hers.hello == ["lobby", f"player:{ann.pk}"]
    assert (curious.hello, curious.until_type("refused")["code"]) == (["lobby"], "not-yours")
    topics.tell(f"player:{ann.pk}")
    hers.until_told(f"player:{ann.pk}")


def test_a_page_hears_at_once_of_changes_before_its_socket_opened(listen):
    first = listen("list:9").begin()
    topics.tell("list:9")
    first.until_told("list:9")
    late = listen("list:9").begin()
    late.say({"type": "catch_up", "age": 20_000})
    late.until_told("list:9")
    late.say({"type": "catch_up", "age": "soon"})
    assert late.until_type("refused")["code"] == "malformed"


def test_who_looks_at_a_page_is_in_sight_until_it_is_hidden(listen, somebody):
    ann = somebody()
    long_ago = timezone.now() - timedelta(hours=1)
    given = {"endpoint": f"https://push.example/{ann.pk}", "browser": "Chrome", "at": long_ago, "seen_at": long_ago}
    PushSubscription.objects.create(player=ann, **given)

    def is_out_of_sight() -> bool:
        return push.out_of_sight(now=timezone.now()).filter(player=ann).exists()

    assert is_out_of_sight()
    socket = listen(f"player:{ann.pk}", ann).begin()
    socket.say({"type": "ping", "hidden": False})
    soon(lambda: not is_out_of_sight(), "a page in sight was not noted")
    socket.say({"type": "ping", "hidden": True})
    soon(is_out_of_sight, "a hidden page counts as looked at")


def test_a_socket_is_refused_without_a_topic_that_it_may_hear(listen, somebody):
    for user in (None, somebody()):
        socket = listen("floor,cage,approvals,shifts", user)
        assert socket.closing_code() == 4403
        assert [message["code"] for message in socket.said("refused")] == ["role-required"]
    socket = listen("lobby,lobbies").begin()
    assert socket.hello == ["lobby"]
    assert "no topic 'lobbies'" in socket.until_type("refused")["message"]
    assert listen("").closing_code() == 4404


def test_a_role_that_is_taken_away_ends_it(listen, somebody):
    cashier = somebody("cashier")
    socket = listen("cage,lobby", cashier).begin()
    assert socket.hello == ["cage", "lobby"]
    access.take_role(user=cashier, role="cashier", by=None)
    assert (socket.closing_code(), socket.said("refused")[-1]["code"]) == (4403, "role-required")


def test_a_program_hears_as_its_owner_does_and_no_longer_than_its_token_lasts(listen, somebody):
    manager = somebody("manager")
    token, secret = tokens.issue(by=manager, name="a program", scopes=["read"], now=timezone.now())
    socket = listen("approvals,cage,floor,lists", token=secret).begin()
    assert socket.hello == ["approvals", "cage", "floor", "lists"]
    topics.tell("approvals")
    socket.until_told("approvals")
    tokens.revoke(by=manager, token_id=token.pk)
    assert socket.closing_code() == 4401


def test_it_answers_a_ping_and_tells_everything_to_who_asks(listen):
    socket = listen("lobby,board").begin()
    socket.say({"type": "ping"})
    socket.until_type("pong")
    socket.say({"type": "catch_up"})
    assert socket.until_type("moved")["topics"] == ["board", "lobby"]
    socket.say({"type": "sit"})
    assert socket.until_type("refused")["code"] == "unknown-type"
