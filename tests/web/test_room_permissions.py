"""Who gets what answer at which address of the cash room; the tables are in `room_rows`, one for each area."""

import pytest
from django.db import transaction

from tests.web.conftest import NOW
from tests.web.room_rows import ROLES, areas

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
    wrong = []
    for role in ROLES:
        client = browse(staff.get(role))
        for row in area.ROWS:
            path = row.path.format_map(places)
            with transaction.atomic():
                answer = getattr(client, row.method.lower())(path, **_body(row, places))
                transaction.set_rollback(True)
            if answer.status_code != getattr(row, role):
                wrong.append(f"{role}: {row.method} {path}: {answer.status_code}, not {getattr(row, role)}")
    assert not wrong, "\n".join(wrong)


def _body(row, places):
    sent = {name: value.format_map(places) if type(value) is str else value for name, value in row.data.items()}
    return {"data": sent, "content_type": "application/json"} if row.path.startswith("/api/") else {"data": sent}
