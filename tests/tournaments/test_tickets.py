"""Tickets: worth an entry until they are used, paid out or taken back, and covered by chips all that time."""

from datetime import timedelta

import pytest

from cardroom.core.errors import Forbidden, Illegal, Invalid, NotEnoughChips, NotFound
from tests.support.events import held, wallet
from tests.support.parts.tournaments import money, registration, registration_queries, series, tickets, tournaments
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.prizes.models import Ticket


@world
def ana(event):
    """Nothing in the wallet."""
    return event.player("ana", chips=0)


def given(event, player, **options):
    options = {"by": event.director, "reason": "for the draw", "key": player.username, "now": event.now, **options}
    return tickets.give(player=player, tournament_id=event.pk, **options)


def value(event):
    return held("pool", f"tournament:{event.pk}:tickets")


def test_a_ticket_pays_the_entry_with_what_lies_there_for_it_and_comes_back_with_it(event, ana, audited):
    ticket = given(event, ana)
    assert given(event, ana).pk == ticket.pk
    assert (ticket.value, value(event), held("house", "promotions")) == (115, 115, -115)
    entry = event.enter(ana, ticket_id=ticket.pk)
    ticket.refresh_from_db()
    assert (entry.how, ticket.state, ticket.used_for, value(event), event.pool()) == ("ticket", "used", entry, 0, 100)
    assert list(registration_queries.tickets(ana)) == []
    registration.unregister(tournament_id=event.pk, by=ana, now=event.now)
    assert (list(registration_queries.tickets(ana)), value(event), wallet(ana)) == ([ticket], 115, 0)
    assert event.enter(ana, ticket_id=ticket.pk).number == 2


def test_change_goes_to_the_wallet_and_what_is_wanting_comes_from_it(event, audited):
    ana, bob = event.player("ana", chips=0), event.player("bob", chips=10)
    first, second = given(event, ana), given(event, bob)
    tournaments.edit(tournament_id=event.pk, by=event.director, now=event.now, price={"entry": {"pool": 100}})
    event.enter(ana, ticket_id=first.pk)
    assert wallet(ana) == 15
    tournaments.edit(tournament_id=event.pk, by=event.director, now=event.now, price={"entry": {"pool": 126}})
    refused(NotEnoughChips, event.enter, bob, ticket_id=second.pk)
    tournaments.edit(tournament_id=event.pk, by=event.director, now=event.now, price={"entry": {"pool": 125}})
    event.enter(bob, ticket_id=second.pk)
    assert (wallet(bob), event.pool()) == (0, 225)


def test_a_ticket_that_is_not_good_is_refused_and_says_why(make_event):
    event, other = make_event().open(), make_event().open()
    ana, bob = event.player("ana"), event.player("bob")
    ticket = given(event, ana)
    refused(NotFound, "no such ticket", event.enter, bob, ticket_id=ticket.pk)
    refused(Illegal, "for another event", other.enter, ana, ticket_id=ticket.pk)
    short = given(event, bob, expires_at=event.now + timedelta(hours=1))
    refused(Illegal, "was valid until", event.enter, bob, ticket_id=short.pk, now=event.now + timedelta(hours=2))
    event.enter(ana, ticket_id=ticket.pk)
    free = make_event(price={}).open()
    refused(Illegal, "keep your ticket", free.enter, ana, ticket_id=ticket.pk)
    refused(Illegal, "already used", tickets.find, ticket_id=ticket.pk, player=ana, tournament=event.row, now=event.now)


def test_a_ticket_of_a_series_is_good_for_its_events(make_event, audited):
    event = make_event()
    festival = series.create(by=event.director, name="Spring", now=event.now)
    tournaments.edit(tournament_id=event.pk, by=event.director, now=event.now, series_id=festival.pk)
    event.open()
    ana = event.player("ana", chips=0)
    ticket = tickets.issue(
        player=ana, value=115, source=money.house("promotions"), key="spring", now=event.now, series=festival
    )
    refused(Illegal, "another event", lambda: make_event().open().enter(ana, ticket_id=ticket.pk))
    assert event.enter(ana, ticket_id=ticket.pk).state == "in"


def test_a_ticket_that_was_won_is_paid_out_and_never_taken_back(make_event):
    satellite, event = make_event().started(3), make_event()
    ana = event.player("ana", chips=0)
    of = {"source": money.prizes(satellite.row), "tournament": event.row, "won_in": satellite.row}
    won = tickets.issue(player=ana, value=115, key="prize:1", now=event.now, **of)
    assert (satellite.pool(), value(event)) == (185, 115)
    refused(Illegal, "was won", tickets.take_back, ticket_id=won.pk, by=event.director, reason="why not", now=event.now)
    tickets.pay_out(ticket_id=won.pk, by=event.director, reason="cannot come", now=event.now)
    assert (wallet(ana), value(event), Ticket.objects.get().state) == (115, 0, "refunded")
    with pytest.raises(Illegal, match="already paid out"):
        tickets.pay_out(ticket_id=won.pk, by=event.director, reason="again", now=event.now)


def test_a_ticket_of_the_house_can_be_taken_back(event, audited):
    ticket = given(event, event.player())
    tickets.take_back(ticket_id=ticket.pk, by=event.director, reason="a mistake", now=event.now)
    assert (value(event), held("house", "promotions")) == (0, 0)


def test_tickets_are_given_by_directors_for_events_that_cost_something(make_event):
    event, free = make_event().open(), make_event(price={}).open()
    ana = event.player("ana")
    refused(Forbidden, lambda: given(event, ana, by=event.staff("cashier")))
    refused(Illegal, "free", given, free, ana)
    refused(Invalid, "reason", given, event, ana, reason=" ")
    refused(NotFound, tickets.give, player=ana, tournament_id=0, by=event.director, reason="x", key="y", now=event.now)


def test_a_ticket_to_an_event_is_of_use_as_long_as_it_takes_entries(make_event):
    late, closed = make_event(late_level=2).started(3), make_event().started(3)
    ana = late.player("ana")
    assert (late.row.is_entry_open, closed.row.is_entry_open) == (True, False)
    assert tickets.without_use(late.row, [ana]) == set()
    assert tickets.without_use(closed.row, [ana]) == {ana.pk}


def test_when_the_event_is_called_off_tickets_for_it_are_paid_out(event, audited):
    ana, bob = event.player("ana", chips=0), event.player("bob", chips=0)
    event.enter(ana, ticket_id=given(event, ana).pk)
    given(event, bob)
    tournaments.cancel(tournament_id=event.pk, by=event.director, reason="a storm", now=event.now)
    assert (wallet(ana), wallet(bob), value(event), event.pool()) == (115, 115, 0, 0)
