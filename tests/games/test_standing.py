"""Bans, limits of one's own and time played, at the tables."""

from datetime import timedelta

from tests.support.lists import ListRoom
from tests.support.models import ListEntry, Notice, Seat, User
from tests.support.parts.cardroom import Forbidden, Illegal, ledger, limits, people
from tests.support.parts.games import holds, joining, playtime, seating, seats
from tests.support.refusals import refused

HOUR = timedelta(hours=1)


def test_time_played_leaves_out_what_was_sat_out_and_counts_two_tables_once(evening, open_table):
    cara, began = evening.player("cara"), evening.now
    other = open_table(name="Other")
    for table in (evening, other):
        seats.sit(table_id=table.pk, by=cara, number=5, buy_in=500, now=began)
    seats.sit_out(table_id=other.pk, by=cara, now=began + HOUR)
    seats.sit_out(table_id=evening.pk, by=cara, now=began + 2 * HOUR)
    spans = [(began, began + 4 * HOUR), (began + HOUR, began + 4 * HOUR)]
    assert playtime.minutes([cara.pk], spans)[cara.pk] == [120, 60]
    assert limits.minutes_played(cara, began, began + 4 * HOUR) == 120


def test_a_player_is_told_once_how_long_they_have_played(evening):
    cara = evening.player("cara")
    limits.request_limit(by=cara, kind="reminder", amount=30, now=evening.now)
    evening.sit(cara, 5)
    for after in (30, 30, 61):
        playtime.remind_or_take_off(player_id=cara.pk, now=evening.now + timedelta(minutes=after))
    notices = Notice.objects.filter(player=cara, kind="play-time").order_by("pk").values_list("text", flat=True)
    assert list(notices) == ["You have been playing for 30 minutes.", "You have been playing for 1 hour and 1 minute."]
    User.objects.filter(pk=cara.pk).update(language="de")
    playtime.remind_or_take_off(player_id=cara.pk, now=evening.now + timedelta(minutes=92))
    assert "32 Minuten" in notices.last()


def test_his_own_limit_of_time_takes_a_player_off(evening):
    cara, later = evening.player("cara"), evening.now + HOUR
    limits.request_limit(by=cara, kind="time-day", amount=60, now=evening.now)
    evening.sit(cara, 5)
    playtime.remind_or_take_off(player_id=cara.pk, now=later - timedelta(minutes=1))
    assert Seat.objects.filter(player=cara).exists()
    for _ in range(2):
        playtime.remind_or_take_off(player_id=cara.pk, now=later)
    assert not Seat.objects.filter(player=cara).exists()
    assert Notice.objects.filter(player=cara, kind="time-limit").count() == 1
    refused(Illegal, "0 of it are left", seats.sit, table_id=evening.pk, by=cara, number=5, buy_in=500, now=later)


def test_a_guest_without_a_login_is_listed_called_and_seated_in_the_room_only():
    online, here = ListRoom(), ListRoom(is_physical=True)
    guest = people.make_guest(name="Ana Ruiz", now=online.now)
    asked = {"offer_id": online.offer.pk, "by": online.floor, "now": online.now}
    refused(Forbidden, "no login", joining.join, player=guest, source="desk", **asked)
    for source in ("phone", "kiosk"):
        refused(Forbidden, "no login", joining.phone_in, name="Bo Park", source=source, **asked)
    entry = here.join(guest, source="desk", by=here.floor)
    refused(Forbidden, "no login", joining.transfer, entry_id=entry.pk, **asked)
    # One who is there from before, or whose login was taken, is passed over.
    ListEntry.objects.create(
        offer=online.offer, player=guest, kind="list", source="desk", place=99, joined_at=online.now
    )
    online.ring()
    assert not ListEntry.objects.filter(player=guest, state="called").exists()
    people.issue_play_money(user=guest, amount=5_000, reference="guest", reason="a test", now=online.now)
    asked = {"player": guest, "by": online.floor, "now": online.now}
    refused(Forbidden, "no login", seating.seat, table_id=online.table.pk, buy_in=500, **asked)
    held = {"number": 3, "why": "reserved", "until": None}
    refused(Forbidden, "no login", holds.hold, table_id=online.table.pk, **held, **asked)
    seating.seat(table_id=here.table.pk, buy_in=500, **asked)
    assert ledger.balance(ledger.wallet(guest)) == 4_500
