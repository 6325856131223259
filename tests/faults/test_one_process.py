"""kill -9 of a room that is one process: web, worker and beat go at once, and the hand goes on when it is back."""

import os
import random
from collections.abc import Callable
from contextlib import suppress

import pytest

from cardroom.services import alarms, audit
from games import journal
from tests.faults.game import Game, assert_books_are_clean, quiet_action
from tests.live.socket import Socket
from tests.support.room import Room

KILLS = int(os.environ.get("CARDROOM_KILLS", "100"))


def test_after_the_room_is_killed_the_same_hand_goes_on(room_alone: Room, play: Callable[..., Game]) -> None:
    """It dies while a bot thinks, and maybe with the alarm for that claimed."""
    game = play(room_alone)
    game.until_a_person_opens()
    before = game.standing
    game.until_a_bot_acts()
    room_alone.kill()
    game.until_cut_off()
    game.let_pass(alarms.CLAIM_LASTS)
    room_alone.start()
    game.reconnect()
    game.play_out(before)
    assert_books_are_clean(room_alone)


@pytest.mark.long("test_cut_off_commits.py kills processes in the middle of actions, the first test a room")
def test_an_action_cut_off_by_a_kill_is_done_once_when_it_is_said_again(
    room_alone: Room, play: Callable[..., Game]
) -> None:
    game = play(room_alone, bots=2)
    chance = random.Random(5)
    for _ in range(KILLS):
        player = game.until_a_person_acts()
        before, action = game.standing, quiet_action(player)
        command = player.act(action)
        hear_for(player, chance.uniform(0, 0.03))
        room_alone.kill()
        game.let_pass(alarms.CLAIM_LASTS)
        room_alone.start()
        game.reconnect()

        player.act(action, hand=before.hand, seq=before.seq, command_id=command)
        answer = player.answer_to(command)
        assert answer["type"] == "done"
        player.until_at(before.hand, answer["seq"])  # what it led to may be told after the answer
        outcome = journal.Receipt(seq=answer["seq"], facts_from=before.seq + 1)
        assert journal.receipt(before.hand, f"{before.to_act}:{command}") == outcome
        assert list(journal.facts(before.hand))[: before.seq] == before.cards
    assert audit.check() == []


def hear_for(player: Socket, seconds: float) -> None:
    """Wait for an answer so long and no longer."""
    with suppress(TimeoutError):
        player.line.recv(timeout=seconds)
