"""The error log as the room keeps it: its newest lines, for managers and auditors.

What is written comes from the process's log (`fault_log`), which has masked cards already; secrets are masked here, so
that nothing reaches the table in any other way.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from cardroom.core.models import Fault
from cardroom.core.process.logs import mask

READERS = ("manager", "auditor")
#: The most lines that are kept; older ones are deleted.
KEPT = 1_000
_LONGEST_TRACE = 8_000
_LONGEST_VALUE = 300
_MOST_DETAILS = 20

_WORDS = "password|passwd|passphrase|secret|token|authorization|cookie|api[_-]?key|sessionid|session_key|csrf[a-z]*"
_NAMED = re.compile(
    rf"(?i)\b([\w-]*(?:{_WORDS})[\w-]*)(['\"]?\s*[:=]\s*)(?:(?:bearer|basic|token)\s+)?('[^']*'|\"[^\"]*\"|\S+)"
)
_BEARER = re.compile(r"(?i)\b(bearer|basic|token) +[A-Za-z0-9._~+/=-]{12,}")
_IN_ADDRESS = re.compile(r"(://[^\s:/@]*):[^\s@/]+@")
#: PostgreSQL tells a whole row, with whatever is in it.
_ROW = re.compile(r"Failing row contains \(.*\)", re.DOTALL)
_SECRET_KEY = re.compile(rf"(?i)(?:{_WORDS})")


@dataclass(frozen=True)
class LoggedFault:
    """One fault. `sort`: equal for faults of the same kind; without one the fault is counted by itself."""

    at: datetime
    level: str
    logger: str
    message: str
    trace: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    sort: str = ""


@transaction.atomic
def keep(lines: Collection[LoggedFault]) -> None:
    """Store these faults, and delete the oldest beyond the limit. Faults of one sort share one row, the newest, with
    their number: a fault that somebody can cause again and again does not push the others out."""
    sorts = Counter(line.sort for line in lines if line.sort)
    first: dict[str, datetime] = {}
    for row in Fault.objects.select_for_update().filter(sort__in=sorts).order_by("pk"):
        sorts[row.sort] += row.times
        first[row.sort] = min(first.get(row.sort, row.first_at), row.first_at)
        row.delete()
    newest_of = {line.sort or str(number): line for number, line in enumerate(lines)}
    for line in lines:
        first.setdefault(line.sort, line.at)
    Fault.objects.bulk_create(
        Fault(
            at=line.at,
            first_at=first[line.sort] if line.sort else line.at,
            times=sorts[line.sort] if line.sort else 1,
            sort=line.sort,
            level=line.level[:10],
            logger=line.logger[:80],
            message=_clean(line.message)[:500],
            trace=_clean(line.trace)[-_LONGEST_TRACE:],
            details=_details(line.details),
        )
        for line in newest_of.values()
    )
    oldest = Fault.objects.order_by("-pk").values_list("pk", flat=True)[KEPT - 1 : KEPT].first()
    if oldest is not None:
        Fault.objects.filter(pk__lt=oldest).delete()


def newest(*, words: str = "", before: int | None = None) -> QuerySet[Fault]:
    """The log, newest first; with `words` only lines that have them in their message or source."""
    rows = Fault.objects.order_by("-pk")
    if words:
        rows = rows.filter(Q(message__icontains=words) | Q(logger__icontains=words))
    return rows.filter(pk__lt=before) if before is not None else rows


def _details(values: Mapping[str, Any]) -> dict[str, str]:
    """The values as short texts, by their names."""
    details = {}
    for name, value in list(values.items())[:_MOST_DETAILS]:
        is_secret = _SECRET_KEY.search(str(name)) is not None
        details[str(name)[:60]] = "[hidden]" if is_secret else _clean(str(mask(value)))[:_LONGEST_VALUE]
    return details


def _clean(text: str) -> str:
    """The text with cards, secrets and characters masked that a database cannot store."""
    text = str(mask(text)).replace("\0", "")
    text = _ROW.sub("Failing row contains ([hidden])", text)
    text = _IN_ADDRESS.sub(r"\1:[hidden]@", text)
    text = _NAMED.sub(r"\1\2[hidden]", text)
    return _BEARER.sub(r"\1 [hidden]", text)
