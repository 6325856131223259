"""What a second person is shown of a request of the cage, stored with the request: see `core.approval_details`."""

from datetime import datetime
from typing import Any

from django.db.models import F, Sum
from django.db.models.functions import Abs

from cardroom.cage import allowances
from cardroom.cage.allowances import NeedsApproval
from cardroom.cage.models import Drawer, Slip
from cardroom.core.models import User
from cardroom.ledger.models import BlindCount, Entry


def limit_passed(refusal: NeedsApproval, *, by: User, kind: str, now: datetime) -> dict[str, Any]:
    """The limit that was passed, if it is one; and what `by` did of this kind this gaming day, approved or not."""
    return {"limit": refusal.details.get("most"), "day_total": day_total(by, kind, now=now)}


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
