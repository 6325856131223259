"""The bell of a table rung by several workers at once, and while chips come and go."""

from functools import partial

import pytest

from cardroom.core.errors import CardroomError
from games.tables.models.times import TimeCharge
from tests.support.parts.games import comps, seats, time_charges
from tests.support.racing import race, refusals
from tests.support.timing import TimedTable

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table() -> TimedTable:
    made = TimedTable(comp_per_hour=60)
    made.ann, made.bob = made.sit("ann"), made.sit("bob")
    made.at(20, 30)
    return made


def test_a_bell_rung_by_four_workers_at_once_charges_once(table, audited):
    ring = partial(time_charges.ring, table_id=table.pk, fence=table.clock.fence, now=table.now)
    outcomes = race(ring, ring, ring, ring)
    assert (refusals(outcomes, CardroomError), outcomes.count(True), TimeCharge.objects.count()) == (0, 1, 2)
    assert (table.stack(table.ann), table.house()) == (490, 18)


def test_a_bell_while_one_leaves_and_another_adds_chips_loses_none_and_two_workers_credit_comps_once(table, audited):
    outcomes = race(
        partial(time_charges.ring, table_id=table.pk, fence=table.clock.fence, now=table.now),
        partial(seats.leave, table_id=table.pk, player=table.ann, now=table.now),
        partial(seats.top_up, table_id=table.pk, player=table.bob, amount=100, now=table.now),
    )
    assert refusals(outcomes, CardroomError) == 0
    paid = sum(charge.paid for charge in TimeCharge.objects.all())
    assert table.wallet(table.ann) + table.wallet(table.bob) + table.stack(table.bob) + paid == 20_000
    credit = partial(comps.credit, table_id=table.pk, player_id=table.ann.pk, now=table.now)
    outcomes = race(credit, credit)
    assert (refusals(outcomes, CardroomError), sorted(len(made) for made in outcomes)) == (0, [0, 1])
