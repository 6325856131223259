"""The money of an event: from the payer into its pool, its bounties, the house's fees and the staff's share, and
back. Each payment is one transfer; a refund reverses it. Chips of the event itself are not moved here.

Call with the event locked. What is paid in cash at the desk lies in the open drawer of the person who took it, with a
slip (`cash`); a refund of it comes out of a drawer, or is due at the desk until the player comes for it. `give_back`
with `is_handed_over` pays back a payment of any kind, one function for every way of paying; undoing an order calls it.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Sum

from cardroom.accounts.people import PLAY_MONEY
from cardroom.core import audit_log
from cardroom.core.errors import Conflict
from cardroom.core.models import StaffAction, User
from cardroom.core.sentences import StoredText
from cardroom.ledger import ledger, passages
from cardroom.ledger.models import Account, Entry, Transfer
from cardroom.ledger.passages import Grant, Passage
from tournaments.engine.config import Paid
from tournaments.events import cash, reasons, staff
from tournaments.events.models import Payment, Tournament, TournamentEntry

#: Where cash was put before it lay in drawers. Nothing is posted there any more.
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


def refunds(tournament: Tournament) -> Account:
    """The account of refunds that are due in cash at the desk."""
    return ledger.open_account(kind=Account.Kind.POOL, label=f"{tournament.unit}:refunds")


def house(label: str) -> Account:
    """An account of the house: `FEES`, `STAFF`, `GUARANTEES` (where an overlay comes from), or
    `PROMOTIONS` (entries that the house gives)."""
    return ledger.open_account(kind=Account.Kind.HOUSE, label=label)


def purse(player: User, method: str) -> Account:
    """The account that a player's payment comes from and a refund goes to, unless it is cash."""
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


def legs(tournament: Tournament, paid: Paid, known: dict[str, Account] | None = None) -> list[ledger.Leg]:
    """Where the parts of a price go. One query, once their accounts are there; none for accounts that are `known`, by
    their labels, to which these are added."""
    known = {} if known is None else known
    parts = [
        (Account.Kind.POOL, f"{tournament.unit}:prizes", paid.pool),
        (Account.Kind.POOL, f"{tournament.unit}:bounties", paid.bounty),
        (Account.Kind.HOUSE, FEES, paid.fee),
        (Account.Kind.HOUSE, STAFF, paid.staff),
    ]
    wanted = {label: kind for kind, label, amount in parts if amount}
    if missing := [label for label in wanted if label not in known]:
        kinds = [Account.Kind.POOL, Account.Kind.HOUSE]
        rows = Account.objects.filter(kind__in=kinds, label__in=missing, unit="cash")
        known |= {account.label: account for account in rows if account.kind == wanted[account.label]}
        for label in missing:
            if label not in known:
                known[label] = ledger.open_account(kind=wanted[label], label=label)
    return [(known[label], amount) for _, label, amount in parts if amount]


def leave_for(player: User, method: str, paid: Paid, *, by: User | None, now: datetime) -> Grant | None:
    """Leave for a director to have the house pay an entry, or enter one of its bots by hand. None where the player
    pays, and where the house enters its bots by itself, which somebody answered for (`answering`)."""
    is_by_house = method == Payment.Method.HOUSE or (player.is_bot and method != Payment.Method.DESK)
    if by is None or not paid.total or not is_by_house:
        return None
    return cash.grant_for("promotion", amount=paid.total, player=player, roles=staff.DIRECTORS, now=now, by=by)


