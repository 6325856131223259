"""What the house gives to events passes the gate: tickets, entries on the house, guarantees, prices, house bots."""

import pytest

from cardroom.cage.allowances import NeedsApproval
from cardroom.core.errors import Forbidden, Illegal
from cardroom.core.models import Approval, StaffAction
from cardroom.ledger.models import Transfer
from tests.support.events import balance_of_label, bust, order, wallet
from tests.support.parts.cardroom import approvals, people
from tests.support.parts.tournaments import hands, payouts, registration, tickets, tournaments
from tests.support.refusals import refused
from tournaments.engine.config import PayoutTerms
from tournaments.events.models import Tournament
from tournaments.prizes.models import Ticket

DEAR = {"entry": {"pool": 1_000_000_000}}


def give_ticket(event, player, **options):
    options = {"by": event.director, "reason": "for the draw", "key": player.username, "now": event.now, **options}
    return tickets.give(player=player, tournament_id=event.pk, **options)


def agree(row, by, event):
    return approvals.decide(approval_id=row.pk, by=by, approve=True, now=event.now)


@pytest.mark.smoke
def test_a_director_alone_makes_no_chips_out_of_an_event_of_their_own(make_event, audited):
    event = make_event(price=DEAR)
    friend = event.player("friend", chips=0)
    ticket = give_ticket(event, friend)
    assert isinstance(ticket, Approval), "a ticket of a draft is asked for"
    refused(Illegal, "your own cashier", give_ticket, event, event.director, key="mine")
    refused(NeedsApproval, "Prices of a tournament", tournaments.open_registration, **order(event))
    refused(NeedsApproval, "Prices of a tournament", tournaments.announce, **order(event))
    assert (event.row.state, Ticket.objects.count(), balance_of_label("house", "promotions"), wallet(friend)) == (
        "draft",
        0,
        0,
        0,
    )


def test_a_second_person_gives_the_ticket_once_and_both_are_in_the_audit_log(make_event, audited):
    event = make_event(price={"entry": {"pool": 2_000}}).open()
    ana, manager = event.player("ana", chips=0), event.staff("manager")
    asked = give_ticket(event, ana)
    assert give_ticket(event, ana) == asked
    refused(Forbidden, agree, asked, event.director, event)
    agree(asked, manager, event)
    ticket = Ticket.objects.get()
    assert (ticket.value, ticket.player, ticket.issued_by, give_ticket(event, ana)) == (
        2_000,
        ana,
        event.director,
        ticket,
    )
    entry = StaffAction.objects.get(verb="tickets.give")
    assert (entry.by, entry.details["chips"], entry.details["approval"]) == (event.director, 2_000, asked.pk)
    assert Transfer.objects.get(reference=f"ticket:{ticket.pk}").passage == f"entry:{entry.pk}"
    agree(asked, manager, event)
    assert Ticket.objects.count() == 1


def test_small_tickets_add_up_over_a_gaming_day(make_event):
    """A director gives five tickets of 1,000 alone; the sixth of the day waits for a second person."""
    event = make_event(price={"entry": {"pool": 1_000}}).open()
    results = [give_ticket(event, event.player(chips=0)) for _ in range(6)]
    assert [isinstance(row, Ticket) for row in results] == [True] * 5 + [False]
    event.wait(days=1)
    event.now = event.now.replace(hour=23)
    assert isinstance(give_ticket(event, event.player(chips=0)), Ticket)


def test_an_entry_on_the_house_above_the_limit_waits_for_a_second_person(make_event, audited):
    event = make_event(price={"entry": {"pool": 4_000}}).open()
    ana, manager = event.player("ana", chips=0), event.staff("manager")
    enter = {"tournament_id": event.pk, "player": ana, "by": event.director, "method": "house", "now": event.now}
    refused(NeedsApproval, "The request is sent", registration.register, **enter)
    refused(NeedsApproval, "The request is sent", registration.register, **enter)
    asked = Approval.objects.get(what="events.cash")
    assert (event.row.entries_count, balance_of_label("house", "promotions")) == (0, 0)
    agree(asked, manager, event)
    assert (event.row.entries_count, balance_of_label("house", "promotions")) == (1, -4_000)
    mine = {"tournament_id": event.pk, "player": event.director, "by": event.director, "method": "house"}
    refused(Forbidden, registration.register, **mine)


