"""The room's zone: its days and clocks, what pages, papers and refusals say, and people who chose a zone of their
own."""

from datetime import UTC, date, datetime, timedelta

import pytest

from cardroom.accounts.models import Ban
from cardroom.core.models import Notice
from tests.support.parts.cardroom import Illegal, Invalid, access, bans, limits, moment, people, room_time
from tests.support.refusals import refused

DAY = timedelta(days=1)
#: The clocks go an hour on in the night before, and an hour back in October.
SPRING, AUTUMN = date(2030, 3, 31), date(2030, 10, 27)


@pytest.fixture
def berlin(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    settings.CARDROOM_DAY_BEGINS = 6


@pytest.mark.parametrize(("change", "offsets"), [(SPRING, (1, 2)), (AUTUMN, (2, 1))])
def test_seven_in_the_evening_stays_seven_when_the_clocks_change(berlin, change, offsets):
    before, after = (datetime(2030, change.month, change.day - back, 19 - offset, tzinfo=UTC)
                     for back, offset in ((1, offsets[0]), (0, offsets[1])))  # fmt: skip
    assert (room_time.later(before, DAY), room_time.later(before, 7 * DAY)) == (after, after + 6 * DAY)
    hours = timedelta(hours=1)
    assert (room_time.later(before, 12 * hours), room_time.later(before, hours)) == (
        after - 12 * hours, before + hours
    )  # fmt: skip
    late = after + 3 * DAY + timedelta(minutes=1)
    assert room_time.next_after(before, DAY, now=late) == (after + 4 * DAY, 5)
    assert room_time.next_after(before, DAY, now=before) == (after, 1)


#: A first moment in the room's zone, a step in hours, and what the steps after it are called there.
OVER_A_CHANGE = [
    ("Europe/Berlin", "2027-03-26T02:30+01:00", 24, ["27 02:30", "28 03:30", "29 02:30", "30 02:30"]),
    ("Europe/Berlin", "2027-10-30T02:30+02:00", 24, ["31 02:30", "01 02:30", "02 02:30"]),
    ("America/Santiago", "2026-09-05T00:00-04:00", 24, ["06 01:00", "07 00:00", "08 00:00"]),
    ("America/Santiago", "2026-04-03T00:00-03:00", 24, ["04 00:00", "05 00:00", "06 00:00"]),
    ("Europe/Berlin", "2027-03-27T14:30+01:00", 12, ["28 03:30", "28 14:30", "29 02:30", "29 14:30"]),
    ("Europe/Berlin", "2027-03-28T00:30+01:00", 1, ["28 01:30", "28 03:30", "28 04:30"]),
    ("Europe/Berlin", "2027-10-31T01:30+02:00", 1, ["31 02:30", "31 02:30", "31 03:30"]),
]


@pytest.mark.parametrize(("zone", "first", "hours", "told"), OVER_A_CHANGE)
def test_a_time_that_the_clocks_leave_out_moves_no_step_after_it(settings, zone, first, hours, told):
    settings.TIME_ZONE = zone
    first = now = datetime.fromisoformat(first)
    for number, said in enumerate(told, start=1):
        now, steps = room_time.next_after(first, timedelta(hours=hours), now=now)
        assert (f"{room_time.local(now):%d %H:%M}", steps) == (said, number)


@pytest.mark.parametrize(("change", "hours"), [(SPRING, 23), (AUTUMN, 25), (date(2030, 6, 1), 24)])
def test_a_gaming_day_begins_at_the_rooms_hour_in_the_rooms_zone(berlin, change, hours):
    begins = room_time.begins(change)
    assert f"{room_time.local(begins):%H:%M}" == "06:00"
    assert begins - room_time.begins(change - DAY) == timedelta(hours=hours)
    second = timedelta(seconds=1)
    assert [room_time.day_of(at) for at in (begins - second, begins)] == [change - DAY, change]


def test_midnight_and_the_next_early_morning_are_those_of_the_room(berlin):
    now = datetime(2030, 1, 5, 23, 30, tzinfo=UTC)  # half past midnight in the room
    assert room_time.today(now) == date(2030, 1, 6)
    assert room_time.midnight(date(2030, 1, 6)) == datetime(2030, 1, 5, 23, tzinfo=UTC)
    assert room_time.next_clock(5, after=now) == datetime(2030, 1, 6, 4, tzinfo=UTC)
    assert room_time.next_clock(0, after=room_time.midnight(date(2030, 1, 6))) == datetime(2030, 1, 6, 23, tzinfo=UTC)


def test_paper_and_refusals_say_the_rooms_time_and_name_its_zone(berlin, north):
    at = datetime(2030, 7, 5, 20, 0, tzinfo=UTC)
    assert moment(at) == "5 July 2030, 22:00 CEST"
    ban = Ban(player=north, where="both", kind="house", reason="noise", until=at, since=at - DAY, made_at=at)
    assert "until 5 July 2030, 22:00 CEST" in bans.words_for(ban)
    limits.request_limit(by=north, kind="deposit-day", amount=100, now=at)
    reset = "resets on 06 July at 00:00 CEST"
    refused(Illegal, reset, limits.check, player=north, kind="deposit", amount=101, now=at)


def test_pages_and_forms_are_in_the_rooms_zone_and_ones_own_pages_in_the_one_chosen(berlin, client, north, south):
    def page(address: str = "/me/") -> str:
        return client.get(address).content.decode()

    access.grant_role(user=north, role="manager", by=None)
    client.force_login(north)
    assert 'data-zone="Europe/Berlin"' in page()
    assert "(Europe/Berlin)" in page()
    client.post("/me/time-zone/", {"time_zone": "Asia/Tokyo"})
    north.refresh_from_db()
    assert north.time_zone == "Asia/Tokyo"
    for said in ('data-zone="Asia/Tokyo"', "Times are JST (Asia/Tokyo)", "<option selected>Asia/Tokyo</option>"):
        assert said in page()
    staffs = f"/players/{south.pk}/"
    for said in ('data-zone="Europe/Berlin"', "Until (CE"):
        assert said in page(staffs)
    sent = {
        "what": "ban",
        "reason": "noise at the table",
        "where": "both",
        "until": "2040-07-05T22:00",
        "length": "until",
        "sure": "yes",
    }
    client.post(f"{staffs}do/", sent)
    assert Ban.objects.get().until == datetime(2040, 7, 5, 20, tzinfo=UTC)
    answer = client.post("/me/time-zone/", {"time_zone": "Atlantis/Capital"})
    assert (answer.status_code, "There is no time zone" in answer.content.decode()) == (400, True)
    client.post("/me/time-zone/", {"time_zone": ""})
    assert 'data-zone="Europe/Berlin"' in page()
    refused(Invalid, "no time zone", people.set_preferences, by=north, time_zone="../etc/passwd")


def test_pages_are_in_the_browsers_zone_and_the_staffs_in_the_rooms(berlin, client, north, south):
    def page(address: str = "/me/") -> str:
        return client.get(address).content.decode()

    asks = "cardroom/zone.js"
    assert asks in page("/")
    client.cookies["zone"] = "America/New_York"
    for said in ('data-zone="America/New_York"', "(America/New_York)", asks):
        assert said in page("/")
    client.cookies["zone"] = "Etc/GMT-12"
    assert 'data-zone="Etc/GMT-12"' in page("/"), "also where the clocks never change"
    client.cookies["zone"] = "America/New_York"
    access.grant_role(user=north, role="manager", by=None)
    client.force_login(north)
    assert 'data-zone="America/New_York"' in page()
    for address in (f"/players/{south.pk}/", "/board/"):
        assert 'data-zone="Europe/Berlin"' in page(address)
        assert asks not in page(address)
    client.post("/me/time-zone/", {"time_zone": "Asia/Tokyo"})
    assert 'data-zone="Asia/Tokyo"' in page()
    assert asks not in page()
    client.post("/me/time-zone/", {"time_zone": ""})
    for nonsense in ("Atlantis/Capital", "../../etc/passwd", "Europe", "x" * 5000):
        client.cookies["zone"] = nonsense
        assert 'data-zone="Europe/Berlin"' in page()


def test_what_a_program_is_told_does_not_hang_on_the_zone_of_a_browser(berlin, client, north):
    client.force_login(north)
    plain = client.get("/api/v1/me/notices").content
    Notice.objects.create(player=north, kind="test", text="A seat is free", at=datetime(2030, 7, 5, 20, 0, tzinfo=UTC))
    told = client.get("/api/v1/me/notices").content
    assert told != plain
    client.cookies["zone"] = "America/New_York"
    assert client.get("/api/v1/me/notices").content == told


def test_the_zone_of_a_machine_is_read_from_its_settings(monkeypatch, tmp_path):
    found = {"link": tmp_path / "localtime", "name": tmp_path / "timezone"}
    monkeypatch.delenv("TZ", raising=False)
    assert room_time.machine_zone(**found) == "UTC"
    found["name"].write_text("Europe/Madrid\n")
    assert room_time.machine_zone(**found) == "Europe/Madrid"
    rome = tmp_path / "zoneinfo" / "Europe" / "Rome"
    rome.mkdir(parents=True)
    found["link"].symlink_to(rome)
    for said, zone in (("", "Europe/Rome"), (":Europe/Oslo", "Europe/Oslo"), ("nonsense", "Europe/Rome")):
        monkeypatch.setenv("TZ", said)
        assert room_time.machine_zone(**found) == zone
    chosen = [place for _, places in room_time.by_region() for place in places]
    assert {"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"} <= set(chosen)
    assert all(map(room_time.is_known, chosen))
