"""The money of an event: from whoever pays into its pool, its bounties, the house's fees and the staff's share, and
back. Each payment is one transfer; a refund reverses it. Chips of the event itself are not moved here.

Call with the event locked. Cash taken or given at the desk is the house's account `cash desk`, which owes as much as
has been taken in.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Count, Sum

from cardroom.models import Account, Entry, Transfer, User
from cardroom.services import ledger
from cardroom.services.errors import Conflict, NotEnoughChips
from cardroom.services.people import PLAY_MONEY
from tournaments.engine.config import Paid
from tournaments.models import Payment, Tournament, TournamentEntry

CASH_DESK = "cash desk"
FEES = "fees"
STAFF = "staff"
GUARANTEES = "guarantees"
PROMOTIONS = "promotions"
#: How the references of transfers begin that move money in or out of a pool beside payments and prizes.
OVERLAY = "overlay:"
FLIGHT = "flight:"


def prizes(tournament: Tournament) -> Account:
    """What has been paid for prizes."""
    return ledger.open_account(kind=Account.Kind.POOL, label=f"{tournament.unit}:prizes")


def bounties(tournament: Tournament) -> Account:
    """What is on the heads."""
    return ledger.open_account(kind=Account.Kind.POOL, label=f"{tournament.unit}:bounties")


def house(label: str) -> Account:
    """An account of the house: `CASH_DESK`, `FEES`, `STAFF`, `GUARANTEES` (where an overlay comes from), or
    `PROMOTIONS` (entries that the house gives)."""
    return ledger.open_account(kind=Account.Kind.HOUSE, label=label)


def purse(player: User, method: str) -> Account:
    """Where this player's payment comes from, and a refund goes to."""
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
        raise NotEnoughChips(
            f"Not enough chips: the {account.kind} holds {account.balance:,} and this takes {-amount:,}.",
            account=account.pk,
            held=account.balance,
            needed=-amount,
        )


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
    key: str = "",
) -> Payment:
    """Have `paid` paid and write the receipt. `sources`: the legs that it comes from. Raises `NotEnoughChips`."""
    transfer = None
    if paid.total:
        transfer = ledger.post(
            reference=reference,
            reason=f"{Payment.What(what).label}, {tournament.name}",
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
        key=key,
    )


def give_back(payment: Payment, *, reason: str, now: datetime, by: User | None) -> Payment:
    """Refund a payment, once, to where it came from. The account that the money lies in must still have it."""
    if payment.refunded_at is not None:
        raise Conflict(f"Receipt {payment.number} has been refunded already.", "refunded-already")
    if payment.transfer is not None:
        payment.refund = _reversed(payment.transfer, reason=reason, now=now, by=by)
    payment.refunded_at, payment.refunded_by, payment.refund_reason = now, by, reason[:200]
    payment.save(update_fields=["refund", "refunded_at", "refunded_by", "refund_reason"])
    return payment


def cover(tournament: Tournament, amount: int, *, now: datetime, by: User | None) -> Transfer | None:
    """The overlay: have the house put `amount` in all into the prizes, which is what is wanting to the guarantee. Said
    again it moves the difference to what it has put in so far, either way; None where that is nothing.
    """
    given = Entry.objects.filter(
        account__label=f"{tournament.unit}:prizes", transfer__reference__startswith=f"{OVERLAY}{tournament.pk}:"
    )
    before = given.aggregate(total=Sum("amount"), times=Count("pk"))
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


def hold(payments: Iterable[Payment]) -> None:
    """Before several payments are refunded: lock every account they moved chips of, in the order of the accounts."""
    transfers = [payment.transfer_id for payment in payments if payment.transfer_id]
    touched = Account.objects.filter(pk__in=Entry.objects.filter(transfer__in=transfers).values("account"))
    list(touched.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def _reversed(transfer: Transfer, *, reason: str, now: datetime, by: User | None) -> Transfer:
    return ledger.reverse(transfer=transfer, reason=reason[:200], at=now, by=by)


def _next_number(tournament: Tournament) -> int:
    last = Payment.objects.filter(tournament=tournament).order_by("-number").values_list("number", flat=True).first()
    return (last or 0) + 1
