"""Reports add up: each against a sum made another way, by days that were added up and without."""

from collections import defaultdict
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import CommandError, call_command
from django.utils import translation

from cardroom.accounts import people
from cardroom.cage import allowances
from cardroom.cage import books as cage_books
from cardroom.core.models import Alarm, Notice, StaffAction, User
from tests.support.evening import Evening
from tests.support.leave import leave
from tests.support.models import Account, DayIncome, DaySum, Entry, HandDrop, HandResult, Shift
from tests.support.offers import staff
from tests.support.parts.cardroom import Invalid, NotFound, core_audit, ledger, notices, outbox, room_time
from tests.support.parts.games import by_mail, facts, gaming_days, report_books, reports, shifts, takings
from tests.support.refusals import refused
from tests.support.reporting import DAY, by_hand, report, set_drop, totals
from tests.support.timing import TimedTable
from tests.support.worlds import world
from tournaments.events import money


@world
def played() -> Evening:
    """Two evenings at a raked table, some hands each, and a table where time is collected on the first."""
    evening = Evening()
    set_drop(evening)
    for name in ("ann", "ben", "cat"):
        evening.sit(name)
    timed = TimedTable()
    timed.sit("tim")
    timed.sit("tom")
    assert timed.ring()
    for _ in range(3):
        evening.deal().play_out()
    evening.now += DAY
    for _ in range(2):
        evening.deal().play_out()
    evening.timed = timed
    return evening


@pytest.mark.parametrize("is_added_up", [False, True])
def test_what_was_taken_and_won_is_what_ledger_and_stacks_have_however_it_is_told(played, is_added_up, audited):
    if is_added_up:
        assert len(reports.add_up_due(now=played.now + DAY)) == 2
    taken = by_hand(Entry.objects.all())
    for by in ("day", "month", "table", "game", "section", "dealer"):
        takings_by = report(played, by)
        assert totals(takings_by.total) == taken, by
        assert takings_by.total.hands == HandDrop.objects.count() == 5, by
        assert takings_by.total.drop == sum(row.sums.drop for row in takings_by.rows) > 0, by
    rows, drops = {row.key: row.sums for row in report(played, "table").rows}, HandDrop.objects.filter(table=played.pk)
    mine, timed = rows[str(played.pk)], rows[str(played.timed.pk)]
    assert (mine.rake, mine.pot) == (sum(drop.rake for drop in drops), sum(drop.pot for drop in drops))
    assert (timed.time, timed.promo) == (played.timed.house(), played.timed.house("promo"))
    players = {row.name: row.sums for row in takings.players(since=played.now - 3 * DAY, until=played.now + DAY)}
    for name in ("ann", "ben", "cat"):
        net = sum(HandResult.objects.filter(player__username=name).values_list("net", flat=True))
        stack = Account.objects.get(kind="stack", owner__username=name)
        assert players[name].result == net == stack.balance - 500
    assert players["tim"].result == -players["tim"].time == -10
    assert sum(row.result for row in players.values()) == -sum(taken.values())


def test_each_day_has_its_own_sums_and_a_part_of_a_day_is_cut_exactly(played):
    reports.add_up_due(now=played.now + DAY)
    rows = [row for row in report(played, "day").rows if row.sums.hands]
    assert [(row.key, row.sums.hands) for row in rows] == [("2030-01-05", 3), ("2030-01-06", 2)]
    for row in rows:
        assert totals(row.sums) == by_hand(Entry.objects.filter(transfer__at__date=row.key))
    since, until = played.now - DAY, HandDrop.objects.order_by("pk").last().at
    entries = Entry.objects.filter(transfer__at__gte=since, transfer__at__lt=until)
    assert totals(report(played, "day", since=since, until=until).total) == by_hand(entries)
    timed, until = played.timed, played.timed.now + timedelta(hours=1)
    seconds_by_table = {
        row.key: row.sums.seconds for row in report(played, "table", since=timed.now - DAY, until=until).rows
    }
    sat = [until - stay.sat_at for stay in timed.table.stays.all()]
    assert seconds_by_table[str(timed.pk)] == sum(int(length.total_seconds()) for length in sat)


@pytest.mark.parametrize("is_added_up", [False, True])
def test_liabilities_at_any_moment_are_the_balances_then(played, is_added_up):
    if is_added_up:
        reports.add_up_due(now=played.now + DAY)
    moments = [played.now - 9 * DAY, *HandDrop.objects.values_list("at", flat=True), played.now + DAY]
    for at in moments:
        kept = defaultdict(int)
        for entry in Entry.objects.filter(transfer__at__lt=at).select_related("account"):
            account = entry.account
            kept[account.kind, account.unit, "" if account.owner_id else facts.fund_of(account.label)] += entry.amount
        balances_then = report_books.balances(at=at, now=played.now + 2 * DAY)
        assert {tuple(fund): chips for fund, chips in balances_then.items() if chips} == {
            k: v for k, v in kept.items() if v
        }
    now = report_books.balances(at=played.now + 3 * DAY, now=played.now + 2 * DAY)
    assert {k: v for k, v in now.items() if v} == {k: v for k, v in balances_then.items() if v}
    rows = report_books.holdings(at=played.now + 3 * DAY, now=played.now)
    assert sum(row.amount for row in rows) == 0


