"""Who gets what answer at which address of the cash room; the tables are in `room_rows`, one for each area."""

import pytest

from tests.web.conftest import NOW
from tests.web.room_rows import ROLES, areas, wrong_answers

#: The areas of people and money: `test_room_permissions_house` asks them, at the same time as this module the others.
HOUSE = ("cage", "chat", "jackpots", "players", "reports")


def name_of(area):
    return area.__name__.rpartition(".")[2]


@pytest.mark.usefixtures("_remembered_logins")
@pytest.mark.parametrize("area", [area for area in areas() if name_of(area) not in HOUSE], ids=name_of)
def test_every_address_of_the_tables_answers_each_role_as_its_table_says(area, staff, browse):
    assert_answers(area, staff, browse)


def assert_answers(area, staff, browse):
    places = area.room(staff, NOW)
    wrong = [fault for role in ROLES for fault in wrong_answers(area.ROWS, role, browse(staff.get(role)), places)]
    assert not wrong, "\n".join(wrong)
