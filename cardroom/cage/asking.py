"""What a second person is shown of a request of the cage, stored with the request: see `core.approval_details`."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F, Sum
from django.db.models.functions import Abs

from cardroom.cage import allowances
from cardroom.cage.allowances import NeedsApproval
from cardroom.cage.models import Drawer, Slip
from cardroom.core import approvals
from cardroom.core.models import Approval, User
from cardroom.ledger import passages
from cardroom.ledger.models import BlindCount, Entry

Made = TypeVar("Made")


def limit_passed(refusal: NeedsApproval, *, by: User, kind: str, now: datetime) -> dict[str, Any]:
    """The limit that was passed, if it is one; and what `by` did of this kind this gaming day, approved or not."""
    return {"limit": refusal.details.get("most"), "day_total": day_total(by, kind, now=now)}


def done_or_asked(
    do: Callable[[], Made], *, kind: str, by: User, now: datetime, details: dict[str, Any], **request: Any
) -> Made | Approval:
    """Do it or, where `by` may not do so much of this kind alone, ask a second person for it: `request` is what
    `approvals.ask` takes. What is refused leaves nothing behind."""
    try:
        with transaction.atomic():
            return do()
    except NeedsApproval as refusal:
        details = details | limit_passed(refusal, by=by, kind=kind, now=now)
        return approvals.ask(by=by, now=now, details=details, **request)


def day_total(by: User, kind: str, *, now: datetime) -> int:
    """What `by` did of this kind in this gaming day, alone and with a second person."""
    since, verb = allowances.since(now), allowances.verb_of(kind)
    if verb == "over-short":
        rows = BlindCount.objects.filter(by=by, at__gte=since, posted=True)
        return int(rows.aggregate(done=Sum(Abs(F("counted") - F("expected"))))["done"] or 0)
    if verb == "adjustment":
        entries = Entry.objects.filter(account__kind="house", account__label=allowances.ADJUSTMENTS)
        entries = entries.filter(transfer__by=by, transfer__at__gte=since)
        return int(entries.aggregate(done=Sum(Abs("amount")))["done"] or 0)
    if verb in allowances.BY_THE_LOG:
        return passages.used(verb, by=by, since=since, alone=False)
    kinds = [each for each in Slip.Kind.values if allowances.verb_of(each) == verb]
    slips = Slip.objects.filter(by=by, kind__in=kinds, at__gte=since)
    return int(slips.aggregate(done=Sum(Abs("amount")))["done"] or 0)


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
