"""The last order is undone with its money, whatever it was; what stands is said, and never reached past."""

import random
import secrets

import pytest

from cardroom.core import audit as core_audit
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotEnoughChips, Stale
from cardroom.core.models import Notice, StaffAction
from tests.support import tiers
from tests.support.events import balance_of_label, bust, order, wallet
from tests.support.floor_courses import PATIENT, Floor
from tests.support.models import Seat, Table
from tests.support.online import OnlineEvent
from tests.support.parts.tournaments import (
    buying,
    cancelling,
    closing,
    event_clock,
    flights,
    hands,
    payouts,
    receipts,
    registration,
    tickets,
    tournaments,
    undoing,
)
from tests.support.refusals import refused
from tests.support.undone import assert_same, picture
from tests.support.unguarded import unguarded
from tournaments.engine.config import AddOnTerms, BountyTerms, PayoutTerms, RebuyTerms
from tournaments.events.models import Payment

PRICE = {
    "entry": {"pool": 100, "fee": 10, "staff": 5},
    "re_entry": {"pool": 90, "fee": 5},
    "rebuy": {"pool": 50},
    "add_on": {"pool": 40},
}
SOLD = {
    "price": PRICE,
    "rebuy": RebuyTerms(1000, most=3, until_level=3, at_most_stack=2000),
    "add_on": AddOnTerms(1500, at_break=1),
    "late_level": 3,
    "re_entries": 2,
}


def undo(event, **more):
    return undoing.undo(**order(event, **more))


def next_undo(event):
    return undoing.next_undo(event.row, event.state)


def by_desk(event, **more):
    return order(event, by=event.director, **more)


@pytest.fixture
def six(make_event):
    event = make_event(seats=4, final_seats=4, **SOLD).started(6)
    event.desk(by=event.director)
    return event


def test_after_a_rebuy_undo_takes_the_rebuy_and_not_the_start(six, audited):
    player, before = six.entry(2).player, picture(six)
    buying.rebuy(**by_desk(six), entrant=2, stack=300, method="wallet")
    assert (wallet(player), six.state.entrants[2].stack) == (835, 1300)
    (line,) = next_undo(six).money
    assert (next_undo(six).label, line.words) == (
        f"Rebuy of {player.username}",
        f"Refund 50 to {player.username}, to the wallet",
    )
    refused(Invalid, "Refund 50", undo, six)
    undo(six, reason="Meant for seat 5")
    assert six.row.state == "running", "the start stands"
    assert_same(six, before, "the rebuy")
    payment = Payment.objects.get(what="rebuy")
    assert (payment.refund_reason, payment.refunded_by) == ("Meant for seat 5", six.director)
    assert "1,000 chips that you bought are taken back" in Notice.objects.get(player=player, kind="undone").text
    noted = StaffAction.objects.get(verb="tournaments.undo")
    assert (noted.reason, noted.details["money"]) == ("Meant for seat 5", [[2, 50, "wallet"]])
    assert next_undo(six).label == "Cards in the air"


@pytest.mark.parametrize("method", ["wallet", "desk"])
def test_what_was_sold_is_undone_to_where_it_was_paid_from(six, audited, method):
    bust(six, 6)
    six.wait(minutes=31)
    late = six.player()
    sold = (
        lambda: buying.rebuy(**by_desk(six), entrant=2, stack=300, method=method),
        lambda: buying.add_on(**by_desk(six), entrant=3, method=method),
        lambda: registration.register(**by_desk(six), player=late, method=method),
        lambda: registration.re_enter(**by_desk(six), entrant=6, method=method),
    )
    for sell in sold:
        before = picture(six)
        sell()
        assert [line.method for line in next_undo(six).money] == [method]
        undo(six, reason="A mistake")
        assert_same(six, before, next_undo(six).label)


def test_the_second_of_two_re_entries_is_undone_and_then_the_first(six, audited):
    bust(six, 6)
    stages = [picture(six)]
    registration.re_enter(**by_desk(six), entrant=6)
    bust(six, 7)
    stages.append(picture(six))
    registration.re_enter(**by_desk(six), entrant=7)
    undo(six, reason="Too late")
    assert_same(six, stages.pop(), "the second")
    undo(six)
    undo(six, reason="Too late as well")
    assert_same(six, stages.pop(), "the first")


def test_an_entry_with_a_ticket_gives_the_ticket_back(make_event, audited):
    event = make_event(late_level=2).started(3)
    ana = event.player("ana", chips=0)
    ticket = tickets.give(
        player=ana, tournament_id=event.pk, by=event.director, reason="for the draw", key="ana", now=event.now
    )
    before = picture(event)
    event.enter(ana, ticket_id=ticket.pk)
    assert [line.words for line in next_undo(event).money] == ["Give the ticket of 115 back to ana"]
    undo(event, reason="Wrong event")
    assert_same(event, before, "the entry")
    assert event.enter(ana, ticket_id=ticket.pk).number == 5


