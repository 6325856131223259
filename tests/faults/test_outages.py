"""Processes of the room stand still or are killed (kill -9) in the middle of a hand: it costs no player a hand.

What passes is written back in the rows, the heartbeat's among them.
"""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from cardroom.core import alarms, outages
from cardroom.core import audit as core_audit
from cardroom.core.models import Clockwork, Outage
from games.tables import waking
from tests.faults.conftest import APART
from tests.faults.game import ACT_SECONDS, Game, Play, assert_books_are_clean
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


def test_webs_that_stand_still_for_longer_than_a_turn_take_nothing_from_it(room_of_two_webs: Room, play: Play) -> None:
    room, game = room_of_two_webs, play(room_of_two_webs, bots=0)
    player = game.until_a_person_acts()
    before, action = game.standing, player.quiet_action
    room.freeze(*WEBS)
    game.let_the_room_be_away(AWAY)
    assert waking.claim_due(now=timezone.now()) == [], "there is nothing for the worker to ring"
    assert game.standing.seq == before.seq
    room.go_on(*WEBS)

    answer = player.answer_to(player.act(action, hand=before.hand, seq=before.seq))
    assert answer["type"] == "done", answer
    soon(lambda: not outages.is_away(now=timezone.now()), "the room never came back")
    outage = Outage.objects.latest("pk")
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
    room_apart: Room, play: Play, killed: tuple[str, ...], away: timedelta
) -> None:
    game = play(room_apart)
    game.act()
    player = game.until_a_person_acts()
    before, action, left = game.standing, player.quiet_action, left_of_the_turn(game)
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
    game.act(action)
    game.play_out(before)
    assert_books_are_clean(room_apart)


def test_while_the_worker_is_dead_people_play_and_a_bot_waits_for_it(room_apart: Room, play: Play) -> None:
    game = play(room_apart)
    hand = game.until_a_person_opens().hand
    room_apart.kill("worker")
    game.until_a_bot_acts()
    before = game.standing
    game.let_pass(alarms.CLAIM_LASTS)  # the worker may have died with an alarm claimed
    room_apart.start("worker")

    assert before.hand == hand
    game.play_out(before)
    assert_books_are_clean(room_apart)


def test_a_clock_that_ran_out_without_the_beat_is_seen_to_after_its_restart(room_apart: Room, play: Play) -> None:
    """People were heard all the time: the web was there."""
    game = play(room_apart, bots=0)
    game.until_a_person_acts()
    before = game.standing
    room_apart.kill("beat")
    game.let_pass(before.deadline - timezone.now())
    assert game.standing.cards == before.cards, "nobody saw to it"
    room_apart.start("beat")

    game.until(lambda ahead: (ahead.hand, ahead.seq) > (before.hand, before.seq))
    assert [fact.kind for fact in game.ahead.story[before.seq :]][:2] == ["timed-out", "bring-in-posted"]
    game.act("fold")
    game.until(lambda _: game.is_over(before.hand))
    assert core_audit.check() == []


def test_frozen_clockwork_is_told_apart_from_a_room_in_which_nobody_can_play(room_apart: Room) -> None:
    soon(lambda: room_apart.get_json("/healthz")[1]["status"] == "ok", "the clockwork never ran")
    room_apart.freeze("worker")
    try:
        Clockwork.objects.update(at=timezone.now() - timedelta(minutes=1))
        soon(lambda: room_apart.get_json("/healthz/clockwork")[0] == 503)
        status, told = room_apart.get_json("/healthz")
        assert (status, told["status"], told["database"], told["redis"]) == (200, "impaired", "ok", "ok")
        assert told["clockwork"].startswith("late by ")
        assert room_apart.get_json("/healthz/live") == (200, {"status": "ok"})
    finally:
        room_apart.go_on("worker")
    soon(lambda: room_apart.get_json("/healthz/clockwork") == (200, {"status": "ok"}))
    for path in ("/healthz", "/healthz/live", "/healthz/clockwork"):  # a probe may use any name
        soon(lambda path=path: room_apart.get_json(path, Host="10.1.2.3:8000")[0] == 200, path)


def left_of_the_turn(game: Game) -> timedelta:
    deadline = game.table.deadline
    assert deadline is not None
    return deadline - timezone.now()
