"""Checks that time charges and results agree with the ledger, that every clock of time has its alarm, and that jackpots
pay what was dropped for them, once."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from django.db.models import F, Sum
from django.db.models.functions import Least

from cardroom.core import audit as core_audit
from cardroom.core.models import Alarm, Approval
from cardroom.ledger.models import Account, Entry
from games.rake import time_clocks
from games.rake.models.drops import BoxCount, HandDrop, Jackpot, JackpotHit, backup_label, pool_label
from games.rake.models.times import TimeCharge, TimeClock
from games.tables.models.times import HandResult

_CHUNK = 500


def time_is_paid() -> Iterator[str]:
    """Paid amounts of charges equal their transfers; a waived charge was given back in full."""
    booked: dict[int, int] = {}
    houses = Entry.objects.filter(account__kind="house", account__unit="cash")
    for prefix in ("time:", "reversal:time:"):
        entries = houses.filter(transfer__reference__startswith=prefix).values_list("transfer__reference", "amount")
        for reference, amount in entries.iterator(_CHUNK):
            charge = int(reference.removeprefix(prefix).partition(":")[0])
            booked[charge] = booked.get(charge, 0) + amount
    for charge in TimeCharge.objects.order_by("pk").iterator(_CHUNK):
        if charge.paid != booked.pop(charge.pk, 0):
            yield f"time {charge.pk} says that {charge.paid:,} was paid, and its transfers brought another sum"
    for charge in sorted(booked):
        yield f"the ledger has time {charge}, and there is no such charge"


def income_was_charged() -> Iterator[str]:
    """The income of tables in the ledger is the sum of their charges, hands and drop boxes: no chip is income twice,
    and none without a row of where it came from."""
    charged = TimeCharge.objects.values_list("table").annotate(chips=Sum(Least("paid", F("amount") - F("promo"))))
    raked: dict[int, int] = defaultdict(int)
    boxed = F("amount") - F("time") - F("promo") - F("jackpot") - F("over")
    for rows, chips in ((HandDrop.objects, F("rake")), (BoxCount.objects, boxed)):
        for table, of_table in rows.order_by().values_list("table").annotate(chips=Sum(chips)):
            raked[table] += int(of_table)
    income = {"time": {table: int(chips) for table, chips in charged.order_by()}, "rake": raked}
    sources = {"time": "its charges come", "rake": "its hands and boxes come"}
    for part, by_table in income.items():
        houses = Account.objects.filter(kind="house", unit="cash", label__startswith=f"{part}:table:")
        balances = {int(label.rpartition(":")[2]): chips for label, chips in houses.values_list("label", "balance")}
        for table in sorted({*balances, *by_table}):
            by_rows, booked = by_table.get(table, 0), balances.get(table, 0)
            if by_rows != booked:
                yield f"table {table} has {booked:,} of {part} in the ledger, and {sources[part]} to {by_rows:,}"


def clocks_will_ring() -> Iterator[str]:
    """Every running time collection has its alarm, set to the end of its period."""
    alarms = {alarm.key: alarm for alarm in Alarm.objects.filter(kind=time_clocks.ALARM)}
    for clock in TimeClock.objects.order_by("pk"):
        alarm = alarms.get(str(clock.pk))
        if alarm is None or (alarm.due_at, alarm.fence) != (clock.due_at, clock.fence):
            yield f"time at table {clock.pk} is due at {clock.due_at:%H:%M}, and its alarm is not set to that"


def results_are_the_ledgers() -> Iterator[str]:
    """Results of each hand equal the changes of the stacks; the players' parts of the drop are not above the drop."""
    for row in HandResult.objects.select_related("hand").order_by("pk").iterator(_CHUNK):
        account = row.hand.seats[str(row.seat)]["account"]
        entry = Entry.objects.filter(transfer__reference=f"hand:{row.hand_id}", account=account).first()
        if row.net != (entry.amount if entry else 0):
            yield f"hand {row.hand_id} brought seat {row.seat} {row.net:+,}, and its transfer moved another sum"
    drop = F("hand__drop__rake") + F("hand__drop__promo") + F("hand__drop__jackpot")
    hands = HandResult.objects.values("hand").annotate(parts=Sum("taken")).filter(parts__gt=drop)
    for hand_id in hands.order_by("hand").values_list("hand", flat=True):
        yield f"of the drop of hand {hand_id} more was shared out than it was"


