"""The money of an event: from whoever pays into its pool, its bounties, the house's fees and the staff's share, and
back. Each payment is one transfer; a refund reverses it. Chips of the event itself are not moved here.

Call with the event locked. Cash taken or given at the desk is the house's account `cash desk`, which owes as much as
has been taken in.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Sum
from django.utils.translation import gettext

from cardroom.accounts.people import PLAY_MONEY
from cardroom.core.errors import Conflict
from cardroom.core.models import User
from cardroom.ledger import ledger
from cardroom.ledger.models import Account, Entry, Transfer
from tournaments.engine.config import Paid
from tournaments.events.models import Payment, Tournament, TournamentEntry

CASH_DESK = "cash desk"
FEES = "fees"
STAFF = "staff"
GUARANTEES = "guarantees"
PROMOTIONS = "promotions"
_AT_ONCE = 500  # rows of one statement
#: How the references of transfers begin that move money in or out of a pool beside payments and prizes.
OVERLAY = "overlay:"
FLIGHT = "flight:"


def prizes(tournament: Tournament) -> Account:
    """The account of the prize pool."""
    return ledger.open_account(kind=Account.Kind.POOL, label=f"{tournament.unit}:prizes")


def bounties(tournament: Tournament) -> Account:
    """The account of the bounties."""
    return ledger.open_account(kind=Account.Kind.POOL, label=f"{tournament.unit}:bounties")


def house(label: str) -> Account:
    """An account of the house: `CASH_DESK`, `FEES`, `STAFF`, `GUARANTEES` (where an overlay comes from), or
    `PROMOTIONS` (entries that the house gives)."""
    return ledger.open_account(kind=Account.Kind.HOUSE, label=label)


def purse(player: User, method: str) -> Account:
    """The account that a player's payment comes from and a refund goes to."""
    if method == Payment.Method.DESK:
        return house(CASH_DESK)
    if player.is_bot:
        return house(PLAY_MONEY)
    if method == Payment.Method.HOUSE:
        return house(PROMOTIONS)
    return ledger.wallet(player)


def check_funds(sources: Sequence[ledger.Leg]) -> None:
    """`NotEnoughChips` where a payment out of these accounts, as they were just read, would fail: before the event has
    taken note of it. Takes no lock, for accounts are locked in the order of their ids; the ledger has the last word.
    """
    for account, amount in sources:
        if isinstance(account, int) or account.kind == Account.Kind.HOUSE or account.balance + amount >= 0:
            continue
        raise ledger.not_enough(account, -amount)


def legs(tournament: Tournament, paid: Paid) -> list[ledger.Leg]:
    """Where the parts of a price go. One query, once their accounts are there."""
    parts = [
        (Account.Kind.POOL, f"{tournament.unit}:prizes", paid.pool),
        (Account.Kind.POOL, f"{tournament.unit}:bounties", paid.bounty),
        (Account.Kind.HOUSE, FEES, paid.fee),
        (Account.Kind.HOUSE, STAFF, paid.staff),
    ]
    labels = [label for _, label, amount in parts if amount]
    rows = Account.objects.filter(kind__in=[Account.Kind.POOL, Account.Kind.HOUSE], label__in=labels, unit="cash")
    known = {(account.kind, account.label): account for account in rows}
    return [
        (known.get((kind, label)) or ledger.open_account(kind=kind, label=label), amount)
        for kind, label, amount in parts
        if amount
    ]


def take(
    tournament: Tournament,
    entry: TournamentEntry,
    *,
    what: str,
    paid: Paid,
    sources: Sequence[ledger.Leg],
    method: str,
    chips: int,
    reference: str,
    now: datetime,
    by: User | None,
) -> Payment:
    """Have `paid` paid and write the receipt. `sources`: the legs that it comes from. Raises `NotEnoughChips`."""
    transfer = None
    if paid.total:
        transfer = ledger.post(
            reference=reference,
            reason=f"{what.replace('_', '-')}, {tournament.name}",
            legs=[*sources, *legs(tournament, paid)],
            at=now,
            by=by,
        )
    return Payment.objects.create(
        tournament=tournament,
        entry=entry,
        number=_next_number(tournament),
        what=what,
        method=method if paid.total else Payment.Method.FREE,
        pool=paid.pool,
        fee=paid.fee,
        bounty=paid.bounty,
        staff=paid.staff,
        chips=chips,
        transfer=transfer,
        at=now,
        by=by,
        seq=tournament.seq,
    )


def covered(tournament: Tournament) -> int:
    """What the house has put into the prizes to reach the guarantee."""
    return _covered(tournament)["total"] or 0


def _covered(tournament: Tournament) -> dict[str, Any]:
    given = Entry.objects.filter(
        account__label=f"{tournament.unit}:prizes", transfer__reference__startswith=f"{OVERLAY}{tournament.pk}:"
    )
    return given.aggregate(total=Sum("amount"), times=Count("pk"))


def cover(tournament: Tournament, amount: int, *, now: datetime, by: User | None) -> Transfer | None:
    """The overlay: have the house put `amount` in all into the prizes, which is what is wanting to the guarantee. Said
    again it moves the difference to what it has put in so far, either way; None where that is nothing.
    """
    before = _covered(tournament)
    wanting = amount - (before["total"] or 0)
    if not wanting:
        return None
    return ledger.post(
        reference=f"{OVERLAY}{tournament.pk}:{before['times'] + 1}",
        reason=f"guarantee, {tournament.name}",
        legs=[(house(GUARANTEES), -wanting), (prizes(tournament), wanting)],
        at=now,
        by=by,
    )


def give_back(
    payments: Sequence[Payment], *, also: Collection[Account] = (), reason: str, now: datetime, by: User | None
) -> None:
    """Refund payments, each once, to where they came from; a few statements, however many they are. The accounts that
    the money lies in must still have it. `also`: accounts that the caller moves chips of next, locked with the others
    in the one order that all keep.
    """
    done = next((payment for payment in payments if payment.refunded_at is not None), None)
    if done is not None:
        raise Conflict(
            gettext("Receipt {number} has been refunded already.").format(number=done.number), "refunded-already"
        )
    moved = {payment.transfer_id: payment for payment in payments if payment.transfer_id}
    transfers = list(Transfer.objects.filter(pk__in=moved).prefetch_related("entries"))
    touched = {entry.account_id for transfer in transfers for entry in transfer.entries.all()}
    touched |= {account.pk for account in also}
    list(Account.objects.filter(pk__in=touched).select_for_update(no_key=True).order_by("pk").values_list("pk"))
    backwards = [ledger.reversal(transfer, reason=reason[:200]) for transfer in transfers]
    for transfer, back in zip(transfers, ledger.post_many(backwards, at=now, by=by), strict=True):
        moved[transfer.pk].refund = back
    for payment in payments:
        payment.refunded_at, payment.refunded_by, payment.refund_reason = now, by, reason[:200]
    rows = Payment.objects.filter(pk__in=[payment.pk for payment in payments])
    rows.update(refunded_at=now, refunded_by=by, refund_reason=reason[:200])
    Payment.objects.bulk_update(moved.values(), ["refund"], batch_size=_AT_ONCE)


def _next_number(tournament: Tournament) -> int:
    last = Payment.objects.filter(tournament=tournament).order_by("-number").values_list("number", flat=True).first()
    return (last or 0) + 1