def test_a_guarantee_is_answered_for_when_the_event_opens_and_when_it_is_raised(make_event, audited):
    event = make_event(payout=PayoutTerms(guarantee=60_000), late_level=2)
    refused(NeedsApproval, "Guarantees", tournaments.open_registration, **order(event))
    asked, manager = Approval.objects.get(what="tournaments.answer"), event.staff("manager")
    refused(Forbidden, agree, asked, event.director, event)
    agree(asked, manager, event)
    assert (event.row.state, event.row.answered) == ("open", {"price": 115, "guarantee": 60_000})
    event.started(2)
    more = PayoutTerms(guarantee=90_000)
    refused(NeedsApproval, "Guarantees", payouts.change, payout=more, **order(event))
    hands.bust(busts=[(2, None)], **order(event))
    payouts.pay(**order(event))
    assert balance_of_label("house", "guarantees") == -(60_000 - 200)
    transfer = Transfer.objects.get(reference__startswith="overlay:")
    assert (transfer.passage, StaffAction.objects.filter(verb="tournaments.guarantee").count()) == ("rule:guarantee", 1)


def test_prices_are_bound_while_the_event_is_open_too(make_event):
    event = make_event().open()
    before = event.row.price
    refused(NeedsApproval, "Prices", tournaments.edit, price=DEAR, **order(event))
    assert event.row.price == before
    assert Approval.objects.get(what="tournaments.answer").payload["wanted"]["price"] == 1_000_000_000


def test_house_bots_count_in_every_event_that_follows(make_event):
    event = make_event(conduct="online", bots=10, recurs_times=99, recurs_minutes=15)
    refused(NeedsApproval, "house bots", tournaments.open_registration, **order(event))
    alone = make_event(conduct="online", bots=10).open()
    assert alone.row.answered["guarantee"] == 1_150


@pytest.mark.parametrize("method", ["house", "wallet"])
def test_a_house_bot_that_is_entered_by_hand_counts_as_given_by_the_house(make_event, audited, method):
    event = make_event(price={"entry": {"pool": 900}}).open()
    bots = [people.make_bot(name=f"Newt{number}", personality="rock", now=event.now) for number in range(6)]
    enter = {"tournament_id": event.pk, "by": event.director, "method": method, "now": event.now}
    refused(Forbidden, registration.register, player=bots[0], **enter | {"by": event.staff("floor")})
    for bot in bots[:5]:
        registration.register(player=bot, **enter)
    refused(NeedsApproval, "The request is sent", registration.register, player=bots[5], **enter)
    assert (event.row.entries_count, StaffAction.objects.filter(verb="tournaments.enter").count()) == (5, 5)


def test_events_that_follow_share_what_was_answered_for_all_of_them(make_event, audited):
    first = make_event(payout=PayoutTerms(guarantee=200), recurs_times=99, recurs_minutes=15).open()
    first.started(2).wake()
    second = Tournament.objects.get(previous=first.pk)
    assert (first.row.answered["guarantee"], second.answered["guarantee"]) == (200, 19_800)
    refused(NeedsApproval, "Guarantees", payouts.change, payout=PayoutTerms(guarantee=50_000), **order(first))
    payouts.change(payout=PayoutTerms(guarantee=20_000), **order(first))
    entries = StaffAction.objects.filter(verb="tournaments.answer", details__what="guarantee").order_by("pk")
    assert [entry.details["chips"] for entry in entries] == [20_000, 19_800]


def test_an_event_that_is_over_is_answered_for_before_others_follow_it(make_event):
    event = make_event(payout=PayoutTerms(guarantee=20_000)).started(2)
    bust(event, 2)
    event.wait(minutes=1)
    assert event.row.is_over
    again = {"recurs_times": 9, "recurs_minutes": 15}
    refused(NeedsApproval, "Guarantees", tournaments.edit, **again, **order(event))
    assert not Tournament.objects.filter(previous=event.pk).exists()


def test_what_an_event_from_before_is_changed_to_is_answered_for(make_event):
    event = make_event().open()
    Tournament.objects.filter(pk=event.pk).update(answered=None)
    refused(NeedsApproval, "Prices", tournaments.edit, price=DEAR, **order(event))
