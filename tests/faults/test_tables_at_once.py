"""What happens at several tables in the same moment touches the same accounts and the same names."""

import pytest

from cardroom.models import User
from cardroom.services import audit
from games.services import tables
from tests.support.evening import Evening
from tests.support.racing import race


@pytest.mark.django_db(transaction=True)
def test_tables_that_open_in_the_same_moment_find_bots_of_their_own() -> None:
    opened = [Evening(bots=5) for _ in range(4)]

    outcomes = race(*(table_opens(table) for table in opened))

    assert outcomes == [True] * len(opened)
    assert User.objects.filter(is_bot=True).count() == 20
    assert all(table.table.seats.count() == 5 for table in opened)
    assert audit.check() == []


def table_opens(evening: Evening):
    table = evening.table
    return lambda: tables.wake(table_id=table.pk, fence=table.version, now=evening.now)
