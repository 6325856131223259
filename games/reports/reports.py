"""Reports: who may read which, as files; and the alarm that adds up days that are over."""

from datetime import date, datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, Min
from django.dispatch import receiver
from django.utils.translation import gettext

from cardroom.core import access, alarms, room_time
from cardroom.core.documents import File, as_csv, csv_or_pdf, listing_pdf, moment
from cardroom.core.errors import Forbidden, Invalid, NotFound
from cardroom.core.models import Alarm, Notice, User
from cardroom.core.paper import Column
from cardroom.core.room_time import begins, day_of
from cardroom.ledger.models import Transfer
from games.reports import facts, sheets
from games.reports.gaming_days import added_up, current_rule
from games.reports.models import DayBook, DayIncome, DayPlayer, DaySum
from games.reports.sheets import ReportRequest, Sheet
from games.tables import signals as table_signals
from games.tables.models.tables import Hand

ALARM = alarms.register("day-sums", "games.tasks.add_up_days")


#: Rings for `by_mail.send_due_reports`.
MAIL_ALARM = alarms.register("report-mail", "games.tasks.mail_reports")


_KEY = "days"


_DAY = timedelta(days=1)


#: The wait after the end of a gaming day: transactions that began before it are committed by then.
_AFTER_ITS_END = timedelta(minutes=10)


#: The wait after the end of the day that the mail is about.
_MAIL_AT = timedelta(hours=1)


#: The most days added up in one ring of the alarm, so that a long backlog is caught up with in parts.
_AT_ONCE = 20


def mailed_as(key: str) -> str:
    """The key of the mails of a report: `key` is that of its alarm."""
    return f"report:{key}"


@receiver(table_signals.table_opened)
def set_alarm(*, now: datetime, **_: Any) -> None:
    """Set the alarm that adds days up, if it is not set. Call in a transaction."""
    if not Alarm.objects.filter(kind=ALARM, key=_KEY).exists():
        alarms.set(kind=ALARM, key=_KEY, due_at=_next(now), fence=0)


def add_up_due(*, now: datetime) -> list[date]:
    """Add up days that are over, the oldest first, and set the next alarm: at once if more are left. Returns them."""
    days = missing_days(now=now)
    for day in days[:_AT_ONCE]:
        add_up(day=day, now=now)
    with transaction.atomic():
        alarms.set(kind=ALARM, key=_KEY, due_at=now if days[_AT_ONCE:] else _next(now), fence=0)
        yesterday = day_of(now) - _DAY
        # Also if somebody added it up by a command before this alarm rang.
        is_there = added_up().filter(day=yesterday).exists()
        key = f"day:{yesterday}"
        mailed = Notice.objects.filter(key=mailed_as(key), at__gte=begins(yesterday))
        if is_there and not mailed.exists():
            alarms.set(
                kind=MAIL_ALARM,
                key=key,
                due_at=max(now, begins(yesterday + _DAY) + _MAIL_AT),
                fence=yesterday.toordinal(),
            )
    return days[:_AT_ONCE]


def missing_days(*, now: datetime) -> list[date]:
    """The days that are over and were not added up. Two queries."""
    last = added_up().aggregate(last=Max("day"))["last"]
    if last is None:
        begun = [
            Transfer.objects.aggregate(first=Min("at"))["first"],
            Hand.objects.aggregate(first=Min("ended_at"))["first"],
        ]
        known = [moment for moment in begun if moment is not None]
        if not known:
            return []
        last = day_of(min(known)) - _DAY
    today = day_of(now)
    return [last + _DAY * count for count in range(1, (today - last).days)]


def add_up_again(*, day: date, now: datetime) -> DaySum:
    """Add up a day anew, or the first day that was not added up. Reports need stored days without a gap: `Invalid` for
    any other day, and for a day that is not over."""
    if begins(day + _DAY) > now:
        raise Invalid("not-over", "{day} is not over: it is added up when it is.", day=day, field="day")
    if not added_up().filter(day=day).exists() and day not in missing_days(now=now)[:1]:
        raise Invalid(
            "gap", "{day} was not added up, nor is it the next: days are added up in order.", day=day, field="day"
        )
    return add_up(day=day, now=now)


