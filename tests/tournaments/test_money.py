"""Drafts, the start, calling off: and every chip back where it came from."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotEnoughChips, NotFound, Stale
from tests.support.events import START, balance_of_label, bust, config, order, wallet
from tests.support.models import Account, Entry, Payment, Tournament, Transfer
from tests.support.parts.cardroom import core_audit, ledger
from tests.support.parts.event_rules import BountyTerms, Bust, terms
from tests.support.parts.tournaments import cancelling, money, registration, registration_queries, tournaments
from tests.support.refusals import refused
from tests.support.tills import in_till


def create_event(event, **fields):
    given = {"name": "Friday Stud", "config": terms.to_json(config()), "starts_at": START + timedelta(hours=2)}
    return tournaments.create(by=event.director, now=event.now, **given | fields)


def cancel(event, **options):
    return cancelling.cancel(**order(event) | {"reason": "no dealers"} | options)


@pytest.mark.parametrize(("fields", "kind", "words"), [
    ({"name": "  "}, Invalid, "has a name"),
    ({"colour": "red"}, Invalid, "no 'colour'"),
    ({"config": {}}, Invalid, "structure"),
    ({"config": terms.to_json(config()) | {"seats": 9}}, Illegal, "2 to 8 seats"),
    ({"config": terms.to_json(config()) | {"starting_stack": "2000"}}, Invalid, "starting_stack"),
    ({"price": {"entry": {"pool": -1}}}, Invalid, "the price of entry"),
    ({"price": {"entry": {"tip": 1}}}, Invalid, "these parts"),
    ({"price": {"lunch": {}}}, Invalid, "no price of 'lunch'"),
    ({"price": {"entry": {"bounty": 5}}}, Illegal, "5 for the bounty, and 0 is on every head"),
    ({"starts_when_full": True}, Illegal, "a maximum of entrants"),
    ({"bots": 3, "conduct": "room"}, Illegal, "online only"),
    ({"starts_at": "tomorrow"}, Invalid, "a moment"),
    ({"registration_opens_at": START + timedelta(days=1)}, Invalid, "opens before"),
    ({"series_id": 10**6}, NotFound, "no such series"),
    ({"flight": "1A"}, Invalid, "needs a final"),
    ({"when_short": "pray"}, Invalid, "waits or is cancelled"),
])  # fmt: skip
def test_terms_that_make_no_sense_are_refused_by_their_name(make_event, fields, kind, words):
    refused(kind, words, create_event, make_event(), **fields)
    assert Tournament.objects.count() == 1


def test_flights_lead_to_one_final_and_have_names_of_their_own(make_event):
    event = make_event()
    final = create_event(event, name="Final")
    first, second = (create_event(event, parent_id=final.pk, flight=flight) for flight in ("1A", "1B"))
    assert (first.parent, second.flight) == (final, "1B")
    refused(Conflict, "a flight 1A", create_event, event, parent_id=final.pk, flight="1A")
    refused(Conflict, "lead to this one", tournaments.delete, tournament_id=final.pk, by=event.director)


def test_a_draft_is_deleted_and_an_announced_event_is_cancelled_with_a_reason(make_event):
    event = make_event()
    changed = tournaments.edit(name="Late Night", version=0, **order(event))
    assert (changed.name, changed.version, event.row.name) == ("Late Night", 1, "Late Night")
    refused(Illegal, "delete it", cancel, event)
    tournaments.announce(**order(event))
    refused(Illegal, "not deleted", tournaments.delete, tournament_id=event.pk, by=event.director)
    refused(Invalid, "Enter a reason", cancel, event, reason=" ")
    refused(Forbidden, cancel, event, by=event.staff("floor"))
    refused(Stale, cancel, event, expected_seq=7)
    assert cancel(event).state == "cancelled"
    tournaments.delete(tournament_id=make_event().pk, by=event.director)
    assert Tournament.objects.get().pk == event.pk
    refused(Illegal, "cannot open again", event.open)


def test_terms_change_until_the_start_and_not_after_it(event, audited):
    event.enter()
    edit = order(event)
    tournaments.edit(**edit, config=terms.to_json(config(late_level=2)))
    assert event.state.config.late_level == 2
    with pytest.raises(Illegal, match="starting stack stays"):
        tournaments.edit(**edit, config=terms.to_json(config(starting_stack=9)))
    refused(Illegal, "cannot change", tournaments.edit, **edit, conduct="online")
    event.enter()
    event.start()
    refused(Illegal, "its price stays as it is", tournaments.edit, **edit, price={})
    tournaments.edit(**edit, description="With a break for dinner.")
    assert event.row.description == "With a break for dinner."


def test_a_running_event_is_not_started_again_nor_a_finished_one_cancelled(make_event, audited):
    event = make_event().started(2)
    refused(Illegal, "already", event.start)
    bust(event, 2)
    assert (event.row.state, event.row.ended_at) == ("finished", event.now)
    assert [(entry.place, entry.prize) for entry in registration_queries.standings(event.row)] == [(1, 200), (2, 0)]
    refused(Illegal, "played to its end", cancel, event)


def test_calling_off_gives_everybody_back_once_what_they_paid(make_event, audited):
    price = {"entry": {"pool": 70, "fee": 7, "bounty": 20, "staff": 3}, "re_entry": {"pool": 71, "bounty": 20}}
    event = make_event(price=price, bounty=BountyTerms("fixed", 20), late_level=3, re_entries=2).open()
    ana, bob = event.player("ana"), event.player("bob")
    event.enter(ana)
    event.enter(bob)
    cashier = event.desk(money=0)
    registration.register(guest="Cy Young", **order(event, by=cashier))
    event.started(3)
    event.play(Bust(((1, 2000),), by=(2,)))
    registration.re_enter(tournament_id=event.pk, by=ana, now=event.now)
    assert (event.pool(), event.pool("bounties"), wallet(ana)) == (491, 140, 809)
    cancelled = cancel(event)
    assert (cancelled.state, cancelled.end_reason, cancelled.ended_at) == ("cancelled", "no dealers", event.now)
    assert (event.pool(), event.pool("bounties"), wallet(ana), wallet(bob)) == (0, 0, 1000, 1000)
    assert (
        balance_of_label("house", "fees"),
        balance_of_label("house", "staff"),
        in_till(cashier),
        event.pool("refunds"),
    ) == (0, 0, 100, 100)
    payments = Payment.objects.filter(tournament=event.pk)
    assert not payments.filter(refunded_at=None).exists()
    transfers = Transfer.objects.count()
    cancel(event)
    give_back = {"reason": "a mistake", "now": event.now, "by": event.director}
    refused(Conflict, "refunded already", money.give_back, [payments.first()], **give_back)
    assert Transfer.objects.count() == transfers


def test_calling_off_costs_as_many_statements_for_many_as_for_few(make_event, django_assert_max_num_queries, audited):
    few, many = (make_event().open(entrants=players) for players in (2, 9))
    with CaptureQueriesContext(connection) as counted:
        cancel(few)
    with django_assert_max_num_queries(len(counted)):
        cancel(many)
    assert many.pool() == 0


def test_a_pool_is_nobodys_has_a_name_and_never_owes(make_event, django_user_model):
    pool = ledger.open_account(kind="pool", label="a pool")
    assert ledger.open_account(kind="pool", label="a pool").pk == pool.pk
    user = django_user_model.objects.create_user("somebody")
    for wrong in ({"owner": user, "label": "x"}, {"label": ""}):
        refused(Invalid, ledger.open_account, kind="pool", **wrong)
    legs = [(pool, -1), (ledger.wallet(user), 1)]
    asked = {"reference": "x", "reason": "x", "legs": legs, "at": START, "by": None}
    posted = refused(NotEnoughChips, "the pool holds 0 and this takes 1", ledger.post, **asked)
    looked = refused(NotEnoughChips, money.check_funds, legs)
    assert (looked.message, looked.values) == (posted.message, posted.values)


def test_the_audit_finds_a_pool_that_was_taken_from(make_event):
    event = make_event().started(3)
    thief = event.player("thief", chips=0)
    legs = [(money.prizes(event.row), -40), (ledger.wallet(thief), 40)]
    ledger.post(reference="theft", reason="a theft", legs=legs, at=event.now)
    assert core_audit.check() == [
        f"prize pools hold what was paid: tournament:{event.pk}:prizes holds 260; by what was paid in and out it "
        "should hold 300"
    ]
    assert Entry.objects.filter(account__kind=Account.Kind.POOL, amount=-40).exists()
