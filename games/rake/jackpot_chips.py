"""The accounts of jackpots, and the seed of the house."""

from datetime import datetime

from django.db.models import Sum

from cardroom.cage import allowances
from cardroom.core import audit_log
from cardroom.core.models import Approval, User
from cardroom.ledger import ledger
from cardroom.ledger.models import Account
from cardroom.ledger.passages import Passage
from games.rake import reasons
from games.rake.models.drops import Jackpot, JackpotHit, backup_label, pool_label

PROMOTIONS = "promotions"


def pool(jackpot_id: int) -> Account:
    """The account of the jackpot."""
    return ledger.open_account(kind=Account.Kind.POOL, label=pool_label(jackpot_id))


def backup(jackpot_id: int) -> Account:
    """The account of the chips it starts again with."""
    return ledger.open_account(kind=Account.Kind.POOL, label=backup_label(jackpot_id))


def promotions() -> Account:
    """The account from which the house takes seeds and growth."""
    return ledger.open_account(kind=Account.Kind.HOUSE, label=PROMOTIONS)


def lock_balances(*accounts: Account) -> list[int]:
    """Lock these accounts in the order of their ids. Returns their balances in the order given."""
    rows = (
        Account.objects.select_for_update(no_key=True)
        .filter(pk__in=[account.pk for account in accounts])
        .order_by("pk")
    )
    balances = {row.pk: row.balance for row in rows}
    return [balances[account.pk] for account in accounts]


def chips_claimed(jackpot: Jackpot) -> int:
    """The chips that hits under review would get."""
    waiting = jackpot.hits.filter(state=JackpotHit.State.WAITING)
    return waiting.aggregate(chips=Sum("amount"))["chips"] or 0


def let_out(verb: str, jackpot: Jackpot, chips: int, *, approval: Approval, by: User, now: datetime) -> Passage:
    """Permission for the house to give chips that a second person approved, with its note in the audit log."""
    leave = allowances.check(by=by, kind="promotion", amount=chips, now=now, approval=approval)
    entry = audit_log.note(
        verb=verb, subject=f"jackpot:{jackpot.pk}", by=by, now=now, reason=approval.reason, **leave.details
    )
    return leave.noted(entry)


def seed(jackpot: Jackpot, *, now: datetime, by: User, approval: Approval) -> None:
    """Start the jackpot, or start it again, as was approved: the whole backup, and from the house what is missing to
    the seed. Call with it locked; the caller saves it."""
    main, spare, house = pool(jackpot.pk), backup(jackpot.pk), promotions()
    in_main, in_spare = lock_balances(main, spare)
    missing = max(0, jackpot.seed - (in_main - chips_claimed(jackpot)) - in_spare)
    jackpot.seeds += 1
    ledger.post(
        reference=f"jackpot-seed:{jackpot.pk}:{jackpot.seeds}",
        reason=reasons.STARTS(name=jackpot.name),
        legs=[(spare, -in_spare), (house, -missing), (main, in_spare + missing)],
        at=now,
        by=by,
        passage=let_out("jackpots.seed", jackpot, missing, approval=approval, by=by, now=now) if missing else None,
    )
