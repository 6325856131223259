"""Events as files: results, entries, knock-outs, payouts and the log of the clock, as CSV and JSON; results as PDF too.

CSV is UTF-8 with the mark by which spreadsheets know it, and no cell of it is a formula: what would begin one has an
apostrophe before it. Numbers and moments (ISO 8601, in the room's zone) are as they are in JSON, so that both can be
read back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cardroom.core import access, room_time
from cardroom.core.access import Viewer
from cardroom.core.documents import File, as_csv
from cardroom.core.errors import NotFound
from tournaments.directing import queries
from tournaments.directing.documents import results_sheet
from tournaments.directing.queries import clock_log
from tournaments.events import money
from tournaments.events.models import Payment, Tournament
from tournaments.events.terms import PARTS
from tournaments.prizes import payouts
from tournaments.registration import queries as registration_queries

Row = dict[str, Any]


def export(*, tournament: Tournament, what: str, form: str, viewer: Viewer, now: datetime) -> File:
    """The file of `what` (a key of `TABLES`) in `form`: csv, json, or for the results pdf.

    Results, knock-outs and the clock's log are for everybody who may see the event; entries and payouts tell who paid
    what and how, and are for the desk (`Forbidden`). `NotFound` for anything else.
    """
    table = TABLES.get(what)
    if table is None:
        raise NotFound(f"There is no export of that: {', '.join(TABLES)}.", "no-such-export")
    if table.is_for_the_desk:
        access.require_role(viewer, *money.DESK)
    name = f"event-{tournament.pk}-{what}.{form}"
    if form == "pdf" and what == "results":
        return File(name, "application/pdf", results_sheet(tournament=tournament))
    if form == "csv":
        return File(name, "text/csv; charset=utf-8", as_csv(table.columns, table.rows(tournament, now)))
    if form == "json":
        return File(name, "application/json", _json(tournament, what, table.rows(tournament, now)))
    raise NotFound(
        f"The {what} are available as CSV{', JSON and PDF' if what == 'results' else ' and JSON'}.", "no-such-export"
    )


def _json(tournament: Tournament, what: str, rows: Iterable[Row]) -> bytes:
    event = {
        "id": tournament.pk,
        "name": tournament.name,
        "state": str(tournament.state),
        "starts_at": _iso(tournament.starts_at),
        "ended_at": _iso(tournament.ended_at),
    }
    return json.dumps({"event": event, what: list(rows)}, ensure_ascii=False, indent=1).encode()


def _iso(moment: datetime | None) -> str | None:
    return room_time.local(moment).isoformat(timespec="milliseconds") if moment is not None else None


# -- what there is -----------------------------------------------------------------------------------------------------


def _results(tournament: Tournament, now: datetime) -> list[Row]:
    return [
        {
            "place": result.place or None,
            "shared_by": result.tied if result.place else None,
            "name": result.name,
            "entry": result.entrant,
            "re_entry_of": result.re_entry_of or None,
            "chips": result.stack if result.is_counted else None,
            "prize": result.prize,
            "bounties": result.bounties,
            "disqualified": result.is_disqualified,
        }
        for result in queries.results(tournament)
    ]


def _entries(tournament: Tournament, now: datetime) -> list[Row]:
    """All entries, withdrawn ones too, with what was paid and not refunded."""
    paid: dict[int, dict[str, int]] = {}
    for row in Payment.objects.filter(tournament=tournament, refunded_at=None).values("entry_id", *PARTS):
        sums = paid.setdefault(row["entry_id"], dict.fromkeys(PARTS, 0))
        for part in PARTS:
            sums[part] += row[part]
    nothing = dict.fromkeys(PARTS, 0)
    return [
        {
            "entry": entry.number,
            "name": entry.name,
            "player": entry.player.username,
            "how": str(entry.how),
            "state": str(entry.state),
            "re_entry_of": entry.re_entry_of,
            "at": _iso(entry.at),
            "table": entry.table,
            "seat": entry.seat,
            "chips": entry.chips,
            "rebuys": entry.rebuys,
            "add_ons": entry.add_ons,
            **paid.get(entry.pk, nothing),
        }
        for entry in registration_queries.in_order(tournament)
    ]


def _knock_outs(tournament: Tournament, now: datetime) -> list[Row]:
    return [
        {
            "at": _iso(out.at),
            "entry": out.entrant,
            "name": out.name,
            "place": out.place,
            "shared_by": out.tied,
            "by": list(out.by),
            "table": out.table or None,
            "level": out.level_name,
            "disqualified": out.is_disqualified,
        }
        for out in reversed(queries.knock_outs(tournament))
    ]


def _payouts(tournament: Tournament, now: datetime) -> list[Row]:
    return [
        {
            "receipt": payout.number,
            "place": payout.place,
            "entry": payout.entry.number,
            "name": payout.entry.name,
            "what": str(payout.what),
            "amount": payout.amount,
            "state": str(payout.state),
            "method": str(payout.method),
            "paid_at": _iso(payout.paid_at),
            "by": payout.by.username if payout.by is not None else None,
        }
        for payout in payouts.receipts(tournament)
    ]


def _clock(tournament: Tournament, now: datetime) -> list[Row]:
    return [
        {
            "at": _iso(entry.at),
            "what": entry.what,
            "level": entry.level,
            "remaining_ms": entry.remaining_ms,
            "running": entry.is_running,
        }
        for entry in clock_log(tournament, now=now)
    ]


@dataclass(frozen=True)
class Table:
    """What can be exported, with its columns in order."""

    rows: Callable[[Tournament, datetime], list[Row]]
    columns: tuple[str, ...]
    is_for_the_desk: bool = False


TABLES = {
    "results": Table(
        _results, ("place", "shared_by", "name", "entry", "re_entry_of", "chips", "prize", "bounties", "disqualified")
    ),
    "entries": Table(
        _entries,
        (
            *("entry", "name", "player", "how", "state", "re_entry_of", "at", "table", "seat", "chips"),
            *("rebuys", "add_ons", *PARTS),
        ),
        is_for_the_desk=True,
    ),
    "knock-outs": Table(
        _knock_outs, ("at", "entry", "name", "place", "shared_by", "by", "table", "level", "disqualified")
    ),
    "payouts": Table(
        _payouts,
        ("receipt", "place", "entry", "name", "what", "amount", "state", "method", "paid_at", "by"),
        is_for_the_desk=True,
    ),
    "clock": Table(_clock, ("at", "what", "level", "remaining_ms", "running")),
}
FORMS = ("csv", "json", "pdf")
