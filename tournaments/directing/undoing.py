"""The last order of an event, undone and redone.

An order is all that one service did, facts and money. Undo takes the last order and never reaches past it: an order
that cannot be undone is refused with its reason, and nothing changes. Its money moves back to where it came from, with
a reason; what it refunded is taken again. Marks beside the facts (a player was seen, a suggestion was dismissed) are no
orders.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import Q
from django.utils.translation import gettext, gettext_noop

from cardroom.core import audit_log
from cardroom.core.arguments import Limits, RowId, internal
from cardroom.core.errors import Conflict, Illegal, Refusal
from cardroom.core.models import User
from cardroom.core.sentences import StoredText, filled, translated
from cardroom.core.verb import verb
from tournaments.directing.carrying_out import event_and_tables
from tournaments.engine import facts as f
from tournaments.engine import labels
from tournaments.engine.commands import Redo, Undo
from tournaments.engine.rules import ending
from tournaments.engine.state import LoggedAction
from tournaments.engine.tournament import EventEngine
from tournaments.events import reasons, second_person, staff
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.checks import reason_of
from tournaments.events.journal import Locked
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.playing import HeldEvent, OrderReceipt
from tournaments.online import play
from tournaments.prizes import payouts
from tournaments.prizes.models import Payout, Ticket
from tournaments.registration import flights, registration

Method = Payment.Method
_TAKEN = (f.Entered, f.EnteredAsAlternate, f.Rebought, f.AddedOn)


@dataclass(frozen=True, slots=True)
class MoneyBack:
    """A sum that moves when the last order is undone. `method`: wallet, desk (cash), ticket or house; `is_taken`: from
    the player, to whom it was paid. `words`: the same as a sentence."""

    entrant: int
    name: str
    amount: int
    method: str
    is_taken: bool
    words: str


@dataclass(frozen=True, slots=True)
class NextUndo:
    """The last order: its `label`, '' where there is none; `refusal`: why it cannot be undone, '' where it can; the
    `money` that moves then, for which a reason has to be given."""

    label: str
    refusal: str
    money: tuple[MoneyBack, ...]

    @property
    def moves_cash(self) -> bool:
        return any(line.method == Method.DESK for line in self.money)


@dataclass(frozen=True, slots=True)
class _ReceiptsOfOrder:
    """The receipts of an order: `paid` with it and not refunded, `refunded` by it, and `prizes`."""

    paid: list[Payment]
    refunded: list[Payment]
    prizes: list[Payout]


def next_undo(row: Tournament, state: EventEngine) -> NextUndo:
    """What `undo` would do now. No query, but for an order by which money moved, or a flight's."""
    action = ending.last_order(state)
    if action is None:
        return NextUndo("", translated(ending.NOTHING_TO_UNDO), ())
    label = translated(action.label)
    if refusal := ending.why_not(state, action):
        return NextUndo(label, translated(refusal), ())
    moved = _moved_receipts(row, action)
    try:
        flights.check_not_carried(row, state)
        _check_money(state, action, moved)
    except Refusal as error:
        return NextUndo(label, str(error.message), ())
    return NextUndo(label, "", tuple(_lines(moved)))


@dataclass(frozen=True, slots=True)
class Slips:
    """Numbers of what to print of the money that an undo moved: `receipts` of payments, and those of `payouts`."""

    receipts: tuple[int, ...] = ()
    payouts: tuple[int, ...] = ()


def slips(row: Tournament, state: EventEngine) -> Slips:
    """What to print of an undo that was the last thing done; none after any other order. No query unless it moved
    money."""
    last = state.facts[-1]
    if not isinstance(last, f.ActionUndone) or f.OF_MONEY.isdisjoint(
        fact.kind for fact in state.facts[last.first - 1 : last.last]
    ):
        return Slips()
    moved = Payment.objects.filter(Q(refund_seq=state.seq) | Q(seq=state.seq), tournament=row).exclude(transfer=None)
    void = Payout.objects.filter(tournament=row, state=Payout.State.VOID, paid_seq__range=(last.first, last.last))
    numbers = [tuple(rows.order_by("number").values_list("number", flat=True)) for rows in (moved, void)]
    return Slips(*numbers)


