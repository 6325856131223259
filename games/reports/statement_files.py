"""A player's statement and history as files."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext

from cardroom.core import room_time
from cardroom.core.documents import File, as_csv, csv_or_pdf, listing_pdf, moment
from cardroom.core.models import User
from cardroom.core.paper import Column
from cardroom.core.sentences import filled, localized_numbers, signed
from games.reports.statement_lines import BookLine, StatementRequest
from games.reports.statements import all_lines
from games.tables.queries import history as history_queries
from games.tables.queries import offers
from games.tables.queries.history import StayTotals

#: The most lines of a file.
MOST_CSV, MOST_PDF = 20_000, 2_000

#: The most sessions of a file.
MOST_SESSIONS = history_queries.MOST

_OF_A_SESSION = (
    "since", "until", "minutes", "where", "table",
    "game", "stakes", "seat", "hands", "brought", "took", "result", "put_in", "taken", "time", "comps",
)  # fmt: skip
_COLUMNS = ("at", "kind", "what", "why", "wallet", "table_chips", "comp_points", "wallet_after", "table", "reference")


def statement_file(wanted: StatementRequest, *, form: str, now: datetime) -> File:
    """The statement as `csv` or `pdf`: the newest lines if there are too many; `NotFound` for another form."""
    return csv_or_pdf(
        f"statement-{wanted.player.pk}-{timezone.localtime(now):%Y-%m-%d}", form,
        csv=lambda: as_csv(_COLUMNS, map(_row, all_lines(wanted, most=MOST_CSV))), pdf=lambda: _paper(wanted, now),
    )  # fmt: skip


def history_file(player: User, *, since: datetime | None, form: str, now: datetime) -> File:
    """The player's sessions at cash tables as `csv` or `pdf`."""
    sessions = history_queries.stays_between(player, since, None, limit=MOST_SESSIONS)
    return csv_or_pdf(
        f"history-{player.pk}-{timezone.localtime(now):%Y-%m-%d}", form,
        csv=lambda: as_csv(_OF_A_SESSION, (_session(visit, now) for visit in sessions)),
        pdf=lambda: _sessions_on_paper(player, sessions, since, now),
    )  # fmt: skip


def _session(visit: StayTotals, now: datetime) -> dict[str, Any]:
    return {
        "since": timezone.localtime(visit.since).isoformat(timespec="seconds"),
        "until": timezone.localtime(visit.until).isoformat(timespec="seconds") if visit.until else "",
        "minutes": visit.minutes(now),
        "where": "in the room" if visit.is_physical else "online",
        "table": visit.table_name,
    } | {column: getattr(visit, column) for column in _OF_A_SESSION[5:]}


def _sessions_on_paper(player: User, sessions: list[StayTotals], since: datetime | None, now: datetime) -> bytes:
    numbers = [gettext("Minutes"), gettext("Hands"), gettext("Brought"), gettext("Took"), gettext("Result")]
    numbers += [gettext("Drop"), pgettext("time charge", "Time")]
    columns = [Column(gettext("Since"), 2.2), Column(gettext("Table"), 4, wraps=True)]
    columns += [Column(word, 1.5, is_number=True) for word in numbers]
    rows = [
        (
            _moment(visit.since),
            f"{visit.table_name}, {offers.game_name(visit.game)} {localized_numbers(visit.stakes)}",
            visit.minutes(now), visit.hands, visit.brought, visit.took, signed(visit.result), visit.taken, visit.time,
        )
        for visit in sessions
    ]  # fmt: skip
    count = filled(ngettext("{n:,} session", "{n:,} sessions", len(sessions)), n=len(sessions))
    about = _about(since, None, count, now)
    return listing_pdf(gettext("History of {player}").format(player=player), about, columns, rows)


def _row(line: BookLine) -> dict[str, Any]:
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


def _paper(wanted: StatementRequest, now: datetime) -> bytes:
    lines = list(all_lines(wanted, most=MOST_PDF))
    numbers = (gettext("Wallet"), gettext("Table"), gettext("In the wallet"))
    columns = [Column(gettext("When"), 2.2), Column(gettext("What"), 7.2, wraps=True)]
    columns += [Column(word, 1.6, is_number=True) for word in numbers]
    rows = [
        (
            _moment(line.at), f"{line.text} ({line.why})" if line.why else line.text, signed(line.wallet),
            signed(line.chips) or (filled(gettext("{n:+,} comp"), n=line.points) if line.points else ""),
            "" if line.balance is None else line.balance,
        )
        for line in lines
    ]  # fmt: skip
    count = filled(ngettext("{n:,} line", "{n:,} lines", len(lines)), n=len(lines))
    about = _about(wanted.since, wanted.until, count, now)
    return listing_pdf(gettext("Statement of {player}").format(player=wanted.player), about, columns, rows)


def _moment(at: datetime) -> str:
    """`5 Jan 2030, 20:00`, in the reader's zone and language."""
    local_time = timezone.localtime(at)
    return f"{room_time.format_day(local_time, 'j M Y')}, {local_time:%H:%M}"


def _about(since: datetime | None, until: datetime | None, count: str, now: datetime) -> str:
    pattern = gettext("from {since} to {until}, 0:00") if until else gettext("from {since} until now")
    if not since:
        pattern = gettext("from the beginning to {until}, 0:00") if until else gettext("from the beginning until now")
    first, last = (room_time.format_day(timezone.localtime(at), "j M Y") if at else "" for at in (since, until))
    span = pattern.format(since=first, until=last)
    return gettext("{span}; {count}, made {at}").format(span=span, count=count, at=moment(now))
