"""Checks that every chip at a table in the room is accounted for."""

from bisect import bisect_left
from collections.abc import Callable, Iterator

from django.db.models import Sum

from cardroom.core import audit as core_audit
from cardroom.ledger.models import Account, Entry, Transfer
from games.rake import box_time
from games.rake.models.drops import BoxCount
from games.tables.models.offers import ChipCount
from games.tables.models.tables import Seat, SeatMove, Table

_POOL = "chips:table:"
_IN, _OUT = "physical-in", "physical-out"
#: The other kinds of transfers that may move chips of such a table: a time charge, a move to another table, a count, a
#: drop box, and reversals of these.
_OTHER_KINDS = ("time", "move", "count", "box", "reversal")


def chips_in_the_room() -> Iterator[str]:
    """The chips of each table in the room are those brought there, less those taken away; each transfer is explained by
    a seat's move, a count or a charge; and a table where nobody sits has no chips."""
    pools = {account.label: account for account in Account.objects.filter(kind="pool", label__startswith=_POOL)}
    tables = {f"{_POOL}{table.pk}": table for table in Table.objects.filter(is_physical=True)}
    sitting = set(Seat.objects.filter(table__is_physical=True).values_list("table", flat=True))
    for label, account in sorted(pools.items()):
        table = tables.get(label)
        if table is None:
            yield f"{label} holds {account.balance:,} chips of a table that is not in the room"
            continue
        yield from _pool_faults(table, account)
        if account.balance and table.pk not in sitting:
            yield (
                f"table {table.pk}, {table.name}, has {account.balance:,} chips by the books and nobody sits there: "
                "count what is left"
            )
    online = Seat.objects.filter(table__is_physical=True).exclude(account__balance=0).select_related("account")
    for seat in online.order_by("pk"):
        yield f"{seat} is in the room, and {seat.account.balance:,} chips lie on its account"


def _pool_faults(table: Table, account: Account) -> Iterator[str]:
    """The faults of a table's pool: each kind of ledger entry has to add up to the rows that explain it."""
    booked: dict[str, int] = dict.fromkeys((_IN, _OUT), 0)
    entries = Entry.objects.filter(account=account).values_list("transfer__reference", "amount")
    for reference, amount in entries.order_by("pk").iterator():
        kind = reference.partition(":")[0]
        if kind not in (*booked, *_OTHER_KINDS):
            yield f"table {table.pk}: {reference} moved {amount:+,} of its chips, which nothing there explains"
        booked[kind] = booked.get(kind, 0) + amount
    moves = SeatMove.objects.filter(table=table)
    kinds = SeatMove.Kind
    by_rows = {
        _IN: _sum(moves.filter(kind__in=[kinds.SAT, kinds.TOPPED_UP]), "amount"),
        _OUT: -_sum(moves.filter(kind__in=[kinds.LEFT, kinds.PICKED_UP]), "amount"),
        "box": _sum(BoxCount.objects.filter(table=table), "time")
        - _sum(BoxCount.objects.filter(table=table), "amount"),
        "count": _sum(ChipCount.objects.filter(table=table), "counted")
        - _sum(ChipCount.objects.filter(table=table), "expected"),
        "move": _sum(moves.filter(kind=kinds.MOVED), "amount") - _sum(moves.filter(kind=kinds.MOVED_AWAY), "amount"),
    }
    for kind, chips in by_rows.items():
        if booked.get(kind, 0) != chips:
            yield f"table {table.pk}: by the books {kind} comes to {booked.get(kind, 0):+,}, by its rows to {chips:+,}"


def time_in_boxes() -> Iterator[str]:
    """The time chips in each drop box were counted as time: they were booked when charged, and are no income again."""
    for table in Table.objects.filter(box_counts__isnull=False).distinct().order_by("pk"):
        boxes = list(table.box_counts.order_by("pk"))
        transfers = Transfer.objects.filter(reference__in=[f"box:{box.pk}" for box in boxes])
        marks = sorted(transfers.values_list("pk", flat=True))
        if len(marks) < len(boxes):
            yield f"table {table.pk} had {len(boxes)} boxes emptied, and {len(marks)} of them have a transfer"
            continue
        entries_by_box: list[list[tuple[str, int]]] = [[] for _ in boxes]
        entries = Entry.objects.filter(account__kind="pool", account__label=f"{_POOL}{table.pk}")
        entries = entries.filter(transfer__lt=marks[-1]).order_by("pk")
        for transfer, reference, amount in entries.values_list("transfer", "transfer__reference", "amount"):
            entries_by_box[bisect_left(marks, transfer)].append((reference, amount))
        for box, entries_before in zip(boxes, entries_by_box, strict=True):
            if box.time != (time := box_time.time_of(entries_before)):
                yield (
                    f"box {box.pk} of table {table.pk} held {time:,} of time that was booked when it was charged, and "
                    f"of what it held {box.time:,} were taken as such: {time - box.time:,} are income twice"
                )


def _sum(rows, field: str) -> int:  # type: ignore[no-untyped-def]
    return rows.aggregate(total=Sum(field))["total"] or 0


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "chips in the room": chips_in_the_room,
    "time in drop boxes": time_in_boxes,
}
core_audit.register_all(CHECKS)
