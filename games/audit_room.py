"""Proof that every chip of a table in the room is accounted for, found by adding up again."""

from collections.abc import Callable, Iterator

from django.db.models import Sum

from cardroom.models import Account, Entry
from games.models import BoxCount, ChipCount, Seat, SeatMove, Table

_POOL = "chips:table:"
_IN, _OUT = "physical-in", "physical-out"
#: What else may move chips of such a table: a time charge, a move to another one, a count, a drop box, and what is
#: taken back of these.
_ELSE = ("time", "move", "count", "box", "reversal")


def chips_in_the_room() -> Iterator[str]:
    """What lies on each table in the room is what was brought there, less what was taken away; each of it is explained
    by a seat's move, a count or a charge; and nothing lies where nobody sits."""
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
    """Each kind of entry adds up to the rows that tell of it."""
    booked: dict[str, int] = dict.fromkeys((_IN, _OUT), 0)
    entries = Entry.objects.filter(account=account).values_list("transfer__reference", "amount")
    for reference, amount in entries.order_by("pk").iterator():
        kind = reference.partition(":")[0]
        if kind not in (*booked, *_ELSE):
            yield f"table {table.pk}: {reference} moved {amount:+,} of its chips, which nothing there explains"
        booked[kind] = booked.get(kind, 0) + amount
    moves = SeatMove.objects.filter(table=table)
    kinds = SeatMove.Kind
    told = {
        _IN: _sum(moves.filter(kind__in=[kinds.SAT, kinds.TOPPED_UP]), "amount"),
        _OUT: -_sum(moves.filter(kind__in=[kinds.LEFT, kinds.PICKED_UP]), "amount"),
        "box": -_sum(BoxCount.objects.filter(table=table), "amount"),
        "count": _sum(ChipCount.objects.filter(table=table), "counted")
        - _sum(ChipCount.objects.filter(table=table), "expected"),
        "move": _sum(moves.filter(kind=kinds.MOVED), "amount") - _sum(moves.filter(kind=kinds.MOVED_AWAY), "amount"),
    }
    for kind, chips in told.items():
        if booked.get(kind, 0) != chips:
            yield f"table {table.pk}: by the books {kind} comes to {booked.get(kind, 0):+,}, by its rows to {chips:+,}"


def _sum(rows, field: str) -> int:  # type: ignore[no-untyped-def]
    return rows.aggregate(total=Sum(field))["total"] or 0


CHECKS: dict[str, Callable[[], Iterator[str]]] = {"chips in the room": chips_in_the_room}
