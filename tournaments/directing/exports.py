"""Events as files: results, entries, knock-outs, payouts and the log of the clock, as CSV and JSON; results as PDF too.

CSV is UTF-8 with the mark by which spreadsheets know it, and no cell of it is a formula: what would begin one has an
apostrophe before it. Numbers and moments (ISO 8601, in the room's zone) are as they are in JSON, so that both can be
read back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from cardroom.core import access, room_time
from cardroom.core.access import Viewer
from cardroom.core.documents import File, as_csv
from cardroom.core.errors import NotFound
from tournaments.directing import clock_log, money_report, outcomes
from tournaments.directing.sheets import money_sheet, results_sheet
from tournaments.events import staff
from tournaments.events.models import Payment, Tournament
from tournaments.events.terms import PARTS
from tournaments.prizes import payouts
from tournaments.registration import queries as registration_queries

Cells = tuple[Any, ...]


def export(*, tournament: Tournament, what: str, form: str, viewer: Viewer, now: datetime) -> File:
    """The file of `what` (a key of `TABLES`) in `form`: csv, json, or for the results pdf.

    Results, knock-outs and the clock's log are for everybody who may see the event; entries and payouts tell who paid
    what and how, and are for the desk (`Forbidden`). `NotFound` for anything else.
    """
    if what == "money":
        access.require_role(viewer, *staff.DESK, "auditor")
        return _money(tournament, form, viewer)
    table = TABLES.get(what)
    if table is None:
        raise NotFound("no-such-export", "There is no export of that: {choices}.", choices=", ".join(TABLES))
    if table.is_for_the_desk:
        access.require_role(viewer, *staff.DESK)
    name = f"event-{tournament.pk}-{what}.{form}"
    if form == "pdf" and what == "results":
        return File(name, "application/pdf", partial(results_sheet, tournament=tournament))
    if form == "csv":
        return File(name, "text/csv; charset=utf-8", lambda: as_csv(table.columns, table.rows(tournament, now)))
    if form == "json":
        return File(name, "application/json", lambda: _json(tournament, what, table.rows(tournament, now)))
    if what == "results":
        raise NotFound("no-such-export", "The results are available as CSV, JSON and PDF.")
    raise NotFound("no-such-export", "The {what} are available as CSV and JSON.", what=what)


def _money(tournament: Tournament, form: str, viewer: Viewer) -> File:
    """The report of the event's money, as `viewer` may see it."""
    name = f"event-{tournament.pk}-money.{form}"
    report = money_report.report(tournament, viewer=access.require_login(viewer))
    if form == "pdf":
        return File(name, "application/pdf", partial(money_sheet, tournament=tournament, report=report))
    rows = [dict.fromkeys(_MONEY) | row for row in _money_rows(report)]
    if form == "csv":
        return File(name, "text/csv; charset=utf-8", as_csv(_MONEY, rows))
    if form == "json":
        return File(name, "application/json", _json(tournament, "money", rows))
    raise NotFound("no-such-export", "The money is available as CSV, JSON and PDF.")


#: The columns of the report of an event's money. Not every section fills all of them.
_MONEY = ("section", "what", "method", "state", "session", "number", *PARTS, "amount", "paid_back", "due", "over_short")


def _money_rows(report: money_report.EventMoney) -> Iterator[dict[str, Any]]:
    """What was paid in, what was paid out, and each drawer."""
    for taken in report.taken:
        yield {
            "section": "paid-in",
            "what": taken.what,
            "method": taken.method,
            "number": taken.number,
            **{part: getattr(taken, part) for part in PARTS},
            "amount": taken.total,
            "paid_back": taken.refunds,
            "due": taken.due,
        }
    for paid in report.paid_out:
        yield {
            "section": "paid-out",
            "what": paid.what,
            "method": paid.method,
            "state": paid.state,
            "number": paid.number,
            "amount": paid.amount,
        }
    for drawer in report.drawers:
        yield {
            "section": "drawer",
            "what": drawer.drawer,
            "method": "desk",
            "state": drawer.state,
            "session": drawer.session,
            "number": drawer.slips,
            "amount": drawer.taken,
            "paid_back": drawer.paid,
            "over_short": drawer.over_short,
        }


