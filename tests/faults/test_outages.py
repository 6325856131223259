"""The room itself is away, every web process stopped or killed, or PostgreSQL: it costs no player a hand.

What passes is written back in the rows, the heartbeat's among them.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from cardroom.core import alarms, outages
from cardroom.core.models import Outage
from tests.faults.conftest import APART
from tests.faults.game import ACT_SECONDS, Game, assert_books_are_clean, quiet_action
from tests.support.room import OTHER_WEB, Room
from tests.support.waiting import soon

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

WEBS = ("web", OTHER_WEB)
AWAY = timedelta(seconds=ACT_SECONDS + 30)  # longer than a turn


@pytest.fixture
def room_of_two_webs(room_apart: Room) -> Iterator[Room]:
    room_apart.start(OTHER_WEB)
    try:
        yield room_apart
    finally:
        room_apart.go_on(*(role for role in (*APART, OTHER_WEB) if room_apart.is_running(role)))
        if room_apart.is_running(OTHER_WEB):
            room_apart.kill(OTHER_WEB)


def test_webs_that_stand_still_for_longer_than_a_turn_take_nothing_from_it(
    room_of_two_webs: Room, play: Callable[..., Game]
) -> None:
    room, game = room_of_two_webs, play(room_of_two_webs, bots=0)
    player = game.until_a_person_acts()
    before, action = game.standing, quiet_action(player)
    room.freeze(*WEBS)
    game.let_the_room_be_away(AWAY)
    assert alarms.claim_due(now=timezone.now()) == [], "there is nothing for the worker to ring"
    assert game.standing.seq == before.seq
    room.go_on(*WEBS)

    answer = player.answer_to(player.act(action, hand=before.hand, seq=before.seq))
    assert answer["type"] == "done", answer
    outage = the_latest_outage()
    assert AWAY <= outage.ended_at - outage.began_at < AWAY + timedelta(seconds=60)
    game.play_out(before)
    assert_books_are_clean(room)


@pytest.mark.parametrize(
    ("killed", "away"),
    [
        (("web",), AWAY),
        pytest.param(APART, timedelta(days=1), marks=pytest.mark.long("all of them; the web alone stays")),
    ],
    ids=["the web", "all, and a day later, as after a restore"],
)
def test_after_a_start_the_clock_has_what_was_left_when_nobody_was_heard_any_more(
    room_apart: Room, play: Callable[..., Game], killed: tuple[str, ...], away: timedelta
) -> None:
    game = play(room_apart)
    game.act()
    player = game.until_a_person_acts()
    before, action, left = game.standing, quiet_action(player), left_of_the_turn(game)
    for role in killed:
        room_apart.kill(role)
    game.until_cut_off()
    assert game.standing == before
    game.let_the_room_be_away(away)
    for role in killed:
        room_apart.start(role)
    game.reconnect()

    game.assert_stands_as(before)
    assert left_of_the_turn(game) > left - timedelta(seconds=60)
    assert player.clock
    assert player.clock["deadline"] == round(game.table.deadline.timestamp() * 1000)
    for seat, socket in enumerate(game.sockets, 1):
        assert (socket.hand, socket.to_act, socket.you["seat"]) == (before.hand, before.to_act, seat)
        assert all(socket.folded.seats[seat].downcards)
    player.say({"type": "catch_up", "hand": before.hand, "after": 3})
    told = player.until_type("facts")
    assert [seq for seq, *_ in told["facts"]] == list(range(4, before.seq + 1))
    game.act(action)
    game.play_out(before)
    assert_books_are_clean(room_apart)


def the_latest_outage() -> Outage:
    """The one that has just ended, once a process has noticed."""
    soon(lambda: not outages.is_away(now=timezone.now()), "the room never came back")
    return Outage.objects.order_by("-pk")[0]


def left_of_the_turn(game: Game) -> timedelta:
    deadline = game.table.deadline
    assert deadline is not None
    return deadline - timezone.now()
