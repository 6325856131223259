"""Files to be taken along, and how a table of rows becomes CSV.

CSV is UTF-8 with the mark by which spreadsheets know it, and no cell of it is a formula: what would begin one has an
apostrophe before it.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

PDF = "application/pdf"
CSV = "text/csv; charset=utf-8"

#: A cell that begins with one of these is taken for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}")
_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass(frozen=True)
class File:
    """`name` is safe in a header and on any disk."""

    name: str
    content_type: str
    body: bytes


def as_csv(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> bytes:
    """The rows under the names of these columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(row[column]) for column in columns] for row in rows)
    return (_MARK + text.getvalue()).encode()


def _cell(value: Any) -> Any:
    """A number as it is; a text as no formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        value = ", ".join(str(each) for each in value)
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return value
