"""A shootout in the room, through the services: rounds drawn, stacks begun anew, places and prizes."""

from cardroom.core.errors import Illegal
from cardroom.core.models import Notice
from tests.support.events import order
from tests.support.parts.tournaments import hands, payouts, seats, suggestions
from tests.support.refusals import refused
from tournaments.engine.config import PayoutTerms


def play_round(event):
    """Every table down to the one who entered first."""
    for table in event.state.in_use():
        winner, *others = sorted(table.seats.values())
        for number in reversed(others):
            hands.bust(busts=[(number, None)], eliminators=[winner], table=table.number, **order(event))
        event.wait(minutes=1)


def test_a_shootout_in_the_room_from_its_draw_to_its_prizes(make_event, audited):
    event = make_event(format="shootout", seats=3, payout=PayoutTerms(places=3)).started(9)
    assert (event.row.tables_count, refused(Illegal, event.enter).code) == (3, "entry-closed")
    refused(Illegal, "still plays", lambda: seats.draw_round(**order(event)))
    event.wait(minutes=20)
    play_round(event)
    assert event.row.players_left == 3
    (found,) = [each for each in suggestions.read(tournament=event.row, now=event.now) if each.kind == "draw-round"]
    seats.confirm(key=found.key, **order(event))
    told = Notice.objects.filter(data__tournament=event.pk, kind="seated", text__contains="Round 2")
    assert {notice.player_id for notice in told} == {one.player for one in event.state.in_play()}
    assert (event.row.tables_count, event.row.level) == (1, 0)
    assert [event.entry(one.number).chips for one in event.state.in_play()] == [2000] * 3
    play_round(event)
    assert event.row.state == "finished"
    payouts.pay(**order(event))
    assert [row.amount for row in payouts.receipts(event.row)] == [451, 260, 189]
    assert sorted(event.entry(number).place for number in range(1, 10)) == list(range(1, 10))
    assert event.pool() == 0