def test_a_refund_of_the_desk_is_undone_by_taking_the_money_again(make_event, audited):
    event = make_event().open(entrants=3)
    ana = event.player("ana", chips=0)
    ticket = tickets.give(
        player=ana, tournament_id=event.pk, by=event.director, reason="for the draw", key="ana", now=event.now
    )
    event.enter(ana, ticket_id=ticket.pk)
    for entrant, words in ((2, "from the wallet"), (4, "Take the ticket of 115 from ana")):
        before = picture(event)
        registration.unregister(**by_desk(event), entrant=entrant)
        assert words in next_undo(event).money[0].words
        undo(event, reason="The wrong one")
        assert_same(event, before, words)


def test_money_that_is_not_there_any_more_is_not_taken_again(make_event, audited):
    event = make_event().open(entrants=3)
    player = event.entry(2).player
    registration.unregister(**by_desk(event), entrant=2)
    make_event(price={"entry": {"pool": 950}}).open().enter(player)
    seq = event.row.seq
    refused(NotEnoughChips, undo, event, reason="The wrong one")
    assert (event.row.seq, event.entry(2).state) == (seq, "withdrawn")


def test_what_stands_is_said_with_its_reason_and_not_reached_past(make_event, audited):
    event = make_event().open(entrants=3)
    player = event.entry(2).player
    registration.unregister(tournament_id=event.pk, by=player, now=event.now)
    assert "let them enter again" in next_undo(event).refusal
    refused(Illegal, "let them enter again", undo, event, reason="No")
    tournaments.edit(price={"entry": {"pool": 100}}, config=event.row.config | {"re_entries": 1}, **order(event))
    refused(Illegal, "Terms changed cannot be undone", undo, event)
    cancelling.cancel(reason="the roof leaks", **order(event))
    refused(Illegal, "the money went back", undo, event)
    assert event.row.state == "cancelled"


def test_what_was_paid_before_payments_could_be_undone_stands(six):
    buying.rebuy(**by_desk(six), entrant=2, stack=300, method="wallet")
    with unguarded():
        Payment.objects.filter(what="rebuy").update(seq=0)
    assert next_undo(six).refusal == "It was paid before payments could be undone: refund it at the desk."
    assert refused(Illegal, "refund it at the desk", undo, six, reason="A mistake").code == "paid-before"
    assert six.state.entrants[2].stack == 1300


def test_a_start_is_undone_with_the_seats_it_drew(make_event):
    event = make_event(seats=4).open(entrants=6)
    before = picture(event)
    event.start()
    assert next_undo(event).label == "Cards in the air"
    undo(event)
    assert_same(event, before, "the start")
    undoing.redo(**order(event))
    assert (event.row.state, event.row.tables_count) == ("running", 2)


def test_moves_that_the_house_made_after_a_bust_are_undone_with_it(make_event):
    event = make_event(seats=4, final_seats=4, options={"auto_arrange": True}).started(5)
    before = picture(event)
    bust(event, 5)
    assert event.row.tables_count == 1, "the second table broke by itself"
    undo(event)
    assert_same(event, before, "the bust")


@pytest.mark.parametrize("cash", [False, True])
def test_a_prize_that_was_paid_comes_back_and_is_paid_again(make_event, audited, cash):
    event = make_event(payout=PayoutTerms(places=2, guarantee=1000)).started(4)
    bust(event, 4, 3, 2)
    event.desk(by=event.director)
    before = picture(event)
    payouts.pay_one(entrant=1, method="desk" if cash else "wallet", **order(event))
    (line,) = next_undo(event).money
    assert line.is_taken
    assert ("in cash" in line.words) == cash
    undo(event, reason="The second was meant")
    (number,) = undoing.slips(event.row, event.state).payouts
    about = {"tournament": event.row, "by": event.director, "now": event.now}
    assert receipts.prize_receipt(number=number, **about).startswith(b"%PDF")
    assert_same(event, before, "the prize")
    assert balance_of_label("house", "guarantees") == 0
    payouts.pay(cash=True, **order(event))
    assert (event.pool(), event.row.paid_at is None) == (0, False)
    refused(Invalid, "Enter a reason", undo, event)
    undo(event, reason="Once more")
    assert_same(event, before, "all prizes")
    undo(event)
    assert event.row.state == "running", "the bust that ended it"


def test_a_ticket_that_was_won_comes_back_unless_it_was_used(make_event, audited):
    target = make_event().open()
    event = make_event(
        satellite_to_id=target.pk, payout=PayoutTerms(kind="tickets", ticket_value=115), price={"entry": {"pool": 100}}
    ).started(4)
    while event.row.state != "finished":
        bust(event, event.state.in_play()[-1].number)
    before = picture(event)
    payouts.pay(cash=True, **order(event))
    undo(event, reason="One place too many")
    assert_same(event, before, "the tickets")
    payouts.pay(cash=True, **order(event))
    winner = event.entry(1).player
    ticket = tickets.Ticket.objects.get(player=winner, state="issued")
    target.enter(winner, ticket_id=ticket.pk)
    refused(Illegal, "is already used", undo, event, reason="Too late")


