"""Reports that leave the selectors: who may read which, as files, and by mail each morning and after each shift."""

from datetime import date, datetime, timedelta
from functools import partial

from django.conf import settings
from django.core import mail

from cardroom.accounts import outbox
from cardroom.core import access, audit_log, room_time
from cardroom.core.documents import Column as PaperColumn
from cardroom.core.documents import File, as_csv, csv_or_pdf, listed, moment
from cardroom.core.errors import Forbidden, Illegal, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.operation import operation, row_of
from cardroom.core.room_time import begins
from games.dealers.models import Shift
from games.reports import days, sheets
from games.reports.models import ReportWish
from games.reports.sheets import Asked, Sheet

READERS = ("manager", "auditor")
#: Ten years and a bit.
LONGEST = timedelta(days=3700)
_A_DAY = timedelta(days=1)


def sheet(
    *, name: str, by: User, since: datetime, until: datetime, now: datetime, order: str = "", player: int | None = None
) -> Sheet:
    """A report. Managers and auditors read all; a cashier that of the cage, of their own drawers.

    Refuses: `Forbidden`, `NotFound` (there is no such report), `Invalid` (the span, what it is to be by).
    """
    if name not in sheets.REPORTS:
        raise NotFound("There is no such report.", "no-such-report")
    own = None
    if not access.has_role(by, *READERS):
        if name not in sheets.OF_THE_CAGE or not access.has_role(by, "cashier"):
            raise Forbidden(
                "Reports are for managers and auditors; cashiers can read the report of their own drawers.",
                "role-required",
            )
        own = by
    if not since <= until or until - since > LONGEST:
        raise Invalid("A report is of a span of at most ten years that ends after it begins.", "bad-span")
    known = sheets.GROUPINGS.get(name, ())
    if order and order not in known:
        raise Invalid(f"This report is by {', '.join(known) or 'nothing else'}.", "no-such-order")
    return sheets.REPORTS[name](Asked(since, until, now, order, player, own, by))


def file_of(made: Sheet, *, form: str, now: datetime) -> File:
    """The report as `csv` or `pdf`; `NotFound` for another form."""
    keys = [column.key for column in made.columns]
    return csv_or_pdf(
        f"{made.name}-{room_time.day_of(made.since)}", form, what="report", pdf=lambda: _paper(made, now=now),
        csv=lambda: as_csv(keys, ({key: row.get(key) for key in keys} for row in made.rows)),
    )  # fmt: skip


def _paper(made: Sheet, *, now: datetime) -> bytes:
    span = moment(made.until) if made.since == made.until else f"{moment(made.since)} to {moment(made.until)}"
    columns = [
        PaperColumn(column.title, 3.0 if column.form == "text" else 1.4, is_number=column.form != "text")
        for column in made.columns
    ]
    rows = [[sheets.shown(row.get(column.key), column.form) for column in made.columns] for row in made.rows]
    if made.total:
        sums = [(made.total.get(column.key, ""), column.form) for column in made.columns[1:]]
        rows.append(["In all", *("" if value == "" else sheets.shown(value, form) for value, form in sums)])
    return listed(made.title, f"{span}; made {moment(now)}", columns, rows, note=made.note)


# -- by mail ---------------------------------------------------------------------------------------------------------


@operation(row_of(User, "user"), roles=("manager",))
def wish(*, user: User, every: str, by: User, now: datetime, is_wished: bool = True) -> ReportWish | None:
    """Send this manager or auditor a report each morning (`every` day) or after each shift, or no more; asked again
    nothing changes.

    Refuses: `Forbidden`, `Invalid` (how often), `Illegal` (they may read no reports, or have given no address).
    """
    if every not in ReportWish.Every.values:
        raise Invalid(f"Reports are sent every {' or '.join(ReportWish.Every.values)}.", "bad-every")
    if not is_wished:
        if ReportWish.objects.filter(user=user, every=every).delete()[0]:
            audit_log.note(verb="reports.unwish", subject=f"user:{user.pk}", by=by, now=now, every=every)
        return None
    if not access.has_role(user, *READERS) or not user.email:
        raise Illegal(
            f"{user} is not a manager or auditor with an e-mail address: only they can get reports.",
            "no-reader",
            rule="House rules: reports",
        )
    row, is_new = ReportWish.objects.get_or_create(user=user, every=every, defaults={"by": by, "at": now})
    if is_new:
        audit_log.note(verb="reports.wish", subject=f"user:{user.pk}", by=by, now=now, every=every)
        days.see_to(now=now)
    return row


def ring(*, key: str, now: datetime) -> int:
    """A day or a shift is over: send its report to all who wished for it, to each once. Returns how many went out.

    For the alarm; call outside a transaction. What cannot be sent is logged and not tried again.
    """
    what, _, which = key.partition(":")
    if what == "day":
        day = date.fromisoformat(which)
        wishes = ReportWish.objects.filter(every=ReportWish.Every.DAY)
        span, title = (begins(day), begins(day + _A_DAY)), f"{day:%A}, {day.day} {day:%B %Y}"
    else:
        shift = Shift.objects.filter(pk=int(which), is_open=False).first()
        if shift is None or shift.closed_at is None:
            return 0
        wishes = ReportWish.objects.filter(every=ReportWish.Every.SHIFT)
        span, title = (shift.opened_at, shift.closed_at), str(shift)
    sent = 0
    for each in wishes.select_related("user").order_by("pk"):
        user = each.user
        if access.has_role(user, *READERS) and user.email:
            sent += outbox.mail_once(
                player=user, kind="report", key=days.mailed_as(key), subject=title, now=now,
                write=partial(_letter, user, span, title, now=now),
            )  # fmt: skip
    return sent


def _letter(user: User, span: tuple[datetime, datetime], title: str, *, now: datetime) -> mail.EmailMessage:
    made = [
        sheets.REPORTS[name](Asked(*span, now, by, viewer=user))
        for name, by in (("drop", "table"), ("cage", "kind"), ("jackpots", ""), ("dealers", ""), ("liabilities", ""))
    ]
    letter = mail.EmailMessage(f"{settings.CARDROOM_NAME}: {title}", "\n\n".join(map(_text, made)), to=[user.email])
    for each in made:
        file = file_of(each, form="pdf", now=now)
        letter.attach(file.name, file.body, file.content_type)
    return letter


def _text(made: Sheet) -> str:
    lines = [made.title, "=" * len(made.title)]
    for row in made.rows:
        said = [
            f"{column.title} {sheets.shown(row.get(column.key), column.form)}"
            for column in made.columns[1:]
            if row.get(column.key) not in (None, 0)
        ]
        lines.append(f"{row['name']}: {', '.join(said)}")
    return "\n".join(lines if made.rows else [*lines, "Nothing."])
