"""The audit log: every act of staff, written by the service that does it in the same transaction; and its export."""

import json
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django.db.models import Q, QuerySet

from cardroom.core import access, idempotency, room_time
from cardroom.core.documents import A4, CSV, PDF, Column, File, Paper, as_csv, mm
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import StaffAction, User
from cardroom.core.operation import operation

LONGEST_REASON = 300
READERS = ("manager", "auditor")


def note(
    *,
    verb: str,
    subject: str,
    by: User | None,
    now: datetime,
    player: User | None = None,
    reason: str = "",
    **details: Any,
) -> StaffAction:
    """Write down that `by` (None: an alarm or a command) did `verb` ("cage.deposit") to `subject` ("user:7").

    `details`: JSON-safe facts, ids and chips, never a card.
    """
    return StaffAction.objects.create(
        verb=verb, subject=subject, player=player, reason=reason, details=details, by=by, at=now
    )


def reason_given(reason: str, *, what: str = "this", least: int = 3) -> str:
    """A reason fit to be kept: `Invalid` where there is none, or one that is too long."""
    said = " ".join(reason.split())
    if not least <= len(said) <= LONGEST_REASON or not said.isprintable():
        raise Invalid(f"Enter a reason of {least} to {LONGEST_REASON} characters: {what} needs one.", "reason-required")
    return said


@operation()
def add_event(*, text: str, by: User, now: datetime, subject: str = "room", key: str = "") -> StaffAction:
    """Add an entry to the audit log in the room and that no service does. For staff, with words of their own. The
    same `key` again writes nothing; `Conflict` with other words."""
    access.require_role(by, "dealer", "floor", "cashier", "director", "manager")
    said = reason_given(text, what="an event")

    def make() -> StaffAction:
        return note(verb="event", subject=subject[:60], by=by, now=now, reason=said)

    asked = {"text": said, "subject": subject}
    return idempotency.made(StaffAction, make, by=by, key=key, verb="trail.add_event", now=now, **asked)


def acts(
    *, who: str = "", verb: str = "", subject: str = "", since: date | None = None, until: date | None = None
) -> QuerySet[StaffAction]:
    """Entries, newest first: of what `who` did or what was done to them, of verbs that begin so, of a subject, and of
    these days (both ends included)."""
    found = StaffAction.objects.select_related("by", "player").order_by("-at", "-pk")
    if who:
        found = found.filter(Q(by__username__iexact=who) | Q(player__username__iexact=who))
    if verb:
        found = found.filter(verb__startswith=verb)
    if subject:
        found = found.filter(subject=subject)
    if since:
        found = found.filter(at__gte=room_time.midnight(since))
    return found.filter(at__lt=room_time.end(until)) if until else found


# Export


#: The most acts of a file; the newest are in it.
MOST_CSV, MOST_PDF = 100_000, 2_000
_COLUMNS = ("at", "who", "verb", "subject", "player", "reason", "details")
_A_CHUNK = 2_000


def file_of(found: QuerySet[StaffAction], *, form: str, now: datetime) -> File:
    """These acts as `csv` or `pdf`; `NotFound` for another form."""
    name = f"trail-{room_time.today(now)}.{form}"
    if form == "csv":
        acts = found[:MOST_CSV].iterator(chunk_size=_A_CHUNK)
        return File(name, CSV, as_csv(_COLUMNS, map(_row, acts)))
    if form == "pdf":
        return File(name, PDF, _paper(list(found[:MOST_PDF]), now))
    raise NotFound("The audit log comes as CSV and PDF.", "no-such-form")


def _row(act: StaffAction) -> dict[str, Any]:
    return {
        "at": room_time.local(act.at).isoformat(),
        "who": act.by.username if act.by else "",
        "verb": act.verb,
        "subject": act.subject,
        "player": act.player.username if act.player else "",
        "reason": act.reason,
        "details": json.dumps(act.details) if act.details else "",
    }


def _paper(acts: list[StaffAction], now: datetime) -> bytes:
    paper = Paper("Audit log", A4)
    paper.line("Audit log", paper.margin, 20 * mm, size=15, bold=True)
    said = f"{len(acts):,} entries, newest first, made {room_time.said(now)}"
    paper.line(said, paper.margin, 26 * mm, size=9, grey=True)
    columns = [Column("When", 2), Column("Who", 1.6), Column("What", 2), Column("To what", 2.2), Column("Why", 6)]
    rows = [
        (
            f"{room_time.local(act.at):%d %b %Y, %H:%M:%S}",
            act.by.username if act.by else "the house",
            act.verb,
            " ".join(filter(None, [act.subject, act.player.username if act.player else ""])),
            "; ".join(filter(None, [act.reason, _in_words(act.details.items())])),
        )
        for act in acts
    ]
    paper.listing(columns, rows, 34 * mm, head="Audit log", size=8)
    return paper.done()


def _in_words(details: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in details if value not in (None, "", [], {}))
