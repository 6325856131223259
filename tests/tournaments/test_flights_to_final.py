"""Flights that end with a level, in the room and online, and the final that waits for them."""

from datetime import timedelta

import pytest

from cardroom.core.errors import Illegal
from cardroom.core.models import Alarm
from tests.support.events import bust, order, wallet
from tests.support.online import OnlineEvent
from tests.support.parts.tournaments import deals, flights, hands, payouts, suggestions, tournaments
from tests.support.refusals import refused
from tournaments.directing import seats as floor
from tournaments.engine.config import PayoutTerms

pytestmark = pytest.mark.django_db
PRICE = {"entry": {"pool": 100}}


@pytest.fixture
def final(make_event):
    return make_event(price=PRICE, payout=PayoutTerms(places=2)).open()


@pytest.fixture
def flight(make_event, final):
    def made(name, players, **options):
        options = {"price": PRICE, "parent_id": final.pk, "flight": name} | options
        return make_event(**options).started(players)

    return made


def told(event):
    return [each.kind for each in suggestions.read(tournament=event.row, now=event.now)]


def test_in_the_room_the_director_is_told_when_the_flight_is_over_and_bags_the_stacks(final, flight):
    event = flight("1A", [final.player() for _ in range(4)], flight_levels=2)
    bust(event, 4, eliminators=[1])
    assert "close-flight" not in told(event)
    assert "lock-payouts" not in told(event), "it pays nothing itself"
    refused(Illegal, "pays nothing itself", lambda: deals.propose(kind="even", **order(event)))
    event.wait(minutes=31)
    assert told(event) == ["close-flight"]
    with pytest.raises(Illegal, match="come to 6,000 of 8,000 chips, 2,000 too few") as refusal:
        floor.close_flight(**order(event))
    assert refusal.value.code == "bags-do-not-sum"
    refused(Illegal, "1,000 too few", lambda: floor.close_flight(stacks=[(1, 3000)], **order(event)))
    assert event.row.state == "running"
    assert event.entry(1).chips == 2000, "nothing was done by halves"
    floor.close_flight(stacks=[(1, 5000), (2, 2500), (3, 500)], **order(event))
    assert (event.row.state, event.state.is_flight) == ("finished", True)
    assert [entry.chips for entry in flights.carry(final_id=final.pk, by=final.director, now=final.now)] == [
        5000, 2500, 500,
    ]  # fmt: skip


def test_a_chip_that_was_lost_on_the_floor_does_not_stop_the_day(final, flight):
    event = flight("1A", [final.player() for _ in range(3)])
    hands.count_table(table=1, stacks=[(1, 1900), (2, 2000), (3, 2000)], **order(event))
    refused(Illegal, "100 too few", lambda: floor.close_flight(**order(event)))
    floor.close_flight(anyway=True, **order(event))
    assert event.state.is_flight


def test_with_all_stacks_a_player_goes_on_with_what_is_left_in_all_his_flights(make_event, flight, final, audited):
    tournaments.edit(tournament_id=final.pk, by=final.director, now=final.now, options={flights.ALL_STACKS: True})
    ana = final.player("ana")
    for name, chips in (("1A", 1500), ("1B", 3500)):
        event = flight(name, [ana, final.player()])
        floor.close_flight(stacks=[(1, chips), (2, 4000 - chips)], **order(event))
    entries = flights.carry(final_id=final.pk, by=final.director, now=final.now)
    assert {entry.name: entry.chips for entry in entries}["ana"] == 5000
    assert (sum(entry.chips for entry in entries), final.pool()) == (8000, 400)


def test_the_second_day_begins_with_a_new_draw_and_the_stacks_of_the_first(make_event, flight, final, audited):
    event = flight("day 1", [final.player() for _ in range(6)], seats=3)
    bust(event, 6)
    refused(Illegal, "Flight day 1 is not over yet", final.start)
    refused(Illegal, "Nobody has counted player", lambda: floor.close_flight(stacks=[(1, 4000)], **order(event)))
    floor.close_flight(stacks=[(1, 4000), *((number, 2000) for number in range(2, 6))], **order(event))
    tournaments.edit(tournament_id=final.pk, by=final.director, now=final.now, starts_at=final.now + timedelta(days=1))
    final.wait(days=1)
    final.start()
    assert [(entry.name, entry.chips) for entry in final.row.entries.order_by("number")] == [
        (event.entry(number).name, 4000 if number == 1 else 2000) for number in range(1, 6)
    ]
    seats = {(one.table, one.seat) for one in final.state.in_play()}
    assert len(seats) == 5
    assert all(table and seat for table, seat in seats)
    assert final.state.reading(final.state.began_at).level == 0
    hands.bust(busts=[(number, 1000 + number) for number in (2, 3, 4, 5)], eliminators=[1], **order(final))
    payouts.pay(**order(final))
    assert (wallet(event.entry(1).player), final.pool(), event.pool()) == (900 + 390, 0, 0)


def online_flight(final, **options):
    """Four bots play one level of a minute."""
    given = {"parent_id": final.pk, "flight": "online", "flight_levels": 1, "seats": 2, "price": PRICE}
    return OnlineEvent(4, **given | {"options": {"pause_seconds": 25}} | options)


def test_online_a_flight_stops_by_itself_after_its_last_level(make_event, audited):
    final = make_event(conduct="online", price=PRICE).open()
    event = online_flight(final, starting_stack=20_000).start()
    event.play_on()
    state = event.state
    assert (event.row.state, state.is_flight, event.tables, state.left) == ("finished", True, {}, 4)
    assert sum(one.stack for one in state.in_play()) == 4 * 20_000
    last_hand = max(hand.started_at for hand in event.hands())
    assert last_hand < event.row.started_at + timedelta(minutes=1), "none is dealt after it"
    assert event.issued == 0


def test_a_final_online_waits_for_its_flights_and_begins_by_itself_with_all_of_them(make_event, audited):
    soon = timedelta(seconds=90)
    final = OnlineEvent(price=PRICE, seats=4, payout=PayoutTerms(places=2), starting_stack=400)
    tournaments.edit(tournament_id=final.pk, by=final.director, now=final.now, starts_at=final.now + soon)
    online = online_flight(final)
    room = make_event(price=PRICE, parent_id=final.pk, flight="room", starting_stack=400).open()
    guests = [room.enter().player for _ in range(3)]
    room.start()
    online.start().play_on()
    bust(room, 3, eliminators=[1])
    assert final.wake()
    assert (final.row.state, final.row.entries_count) == ("open", 0), "the flight in the room is still played"
    assert timedelta() < final.row.wake_at - final.now <= timedelta(minutes=1)
    floor.close_flight(stacks=[(1, 800), (2, 400)], **order(room))
    left = online.state.left
    assert final.wake()
    assert (final.row.state, final.row.players_left, final.chips()[guests[0].pk]) == ("running", left + 2, 800)
    assert (final.issued, Alarm.objects.filter(kind="tournament", key=str(online.pk)).count()) == (7 * 400, 0)
    final.check()


def test_only_what_leads_to_a_final_ends_with_its_last_level(make_event, final):
    refused(Illegal, "choose its final", make_event, flight_levels=2)
    event = make_event(parent_id=final.pk, flight="1A")
    assert event.row.config["flight_levels"] > len(event.row.config["structure"]["levels"])
    tournaments.edit(**order(event, parent_id=None, flight=""))
    assert event.row.config["flight_levels"] == 0
    refused(Illegal, "one winner", make_event, parent_id=final.pk, flight="1B", format="shootout")
