"""Several posts at once. Each race is also run without its guard, to show that there is a race to be won."""

from functools import partial
from threading import Barrier

import pytest
from django.db import IntegrityError, OperationalError, transaction

from cardroom.ledger.models import Account, Entry, Transfer
from tests.support.parts.cardroom import Conflict, NotEnoughChips, core_audit, ledger
from tests.support.racing import LONGEST_WAIT, race, refusals

pytestmark = pytest.mark.django_db(transaction=True)

ACTORS = 6


@pytest.fixture
def take_some(wallets, now):
    """Six actors, each of whom takes 150 of the first wallet's 500."""
    legs = [(wallets[0], -150), (wallets[1], 150)]
    return [partial(ledger.post, reference=f"take:{n}", reason="taken", legs=legs, at=now) for n in range(ACTORS)]


@pytest.fixture
def to_and_fro(wallets, now):
    """Two actors, one sending from the first wallet to the second, one the other way."""

    def send(name, source, target):
        return ledger.post(reference=name, reason="sent", legs=[(source, -1), (target, 1)], at=now)

    return [partial(send, "to", wallets[0], wallets[1]), partial(send, "fro", wallets[1], wallets[0])]


@pytest.mark.smoke
def test_chips_are_spent_once_however_many_ask_at_once_and_who_crosses_does_not_wait(take_some, to_and_fro, wallets):
    outcomes = race(*take_some)
    assert (refusals(outcomes, NotEnoughChips), ledger.balance(wallets[0]), core_audit.check()) == (3, 50, [])
    assert refusals(race(*to_and_fro), Exception) == 0
    assert [ledger.balance(wallet) for wallet in wallets] == [50, 950]


@pytest.mark.postgres
def test_without_the_lock_only_the_database_stops_overdrawing(take_some, wallets, monkeypatch):
    have_read = Barrier(ACTORS)

    def read_without_lock(moves):
        accounts = Account.objects.in_bulk(moves)
        have_read.wait(LONGEST_WAIT)
        return accounts

    monkeypatch.setattr(ledger, "_lock_accounts", read_without_lock)
    outcomes = race(*take_some)
    assert refusals(outcomes, IntegrityError) == 3  # not NotEnoughChips: nobody was told in words
    assert (ledger.balance(wallets[0]), core_audit.check()) == (50, [])


@pytest.mark.postgres
def test_locked_in_the_order_of_their_legs_they_would(to_and_fro, monkeypatch):
    hold_one = Barrier(2)

    def lock_leg_by_leg(moves):
        accounts = {}
        for pk in moves:
            accounts[pk] = Account.objects.select_for_update(no_key=True).get(pk=pk)
            if len(accounts) == 1:
                hold_one.wait(LONGEST_WAIT)
        return accounts

    monkeypatch.setattr(ledger, "_lock_accounts", lock_leg_by_leg)
    assert refusals(race(*to_and_fro), OperationalError) == 1


def test_one_reference_at_once_makes_one_transfer(wallets, north, bank, now):
    def ask():
        with transaction.atomic():
            return ledger.wallet(north, unit="comp")

    assert len(set(race(*[ask] * ACTORS))) == 1, "asked for the first time"
    legs = [(wallets[0], -30), (wallets[1], 30)]
    send = partial(ledger.post, reference="once", reason="sent", legs=legs, at=now)
    outcomes = race(*[send] * ACTORS)
    assert (refusals(outcomes, Exception), set(outcomes)) == (0, {Transfer.objects.get(reference="once")})
    assert ledger.balance(wallets[0]) == 470
    ways = [[(wallets[0], -30), (bank, 30)], [(wallets[1], -40), (bank, 40)]]
    outcomes = race(*[partial(ledger.post, reference="twice", reason="sent", legs=legs, at=now) for legs in ways])
    assert (refusals(outcomes, Conflict), Entry.objects.filter(transfer__reference="twice").count()) == (1, 2)
    assert core_audit.check() == []