@transaction.atomic
def add_up(*, day: date, now: datetime) -> DaySum:
    """Add up one day, anew if it was added up already. Locks the day. Deletes earlier days added up by another rule:
    days are added up in order, so they are stale."""
    since, until = begins(day), begins(day + _DAY)
    try:
        with transaction.atomic():
            row = DaySum.objects.create(day=day, entries=0, at=now)
    except IntegrityError:
        row = DaySum.objects.select_for_update().get(day=day)
        _forget([day])
    if stale := list(DaySum.objects.exclude(rule=current_rule()).filter(day__lt=day).values_list("day", flat=True)):
        _forget(stale)
        DaySum.objects.filter(day__in=stale).delete()
    income = facts.income(since, until)
    DayIncome.objects.bulk_create(
        DayIncome(
            day=day,
            **{f"{name}_id": number or None for name, number in source._asdict().items()},
            **{name: getattr(sums, name) for name in facts.FIELDS},
        )
        for source, sums in income.items()
    )
    book = facts.movements(since, until)
    DayBook.objects.bulk_create(
        DayBook(day=day, **line._asdict(), amount=moved.amount, entries=moved.entries) for line, moved in book.items()
    )
    DayPlayer.objects.bulk_create(
        DayPlayer(day=day, player_id=player, **{name: getattr(sums, name) for name in facts.PLAYER_FIELDS})
        for player, sums in facts.players(since, until).items()
    )
    row.entries, row.at, row.rule = sum(moved.entries for moved in book.values()), now, current_rule()
    row.save()
    return row


def _forget(of: list[date]) -> None:
    for model in (DayIncome, DayBook, DayPlayer):
        model.objects.filter(day__in=of).delete()


def _next(now: datetime) -> datetime:
    return begins(day_of(now) + _DAY) + _AFTER_ITS_END


READERS = ("manager", "auditor")
#: A cashier reads the report of their own drawers.
ROLES = (*READERS, "cashier")


#: Ten years and a bit.
LONGEST = timedelta(days=3700)


A_DAY = timedelta(days=1)


def sheet(
    *, name: str, by: User, since: datetime, until: datetime, now: datetime, order: str = "", player: int | None = None
) -> Sheet:
    """A report. Managers and auditors read all; a cashier that of the cage, of their own drawers.

    Refuses: `Forbidden`, `NotFound` (no such report), `Invalid` (the span, or the grouping).
    """
    if name not in sheets.REPORTS:
        raise NotFound("no-such-report", "There is no such report.")
    own = None
    if not access.has_role(by, *READERS):
        if name not in sheets.OF_THE_CAGE or not access.has_role(by, "cashier"):
            raise Forbidden(
                "role-required",
                "Reports are for managers and auditors; cashiers can read the report of their own drawers.",
            )
        own = by
    if not since <= until or until - since > LONGEST:
        raise Invalid("bad-span", "A report is of a span of at most ten years that ends after it begins.")
    known = sheets.GROUPINGS.get(name, ())
    if order and order not in known:
        raise Invalid("no-such-order", "This report is by {names}.", names=", ".join(known) or gettext("nothing else"))
    return sheets.REPORTS[name](ReportRequest(since, until, now, order, player, own, by))


def sheet_file(report: Sheet, *, form: str, now: datetime) -> File:
    """The report as `csv` or `pdf`; `NotFound` for another form."""
    keys = ["key", *(column.key for column in report.columns)]
    return csv_or_pdf(
        f"{report.name}-{room_time.day_of(report.since)}", form, pdf=lambda: _paper(report, now=now),
        csv=lambda: as_csv(keys, ({key: row.get(key) for key in keys} for row in report.data)),
    )  # fmt: skip


def _paper(report: Sheet, *, now: datetime) -> bytes:
    span = moment(report.until) if report.since == report.until else _span(report.since, report.until)
    columns = [
        Column(column.title, 1.4 if column.is_number else 3.0, is_number=column.is_number) for column in report.columns
    ]
    rows = [[sheets.shown(row.get(column.key), column.form) for column in report.columns] for row in report.rows]
    if report.total:
        sums = [(report.total.get(column.key, ""), column.form) for column in report.columns[1:]]
        rows.append([gettext("Total"), *("" if value == "" else sheets.shown(value, form) for value, form in sums)])
    about = gettext("{span}; made {at}").format(span=span, at=moment(now))
    return listing_pdf(report.title, about, columns, rows, note=report.note)


def _span(since: datetime, until: datetime) -> str:
    return gettext("{since} to {until}").format(since=moment(since), until=moment(until))
