"""What players ask the cage for from their own page; a cashier does it or says why not."""

from datetime import datetime
from typing import Annotated, Any

from django.db import transaction
from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext, gettext_noop

from cardroom.accounts import bans
from cardroom.cage import allowances, asking, reasons, slips
from cardroom.cage import books as cage_books
from cardroom.cage.models import CashierRequest, Slip
from cardroom.cage.slips import KeptReason, Settles, SlipReason
from cardroom.core import approvals, audit_log, topics
from cardroom.core.arguments import Chips, Limits, RowId
from cardroom.core.errors import Conflict, Invalid, NotEnoughChips, NotFound
from cardroom.core.models import Approval, User
from cardroom.core.sentences import Wording
from cardroom.core.verb import at, lock, verb
from cardroom.ledger import ledger, limits
from cardroom.ledger.models import Account

State = CashierRequest.State
MOST_OPEN = 5
LONGEST_NOTE = 200
Note = Annotated[str, Limits(max_length=LONGEST_NOTE)]
ACT = "cage.request"
_WORDS = {
    CashierRequest.Kind.DEPOSIT: Wording(
        "cage.ask-deposit-online", "Deposit of {amount:,} for {player}, asked for online"
    ),
    CashierRequest.Kind.WITHDRAWAL: Wording(
        "cage.ask-withdrawal-online", "Withdrawal of {amount:,} for {player}, asked for online"
    ),
}


@verb("cage.ask-cashier")
def make(*, kind: CashierRequest.Kind, amount: Chips, note: Note = "", by: User) -> CashierRequest:
    """Ask for a deposit or a withdrawal. Nothing moves until a cashier does it.

    Refuses: `Invalid` (no amount, no such kind), `NotEnoughChips` (less in the wallet than is to be withdrawn),
    `Forbidden` (a deposit by a player who may not play), `Conflict` (too many that wait). Locks the player's row.
    """
    if kind not in CashierRequest.Kind.values:
        raise Invalid("no-such-kind", "A request is one of: {names}.", names=", ".join(CashierRequest.Kind.values))
    cage_books.check_amount(amount)
    cage_books.check_player(by)
    note = " ".join(note.split())
    if len(note) > LONGEST_NOTE:
        raise Invalid("bad-note", "A note has at most {longest} characters.", longest=LONGEST_NOTE)
    _, now = lock(User, by.pk)
    if CashierRequest.objects.filter(player=by, state=State.OPEN).count() >= MOST_OPEN:
        raise Conflict("too-many-requests", "You have {most} open requests: cancel one first.", most=MOST_OPEN)
    if kind == CashierRequest.Kind.DEPOSIT:
        bans.check_may_play(player=by, now=now, where="online")
        limits.check(player=by, kind="deposit", amount=amount, now=now)
    else:
        _check_held(by, amount)
    row = CashierRequest.objects.create(player=by, kind=kind, amount=amount, note=note, at=now)
    topics.tell("cage", f"player:{by.pk}")
    return row


def _check_held(player: User, amount: int) -> None:
    """`NotEnoughChips` where the wallet does not hold this besides the payouts that wait."""
    held = ledger.balance(ledger.wallet(player))
    rows = CashierRequest.objects.filter(player=player, state=State.OPEN, kind=CashierRequest.Kind.WITHDRAWAL)
    waiting = int(rows.aggregate(sum=Sum("amount"))["sum"] or 0) + asking.waiting_payouts(player)
    if held < amount + waiting:
        message = gettext_noop("You have {held:,} in your wallet.")
        if waiting:
            message = gettext_noop("You have {held:,} in your wallet, and withdrawals of {asked:,} wait already.")
        raise NotEnoughChips("not-enough-chips", message, held=held, needed=amount, asked=waiting)


@verb("cage.take_back_request")
def take_back(*, request_id: RowId, by: User) -> CashierRequest:
    """Take a request back, by its player; a second call does nothing. `NotFound`, `Conflict` (answered). Locks the
    request."""
    rows = CashierRequest.objects.select_for_update(no_key=True)
    row, now = lock(rows.filter(pk=request_id, player=by).first)
    if row is None:
        raise NotFound("no-such-request", "You have no such request.")
    if row.state == State.TAKEN_BACK:
        return row
    _check_waits(row)
    return _store_answer(row, State.TAKEN_BACK, None, "", now)


