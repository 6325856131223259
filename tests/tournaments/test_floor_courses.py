"""Directors at random: whatever the floor orders, rows, seats, places and money say what the facts say."""

import random
import secrets

import pytest

from cardroom.core import audit as core_audit
from tests.support import tiers
from tests.support.events import balance_of_label, order, wallet
from tests.support.floor_courses import Floor
from tests.support.parts.tournaments import payouts
from tournaments.engine.config import BountyTerms, PayoutTerms, RebuyTerms

PRICE = {
    "entry": {"pool": 100, "fee": 10, "bounty": 20},
    "re_entry": {"pool": 90, "bounty": 20},
    "rebuy": {"pool": 31, "staff": 2},
}


@pytest.mark.parametrize("seed", range(tiers.many(1, long=100)))
def test_whatever_the_floor_orders_the_books_are_right(make_event, monkeypatch, seed):
    monkeypatch.setattr(secrets, "randbits", random.Random(seed).getrandbits)
    event = make_event(
        price=PRICE, bounty=BountyTerms("progressive", 20), payout=PayoutTerms(places=3, guarantee=1000), seats=4,
        final_seats=4, late_level=2, max_entrants=10, re_entries=1,
        rebuy=RebuyTerms(1000, most=2, until_level=2, at_most_stack=2000),
    ).started(9)  # fmt: skip
    event.desk(by=event.director)
    course = Floor(event, seed)
    for step in range(70):
        if event.row.state == "open":  # the start was undone
            event.start()
        if event.row.is_over:
            break
        course.step()
        if step % 20 == 19:
            assert core_audit.check() == []
    assert course.done > 5
    course.play_out()
    assert event.row.state == "finished"
    while event.row.wake_at is not None:
        event.wake()
    payouts.pay(cash=True, **order(event))
    assert (event.pool(), event.pool("bounties"), core_audit.check()) == (0, 0, [])
    people = {entry.player for entry in event.row.entries.all()}
    house = sum(balance_of_label("house", label) for label in ("fees", "staff", "guarantees", "chips"))
    assert sum(map(wallet, people)) + house == 1000 * len(people)
