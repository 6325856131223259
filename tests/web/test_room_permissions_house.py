"""Who gets what answer at which address of the cage, the players, the chat, the jackpots and the reports."""

import pytest

from tests.web.room_rows import areas
from tests.web.test_room_permissions import HOUSE, assert_answers, name_of


@pytest.mark.usefixtures("_remembered_logins")
@pytest.mark.parametrize("area", [area for area in areas() if name_of(area) in HOUSE], ids=name_of)
def test_every_address_of_the_house_answers_each_role_as_its_table_says(area, staff, browse):
    assert_answers(area, staff, browse)
