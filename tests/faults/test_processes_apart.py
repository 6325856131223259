"""kill -9 of the worker and the beat in the middle of a hand: the same hand goes on when they are back.

`test_outages.py` kills the web.
"""

import pytest
from django.utils import timezone

from tests.faults.game import assert_books_are_clean
from tests.support.parts.cardroom import alarms, core_audit
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


def test_a_clock_that_ran_out_without_the_beat_is_seen_to_after_its_restart(room_apart: Room, play) -> None:
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
