"""kill -9 of a room that is one process: web, worker and beat go at once, and the hand goes on when it is back."""

from cardroom.core import alarms
from tests.faults.game import Play, assert_books_are_clean
from tests.support.room import Room


def test_after_the_room_is_killed_the_same_hand_goes_on(room_alone: Room, play: Play) -> None:
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
