"""Prizes paid through the ledger: once and only once, to the last unit."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.core import audit as core_audit
from cardroom.core.errors import Forbidden, Illegal, Invalid
from tests.support.events import Event, balance_of_label, bust, order, wallet
from tests.support.models import Alarm, Payout, Transfer
from tests.support.parts.tournaments import deals, event_clock, event_journal, hands, pay_prizes, payouts, undoing
from tests.support.refusals import refused
from tests.support.tills import in_till
from tests.support.unguarded import unguarded
from tests.support.worlds import world
from tournaments.engine.config import BountyTerms, PayoutTerms, RebuyTerms
from tournaments.registration import buying, registration


def played_out(event):
    """Everybody but the first to enter is out, the last to enter first."""
    bust(event, *sorted(event.state.entrants, reverse=True)[:-1], eliminators=[1])
    return event


@world
def event():
    return played_out(Event(payout=PayoutTerms(places=3)).started(6))


@pytest.mark.smoke
def test_everybody_is_paid_once_into_their_wallet_and_the_pool_is_empty(event, audited):
    assert [entrant.prize for entrant in event.state.entrants.values()] == [301, 173, 126, 0, 0, 0]
    rows = payouts.pay(**order(event))
    assert [(row.number, row.place, row.amount, row.state, row.method) for row in rows] == [
        (1, 1, 301, "paid", "wallet"), (2, 2, 173, "paid", "wallet"), (3, 3, 126, "paid", "wallet"),
    ]  # fmt: skip
    assert [wallet(event.entry(number).player) for number in (1, 2, 3, 4)] == [1186, 1058, 1011, 885]
    assert (event.pool(), event.row.paid_at) == (0, event.now)
    event_journal.forget()
    assert [row.amount for row in payouts.pay(**order(event))] == [301, 173, 126]
    assert not payouts.pay_by_alarm(tournament_id=event.pk, now=event.now)
    assert (Payout.objects.count(), wallet(event.entry(1).player)) == (3, 1186)
    assert Transfer.objects.filter(reference=f"prize:{event.pk}:2").count() == 1


def test_bounties_and_shared_places_are_paid_to_the_last_unit(make_event, audited):
    price = {"entry": {"pool": 100, "bounty": 20}}
    amounts = PayoutTerms(kind="amounts", amounts=(251, 150, 99))
    event = make_event(bounty=BountyTerms("fixed", 20), payout=amounts, price=price).started(5)
    bust(event, 5, 4, eliminators=[2])
    hands.bust(busts=[(2, 500), (3, 500)], eliminators=[1], **order(event))
    rows = payouts.pay(**order(event))
    prizes = [(row.entry.number, row.place, row.amount) for row in rows if row.what == "prize"]
    assert prizes == [(1, 1, 251), (2, 2, 125), (3, 2, 124)]
    assert [(row.entry.number, row.amount) for row in rows if row.what == "bounty"] == [(1, 60), (2, 40)]
    assert (event.pool(), event.pool("bounties")) == (0, 0)


def test_a_player_who_paid_in_cash_gets_cash_at_the_desk(make_event):
    event = make_event(payout=PayoutTerms(places=2)).open()
    by_cashier = order(event, by=event.desk(money=0))
    for guest in ("Ana", "Ben", "Cy"):
        registration.register(guest=guest, **by_cashier)
    event.enter("dee")
    event.start()
    bust(event, 3, 2, eliminators=[4])
    bust(event, 4, eliminators=[1])
    rows = payouts.pay(**order(event))
    assert [(row.entry.name, row.method, row.state) for row in rows] == [
        ("Ana", "desk", "due"), ("dee", "wallet", "paid"),
    ]  # fmt: skip
    assert (event.row.paid_at, event.pool()) == (None, 260)
    (row,) = payouts.pay_one(entrant=1, **by_cashier)
    assert (row.state, row.by, row.number) == ("paid", by_cashier["by"], 1)
    assert (in_till(by_cashier["by"]), event.pool(), event.row.paid_at) == (345 - 260, 0, event.now)
    assert core_audit.check() == []
    refused(Illegal, "nothing that could be paid", payouts.pay_one, entrant=1, **by_cashier)
    refused(Forbidden, payouts.pay_one, entrant=1, **order(event, by=event.staff("dealer")))


def test_a_player_who_is_out_is_paid_once_the_payouts_are_locked(make_event, audited):
    event = make_event().started(5)
    payouts.change(payout=PayoutTerms(kind="amounts", amounts=(400, 90)), **order(event))
    words = "490; the pool is 500: 10 too few"
    assert refused(Illegal, words, payouts.lock, **order(event)).code == "payout-sum"
    payouts.change(payout=PayoutTerms(kind="amounts", amounts=(200, 150, 100, 50)), **order(event))
    bust(event, 5)
    refused(Illegal, "not out", payouts.pay_one, entrant=4, **order(event))
    bust(event, 4)
    refused(Illegal, "Lock the payouts first", payouts.pay_one, entrant=4, **order(event))
    refused(Illegal, "played to its end", payouts.pay, **order(event))
    payouts.lock(**order(event))
    assert event.row.places_paid == 4
    refused(Illegal, "nothing has changed", payouts.lock, **order(event))
    bust(event, 3)
    (row,) = payouts.pay_one(entrant=3, **order(event))
    assert (row.amount, row.place, row.state) == (100, 3, "paid")
    assert refused(Invalid, "Take 100", undoing.undo, **order(event)).code == "reason-required"
    assert (event.state.left, event.row.players_left) == (2, 2)
    bust(event, 2)
    payouts.pay(**order(event))
    assert event.pool() == 0


def test_an_event_that_pays_by_itself_is_paid_once_by_its_alarm(make_event):
    event = played_out(make_event(options={"pays_by_itself": True}).started(3))
    alarm = Alarm.objects.get(kind=payouts.ALARM)
    assert (alarm.key, alarm.due_at) == (str(event.pk), event.now)
    undoing.undo(**order(event))
    assert not payouts.pay_by_alarm(tournament_id=event.pk, now=event.now)
    assert not Payout.objects.exists()
    undoing.redo(**order(event))
    for _ in range(2):
        pay_prizes(alarm.kind, alarm.key, alarm.fence)
    assert (wallet(event.entry(1).player), event.pool(), Payout.objects.count()) == (1185, 0, 1)


def test_many_are_paid_with_as_many_statements_as_few(make_event, django_assert_max_num_queries):
    few = played_out(make_event(payout=PayoutTerms(places=2)).started(3))
    many = played_out(make_event(payout=PayoutTerms(places=8)).started(9))
    with CaptureQueriesContext(connection) as counted:
        payouts.pay(**order(few))
    with django_assert_max_num_queries(len(counted)):
        payouts.pay(**order(many))
    assert many.pool() == 0


def test_only_the_part_of_a_prize_above_the_entry_counts_as_won(event):
    midnight = event.now + timedelta(days=1)
    payouts.pay(**order(event.wait(days=1)))
    assert [payouts.net_buy_in(event.entry(number).player, midnight) for number in (1, 2, 3, 4)] == [115, 115, 115, 0]
    with unguarded():
        Payout.objects.filter(number=1).update(amount=300)
    assert [fault for fault in core_audit.check() if fault.startswith("payouts are what was won")] == [
        f"payouts are what was won: payout 1 of tournament {event.pk} says 300 and 301 were moved",
        f"payouts are what was won: entry 1 of tournament {event.pk} has won 301 and was paid 300",
    ]


def test_the_house_adds_what_the_guarantee_wants_once_and_less_when_more_is_paid_in(make_event, audited):
    event = played_out(make_event(payout=PayoutTerms(places=2, guarantee=1000)).started(4))
    for _ in range(2):
        payouts.pay(**order(event))
    assert balance_of_label("house", "guarantees") == -600
    assert [wallet(event.entry(number).player) - 885 for number in (1, 2)] == [650, 350]
    terms = PayoutTerms(kind="percent", percents=(50, 30, 20), guarantee=1000)
    price = {"entry": {"pool": 100}, "rebuy": {"pool": 50}}
    event = make_event(price=price, payout=terms, rebuy=RebuyTerms(1000, until_level=4)).started(6)
    bust(event, 6, 5, 4, 3)
    payouts.lock(**order(event))
    payouts.pay_one(entrant=3, **order(event))
    assert (event.pool(), balance_of_label("house", "guarantees")) == (1000 - 200, -600 - 400)
    buying.rebuy(entrant=2, stack=0, **order(event, by=event.desk()))
    bust(event, 2)
    payouts.pay(**order(event))
    assert (event.pool(), balance_of_label("house", "guarantees")) == (0, -600 - 350)


def test_nobody_comes_or_goes_where_that_would_change_a_prize_that_was_paid(make_event, audited):
    event = make_event(payout=PayoutTerms(places=3), rebuy=RebuyTerms(1000, until_level=4)).started(6)
    bust(event, 6, 5, 4, 3)
    payouts.lock(**order(event))
    payouts.pay_one(entrant=3, **order(event))
    event_clock.keep_entry_open(on=True, **order(event))
    late = event.player()
    refused(Illegal, "has been paid", event.enter, late)
    refused(Illegal, "has been paid", registration.remove_no_shows, entrants=[2], **order(event))
    assert (wallet(late), event.row.players_left, event.row.entries_count) == (1000, 2, 6)
    bust(event, 2)
    payouts.pay(**order(event))
    assert event.pool() == 0


def test_a_deals_money_is_paid_to_who_is_out_while_the_others_play_on(make_event, audited):
    event = make_event(payout=PayoutTerms(kind="amounts", amounts=(250, 150, 100))).started(5)
    bust(event, 5, 4)
    deals.propose(kind="custom", play_for=40, amounts={1: 160, 2: 150, 3: 150}, **order(event))
    deals.accept_all(**order(event))
    bust(event, 3)
    (row,) = payouts.pay_one(entrant=3, **order(event))
    assert (row.amount, row.state) == (150, "paid")
    bust(event, 2)
    payouts.pay(**order(event))
    assert ([event.entry(number).prize for number in (1, 2, 3)], event.pool()) == ([200, 150, 150], 0)
