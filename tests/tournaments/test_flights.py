"""Flights, also such as end with a level, and their final: stacks, money and heads go on, to the last chip."""

from datetime import timedelta

from cardroom.core import audit as core_audit
from cardroom.core.errors import Forbidden, Illegal
from cardroom.core.models import Alarm
from tests.support.events import Event, bust, order, wallet
from tests.support.online import OnlineEvent
from tests.support.parts.event_rules import BountyTerms, Bust, Chips, CloseFlight, Count, PayoutTerms
from tests.support.parts.tournaments import (
    cancelling,
    deals,
    flights,
    hands,
    payouts,
    registration,
    suggestions,
    tournaments,
    undoing,
)
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.directing import closing

PRICE = {"entry": {"pool": 100, "bounty": 20}}
PLAIN = {"entry": {"pool": 100}}


@world
def final():
    return Event(bounty=BountyTerms("progressive", 20), price=PRICE, payout=PayoutTerms(share_percent=25)).open()


@world
def plain():
    """A final without bounties, of which two are paid."""
    return Event(price=PLAIN, payout=PayoutTerms(places=2)).open()


def flight_of(final, name, players, **options):
    """A flight on the terms of its final, entered and started."""
    terms = {"price": final.row.price, "bounty": final.state.config.bounty, "parent_id": final.pk, "flight": name}
    return Event(**terms | options).started(players)


def carry_over(final, **options):
    return flights.carry(final_id=final.pk, **{"by": final.director, "now": final.now, **options})


def suggestion_kinds(event):
    return [each.kind for each in suggestions.read_suggestions(tournament=event.row, now=event.now)]


def test_those_left_in_the_flights_go_on_with_their_chips_and_the_money(final, audited):
    first = flight_of(final, "1A", ["ana", "bob", "dan"])
    first.play(Bust(((3, 2000),), by=(1,)))
    first.play(Count(1, 4000))
    first.play(CloseFlight())
    second = flight_of(final, "1B", ["cid", "eve", "fay", "gus"], conduct="online")
    second.play(Chips(((2, 4000), (3, 0))))
    second.play(Bust(((3, 2000),), by=(2,)))
    refused(Illegal, "Flight 1B is not over", carry_over, final)
    closing.close_flight(**order(second))
    entries = carry_over(final)
    assert [(entry.name, entry.chips) for entry in entries] == [
        ("ana", 4000), ("bob", 2000), ("cid", 2000), ("eve", 4000), ("gus", 2000),
    ]  # fmt: skip
    assert {entry.how for entry in entries} == {"flight"}
    assert (final.pool(), first.pool(), second.pool(), final.row.pool) == (700, 0, 0, 700)
    assert [entry.bounty for entry in entries] == [30, 20, 20, 30, 20]
    assert (final.pool("bounties"), first.pool("bounties"), second.pool("bounties")) == (120, 10, 10)
    assert final.row.places_paid == 2, "a quarter of seven"
    ana, out = (first.entry(number).player for number in (1, 3))
    assert (wallet(out), [entry.pk for entry in carry_over(final)]) == (880, [entry.pk for entry in entries])
    assert core_audit.check() == []
    refused(Illegal, "came from a flight", registration.unregister, tournament_id=final.pk, by=ana, now=final.now)
    refused(Illegal, "have been played", cancelling.cancel, reason="a storm", **order(final))
    assert final.wait(hours=1).start().row.players_left == 5


def test_who_is_left_in_two_flights_goes_on_with_the_larger_stack(final, audited):
    ana = final.player("ana")
    for name, chips in (("1A", 1500), ("1B", 3500), ("1C", 900)):
        event = flight_of(final, name, [ana, final.player()])
        event.play(Count(1, chips))
        event.play(CloseFlight())
    entries = carry_over(final)
    assert [entry.chips for entry in entries if entry.name == "ana"] == [3500]
    assert final.row.pool == final.pool() == 600
    assert (sorted(entry.bounty for entry in entries), final.pool("bounties")) == ([20, 20, 20, 60], 120)


def test_with_all_stacks_a_player_goes_on_with_what_is_left_in_all_their_flights(final, audited):
    tournaments.edit(options={flights.ALL_STACKS: True}, **order(final))
    ana = final.player("ana")
    for name, chips in (("1A", 1500), ("1B", 3500)):
        event = flight_of(final, name, [ana, final.player()])
        closing.close_flight(stacks=[(1, chips), (2, 4000 - chips)], **order(event))
    entries = carry_over(final)
    assert {entry.name: entry.chips for entry in entries}["ana"] == 5000
    assert (sum(entry.chips for entry in entries), final.pool()) == (8000, 400)


def test_survivors_are_carried_by_directors_from_flights_to_an_open_final(final, make_event):
    for alone in (final, make_event()):
        refused(Illegal, "No flight", carry_over, alone)
    draft = make_event()
    make_event(parent_id=draft.pk, flight="1A").started(3).play(CloseFlight())
    refused(Illegal, "has not opened yet", carry_over, draft)
    refused(Forbidden, carry_over, final, by=final.staff("floor"))


def test_what_was_carried_to_the_final_is_not_played_on_in_the_flight(final, audited):
    first = flight_of(final, "1A", 3)
    first.play(CloseFlight())
    undoing.undo(**order(first))
    assert first.row.state == "running", "nothing was carried yet"
    first.play(CloseFlight())
    refused(Illegal, "have been played", cancelling.cancel, reason="a storm", **order(final))
    carry_over(final)
    refused(Illegal, "goes on in its final already", undoing.undo, **order(first))
    assert (first.row.state, final.row.pool) == ("finished", 300)