def test_cash_that_waits_at_the_desk_waits_no_more(make_event, audited):
    event = make_event().open()
    event.desk(by=event.director)
    for name in ("Ana Ruiz", "Ben Cole"):
        registration.register(**by_desk(event), guest=name, method="desk")
    event.start()
    bust(event, 2)
    before = picture(event)
    payouts.pay(**order(event))
    assert (next_undo(event).label, next_undo(event).money) == ("Prizes wait at the desk", ())
    waiting = picture(event)
    payouts.pay_one(entrant=1, method="desk", **order(event))
    undo(event, reason="Not handed over")
    assert_same(event, waiting, "the payment")
    undo(event)
    assert_same(event, before, "what waited")


def test_only_a_director_undoes_and_on_the_view_of_now(six):
    seen = six.row.seq
    buying.rebuy(**by_desk(six), entrant=2, stack=300, method="wallet")
    refused(Forbidden, undo, six, by=six.staff("cashier"), reason="A mistake")
    refused(Stale, "Rebuy", undo, six, expected_seq=seen, reason="A mistake")
    for _ in range(2):
        undo(six, reason="A mistake", key="once")
    assert six.row.state == "running"


def test_entries_that_came_from_flights_stand(make_event):
    final = make_event(price={}).open()
    flight = make_event(parent_id=final.pk, flight="1A", flight_levels=1).started(3)
    for number, chips in ((1, 2000), (2, 2000), (3, 2000)):
        hands.count(entrant=number, chips=chips, **order(flight))
    closing.close_flight(**order(flight))
    flights.carry(final_id=final.pk, by=final.director, now=final.now)
    assert "came from a flight" in next_undo(final).refusal
    refused(Illegal, "came from a flight", undo, final, reason="No")


# -- online ------------------------------------------------------------------------------------------------------------


ONLINE = {"price": PRICE, "rebuy": RebuyTerms(1000, most=3, until_level=3, at_most_stack=9000), "late_level": 3}


@pytest.fixture
def online():
    """Four people at a table, between two hands."""
    event = OnlineEvent(0, people=4, seats=8, starting_stack=2000, **ONLINE).start()
    event_clock.pause(**order(event))
    event.play_on(lambda event: not Table.objects.filter(event=event.unit).exclude(play__hand=None).exists())
    return event


def test_online_a_late_entry_is_undone_before_a_hand_is_dealt(online, audited):
    late = online.player()
    before = picture(online)
    online.enter(late)
    assert Seat.objects.filter(player=late, table__event=online.unit).exists()
    undo(online, reason="The wrong event")
    assert_same(online, before, "the entry")


def test_online_chips_that_were_bought_are_taken_off_the_table(online, audited):
    before, buyer = picture(online), online.entry(2).player
    stack = online.state.entrants[2].stack
    buying.rebuy(tournament_id=online.pk, now=online.now, by=buyer)
    assert Seat.objects.get(player=buyer).account.balance == stack + 1000
    undo(online, reason="Did not mean to")
    assert_same(online, before, "the rebuy")


def test_online_chips_are_not_taken_back_in_a_hand_nor_after_it(online, audited):
    buyer = online.entry(2).player
    buying.rebuy(tournament_id=online.pk, now=online.now, by=buyer)
    event_clock.resume(**order(online))
    online.play_on(lambda event: Table.objects.filter(event=event.unit).exclude(play__hand=None).exists())
    undo(online)
    refused(Conflict, "in a hand being played", undo, online, reason="Too late")
    online.play_on(lambda event: any(fact.kind in ("hand-finished", "stacks-set") for fact in event.state.facts[-3:]))
    assert "Hands were played online" in next_undo(online).refusal


# -- courses -----------------------------------------------------------------------------------------------------------

#: Why an order of a course may stand.
REASONS = {"not-undone", "withdrew", "nothing-to-undo", "not-enough-chips"}


@pytest.mark.parametrize("seed", range(tiers.many(3, long=60)))
def test_every_order_of_a_course_is_undone_exactly(make_event, monkeypatch, seed):
    monkeypatch.setattr(secrets, "randbits", random.Random(seed).getrandbits)
    event = make_event(
        payout=PayoutTerms(places=3, guarantee=1000), bounty=BountyTerms("progressive", 20), seats=4, final_seats=4,
        max_entrants=10, **SOLD | {"price": {what: {"pool": 50, "bounty": 20} for what in PRICE}},
        options={"auto_arrange": seed % 2 == 1},
    ).started(9)  # fmt: skip
    event.desk(by=event.director)
    course, undone = Floor(event, seed, takes_back=False, newcomers=[event.player() for _ in range(9)]), 0
    stands = {}
    for _ in range(60):
        if event.row.state == "open":
            event.start()
        if event.row.is_over and not payouts.due(event.row, event.state):
            break
        before, seq = picture(event), event.row.seq
        course.step()
        if event.row.seq == seq:
            continue
        label = next_undo(event).label
        try:
            undo(event, reason="A course")
        except PATIENT as error:
            stands[label] = error.code
            continue
        assert_same(event, before, label)
        undone += 1
        if course.chance.random() < 0.6:
            course.step()
    assert undone > 10
    assert set(stands.values()) <= REASONS, stands
    assert core_audit.check() == []
