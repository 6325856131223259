"""What is sent with a key and refused, or from far ends of the calendar."""

import json
from datetime import date, timedelta

import pytest
import time_machine
from django.urls import reverse

from cardroom.cage import slips
from cardroom.core.room_time import end, midnight
from games.play import private
from tests.cardroom.cage_desk import furnished
from tests.support.evening import Evening
from tests.support.models import BlindCount, Blocked, SlipPrint
from tests.support.pages import get
from tests.web.conftest import NOW


@pytest.fixture(autouse=True)
def _now():
    with time_machine.travel(NOW, tick=False):
        yield


def post(browser, path, data, key):
    return browser.post(f"/api/v1/{path}", json.dumps(data), "application/json", headers={"Idempotency-Key": key})


def test_a_refused_count_is_kept_once_under_its_key_and_a_receipt_printed_anew(browse):
    desk = furnished(NOW)
    cashier, counts = browse(desk.cay), f"cage/sessions/{desk.session.pk}/count"
    for key, code in (("one", "count-again"), ("two", "count-differs")):
        for _ in range(2):
            assert post(cashier, counts, {"counted": 7}, key).json()["code"] == code
    assert BlindCount.objects.filter(counted=7, by=desk.cay).count() == 2
    assert post(cashier, counts, {"counted": 8}, "three").json()["code"] == "count-stands"
    slip = slips.deposit(player=desk.pia, amount=50, by=desk.cay, now=NOW)
    answers = [post(browse(desk.cay), f"cage/slips/{slip.pk}/receipt", {}, "one") for _ in range(2)]
    assert [(each.status_code, each["Content-Type"]) for each in answers] == [(200, "application/pdf")] * 2
    assert SlipPrint.objects.filter(slip=slip).count() == 2


def test_what_was_refused_under_a_key_may_be_asked_again_and_counts_each_time(staff, browse):
    table = Evening(name="Larch").pk
    private.make_private(
        table_id=table, is_private=True, by=staff["floor"], password="open sesame", reason="for friends"
    )
    player, unlock = browse(staff["player"]), f"tables/{table}/unlock"
    assert post(player, unlock, {"password": "wrong"}, "one").status_code == 403
    answers = [post(player, unlock, {"password": "open sesame"}, "one") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    player = browse(staff["dealer"])
    codes = [post(player, f"tables/{table}/unlock", {"password": "wrong"}, str(key)).status_code for key in range(7)]
    assert codes == [403] * 5 + [429] * 2


def test_a_number_that_no_row_can_have_is_of_nothing(staff, browse):
    player, number = browse(staff["player"]), "9" * 21
    for path in ("tables/{}/leave/", "tables/{}/sit-out/", "home-games/{}/", "me/seats/{}/give-up/"):
        assert player.post(f"/{path.format(number)}").status_code == 404, path
    for path in ("home-games/{}/", "me/statement/stays/{}/", "tables/{}/", "api/v1/tables/{}"):
        assert player.get(f"/{path.format(number)}").status_code == 404, path


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_ends_of_the_calendar_are_days_to_look_for(staff, browse, settings, zone, day):
    settings.TIME_ZONE = zone
    for path in ("/trail/", "/chat/log/", "/me/hands/", "/api/v1/trail", "/api/v1/chat/log"):
        get(browse(staff["manager"]), f"{path}?since={day}&until={day}")
    for path in ("/me/statement/", "/me/statement/csv/", "/reports/drop/", "/reports/drop/pdf/"):
        assert browse(staff["manager"]).get(f"{path}?until={day}").status_code == 400, path
    assert browse(staff["manager"]).get(f"/api/v1/reports/drop?until={day}T12:00Z").status_code == 400
    assert midnight(date.fromisoformat(day)) <= end(date.fromisoformat(day))
    assert end(NOW.date()) - midnight(NOW.date()) == timedelta(days=1)


@pytest.mark.parametrize("sends", ["9999-12-31T23:59", "0001-01-01T00:00"])
def test_nothing_ends_at_a_moment_that_the_database_does_not_give_back(staff, browse, settings, sends):
    settings.TIME_ZONE = "America/New_York"
    manager, pia = browse(staff["manager"]), staff["player"]
    why, moment = {"reason": "as an example", "until": sends}, {"until": f"{sends}:00-05:00", "reason": "an example"}
    blocked = {"kind": "name", "value": "spam*"}
    assert manager.post(reverse("blacklist"), why | blocked).status_code == 400
    assert (
        manager.post(f"/players/{pia.pk}/do/", why | {"what": "ban", "length": "until", "sure": "yes"}).status_code
        == 400
    )
    for path, more in (("blacklist", blocked), (f"players/{pia.pk}/bans", {})):
        assert post(manager, path, moment | more, "one").status_code == 400, path
    assert manager.get(f"/players/{pia.pk}/").status_code == 200
    assert not Blocked.objects.exists()
