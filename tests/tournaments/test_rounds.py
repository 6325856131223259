"""Shootouts and brackets in the room, through the services: rounds drawn, stacks begun anew, places and prizes."""

import pytest

from cardroom.models import Notice
from cardroom.services.errors import Illegal
from tests.support.events import order, wallet
from tournaments.engine.config import PayoutTerms
from tournaments.services import floor, payouts, registration, suggestions


def play_round(event):
    """Every table down to the one who entered first."""
    for table in event.state.in_use():
        winner, *others = sorted(table.seats.values())
        for number in reversed(others):
            floor.bust(busts=[(number, None)], eliminators=[winner], table=table.number, **order(event))
        event.wait(minutes=1)


def draw(event):
    (found,) = [each for each in suggestions.read(tournament=event.row, now=event.now) if each.kind == "draw-round"]
    floor.confirm(key=found.key, **order(event))


def test_a_shootout_in_the_room_from_its_draw_to_its_prizes(make_event, audited):
    event = make_event(format="shootout", seats=3, payout=PayoutTerms(places=3)).started(9)
    assert event.row.tables_count == 3
    with pytest.raises(Illegal) as refused:
        event.enter()
    assert refused.value.code == "entry-closed"
    with pytest.raises(Illegal, match="still plays"):
        floor.draw_round(**order(event))
    event.wait(minutes=20)
    play_round(event)
    assert event.row.players_left == 3
    draw(event)
    assert (event.row.tables_count, event.row.level) == (1, 0)
    assert [event.entry(one.number).chips for one in event.state.in_play()] == [2000] * 3
    play_round(event)
    assert event.row.state == "finished"
    payouts.pay(**order(event))
    assert [row.amount for row in payouts.receipts(event.row)] == [451, 260, 189]
    assert sorted(event.entry(number).place for number in range(1, 10)) == list(range(1, 10))
    assert event.pool() == 0


def test_a_bracket_in_the_room_is_played_pair_by_pair(make_event, audited):
    event = make_event(format="bracket", seats=2, final_seats=2, payout=PayoutTerms(kind="winner")).started(5)
    byes = event.state.byes
    assert len(byes) == 3
    rounds = 1
    play_round(event)
    while event.row.state != "finished":
        draw(event)
        rounds += 1
        if rounds == 2:
            assert set(byes) <= {number for table in event.state.in_use() for number in table.seats.values()}
        play_round(event)
    assert rounds == 3
    assert event.state.byes == ()
    payouts.pay(**order(event))
    winner = next(entry for entry in event.row.entries.all() if entry.place == 1)
    assert wallet(winner.player) == 1000 - 115 + 100 * 5


def test_players_are_told_where_they_sit_in_the_next_round(make_event):
    event = make_event(format="shootout", seats=2, final_seats=2).started(4)
    play_round(event)
    draw(event)
    told = Notice.objects.filter(data__tournament=event.pk, kind="seated", text__contains="Round 2")
    assert {notice.player_id for notice in told} == {one.player for one in event.state.in_play()}


def test_a_bye_may_still_withdraw_before_the_start_and_the_bracket_is_drawn_for_the_others(make_event):
    event = make_event(format="bracket", seats=2, final_seats=2).open()
    players = [event.enter().player for _ in range(5)]
    registration.unregister(tournament_id=event.pk, by=players[2], now=event.now)
    floor.draw_seats(**order(event))
    assert (len(event.state.byes), event.row.tables_count) == (0, 2)
