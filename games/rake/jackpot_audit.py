"""Proof that jackpots pay what was dropped for them, and pay it once."""

from collections.abc import Callable, Iterator

from django.db.models import Sum

from cardroom.core import audit as core_audit
from cardroom.core.models import Approval
from cardroom.ledger.models import Account, Entry
from games.rake.models import BoxCount, HandDrop, Jackpot, JackpotHit, backup_label, pool_label

#: What else moves the chips of a jackpot.
_MOVES = ("hand", "box", "jackpot-seed", "jackpot-hit", "jackpot-growth", "jackpot-add", "jackpot-close", "reversal")


def jackpots_add_up() -> Iterator[str]:
    """What hands dropped for a jackpot lies in its two accounts, less what hits were paid; nothing else moved chips
    there but what may; what hits not yet decided have a claim to is there."""
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
    """A hit that is paid moved its amount, its shares are that amount, and a second person approved it; one that is not
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
    "jackpots add up": jackpots_add_up,
    "jackpot hits are paid once": hits_are_paid_once,
}
core_audit.register_all(CHECKS)