def test_comps_given_are_not_lessened_by_those_used(played):
    house = ledger.open_account(kind=Account.Kind.HOUSE, label="comps", unit="comp")
    purse = ledger.wallet(User.objects.get(username="ann"), unit="comp")
    moved = {"comp:1": 20, "comp-used:2": -5, "reversal:comp-used:2": 5, "reversal:comp:1": -8}
    for reference, points in moved.items():
        legs = [(house, -points), (purse, points)]
        ledger.post(reference=reference, reason="for a test", legs=legs, at=played.now, passage=leave(points))
    assert report(played, "day").total.comps == 12


def test_a_gaming_day_is_added_up_anew_when_its_beginning_changes(played, settings, audited):
    # Hands are dealt at about 20:00 UTC: in Honolulu that is 10:00, in Sydney 7:00 of the day after.
    hands = {}
    for zone, hour in (("Pacific/Honolulu", 12), ("Australia/Sydney", 6), ("Australia/Sydney", 9)):
        settings.TIME_ZONE, settings.CARDROOM_DAY_BEGINS = zone, hour
        assert not gaming_days.added_up().exists(), "nothing of another zone or hour is taken for a day"
        reports.add_up_due(now=played.now + 3 * DAY)
        rows = [row for row in report(played, "day").rows if row.sums.hands]
        hands[zone, hour] = [(row.key, row.sums.hands) for row in rows]
        assert sum(report_books.balances(at=played.now + DAY, now=played.now + 3 * DAY).values()) == 0
        assert core_audit.check() == []
    third, fourth, fifth = "2030-01-05", "2030-01-06", "2030-01-07"
    assert hands == {
        ("Pacific/Honolulu", 12): [("2030-01-04", 3), (third, 2)],
        ("Australia/Sydney", 6): [(fourth, 3), (fifth, 2)],
        ("Australia/Sydney", 9): [(third, 3), (fourth, 2)],
    }


def test_days_are_added_up_in_order_and_the_audit_finds_a_changed_one(played):
    first, second = room_time.day_of(played.now) - DAY, room_time.day_of(played.now)
    refused(Invalid, "not over", reports.add_up_again, day=second, now=played.now)
    refused(Invalid, "in order", reports.add_up_again, day=second, now=played.now + DAY)
    for day in (first, second, first):
        reports.add_up_again(day=day, now=played.now + DAY)
    assert [row.day for row in DaySum.objects.all()] == [first, second]
    refused(CommandError, "in order", call_command, "add_up", again="2020-01-01")
    kept = DayIncome.objects.order_by("day", "table").values_list("day", "table", "rake", "time")
    before, now = list(kept), played.now + 3 * DAY
    assert [reports.add_up_due(now=now) for _ in range(2)] == [[second + DAY, second + 2 * DAY], []]
    reports.add_up(day=second, now=now)
    assert (list(kept.filter(day__lte=second)), DaySum.objects.count()) == (before, 4)
    assert core_audit.check() == []
    DayIncome.objects.filter(rake__gt=0).update(rake=9_999)
    assert any("what tables took" in fault for fault in core_audit.check())


def test_a_day_that_was_added_up_by_hand_is_mailed_all_the_same_and_once(played):
    alarm = Alarm.objects.get(kind=reports.ALARM)  # since a table was opened
    for day in reports.missing_days(now=alarm.due_at + DAY):
        reports.add_up(day=day, now=alarm.due_at + DAY)
    assert reports.add_up_due(now=alarm.due_at + DAY) == []
    assert Alarm.objects.get(kind=reports.MAIL_ALARM).key == "day:2030-01-06"
    Alarm.objects.filter(kind=reports.MAIL_ALARM).delete()
    letter = {"kind": "report", "subject": "x", "key": "report:day:2030-01-06", "write": mail.EmailMessage}
    outbox.mail_once(player=staff("manager"), now=played.now, **letter)
    reports.add_up_due(now=alarm.due_at + DAY)
    assert not Alarm.objects.filter(kind=reports.MAIL_ALARM).exists()


