"""Reports by mail, to members of the staff who wish them."""

from datetime import date, datetime
from functools import partial
from typing import Annotated

from django.conf import settings
from django.core import mail
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts import outbox
from cardroom.core import access, audit_log, languages, room_time
from cardroom.core.arguments import not_kept
from cardroom.core.errors import Illegal, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.room_time import begins
from cardroom.core.verb import lock, verb
from games.dealers.models import Shift
from games.reports import sheets
from games.reports.models import ReportWish
from games.reports.reports import A_DAY, READERS, mailed_as, set_alarm, sheet_file
from games.reports.sheets import ReportRequest, Sheet


@verb("reports.wish", roles=("manager",))
def wish(*, user: User, every: str, is_wished: bool = True, by: User) -> Annotated[ReportWish | None, not_kept]:
    """Send this manager or auditor a report each morning (`every` day) or after each shift, or no more. A repeat
    changes nothing.

    Refuses: `Invalid` (how often), `Illegal` (they may read no reports, or have given no address).
    """
    if every not in ReportWish.Every.values:
        raise Invalid("bad-every", "Reports are sent every {names}.", names=" or ".join(ReportWish.Every.values))
    _, now = lock(User, user.pk)
    if not is_wished:
        if ReportWish.objects.filter(user=user, every=every).delete()[0]:
            audit_log.note(verb="reports.unwish", subject=f"user:{user.pk}", by=by, now=now, every=every)
        return None
    if not access.has_role(user, *READERS) or not user.email:
        raise Illegal(
            "no-reader",
            "{user} is not a manager or auditor with an e-mail address: only they can get reports.",
            rule=gettext_lazy("House rules: reports"),
            user=user,
        )
    row, is_new = ReportWish.objects.get_or_create(user=user, every=every, defaults={"by": by, "at": now})
    if is_new:
        audit_log.note(verb="reports.wish", subject=f"user:{user.pk}", by=by, now=now, every=every)
        set_alarm(now=now)
    return row


def wishes() -> QuerySet[ReportWish]:
    """The people who are sent reports."""
    return ReportWish.objects.select_related("user").order_by("user__username", "every")


def user_named(name: str) -> User:
    """The user of this screen name, however it is capitalized; `NotFound` where there is none."""
    user = User.objects.filter(username__iexact=name, is_bot=False).first()
    if user is None:
        raise NotFound("no-such-player", "There is no user called {value!r}.", value=name[:60])
    return user


def send_due_reports(*, key: str, now: datetime) -> int:
    """Send the report of a day or a shift that is over to everyone who wished for it, once. Returns how many were sent.

    For the alarm; call outside a transaction. A mail that fails is logged and not tried again.
    """
    what, _, which = key.partition(":")
    if what == "day":
        day = date.fromisoformat(which)
        wishes = ReportWish.objects.filter(every=ReportWish.Every.DAY)
        span, title = (begins(day), begins(day + A_DAY)), partial(room_time.format_day, day, "l, j F Y")
    else:
        shift = Shift.objects.filter(pk=int(which), is_open=False).first()
        if shift is None or shift.closed_at is None:
            return 0
        wishes = ReportWish.objects.filter(every=ReportWish.Every.SHIFT)
        span, title = (shift.opened_at, shift.closed_at), partial(str, shift)
    sent = 0
    for wished in wishes.select_related("user").order_by("pk"):
        user = wished.user
        if access.has_role(user, *READERS) and user.email:
            with languages.spoken_to(user):
                subject = title()
                sent += outbox.mail_once(
                    player=user, kind="report", key=mailed_as(key), subject=subject, now=now,
                    write=partial(_report_mail, user, span, subject, now=now),
                )  # fmt: skip
    return sent


def _report_mail(user: User, span: tuple[datetime, datetime], title: str, *, now: datetime) -> mail.EmailMessage:
    reports = [
        sheets.REPORTS[name](ReportRequest(*span, now, by, viewer=user))
        for name, by in (("drop", "table"), ("cage", "kind"), ("jackpots", ""), ("dealers", ""), ("liabilities", ""))
    ]
    letter = mail.EmailMessage(
        f"{settings.CARDROOM_NAME}: {title}", "\n\n".join(map(_sheet_text, reports)), to=[user.email]
    )
    for report in reports:
        file = sheet_file(report, form="pdf", now=now)
        letter.attach(file.name, file.body, file.content_type)
    return letter


def _sheet_text(sheet: Sheet) -> str:
    lines = [sheet.title, "=" * len(sheet.title)]
    for row in sheet.rows:
        values = [
            f"{column.title} {sheets.shown(row.get(column.key), column.form)}"
            for column in sheet.columns[1:]
            if row.get(column.key) not in (None, 0)
        ]
        lines.append(gettext("{name}: {words}").format(name=row["name"], words=", ".join(values)))
    return "\n".join(lines if sheet.rows else [*lines, gettext("Nothing.")])
