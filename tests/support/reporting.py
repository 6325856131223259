"""What reports are held against: sums made another way."""

from collections import defaultdict
from datetime import timedelta
from typing import Any

from games.reports import facts, takings
from tests.support.evening import Evening
from tests.support.models import Account, DropSchedule, Table

DAY = timedelta(days=1)
_RAKE = {"name": "Rake", "kind": "rake", "rake_permille": 100, "caps": [[2, 4]], "promo": 1}


def by_hand(entries: Any) -> dict[str, int]:
    """What these entries brought to the accounts of tables, by part: added up one by one."""
    sums: dict[str, int] = defaultdict(int)
    for entry in entries.select_related("account"):
        part = entry.account.label.partition(":table:")[0]
        if entry.account.kind == Account.Kind.HOUSE and part in ("rake", "time", "promo"):
            sums[part] += entry.amount
    return dict(sums)


def totals(sums: facts.Income) -> dict[str, int]:
    return {part: getattr(sums, part) for part in ("rake", "time", "promo") if getattr(sums, part)}


def set_drop(evening: Evening) -> None:
    schedule = DropSchedule.objects.create(made_at=evening.now, **_RAKE)
    Table.objects.filter(pk=evening.pk).update(drop=schedule)


def report(evening: Evening, by: str, **span: Any) -> takings.IncomeReport:
    limits = {"since": evening.now - 3 * DAY, "until": evening.now + DAY, **span}
    return takings.report(by=by, now=evening.now + DAY, **limits)