@verb("cage.fulfil", roles=cage_books.STAFF)
def fulfil(
    *, request_id: RowId, reason: SlipReason = "", settles: Settles = None, by: User
) -> CashierRequest | Approval:
    """Do what the player asked for, by a slip. Above the cashier's limit a second person is asked: it is done when that
    person approves. A second call returns the same. `settles`: of a payout, as `slips.withdraw` has it; the slip is
    that of what is paid out or, where nothing is left, of the debt. Refuses what the slip refuses. Locks the request,
    then the desk."""
    row, now = lock(_with_desk, request_id, by)
    if row.state == State.DONE and row.answered_by_id == by.pk:
        return row
    _check_waits(row)
    if settles and row.kind != CashierRequest.Kind.WITHDRAWAL:
        raise Invalid("bad-settles", "Only a withdrawal can settle a debt.")
    try:
        with transaction.atomic():
            return _done(row, by=by, now=now, reason=reason, approval=None, settles=settles)
    except allowances.NeedsApproval as refusal:
        subject = f"cashier-request:{row.pk}"
        words = _WORDS[CashierRequest.Kind(row.kind)](amount=row.amount, player=str(row.player))
        return approvals.ask(
            what=ACT,
            words=words,
            payload={"request": row.pk, "settles": settles},
            by=by,
            now=now,
            reason=reason,
            subject=subject,
            alone=subject,
            player=row.player,
            amount=row.amount,
            details=asking.limit_passed(refusal, by=by, kind=row.kind, now=now),
        )


def _done(
    row: CashierRequest, *, by: User, now: datetime, reason: str, approval: Approval | None, settles: bool | None
) -> CashierRequest:
    why: Any = reason or reasons.ASKED_ONLINE(number=str(row.pk))
    arguments = {"player": row.player, "reason": why, "approval": approval, "by": by, "now": now}
    if row.kind == CashierRequest.Kind.DEPOSIT:
        row.slip = slips.deposit(amount=row.amount, **arguments)
    else:
        with at(now):
            rest, row.slip = slips.settle(player=row.player, amount=row.amount, settles=settles, by=by)
        if rest:
            row.slip = slips.pay_out(kind=Slip.Kind.WITHDRAWAL, amount=rest, settles=settles, **arguments)
    return _store_answer(row, State.DONE, by, reason, now)


def _apply(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """A second person agrees: done in the cashier's name, unless it was answered meanwhile (`Conflict`)."""
    row = CashierRequest.objects.select_related("player").get(pk=approval.payload["request"])
    _check_waits(row)
    if approval.asked_by is None:
        raise NotFound("no-such-approval", "There is no such approval request.")
    settles = approval.payload.get("settles")
    _done(row, by=approval.asked_by, now=now, reason=approval.reason, approval=approval, settles=settles)
    return {"slip": row.slip_id or 0, "request": row.pk}


@verb("cage.refuse_request", roles=cage_books.STAFF)
def refuse(*, request_id: RowId, reason: KeptReason, by: User) -> CashierRequest:
    """Refuse a request with a reason. A second call does nothing. Refuses: `Invalid` (no reason), `Conflict`
    (answered). Locks the request."""
    row, now = lock(_lock_request, request_id)
    if row.state == State.REFUSED:
        return row
    _check_waits(row)
    why = audit_log.reason_given(reason, what=gettext("a refusal"))
    audit_log.note(
        verb="cage.refuse_request", subject=f"cashier-request:{row.pk}", player=row.player, by=by, now=now, reason=why
    )
    return _store_answer(row, State.REFUSED, by, why, now)


def waiting() -> list[CashierRequest]:
    """The requests that wait, the oldest first, each with what the player `owes`."""
    debts = Account.objects.filter(kind=Account.Kind.DEBT, owner=OuterRef("player"), unit="cash").values("balance")[:1]
    rows = CashierRequest.objects.filter(state=State.OPEN).select_related("player").order_by("pk")
    return list(rows.annotate(owes=Coalesce(Subquery(debts), 0)))


def _lock_request(request_id: int) -> CashierRequest:
    return lock(CashierRequest.objects.select_related("player"), request_id)[0]


def _with_desk(request_id: int, by: User) -> CashierRequest:
    """The request, then the drawer of `by` and the books, all locked."""
    row = _lock_request(request_id)
    cage_books.lock_desk(by)
    return row


def _check_waits(row: CashierRequest) -> None:
    if row.state != State.OPEN:
        raise Conflict("answered", "This request is already {state}.", state=row.get_state_display())


def _store_answer(row: CashierRequest, state: str, by: User | None, answer: str, now: datetime) -> CashierRequest:
    row.state, row.answered_by, row.answer, row.answered_at = state, by, answer[:300], now
    row.save(update_fields=["state", "answered_by", "answer", "answered_at", "slip"])
    topics.tell("cage", f"player:{row.player_id}")
    return row


def _lock_asked(approval: Approval) -> None:
    if approval.asked_by is not None:
        _with_desk(approval.payload["request"], approval.asked_by)


approvals.register(ACT, _apply, lock=_lock_asked)
