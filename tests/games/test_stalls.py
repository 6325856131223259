"""The watchdog over tables, calls and jackpots: whatever is due and has lost its alarm is found."""

from cardroom.core import watchdog
from tests.support.lists import ListRoom
from tests.support.models import Alarm, ListEntry, TablePlay


def stalls_of(kind):
    return [stall.what for stall in watchdog.find_stalls()[kind]]


def test_tables_and_calls_that_nothing_would_move_on_are_found(evening):
    evening.play_out()
    assert stalls_of("table") == []
    TablePlay.objects.update(wake_at=None)
    assert "could play a hand, and nothing would deal it" in stalls_of("table")[0]
    room = ListRoom(seat_count=3)
    players = room.full()
    room.join("dan")
    room.leave(players[0]).ring()
    assert ListEntry.objects.filter(state="called").exists()
    assert stalls_of("list") == []
    Alarm.objects.filter(kind="list-call").delete()
    assert "nothing would end the call" in stalls_of("list")[0]