@second_person.verb("events.undo", roles=staff.DIRECTORS)
def undo(
    *,
    tournament_id: RowId,
    reason: Annotated[
        str, Limits(max_length=200, help_text="Needed where money moves back by it: see the console.")
    ] = "",
    began: Annotated[int, internal] = 0,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """Undo the last order, whatever it was, with all that followed from it. `reason`: where money moves back. `began`:
    the number of the first fact of the order that is meant, for a second person who agrees to no other one.

    Refuses (`Illegal`): what stands for good, hands that were played online since, money that is not there any more;
    each with its reason. `Invalid`: money moves, and no reason was given. `NeedsApproval`: more cash moves back than
    `by` may take or pay alone. `Conflict`: the last order is not the one that is meant.
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq, arranges=False) as event:
        _undo(event, reason, began)
    return event.receipt


def _undo(event: HeldEvent, reason: str, began: int) -> None:
    locked = event.locked
    flights.check_not_carried(locked.row, locked.state)
    action = ending.last_order(locked.state)
    if action is None:
        raise Illegal("nothing-to-undo", ending.NOTHING_TO_UNDO)
    if began and action.first != began:
        raise Conflict("changed-since", "Something else was done in this tournament since: refuse this request.")
    if why := ending.why_not(locked.state, action):
        pattern = gettext_noop("{what} cannot be undone. {why}")
        raise Illegal("not-undone", pattern, what=translated(action.label), why=translated(why))
    moved = _moved_receipts(locked.row, action)
    _check_money(locked.state, action, moved)
    lines = list(_lines(moved))
    if lines:
        reason = reason_of(reason, of="; ".join(line.words for line in lines))
    facts = locked.state.facts[action.first - 1 : action.last]
    event.play(Undo())
    why = reason or reasons.of_the_log(labels.UNDONE(what=action.label))
    with second_person.asked_for(began=action.first):
        _move_back(locked, action, facts, moved, reason=why, now=event.now, by=event.by)
    if lines and event.by is not None:
        audit_log.note(
            verb="tournaments.undo",
            subject=locked.row.unit,
            by=event.by,
            now=event.now,
            reason=reason,
            order=reasons.of_the_log(action.label),
            money=[[line.entrant, -line.amount if line.is_taken else line.amount, line.method] for line in lines],
        )


@verb("events.redo", roles=staff.DIRECTORS)
def redo(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Redo the order undone last, as long as nothing else was done. Money that was paid is not paid again by it."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq, arranges=False) as event:
        event.play(Redo())
    return event.receipt


def _moved_receipts(row: Tournament, action: LoggedAction) -> _ReceiptsOfOrder:
    """The payments and prizes that an order moved, by the facts that it wrote. Two queries, none without money."""
    if not action.moved_money:
        return _ReceiptsOfOrder([], [], [])
    first_and_last = (action.first, action.last)
    rows = Payment.objects.filter(
        Q(seq__range=first_and_last, refunded_at=None) | Q(refund_seq__range=first_and_last), tournament=row
    )
    payments = list(rows.select_related("entry__player", "tournament", "transfer").order_by("number"))
    prizes = payouts.paid_with(row, *first_and_last) if "paid-out" in action.kinds else []
    return _ReceiptsOfOrder(
        [payment for payment in payments if payment.refunded_at is None],
        [payment for payment in payments if payment.refunded_at is not None],
        prizes,
    )


def _check_money(state: EventEngine, action: LoggedAction, moved: _ReceiptsOfOrder) -> None:
    """`Illegal` where money that the order moved cannot move back."""
    if not action.moved_money:
        return
    facts = state.facts[action.first - 1 : action.last]
    for payment in moved.paid:
        _check_entry(payment.entry)
    count_taken = sum(isinstance(fact, _TAKEN) for fact in facts)
    withdrawals = [fact for fact in facts if isinstance(fact, f.Withdrew)]
    is_known = count_taken == len(moved.paid) and {fact.entrant for fact in withdrawals} == {
        payment.entry.number for payment in moved.refunded
    }
    if not is_known:
        raise Illegal("paid-before", "It was paid before payments could be undone: refund it at the desk.")
    for payment in moved.refunded:
        _check_refund(payment)
    for prize in moved.prizes:
        if prize.ticket is not None and prize.ticket.state != Ticket.State.ISSUED:
            raise Illegal(
                "ticket-used",
                "The ticket that {name} won is already {state}.",
                name=prize.entry.name,
                state=prize.ticket.get_state_display(),
            )


def _check_entry(entry: TournamentEntry) -> None:
    if entry.from_entry_id is not None:
        raise Illegal("from-flight", "{name} came from a flight: their stack stays in play.", name=entry.name)
    if entry.how == TournamentEntry.How.HOUSE and entry.player.is_bot:
        raise Illegal("house-bot", "House bots enter by themselves.")


def _check_refund(payment: Payment) -> None:
    by = payment.refunded_by_id
    if by is None or by == payment.entry.player_id:
        raise Illegal(
            "withdrew", "{name} has the money of the entry back: let them enter again.", name=payment.entry.name
        )


def _lines(moved: _ReceiptsOfOrder) -> Iterator[MoneyBack]:
    for payment in moved.paid:
        if payment.total:
            yield _line(payment.entry, payment.total, payment.method, is_taken=False)
    for payment in moved.refunded:
        if payment.total:
            yield _line(payment.entry, payment.total, payment.method, is_taken=True)
    for prize in moved.prizes:
        if prize.state == Payout.State.PAID:
            yield _line(prize.entry, prize.amount, prize.method, is_taken=True)


def _line(entry: TournamentEntry, amount: int, method: str, *, is_taken: bool) -> MoneyBack:
    words = filled(_words(method, is_taken=is_taken), amount=amount, name=entry.name)
    return MoneyBack(entry.number, entry.name, amount, method, is_taken, words)


def _words(method: str, *, is_taken: bool) -> str:
    if method == Method.DESK:
        return (
            gettext("Take {amount:,} from {name}, in cash")
            if is_taken
            else gettext("Refund {amount:,} to {name}, in cash")
        )
    if method == Method.TICKET:
        return (
            gettext("Take the ticket of {amount:,} from {name}")
            if is_taken
            else gettext("Give the ticket of {amount:,} back to {name}")
        )
    if method == Method.HOUSE:
        return (
            gettext("Take {amount:,} from the house, for {name}")
            if is_taken
            else gettext("Refund {amount:,} to the house, for {name}")
        )
    return (
        gettext("Take {amount:,} from {name}, from the wallet")
        if is_taken
        else gettext("Refund {amount:,} to {name}, to the wallet")
    )


def _move_back(
    locked: Locked,
    action: LoggedAction,
    facts: list[f.EventFact],
    moved: _ReceiptsOfOrder,
    *,
    reason: StoredText,
    now: datetime,
    by: User | None,
) -> None:
    """The money of an order that was undone, and the chips that were sold by it."""
    for payment in moved.paid:
        if payment.what in (Payment.Kind.REBUY, Payment.Kind.ADD_ON):
            _take_chips(locked, payment, now=now)
    if moved.paid:
        registration.refund_payments(locked, moved.paid[::-1], reason=reason, now=now, by=by, is_handed_over=True)
    for payment in moved.refunded:
        registration.pay_again(locked, payment, now=now, by=by)
    for fact in facts:
        if isinstance(fact, f.PaidOut):
            payouts.take_back(locked, action.first, action.last, covered=fact.covered, reason=reason, now=now, by=by)


def _take_chips(locked: Locked, payment: Payment, *, now: datetime) -> None:
    """Online: those that wait for the end of a hand are not given, and those on the table are taken away."""
    entry = payment.entry
    waiting = [bought for bought in entry.pending if bought["payment"] != payment.pk]
    if len(waiting) < len(entry.pending):
        entry.pending = waiting
        entry.save(update_fields=["pending"])
    elif locked.row.conduct == Tournament.Conduct.ONLINE:
        reference = f"chips-back:{locked.pk}:{payment.pk}"
        play.take_chips(locked, entrant=entry.number, chips=payment.chips, reference=reference, now=now)
