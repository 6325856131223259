"""Programs at the sockets: a token instead of a session, as far as its scopes go and as long as it is good."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from cardroom.accounts import tokens
from games.play import seats
from tests.live.conftest import APART
from tests.live.socket import EventSocket
from tests.support import room_event
from tests.support.models import ApiToken, User

pytestmark = APART  # by which way its news comes is not these tests' matter


@pytest.fixture
def program(somebody) -> Callable[..., tuple[User, str]]:
    """`program("read", "play")`: somebody, and the secret of a token of theirs."""

    def new_program(*scopes: str, role: str = "") -> tuple[User, str]:
        user = somebody(*[role] * bool(role))
        _, secret = tokens.issue(by=user, name="a program", scopes=scopes, now=timezone.now())
        assert secret
        return user, secret

    return new_program


def test_a_program_plays_a_hand_without_any_page(open_table, program, watch):
    table, players = open_table(), [program("read", "play") for _ in range(2)]
    sockets = [watch(table, token=secret) for _, secret in players]
    for number, (user, _) in enumerate(players, 1):
        seats.sit(table_id=table.pk, by=user, number=number, buy_in=500, now=timezone.now())
    for number, socket in enumerate(sockets, 1):
        socket.until(lambda message, socket=socket: bool(socket.to_act))
        assert socket.you["seat"] == number
    assert sockets[sockets[0].to_act - 1].check_or_call()["type"] == "done"


def test_a_token_acts_as_far_as_its_scopes_go(open_table, program, watch):
    table = open_table()
    _, secret = program("read", role="dealer")
    looks_on = watch(table, token=secret)
    for said in ({"type": "sit_out"}, {"type": "call_floor"}):
        looks_on.say(said)
        assert looks_on.until_type("refused")["code"] == "scope"
    start = {"type": "dealer", "what": "start-hand", "command_id": "one"}
    plays, deals = (watch(table, token=program("read", scope, role="dealer")[1]) for scope in ("play", "direct"))
    plays.say(start)
    refusal = plays.until_type("refused")
    assert (refusal["status"], refusal["code"], "'direct'" in refusal["message"]) == (403, "scope", True)
    deals.say(start)
    assert deals.until_type("refused")["status"] == 422  # by the rules: this table deals by itself


def test_what_is_no_token_or_good_for_less_opens_no_socket(open_table, program, watch):
    table = open_table()
    for secret in ("f" * 64, "nonsense", ""):
        stranger = watch(table, token=secret)
        told = stranger.next()
        assert (told["status"], told["code"], stranger.closing_code()) == (401, "bad-token", 4401)
    blind = watch(table, token=program("play")[1])
    assert (blind.next()["code"], blind.closing_code()) == ("scope", 4403)
    assert watch("floor", token=program("read", role="floor")[1]).next()["type"] == "floor"
    assert watch("floor", token=program("read", "play", "direct", role="cashier")[1]).closing_code() == 4403


def test_a_revoked_token_and_a_new_password_close_their_sockets_and_no_others(open_table, program, watch, connected):
    table = open_table()
    (user, secret), (_, another) = program("read", "play"), program("read")
    event = room_event.open_event()
    here, other = watch(table, token=secret), watch(table, token=another)
    there = connected(EventSocket, event.pk, token=secret)
    here.until_type("snapshot"), there.until_type("snapshot"), other.until_type("snapshot")
    tokens.revoke(by=user, token_id=ApiToken.objects.get(user=user).pk)
    assert here.until_type("refused")["code"] == "signed-out"
    assert (here.closing_code(), there.closing_code()) == (4401, 4401)
    user, secret = program("read", "play")
    owners = [watch(table, token=secret), watch(table, user)]
    for socket in owners:
        socket.until_type("snapshot")
    user.set_password("all-the-burns-4")
    user.save()
    assert [socket.closing_code() for socket in owners] == [4401, 4401], "of tokens and of sessions"
    other.say({"type": "ping"})
    assert other.until_type("pong")


def test_a_token_is_told_its_players_own_news_of_an_event(connected, program):
    event = room_event.open_event(entrants=2)
    user, secret = program("read")
    room_event.enter(event, user)
    socket = connected(EventSocket, event.pk, token=secret)
    assert socket.until_it_is(lambda: socket.you).you["entry"] == 3
    socket.say({"type": "seen", "notice": 1})
    assert socket.until_type("refused")["code"] == "scope"