def _json(tournament: Tournament, what: str, rows: list[dict[str, Any]]) -> bytes:
    event = {
        "id": tournament.pk,
        "name": tournament.name,
        "state": str(tournament.state),
        "starts_at": _iso(tournament.starts_at),
        "ended_at": _iso(tournament.ended_at),
    }
    return json.dumps({"event": event, what: rows}, ensure_ascii=False, indent=1).encode()


def _iso(moment: datetime | None) -> str | None:
    return room_time.local(moment).isoformat(timespec="milliseconds") if moment is not None else None


def _results(tournament: Tournament, now: datetime) -> Iterator[Cells]:
    for result in outcomes.results(tournament):
        yield (
            *(
                result.place or None,
                result.tied if result.place else None,
                result.name,
                result.entrant,
                result.re_entry_of or None,
            ),
            *(result.stack if result.is_counted else None, result.prize, result.bounties, result.is_disqualified),
        )


def _entries(tournament: Tournament, now: datetime) -> Iterator[Cells]:
    """All entries, withdrawn ones too, with what was paid and not refunded."""
    paid: dict[int, list[int]] = {}
    for entry_id, *parts in Payment.objects.filter(tournament=tournament, refunded_at=None).values_list(
        "entry_id", *PARTS
    ):
        paid[entry_id] = [sum(both) for both in zip(paid.get(entry_id, [0] * len(PARTS)), parts, strict=True)]
    for entry in registration_queries.in_order(tournament):
        yield (
            *(
                entry.number,
                entry.name,
                entry.player.username,
                str(entry.how),
                str(entry.state),
                entry.re_entry_of,
                _iso(entry.at),
            ),
            *(entry.table, entry.seat, entry.chips, entry.rebuys, entry.add_ons, *paid.get(entry.pk, [0] * len(PARTS))),
        )


def _knock_outs(tournament: Tournament, now: datetime) -> Iterator[Cells]:
    for out in reversed(outcomes.knock_outs(tournament)):
        yield (
            *(_iso(out.at), out.entrant, out.name, out.place, out.tied, list(out.by)),
            *(out.table or None, out.level_name, out.is_disqualified),
        )


def _payouts(tournament: Tournament, now: datetime) -> Iterator[Cells]:
    for payout in payouts.receipts(tournament):
        yield (
            *(
                payout.number,
                payout.place,
                payout.entry.number,
                payout.entry.name,
                str(payout.what),
                payout.amount,
                str(payout.state),
            ),
            *(str(payout.method), _iso(payout.paid_at), payout.by.username if payout.by is not None else None),
        )


def _clock(tournament: Tournament, now: datetime) -> Iterator[Cells]:
    for entry in clock_log.clock_log(tournament, now=now):
        yield _iso(entry.at), entry.what, entry.level, entry.remaining_ms, entry.is_running


@dataclass(frozen=True)
class ExportTable:
    """What can be exported: its columns, and the cells of every row in their order."""

    cells: Callable[[Tournament, datetime], Iterator[Cells]]
    columns: tuple[str, ...]
    is_for_the_desk: bool = False

    def rows(self, tournament: Tournament, now: datetime) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, cells, strict=True)) for cells in self.cells(tournament, now)]


_PLACE = ("place", "shared_by", "name", "entry", "re_entry_of", "chips", "prize", "bounties", "disqualified")
_ENTRY = ("entry", "name", "player", "how", "state", "re_entry_of", "at", "table", "seat", "chips", "rebuys", "add_ons")
_OUT = ("at", "entry", "name", "place", "shared_by", "by", "table", "level", "disqualified")
_PAYOUT = ("receipt", "place", "entry", "name", "what", "amount", "state", "method", "paid_at", "by")
TABLES = {
    "results": ExportTable(_results, _PLACE),
    "entries": ExportTable(_entries, (*_ENTRY, *PARTS), is_for_the_desk=True),
    "knock-outs": ExportTable(_knock_outs, _OUT),
    "payouts": ExportTable(_payouts, _PAYOUT, is_for_the_desk=True),
    "clock": ExportTable(_clock, ("at", "what", "level", "remaining_ms", "running")),
}
FORMS = ("csv", "json", "pdf")
