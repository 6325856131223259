"""Flights and their final: stacks, money and heads go on, to the last chip."""

from datetime import timedelta

import pytest

from cardroom.core import audit as core_audit
from cardroom.core.errors import Forbidden, Illegal
from tests.support.events import Event, order, wallet
from tests.support.parts.event_rules import BountyTerms, Bust, Chips, CloseFlight, Count, PayoutTerms
from tests.support.parts.tournaments import flights, registration, seats, tournaments
from tests.support.refusals import refused
from tests.support.worlds import world

pytestmark = pytest.mark.django_db
PRICE = {"entry": {"pool": 100, "bounty": 20}}


@world
def final():
    return Event(bounty=BountyTerms("progressive", 20), price=PRICE, payout=PayoutTerms(share_percent=25)).open()


@pytest.fixture
def flight(make_event, final):
    def made(name, players, conduct="room"):
        terms = {"price": PRICE, "bounty": BountyTerms("progressive", 20)}
        return make_event(conduct=conduct, parent_id=final.pk, flight=name, **terms).started(players)

    return made


def carried(final, **options):
    return flights.carry(final_id=final.pk, **{"by": final.director, "now": final.now, **options})


def test_those_left_in_the_flights_go_on_with_their_chips_and_the_money(final, flight, audited):
    ana, bob, cid = (final.player(name) for name in ("ana", "bob", "cid"))
    first = flight("1A", [ana, bob, first_out := final.player("dan")])
    first.play(Bust(((3, 2000),), by=(1,)))
    first.play(Count(1, 4000))
    first.play(CloseFlight())
    second = flight("1B", [cid, final.player("eve"), final.player("fay"), final.player("gus")], conduct="online")
    second.play(Chips(((2, 4000), (3, 0))))
    second.play(Bust(((3, 2000),), by=(2,)))
    refused(Illegal, "Flight 1B is not over", carried, final)
    seats.close_flight(**order(second))
    entries = carried(final)
    assert [(entry.name, entry.chips, entry.how) for entry in entries] == [
        ("ana", 4000, "flight"), ("bob", 2000, "flight"), ("cid", 2000, "flight"), ("eve", 4000, "flight"),
        ("gus", 2000, "flight"),
    ]  # fmt: skip
    assert (final.pool(), first.pool(), second.pool(), final.row.pool) == (700, 0, 0, 700)
    assert [entry.bounty for entry in entries] == [30, 20, 20, 30, 20]
    assert (final.pool("bounties"), first.pool("bounties"), second.pool("bounties")) == (120, 10, 10)
    assert final.row.places_paid == 2, "a quarter of seven"
    assert (wallet(first_out), [entry.pk for entry in carried(final)]) == (880, [entry.pk for entry in entries])
    assert core_audit.check() == []
    refused(Illegal, "came from a flight", registration.unregister, tournament_id=final.pk, by=ana, now=final.now)
    with pytest.raises(Illegal, match="have been played"):
        tournaments.cancel(tournament_id=final.pk, by=final.director, reason="a storm", now=final.now)
    final.wait(hours=1)
    final.start()
    assert final.row.players_left == 5


def test_who_is_left_in_two_flights_goes_on_with_the_larger_stack(final, flight, audited):
    ana = final.player("ana")
    for name, chips in (("1A", 1500), ("1B", 3500), ("1C", 900)):
        event = flight(name, [ana, final.player()])
        event.play(Count(1, chips))
        event.play(CloseFlight())
    entries = carried(final)
    assert sorted(entry.name for entry in entries).count("ana") == 1
    assert next(entry.chips for entry in entries if entry.name == "ana") == 3500
    assert final.row.pool == final.pool() == 600
    assert (sorted(entry.bounty for entry in entries), final.pool("bounties")) == ([20, 20, 20, 60], 120)


def test_there_is_nothing_to_carry_without_flights_or_an_open_final_and_only_directors_do_it(final, make_event):
    refused(Illegal, "No flight", carried, final)
    draft = make_event()
    make_event(parent_id=draft.pk, flight="1A").started(3).play(CloseFlight())
    refused(Illegal, "has not opened yet", carried, draft)
    refused(Forbidden, lambda: carried(final, by=final.staff("floor")))
    lonely = make_event(starts_at=final.now + timedelta(hours=3))
    refused(Illegal, "No flight", flights.carry, final_id=lonely.pk, by=final.director, now=final.now)


def test_what_was_carried_to_the_final_is_not_played_on_in_the_flight(final, flight, audited):
    first = flight("1A", [final.player() for _ in range(3)])
    first.play(CloseFlight())
    seats.undo(**order(first))
    assert first.row.state == "running", "nothing was carried yet"
    first.play(CloseFlight())
    with pytest.raises(Illegal, match="have been played"):
        tournaments.cancel(tournament_id=final.pk, by=final.director, reason="a storm", now=final.now)
    carried(final)
    refused(Illegal, "goes on in its final already", lambda: seats.undo(**order(first)))
    assert (first.row.state, final.row.pool) == ("finished", 300)
