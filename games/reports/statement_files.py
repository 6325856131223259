"""Statements that leave the page: looked at by the staff, who say why, and taken along as files."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from cardroom.core import access, audit_log
from cardroom.core.documents import Column, File, as_csv, csv_or_pdf, listed
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.operation import operation
from games.reports.statements import Line, Wanted, all_lines
from games.tables.queries import history as history_queries
from games.tables.queries.history import Visit

#: Who may see what a player did and paid.
ROLES = ("floor", "cashier", "manager", "auditor")
#: The most lines of a file.
MOST_CSV, MOST_PDF = 20_000, 2_000

#: The most sessions of a file.
MOST_SESSIONS = history_queries.MOST

_OF_A_SESSION = (
    "since", "until", "minutes", "where", "table",
    "game", "stakes", "seat", "hands", "brought", "took", "result", "put_in", "taken", "time", "comps",
)  # fmt: skip
_COLUMNS = ("at", "kind", "what", "why", "wallet", "table_chips", "comp_points", "wallet_after", "table", "reference")


@operation()
def look(*, player_id: int, by: User, reason: str, now: datetime) -> User:
    """The player whose statement somebody of the staff looks at, with a reason, which is recorded in the audit log.

    Refuses: `Forbidden`, `Invalid` (no reason), `NotFound`.
    """
    player = may_look(player_id=player_id, by=by)
    said = audit_log.reason_given(reason, what="a look at a player's statement")
    audit_log.note(verb="statements.look", subject=f"user:{player.pk}", player=player, by=by, reason=said, now=now)
    return player


def may_look(*, player_id: int, by: User) -> User:
    """The player whose statement `by` may look at, once they say why. Refuses: `Forbidden`, `NotFound`."""
    access.require_role(by, *ROLES)
    player = User.objects.filter(pk=player_id, is_bot=False).first()
    if player is None:
        raise NotFound("There is no such player.", "no-such-player")
    return player


def file_of(wanted: Wanted, *, form: str, now: datetime) -> File:
    """The statement as `csv` or `pdf`, its newest lines where it has more than a file holds; `NotFound` for another
    form."""
    return csv_or_pdf(
        f"statement-{wanted.player.pk}-{timezone.localtime(now):%Y-%m-%d}", form, what="statement",
        csv=lambda: as_csv(_COLUMNS, map(_row, all_lines(wanted, most=MOST_CSV))), pdf=lambda: _paper(wanted, now),
    )  # fmt: skip


def history_of(player: User, *, since: datetime | None, form: str, now: datetime) -> File:
    """Their sessions at cash tables as `csv` or `pdf`, the newest where there are more than a file holds; `NotFound`
    for another form."""
    sessions = history_queries.between(player, since, None, limit=MOST_SESSIONS)
    return csv_or_pdf(
        f"history-{player.pk}-{timezone.localtime(now):%Y-%m-%d}", form, what="history",
        csv=lambda: as_csv(_OF_A_SESSION, (_session(visit, now) for visit in sessions)),
        pdf=lambda: _sessions_on_paper(player, sessions, since, now),
    )  # fmt: skip


def _session(visit: Visit, now: datetime) -> dict[str, Any]:
    return {
        "since": timezone.localtime(visit.since).isoformat(timespec="seconds"),
        "until": timezone.localtime(visit.until).isoformat(timespec="seconds") if visit.until else "",
        "minutes": visit.minutes(now),
        "where": "in the room" if visit.is_physical else "online",
        "table": visit.table_name,
    } | {column: getattr(visit, column) for column in _OF_A_SESSION[5:]}


def _sessions_on_paper(player: User, sessions: list[Visit], since: datetime | None, now: datetime) -> bytes:
    numbers = ("Minutes", "Hands", "Brought", "Took", "Result", "Drop", "Time")
    columns = [Column("Since", 2.2), Column("Table", 4), *(Column(word, 1.2, is_number=True) for word in numbers)]
    rows = [
        (
            f"{timezone.localtime(visit.since):%d %b %Y, %H:%M}",
            f"{visit.table_name}, {visit.game} {visit.stakes}",
            visit.minutes(now), visit.hands, visit.brought, visit.took, f"{visit.result:+,}", visit.taken, visit.time,
        )
        for visit in sessions
    ]  # fmt: skip
    said = f"{_span(since, None)}; {len(sessions):,} sessions, made {timezone.localtime(now):%d %b %Y, %H:%M %Z}"
    return listed(f"History of {player}", said, columns, rows)


def _row(line: Line) -> dict[str, Any]:
    return {
        "at": timezone.localtime(line.at).isoformat(timespec="seconds"),
        "kind": line.kind,
        "what": line.text,
        "why": line.why,
        "wallet": line.wallet or None,
        "table_chips": line.chips or None,
        "comp_points": line.points or None,
        "wallet_after": line.balance,
        "table": line.table_name,
        "reference": line.reference,
    }


def _paper(wanted: Wanted, now: datetime) -> bytes:
    lines = list(all_lines(wanted, most=MOST_PDF))
    columns = [
        Column("When", 2.2),
        Column("What", 7.2),
        Column("Wallet", 1.5, is_number=True),
        Column("Table", 1.5, is_number=True),
        Column("In the wallet", 1.7, is_number=True),
    ]
    rows = [
        (
            f"{timezone.localtime(line.at):%d %b %Y, %H:%M}",
            f"{line.text} ({line.why})" if line.why else line.text,
            f"{line.wallet:+,}" if line.wallet else "",
            f"{line.chips:+,}" if line.chips else f"{line.points:+,} comp" if line.points else "",
            "" if line.balance is None else line.balance,
        )
        for line in lines
    ]
    said = f"{_span(wanted.since, wanted.until)}; {len(lines):,} lines, "
    made = f"made {timezone.localtime(now):%d %b %Y, %H:%M %Z}"
    return listed(f"Statement of {wanted.player}", said + made, columns, rows)


def _span(since: datetime | None, until: datetime | None) -> str:
    begins = f"from {timezone.localtime(since):%d %b %Y}" if since else "from the beginning"
    return begins + (f" to {timezone.localtime(until):%d %b %Y}, 0:00" if until else " until now")
