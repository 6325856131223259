"""Alarms that ring twice, late, and out of order, as they do where a worker dies or a broker delivers again; and those
of several tables in the same moment, which touch the same accounts and the same names."""

from functools import partial

import pytest

from cardroom.core import audit as core_audit
from games.play import receivers
from tests.support.evening import Evening
from tests.support.models import HandFact, Table, User
from tests.support.racing import race


def everything(evening: Evening) -> tuple[dict, int]:
    return Table.objects.filter(pk=evening.pk).values().get(), HandFact.objects.count()


@pytest.mark.django_db
def test_an_evening_in_which_every_alarm_rings_again_and_again() -> None:
    evening = Evening(bots=4, bots_wait_for_people=False)
    fences: list[int] = []
    while evening.hands_ended < 3:
        fences.append(evening.table.version)
        assert evening.wake()
        after = everything(evening)
        for fence in fences[-3:]:
            assert not receivers.wake(table_id=evening.pk, fence=fence, now=evening.now)
        assert everything(evening) == after
    assert core_audit.check() == []


@pytest.mark.django_db(transaction=True)
def test_tables_that_open_in_the_same_moment_find_bots_of_their_own() -> None:
    opened = [Evening(bots=5) for _ in range(4)]
    asked = [{"table_id": one.pk, "fence": one.table.version, "now": one.now} for one in opened]
    assert race(*(partial(receivers.wake, **one) for one in asked)) == [True] * len(opened)
    assert User.objects.filter(is_bot=True).count() == 20
    assert all(one.table.seats.count() == 5 for one in opened)
    assert core_audit.check() == []
