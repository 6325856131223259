"""The time in a drop box: charged from chips of the table since its last box count, and booked then already."""

from collections.abc import Iterable

from django.db.models import Q

from cardroom.ledger.models import Entry, Transfer
from games.rake.models.drops import BoxCount
from games.tables.models.tables import Table

_PAID, _GIVEN_BACK = "time:", "reversal:time:"
_OF_TIME = Q(transfer__reference__startswith=_PAID) | Q(transfer__reference__startswith=_GIVEN_BACK)


def time_in_box(table: Table) -> int:
    """The chips of time in the box of this table. Three queries; call with the table locked."""
    before = BoxCount.objects.filter(table=table).order_by("-pk").first()
    emptied = Transfer.objects.filter(reference=f"box:{before.pk}").values_list("pk", flat=True) if before else [0]
    entries = Entry.objects.filter(account__kind="pool", account__label=f"chips:table:{table.pk}")
    since = entries.filter(_OF_TIME, transfer__gt=emptied[0])
    return time_of(since.order_by("pk").values_list("transfer__reference", "amount"))


def time_of(entries: Iterable[tuple[str, int]]) -> int:
    """The chips of time in a box, from the entries of its table's pool (reference of the transfer, chips) since the
    last box. What was given back of a charge comes out of the box that holds it; out of a box that was emptied it does
    not count. Other entries are ignored.

    >>> time_of([("time:1", -10), ("time:2", -10), ("reversal:time:2", 10), ("reversal:time:0", 8), ("move:5", -70)])
    10
    """
    chips_by_charge: dict[str, int] = {}
    for reference, amount in entries:
        for kind in (_PAID, _GIVEN_BACK):
            if reference.startswith(kind):
                charge = reference.removeprefix(kind).partition(":")[0]
                chips_by_charge[charge] = chips_by_charge.get(charge, 0) - amount
    return sum(max(0, chips) for chips in chips_by_charge.values())