def _passage(
    tournament: Tournament, entry: TournamentEntry, what: str, paid: Paid, leave: Grant | None, *, by: User | None,
    now: datetime,
) -> Passage | None:  # fmt: skip
    if leave is not None:
        note = audit_log.note(
            verb="tournaments.enter", subject=f"tournament:{tournament.pk}", player=entry.player, by=by, now=now,
            what=what, entrant=entry.number, amount=paid.total, **leave.details,
        )  # fmt: skip
        return leave.noted(note)
    return passages.rule_passage("bots", paid.total) if entry.player.is_bot else None


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
    is_in_hand: bool = False,
    now: datetime,
    by: User | None,
    leave: Grant | None = None,
) -> Payment:
    """Have `paid` paid and write the receipt. `sources`: the legs that it comes from, but for cash, which comes into
    the open drawer of `by`; `is_in_hand`: the desk still holds the cash, as a refund that was due; `leave`: where the
    house pays, what `leave_for` returned. Raises `NotEnoughChips`, and what `cash.till` and `cash.move` refuse.
    """
    transfer, words = None, reasons.PAID[Payment.Kind(what)](name=tournament.name)
    if paid.total and method == Payment.Method.DESK and not is_in_hand:
        transfer = cash.move(
            tournament,
            cash.KINDS[what],
            till=cash.till(by),
            legs=legs(tournament, paid),
            amount=paid.total,
            player=entry.player,
            reference=reference,
            words=words,
            now=now,
        ).transfer
    elif paid.total:
        transfer = ledger.post(
            reference=reference,
            reason=words,
            legs=[*sources, *legs(tournament, paid)],
            at=now,
            by=by,
            passage=_passage(tournament, entry, what, paid, leave, by=by, now=now),
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


def overlay_paid(tournament: Tournament) -> int:
    """What the house has put into the prizes to reach the guarantee."""
    return _overlay_totals(tournament)["total"] or 0


def _overlay_totals(tournament: Tournament) -> dict[str, Any]:
    entries = Entry.objects.filter(
        account__label=f"{tournament.unit}:prizes", transfer__reference__startswith=f"{OVERLAY}{tournament.pk}:"
    )
    return entries.aggregate(total=Sum("amount"), times=Count("pk"))


def cover(tournament: Tournament, amount: int, *, guarantee: int, now: datetime, by: User | None) -> Transfer | None:
    """The overlay: have the house pay `amount` in all into the prizes, which is what they lack of the guarantee. Called
    again, it moves the difference to what was paid in so far, either way; None where that is nothing. `guarantee`: what
    somebody answered for when the event opened (`answering`); the house pays no more than that.
    """
    before = _overlay_totals(tournament)
    wanting = amount - (before["total"] or 0)
    if not wanting:
        return None
    if amount > guarantee:
        raise passages.UngatedError(f"{tournament} would get {amount:,} of the house, and {guarantee:,} are guaranteed")
    if by is not None and wanting > 0:
        audit_log.note(
            verb="tournaments.guarantee", subject=f"tournament:{tournament.pk}", by=by, now=now, amount=wanting
        )
    return ledger.post(
        reference=f"{OVERLAY}{tournament.pk}:{before['times'] + 1}",
        reason=reasons.GUARANTEE(name=tournament.name),
        legs=[(house(GUARANTEES), -wanting), (prizes(tournament), wanting)],
        at=now,
        by=by,
        passage=passages.rule_passage("guarantee", wanting) if wanting > 0 else None,
    )


def give_back(
    payments: Sequence[Payment],
    *,
    also: Collection[Account] = (),
    reason: StoredText,
    now: datetime,
    by: User | None,
    is_handed_over: bool = False,
) -> None:
    """Refund payments, each once, to where they came from; a few statements, however many they are. The accounts that
    the money lies in must still have it. `also`: accounts that the caller moves chips of next, locked with the others
    in the one order that all keep.

    Cash `is_handed_over` out of the drawer that `by` has open, with a slip each; otherwise it is due at the desk, see
    `hand_over`. Refuses as `cash.till` and `cash.move` do.
    """
    refunded = next((payment for payment in payments if payment.refunded_at is not None), None)
    if refunded is not None:
        raise Conflict("refunded-already", "Receipt {number} has been refunded already.", number=refunded.number)
    in_cash = [payment for payment in payments if is_cash(payment)]
    # The drawer and the cage's books before any other account.
    till = cash.till(by) if in_cash and is_handed_over else None
    moved = {payment.transfer_id: payment for payment in payments if payment.transfer_id and not is_cash(payment)}
    transfers = list(Transfer.objects.filter(pk__in=moved).prefetch_related("entries"))
    touched = {entry.account_id for transfer in transfers for entry in transfer.entries.all()}
    touched |= {account.pk for account in also}
    list(Account.objects.filter(pk__in=touched).select_for_update(no_key=True).order_by("pk").values_list("pk"))
    entry = _noted_refund(payments, reason=reason, by=by, now=now)
    backwards = [ledger.reversal(transfer, reason=reason, entry=entry) for transfer in transfers]
    for transfer, back in zip(transfers, ledger.post_many(backwards, at=now, by=by), strict=True):
        moved[transfer.pk].refund = back
    if till is not None:
        for payment in in_cash:
            _pay_back_cash(payment, till, reason=reason, now=now)
    else:
        _owe_cash(in_cash, entry, reason=reason, now=now, by=by)
    for payment in payments:
        payment.refunded_at, payment.refunded_by, payment.refund_reason = now, by, reason
    rows = Payment.objects.filter(pk__in=[payment.pk for payment in payments])
    rows.update(refunded_at=now, refunded_by=by, refund_reason=reason)
    Payment.objects.bulk_update(
        [*moved.values(), *in_cash], ["refund", "is_refund_due", "handed_over"], batch_size=_AT_ONCE
    )


def is_cash(payment: Payment) -> bool:
    """Whether it was paid in money at the desk."""
    return payment.method == Payment.Method.DESK and payment.transfer_id is not None


def _pay_back_cash(payment: Payment, till: cash.Till, *, reason: StoredText, now: datetime) -> None:
    """Out of the event and out of the drawer."""
    tournament = payment.tournament
    payment.refund = payment.handed_over = cash.move(
        tournament,
        cash.Kind.EVENT_REFUND,
        till=till,
        legs=_backwards(payment),
        amount=payment.total,
        player=payment.entry.player,
        reference=_refund_reference(payment),
        words=reasons.REFUND(name=tournament.name),
        reason=reason,
        now=now,
    ).transfer


def _owe_cash(
    payments: Sequence[Payment], entry: StaffAction | None, *, reason: StoredText, now: datetime, by: User | None
) -> None:
    """Out of the event into what is due at the desk; payments of one event."""
    if not payments:
        return
    owed = refunds(payments[0].tournament)
    known: dict[str, Account] = {}
    paid = Transfer.objects.in_bulk([payment.transfer_id for payment in payments])
    posts = [
        ledger.Post(
            _refund_reference(payment),
            reason,
            [*_backwards(payment, known), (owed, payment.total)],
            passages.reversal_passage(paid[payment.transfer_id], payment.total, entry),
        )
        for payment in payments
    ]
    for payment, transfer in zip(payments, ledger.post_many(posts, at=now, by=by), strict=True):
        payment.refund, payment.is_refund_due = transfer, True


def _backwards(payment: Payment, known: dict[str, Account] | None = None) -> list[ledger.Leg]:
    paid = Paid(payment.pool, payment.fee, payment.bounty, payment.staff)
    return [(account, -amount) for account, amount in legs(payment.tournament, paid, known)]


def _refund_reference(payment: Payment) -> str:
    return f"refund:{payment.pk}"


def hand_over(payment: Payment, till: cash.Till, *, now: datetime) -> None:
    """Pay a refund that is due out of this drawer. `Conflict` where it is not due; refuses as `cash.move` does."""
    if not payment.is_refund_due:
        raise Conflict("refund-not-due", "No refund of receipt {number} is due.", number=payment.number)
    tournament = payment.tournament
    payment.is_refund_due = False
    payment.handed_over = cash.move(
        tournament,
        cash.Kind.EVENT_REFUND,
        till=till,
        legs=[(refunds(tournament), -payment.total)],
        amount=payment.total,
        player=payment.entry.player,
        reference=f"refund-paid:{payment.pk}",
        words=reasons.REFUND(name=tournament.name),
        reason=payment.refund_reason,
        now=now,
    ).transfer
    payment.save(update_fields=["is_refund_due", "handed_over"])


def _noted_refund(
    payments: Sequence[Payment], *, reason: StoredText, by: User | None, now: datetime
) -> StaffAction | None:
    """What one of the staff gives back to others is in the audit log: one entry, however many they are."""
    if by is None or not payments:
        return None
    entries = TournamentEntry.objects.filter(pk__in={payment.entry_id for payment in payments}).exclude(player=by)
    players = dict(entries.values_list("pk", "player"))
    others = [payment.number for payment in payments if payment.entry_id in players]
    if not others:
        return None
    player = User.objects.get(pk=next(iter(players.values()))) if len(players) == 1 else None
    return audit_log.note(
        verb="tournaments.give_back", subject=f"tournament:{payments[0].tournament_id}", player=player, by=by, now=now,
        reason=reason, receipts=others,
    )  # fmt: skip


def _next_number(tournament: Tournament) -> int:
    last = Payment.objects.filter(tournament=tournament).order_by("-number").values_list("number", flat=True).first()
    return (last or 0) + 1
