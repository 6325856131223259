"""What of a drop box in the room the books know already: the time that was charged of chips on its table since the box
before. The chips left the table's pool when they were charged, so emptying the box moves them no more."""

from collections.abc import Iterable

from django.db.models import Q

from cardroom.models import Entry, Transfer
from games.models import BoxCount, Table

_PAID, _GIVEN_BACK = "time:", "reversal:time:"
_OF_TIME = Q(transfer__reference__startswith=_PAID) | Q(transfer__reference__startswith=_GIVEN_BACK)


def time_in_box(table: Table) -> int:
    """Chips of time that lie in the box of this table. Three queries; call with the table locked."""
    before = BoxCount.objects.filter(table=table).order_by("-pk").first()
    emptied = Transfer.objects.filter(reference=f"box:{before.pk}").values_list("pk", flat=True) if before else [0]
    entries = Entry.objects.filter(account__kind="pool", account__label=f"chips:table:{table.pk}")
    since = entries.filter(_OF_TIME, transfer__gt=emptied[0])
    return time_of(since.order_by("pk").values_list("transfer__reference", "amount"))


def time_of(entries: Iterable[tuple[str, int]]) -> int:
    """The chips of time in a box, by the entries of its table's pool (reference of the transfer, chips) since the box
    before. What was given back of a charge comes out of the box it lies in: of a box that was emptied it is brought
    from elsewhere. Other entries are passed over.

    >>> time_of([("time:1", -10), ("time:2", -10), ("reversal:time:2", 10), ("reversal:time:0", 8), ("move:5", -70)])
    10
    """
    lies: dict[str, int] = {}
    for reference, amount in entries:
        for kind in (_PAID, _GIVEN_BACK):
            if reference.startswith(kind):
                charge = reference.removeprefix(kind).partition(":")[0]
                lies[charge] = lies.get(charge, 0) - amount
    return sum(max(0, chips) for chips in lies.values())
