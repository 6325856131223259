"""Alarms that ring twice, late, and out of order, as they do where a worker dies or a broker delivers again."""

import pytest

from cardroom.services import audit
from games.models import HandFact, Table
from games.services import tables
from tests.support.evening import Evening


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
            assert not tables.wake(table_id=evening.pk, fence=fence, now=evening.now)
        assert everything(evening) == after
    assert audit.check() == []
