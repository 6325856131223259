"""Documents: pages of a PDF with lines of text that always fit, boxes and square codes; and CSV files.

Lengths are points, from the upper left corner of the page. The two faces are embedded, so that a document looks the
same everywhere. What they have no letter for (Chinese, Hebrew, emoji) is printed as its plain letter where there is
one, and as an empty box where there is none; a document that names a person prints their number too.

CSV is UTF-8 with a byte order mark, so that spreadsheets recognise it. A cell that a spreadsheet would take for a
formula begins with an apostrophe. Times are printed with their zone.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reportlab.lib.units import mm

from cardroom.core import room_time
from cardroom.core.errors import NotFound
from cardroom.core.paper import Column, Paper

A6 = (105 * mm, 148 * mm)


PDF = "application/pdf"


CSV = "text/csv; charset=utf-8"


#: A cell that begins with one of these is taken for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}")


_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass(frozen=True)
class File:
    """`name` is safe in a header and on any disk. `content`: what makes it where that takes long, in parts where they
    are made while it is sent."""

    name: str
    content_type: str
    content: bytes | Iterator[bytes] | Callable[[], bytes]

    @property
    def body(self) -> bytes | Iterator[bytes]:
        return self.content() if callable(self.content) else self.content


def listing_pdf(
    title: str, subtitle: str, columns: Sequence[Column], rows: Sequence[Sequence[object]], *, note: str = ""
) -> bytes:
    """A PDF of one listing, under its title and subtitle."""
    paper = Paper(title)
    paper.line(title, paper.margin, 20 * mm, size=15, bold=True)
    paper.line(subtitle, paper.margin, 26 * mm, size=9, grey=True)
    y = paper.listing(columns, rows, 34 * mm, head=title, size=8)
    if note:
        paper.lines(note, paper.margin, y + 6, size=8, width=paper.inner)
    return paper.done()


def csv_or_pdf(name: str, form: str, *, csv: Callable[[], bytes], pdf: Callable[[], bytes]) -> File:
    """A file in the `form` asked for; `NotFound` for another form than these two."""
    if form not in (forms := {"csv": (CSV, csv), "pdf": (PDF, pdf)}):
        raise NotFound("no-such-form", "This file comes as CSV and as PDF.")
    content_type, body = forms[form]
    return File(f"{name}.{form}", content_type, body)


def as_csv(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> bytes:
    """The rows under the names of these columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(row[column]) for column in columns] for row in rows)
    return (_MARK + text.getvalue()).encode()


def _cell(value: Any) -> Any:
    """A value for a cell: numbers as they are, texts so that no spreadsheet takes them for a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        value = ", ".join(str(part) for part in value)
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return value


def moment(at: datetime) -> str:
    """`5 January 2030, 20:00 CET`, in the room's zone and the current language."""
    return room_time.format_moment(at)