#: The kinds of transfers that may move the chips of a jackpot.
_MOVES = ("hand", "box", "jackpot-seed", "jackpot-hit", "jackpot-growth", "jackpot-add", "jackpot-close", "reversal")


def jackpots_add_up() -> Iterator[str]:
    """The two accounts of a jackpot got what its hands and boxes dropped, only transfers of allowed kinds moved chips
    there, and the claims of hits under review are covered."""
    for jackpot in Jackpot.objects.order_by("pk"):
        accounts = Account.objects.filter(kind="pool", label__in=[pool_label(jackpot.pk), backup_label(jackpot.pk)])
        by_kind: dict[str, int] = {}
        entries = Entry.objects.filter(account__in=accounts).values_list("transfer__reference", "amount")
        for reference, amount in entries.iterator(2_000):
            kind = reference.partition(":")[0]
            by_kind[kind] = by_kind.get(kind, 0) + amount
        for kind in sorted(set(by_kind) - set(_MOVES)):
            yield f"{jackpot} had {by_kind[kind]:,} chips moved by a {kind}, which moves nothing there"
        dropped = HandDrop.objects.filter(fund=jackpot).aggregate(chips=Sum("jackpot"))["chips"] or 0
        if by_kind.get("hand", 0) != dropped:
            yield f"{jackpot} had {by_kind.get('hand', 0):,} chips of hands; their rows say {dropped:,}"
        boxed = BoxCount.objects.filter(fund=jackpot).aggregate(chips=Sum("jackpot"))["chips"] or 0
        if by_kind.get("box", 0) != boxed:
            yield f"{jackpot} had {by_kind.get('box', 0):,} chips of drop boxes; their rows say {boxed:,}"
        claims = jackpot.hits.filter(state=JackpotHit.State.WAITING).aggregate(chips=Sum("amount"))["chips"] or 0
        held = sum(account.balance for account in accounts if account.label == pool_label(jackpot.pk))
        if held < claims:
            yield f"{jackpot} holds {held:,}, and hits have a claim to {claims:,}"


def hits_are_paid_once() -> Iterator[str]:
    """A paid hit moved its amount, its shares add up to that, and a second person approved it; a hit that is not paid
    moved nothing."""
    hits = JackpotHit.objects.select_related("approval").prefetch_related("shares").order_by("pk")
    for hit in hits.iterator(500):
        name, is_paid = f"hit {hit.pk} of jackpot {hit.jackpot_id}", hit.state == JackpotHit.State.PAID
        shared = sum(share.chips for share in hit.shares.all())
        if shared != hit.amount:
            yield f"{name} is of {hit.amount:,} chips and shares out {shared:,}"
        label = pool_label(hit.jackpot_id)
        paid = Entry.objects.filter(transfer__reference=f"jackpot-hit:{hit.pk}", account__label=label)
        moved = -(paid.aggregate(chips=Sum("amount"))["chips"] or 0)
        if moved != (hit.amount if is_paid else 0):
            yield f"{name} is {hit.get_state_display()}, and {moved:,} chips were paid of it"
        if is_paid and (hit.approval is None or hit.approval.verdict != Approval.Verdict.APPROVED):
            yield f"{name} is paid, and nobody approved it"


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "time is paid": time_is_paid,
    "income was charged": income_was_charged,
    "clocks of time will ring": clocks_will_ring,
    "results are the ledger's": results_are_the_ledgers,
    "jackpots add up": jackpots_add_up,
    "jackpot hits are paid once": hits_are_paid_once,
}
core_audit.register_all(CHECKS)
