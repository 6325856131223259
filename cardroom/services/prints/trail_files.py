"""The trail to be taken along: as CSV for a spreadsheet, as PDF for a folder."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from cardroom.models import StaffAction
from cardroom.services import room_time
from cardroom.services.errors import NotFound
from cardroom.services.prints.files import CSV, PDF, File, as_csv
from cardroom.services.prints.paper import A4, Column, Paper, mm

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
    raise NotFound("The trail comes as CSV and as PDF.", "no-such-form")


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
    paper = Paper("Trail", A4)
    paper.line("Trail", paper.margin, 20 * mm, size=15, bold=True)
    said = f"{len(acts):,} acts, the newest first, made {room_time.said(now)}"
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
    paper.listing(columns, rows, 34 * mm, head="Trail", size=8)
    return paper.done()


def _in_words(details: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in details if value not in (None, "", [], {}))
