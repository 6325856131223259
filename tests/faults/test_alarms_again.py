"""Alarms that ring twice, late, and out of order, as they do where a worker dies or a broker delivers again."""

import pytest

from cardroom.services import alarms, audit
from games.models import HandFact, Table
from games.services import tables
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(db: None) -> Evening:
    """Four bots who play by themselves."""
    return Evening(bots=4, bots_wait_for_people=False)


def everything(evening: Evening) -> tuple[dict, int]:
    return Table.objects.filter(pk=evening.pk).values().get(), HandFact.objects.count()


def ring(evening: Evening, fence: int) -> bool:
    return tables.wake(table_id=evening.pk, fence=fence, now=evening.now)


def test_an_evening_in_which_every_alarm_rings_again_and_again(evening: Evening) -> None:
    fences: list[int] = []
    while evening.hands_ended < 3:
        fences.append(evening.table.version)
        assert evening.wake()
        after = everything(evening)
        for fence in fences[-3:]:
            assert not ring(evening, fence)
        assert everything(evening) == after
    assert audit.check() == []


def test_what_a_dead_worker_had_claimed_rings_again_and_what_it_had_done_does_not(evening: Evening) -> None:
    evening.deal()
    evening.later(seconds=60)
    [claimed] = alarms.claim_due(now=evening.now)
    assert alarms.claim_due(now=evening.now) == []

    evening.later(seconds=10)
    [again] = alarms.claim_due(now=evening.now)
    assert (again.key, again.fence) == (claimed.key, claimed.fence)
    assert ring(evening, again.fence)
    after = everything(evening)
    assert not ring(evening, claimed.fence)
    assert everything(evening) == after
