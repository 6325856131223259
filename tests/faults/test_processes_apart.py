"""kill -9 of the worker and the beat in the middle of a hand: the same hand goes on when they are back.

`test_outages.py` kills the web.
"""

import pytest

from cardroom.services import alarms, audit
from tests.faults.game import assert_books_are_clean
from tests.support.room import Room

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


def test_while_the_worker_is_dead_people_play_and_a_bot_waits_for_it(room_apart: Room, play) -> None:
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


@pytest.mark.parametrize(
    "dead",
    ["beat", pytest.param("worker", marks=pytest.mark.long("the first test kills the worker, this one the beat"))],
)
def test_a_clock_that_ran_out_meanwhile_is_seen_to_after_the_restart(room_apart: Room, play, dead: str) -> None:
    """People were heard all the time: the web was there."""
    game = play(room_apart, bots=0)
    game.until_a_person_acts()
    before = game.standing
    room_apart.kill(dead)
    game.let_the_clock_run_out()
    room_apart.start(dead)

    game.until_told_more_than(before)
    assert [fact.kind for fact in game.ahead.story[before.seq :]][:2] == ["timed-out", "bring-in-posted"]
    game.act("fold")
    game.until_over(before)
    assert audit.check() == []


@pytest.mark.long("a room without its worker once more; tests/games/test_clocks.py refuses who acts too late")
def test_who_acts_too_late_while_the_worker_is_dead_is_told_so(room_apart: Room, play) -> None:
    game = play(room_apart, bots=0)
    player = game.until_a_person_acts()
    before = game.standing
    room_apart.kill("worker")
    game.let_the_clock_run_out()
    refused = player.answer_to(player.act("bring-in"))

    assert (refused["type"], refused["code"], refused["status"]) == ("refused", "time-ran-out", 409)
    game.until_told_more_than(before)
    assert [fact.kind for fact in player.story[before.seq :]][:2] == ["timed-out", "bring-in-posted"]