def test_the_days_alarm_sets_the_next_and_the_mornings_mail_which_is_not_tried_again(played, monkeypatch):
    mia = staff("manager", "mia")
    mia.email = "mia@example.org"
    mia.save()
    Alarm.objects.filter(kind=reports.ALARM).delete()  # a room whose tables were opened before they set it
    by_mail.wish(user=mia, every="day", by=mia, now=played.now)
    assert StaffAction.objects.filter(verb="reports.wish").count() == 1
    alarm = Alarm.objects.get(kind=reports.ALARM)
    assert alarm.due_at == room_time.begins(room_time.day_of(played.now) + DAY) + timedelta(minutes=10)
    reports.add_up_due(now=alarm.due_at)
    assert Alarm.objects.get(kind=reports.ALARM).due_at == alarm.due_at + DAY
    morning = Alarm.objects.get(kind=reports.MAIL_ALARM)
    assert morning.key == "day:2030-01-06"
    assert [by_mail.send_due_reports(key=morning.key, now=morning.due_at) for _ in range(2)] == [1, 0]
    (message,) = mail.outbox
    assert (message.to, message.subject) == (["mia@example.org"], "Cardroom: Sunday, 6 January 2030")
    assert played.table.name in message.body
    assert message.attachments[0][0].startswith("drop-")
    assert (notices.newest(mia), Notice.objects.filter(kind="report").count()) == ([], 1)

    def fail(self, messages):
        raise OSError("no mail server")

    monkeypatch.setattr(EmailBackend, "send_messages", fail)
    assert [by_mail.send_due_reports(key="day:2030-01-05", now=morning.due_at) for _ in range(2)] == [0, 0]
    assert Notice.objects.filter(kind="report").count() == 2, "what failed is not counted"


def test_shifts_and_days_that_nobody_added_up_take_no_query_for_each(played, django_assert_max_num_queries):
    mia, flo, since = staff("manager", "mia"), staff("floor", "flo"), played.now - DAY - timedelta(hours=2)
    for number in range(12):
        begun = since + timedelta(hours=3 * number)
        shift = shifts.open_(name=f"Shift {number}", by=mia, now=begun)
        ended = begun + timedelta(hours=3 if number % 2 else 2)
        shifts.close(shift_id=shift.pk, by=mia, now=ended, handed_to=flo)
    with django_assert_max_num_queries(14):
        rows = report(played, "shift").rows
    begun = Shift.objects.order_by("opened_at")
    alone = [report(played, "table", since=each.opened_at, until=each.closed_at).total for each in begun]
    assert [row.sums for row in rows] == alone
    assert sum(row.sums.hands for row in rows) == 4, "one fell between two shifts"
    with translation.override("de"):
        assert str(shift) == f"Shift 11, {room_time.today(shift.opened_at).day}. Jan 2030"
    assert sum(row.sums.seconds for row in rows) > 0
    with django_assert_max_num_queries(4):
        later_balances = report_books.balances(at=played.now + 200 * DAY, now=played.now + 300 * DAY)
    assert sum(later_balances.values()) == 0
    assert later_balances


@pytest.mark.parametrize("name", ["drop", "cage", "credit", "liabilities", "players", "jackpots", "dealers", "losses"])
def test_every_report_comes_as_a_file(played, name):
    mia = staff("manager", "mia")
    report_sheet = reports.sheet(
        name=name, by=mia, since=played.now - 3 * DAY, until=played.now + DAY, now=played.now + DAY
    )
    text = reports.sheet_file(report_sheet, form="csv", now=played.now).body.decode("utf-8-sig").splitlines()
    assert (text[0], len(text)) == (
        ",".join(["key", *(column.key for column in report_sheet.columns)]),
        len(report_sheet.rows) + 1,
    )
    assert all(row["name"] for row in report_sheet.rows)
    assert reports.sheet_file(report_sheet, form="pdf", now=played.now).body.startswith(b"%PDF")
    refused(NotFound, reports.sheet_file, report_sheet, form="doc", now=played.now)


def test_what_cannot_be_reported_is_said(played):
    arguments = {"by": staff("manager", "mia"), "now": played.now}
    refused(NotFound, reports.sheet, name="weather", since=played.now, until=played.now, **arguments)
    refused(Invalid, "ten years", reports.sheet, name="drop", since=played.now, until=played.now - DAY, **arguments)
    weather = {"since": played.now, "until": played.now, "order": "weather"}
    refused(Invalid, "by day, month", reports.sheet, name="drop", **weather, **arguments)


def test_what_the_house_holds_is_named_in_the_readers_language(played, every_word_marked):
    events = (money.CASH_DESK, money.FEES, money.STAFF, money.GUARANTEES)
    cage = (cage_books.CHIPS, cage_books.CREDIT, cage_books.COMPS, cage_books.STREET, cage_books.VAULT, cage_books.BANK)
    labels = {*events, *cage, cage_books.OVER_SHORT, allowances.ADJUSTMENTS, people.PLAY_MONEY}
    assert labels < report_books._HOUSE.keys()
    rows = report_books.holdings(at=played.now + 3 * DAY, now=played.now)
    assert rows
    assert all(row.name.startswith("~") for row in rows)
