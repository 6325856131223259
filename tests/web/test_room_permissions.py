"""Who gets what answer at which address of the cash room; the tables are in `room_rows`, one for each area."""

from datetime import UTC, datetime

import pytest
import time_machine
from django.db import transaction

from cardroom.models import User
from cardroom.services import access, people
from tests.web.room_rows import ROLES, areas

pytestmark = pytest.mark.one_database

NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
AREAS = list(areas())
NAMES = {"player": "pia", "dealer": "dan", "floor": "flo", "cashier": "cay", "manager": "mia", "auditor": "aud"}


@pytest.fixture
def staff(db, _same_cards):
    """One of each role, by its name, and a player who holds none; time stands still."""
    with time_machine.travel(NOW, tick=False):
        made = {}
        for role, name in NAMES.items():
            made[role] = User.objects.create_user(name, date_joined=NOW)
            people.sign_up_bonus(user=made[role], now=NOW)
            if role != "player":
                access.grant_role(user=made[role], role=role, by=None)
        yield made


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.__name__.rpartition(".")[2])
def test_every_address_of_the_cash_room_answers_each_role_as_its_table_says(area, role, staff, browse):
    places = area.room(staff, NOW)
    client = browse(staff.get(role))
    wrong = []
    for row in area.ROWS:
        path = row.path.format_map(places)
        sent = {name: value.format_map(places) if type(value) is str else value for name, value in row.data.items()}
        body = {"data": sent, "content_type": "application/json"} if path.startswith("/api/") else {"data": sent}
        with transaction.atomic():
            answer = getattr(client, row.method.lower())(path, **body)
            transaction.set_rollback(True)
        if answer.status_code != getattr(row, role):
            wrong.append(f"{row.method} {path}: {answer.status_code}, not {getattr(row, role)}")
    assert not wrong, "\n".join(wrong)