def test_in_the_room_the_director_bags_the_stacks_when_a_flight_is_over(plain):
    event = flight_of(plain, "1A", 4, flight_levels=2)
    bust(event, 4, eliminators=[1])
    assert {"close-flight", "lock-payouts"}.isdisjoint(suggestion_kinds(event)), "it pays nothing itself"
    refused(Illegal, "pays nothing itself", deals.propose, kind="even", **order(event))
    event.wait(minutes=31)
    assert suggestion_kinds(event) == ["close-flight"]
    refusal = refused(Illegal, "come to 6,000 of 8,000 chips, 2,000 too few", closing.close_flight, **order(event))
    assert refusal.code == "bags-do-not-sum"
    refused(Illegal, "1,000 too few", closing.close_flight, stacks=[(1, 3000)], **order(event))
    assert (event.row.state, event.entry(1).chips) == ("running", 2000), "nothing was done by halves"
    closing.close_flight(stacks=[(1, 5000), (2, 2500), (3, 500)], **order(event))
    assert (event.row.state, event.state.is_flight) == ("finished", True)
    assert [entry.chips for entry in carry_over(plain)] == [5000, 2500, 500]
    event = flight_of(plain, "1B", 3)
    hands.count_table(table=1, stacks=[(1, 1900), (2, 2000), (3, 2000)], **order(event))
    refused(Illegal, "100 too few", closing.close_flight, **order(event))
    closing.close_flight(anyway=True, **order(event))
    assert event.state.is_flight, "a chip that was lost on the floor does not stop the day"


def test_the_second_day_begins_with_a_new_draw_and_the_stacks_of_the_first(plain, audited):
    event = flight_of(plain, "day 1", 6, seats=3)
    bust(event, 6)
    refused(Illegal, "Flight day 1 is not over yet", plain.start)
    refused(Illegal, "Nobody has counted player", closing.close_flight, stacks=[(1, 4000)], **order(event))
    stacks = [(1, 4000), *((number, 2000) for number in range(2, 6))]
    closing.close_flight(stacks=stacks, **order(event))
    tournaments.edit(starts_at=plain.now + timedelta(days=1), **order(plain))
    plain.wait(days=1).start()
    assert [(entry.name, entry.chips) for entry in plain.row.entries.order_by("number")] == [
        (event.entry(number).name, chips) for number, chips in stacks
    ]
    places = {(one.table, one.seat) for one in plain.state.in_play()}
    assert len(places) == 5
    assert all(table and seat for table, seat in places)
    assert plain.state.reading(plain.state.began_at).level == 0
    hands.bust(busts=[(number, 1000 + number) for number in (2, 3, 4, 5)], eliminators=[1], **order(plain))
    payouts.pay(**order(plain))
    assert (wallet(event.entry(1).player), plain.pool(), event.pool()) == (900 + 390, 0, 0)


def online_flight(final, **options):
    """Four bots play one level of a minute."""
    given = {"parent_id": final.pk, "flight": "online", "flight_levels": 1, "seats": 2, "price": PLAIN}
    return OnlineEvent(4, **given | {"options": {"pause_seconds": 25}} | options)


def test_online_a_flight_stops_by_itself_after_its_last_level(plain, audited):
    event = online_flight(plain, starting_stack=20_000).start()
    event.play_on()
    state = event.state
    assert (event.row.state, state.is_flight, event.tables, state.left) == ("finished", True, {}, 4)
    assert (sum(one.stack for one in state.in_play()), event.issued) == (4 * 20_000, 0)
    last_hand = max(hand.started_at for hand in event.hands())
    assert last_hand < event.row.started_at + timedelta(minutes=1), "none is dealt after it"


def test_a_final_online_waits_for_its_flights_and_begins_by_itself_with_all_of_them(make_event, audited):
    final = OnlineEvent(price=PLAIN, seats=4, payout=PayoutTerms(places=2), starting_stack=400)
    tournaments.edit(starts_at=final.now + timedelta(seconds=90), **order(final))
    online = online_flight(final)
    room = make_event(price=PLAIN, parent_id=final.pk, flight="room", starting_stack=400).started(3)
    online.start().play_on()
    bust(room, 3, eliminators=[1])
    assert final.wake()
    assert (final.row.state, final.row.entries_count) == ("open", 0), "the flight in the room is still played"
    assert timedelta() < final.row.wake_at - final.now <= timedelta(minutes=1)
    closing.close_flight(stacks=[(1, 800), (2, 400)], **order(room))
    assert final.wake()
    assert (final.row.state, final.row.players_left) == ("running", online.state.left + 2)
    assert final.chips()[room.entry(1).player_id] == 800
    assert (final.issued, Alarm.objects.filter(kind="tournament", key=str(online.pk)).count()) == (7 * 400, 0)
    final.check()


def test_only_what_leads_to_a_final_ends_with_its_last_level(make_event, plain):
    refused(Illegal, "choose its final", make_event, flight_levels=2)
    event = make_event(parent_id=plain.pk, flight="1A")
    assert event.row.config["flight_levels"] > len(event.row.config["structure"]["levels"])
    tournaments.edit(parent_id=None, flight="", **order(event))
    assert event.row.config["flight_levels"] == 0
    refused(Illegal, "one winner", make_event, parent_id=plain.pk, flight="1B", format="shootout")
