"""What a second person is shown of a request of the cage, stored with the request: see `core.approval_details`."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from django.db import transaction

from cardroom.cage import allowances
from cardroom.cage.allowances import NeedsApproval
from cardroom.cage.models import Drawer
from cardroom.core import approvals
from cardroom.core.models import Approval, User
from cardroom.ledger.models import BlindCount

Result = TypeVar("Result")


def limit_passed(refusal: NeedsApproval, *, by: User, kind: str, now: datetime) -> dict[str, Any]:
    """The limit that was passed, if it is one; and what `by` did of this kind this gaming day, approved or not."""
    day_total = allowances.done_today(by, allowances.verb_of(kind), now, alone=False)
    return {"limit": refusal.values.get("most"), "day_total": day_total}


def done_or_asked(
    do: Callable[[], Result], *, kind: str, by: User, now: datetime, details: dict[str, Any], **request: Any
) -> Result | Approval:
    """Do it or, where `by` may not do so much of this kind alone, ask a second person for it: `request` is what
    `approvals.ask` takes. What is refused leaves nothing behind."""
    try:
        with transaction.atomic():
            return do()
    except NeedsApproval as refusal:
        details = details | limit_passed(refusal, by=by, kind=kind, now=now)
        return approvals.ask(by=by, now=now, details=details, **request)


def count(row: BlindCount, refusal: NeedsApproval, *, now: datetime) -> dict[str, Any]:
    """A count that differs by more than who counted may answer for alone."""
    figures = {"counted": row.counted, "expected": row.expected, "difference": row.difference, "number": row.number}
    return figures | limit_passed(refusal, by=row.by, kind="over-short", now=now)


def drawer(row: Drawer) -> dict[str, Any]:
    """A drawer by its number and name."""
    return {"id": row.pk, "name": row.name}


def person(user: User) -> dict[str, Any]:
    """Somebody by their number and name."""
    return {"id": user.pk, "name": user.username}
