"""Prizes: announced, worked out and paid, once and only once.

A `Payout` row is a receipt, and its transfer is called `prize:<event>:<entrant>` (`bounty:...`, `ticket:...`), so that
nothing is paid twice whatever happens. Online the event's own alarm pays when it is over; in the room a director does,
and the desk hands out cash. What is paid is what the facts say then, and from then on they are not undone.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Unpack

from django.db.models import QuerySet

from cardroom.services import alarms
from cardroom.services.errors import Illegal, NotFound
from cardroom.services.operations import operation
from tournaments import moments
from tournaments.engine.commands import ChangePayout, LockPayouts, MarkPaid
from tournaments.engine.config import PayoutTerms
from tournaments.engine.facts import Ended, Fact
from tournaments.journal import Receipt
from tournaments.models import Payout, Tournament
from tournaments.services import locking, playing, staff
from tournaments.services.directing import Order, directing
from tournaments.services.locking import Locked
from tournaments.services.paying import due, pay_out

ALARM = "tournament-payout"
#: Set in the options of an event in the room that pays by itself, to wallets, as online.
PAYS_BY_ITSELF = "pays_by_itself"

State, Method = Payout.State, Payout.Method


@operation(locking.of_event)
def lock(**order: Unpack[Order]) -> Receipt:
    """Announce the prizes as they are now; once more when entries have changed since."""
    return _give(LockPayouts(), **order)


@operation(locking.of_event)
def change(*, payout: PayoutTerms, **order: Unpack[Order]) -> Receipt:
    """Other terms of the payout, as long as nobody agreed on the money. They have to be locked again."""
    return _give(ChangePayout(payout), **order)


@operation(locking.of_event)
def pay(*, cash: bool = False, **order: Unpack[Order]) -> list[Payout]:
    """Pay everybody, the event being over: into wallets and in tickets; who paid their entry in cash is due cash at the
    desk, and with `cash` has got it. For directors. Again it pays what is still due, and nothing twice.

    Refuses: `Illegal` (the event is not over, or was a flight or called off).
    """
    with directing(**order) as held:
        if held.locked.state.phase != "finished" or held.locked.state.is_flight:
            raise Illegal("Prizes are paid when the event has been played to its end.", "not-over")
        _pay(held.locked, by_hand=cash, order=order)
    return list(receipts(held.locked.row))


@operation(locking.of_event)
def pay_one(*, entrant: int, method: str = "", **order: Unpack[Order]) -> list[Payout]:
    """Pay one player all that is due to them: after the event, or once they are out and the payouts are locked.
    `method`: wallet or desk (cash); empty: as they paid their entry. For the staff of the desk. Again it does nothing.

    Refuses: `NotFound`, `Illegal` (still in, nothing won, payouts not locked).
    """
    if method not in ("", Method.WALLET, Method.DESK):
        raise Illegal("A prize is paid into the wallet, or in cash at the desk.", "bad-method")
    with directing(staff.DESK, **order) as held:
        state = held.locked.state
        if entrant not in state.entrants:
            raise NotFound(f"There is no entry {entrant} in this event.", "no-such-entry")
        _check_may_be_paid(held.locked, entrant, now=held.now)
        owed = [each for each in due(held.locked.row, held.locked.state) if each.entrant == entrant]
        if not owed:
            raise Illegal(f"{state.entrants[entrant].name} has won nothing that could be paid.", "nothing-won")
        if state.phase == "finished":
            _mark_paid(held.locked, order=order)
        pay_out(held.locked, owed, by_hand=True, method=method, now=held.now, by=held.by)
        _note_the_last(held.locked, now=held.now)
    return list(receipts(held.locked.row).filter(entry__number=entrant))


def pay_by_alarm(*, tournament_id: int, now: datetime) -> bool:
    """The event's payout is due: pay what is not cash. False where there is nothing to pay, or it was paid."""
    row = Tournament.objects.filter(pk=tournament_id).only("pk", "state", "paid_at").first()
    if row is None or row.state != Tournament.State.FINISHED or row.paid_at is not None:
        return False
    with playing.holding(tournament_id, now=now) as locked:
        if locked.state.phase != "finished" or locked.state.is_flight:
            return False
        _pay(locked, by_hand=False, order={"tournament_id": tournament_id, "by": None, "now": now})
    return True


def follow(locked: Locked, facts: Sequence[Fact], *, now: datetime) -> None:
    """An event that pays by itself is over: its payout is due at once."""
    pays = locked.row.conduct == Tournament.Conduct.ONLINE or locked.row.options.get(PAYS_BY_ITSELF)
    if pays and locked.state.phase == "finished" and any(isinstance(fact, Ended) for fact in facts):
        alarms.set(kind=ALARM, key=str(locked.pk), due_at=now, fence=locked.row.seq)


def check_paid(locked: Locked) -> None:
    """`Illegal` where somebody has been paid another prize than what they have won by the facts of now. One query
    from the start on; before it nobody can have been paid."""
    if not (locked.row.is_live or locked.row.is_over):
        return
    paid = Payout.objects.filter(tournament=locked.row, state=State.PAID).exclude(what=Payout.What.BOUNTY)
    sums: dict[int, tuple[str, int]] = {}
    for number, name, amount in paid.values_list("entry__number", "entry__name", "amount"):
        sums[number] = (name, amount + sums.get(number, ("", 0))[1])
    for number, (name, amount) in sums.items():
        entrant = locked.state.entrants[number]
        if (locked.state.prize_of(number) if entrant.below >= 0 else 0) != amount:
            raise Illegal(f"{name} has been paid {amount:,}: what decided that stands.", "prizes-paid")


def receipts(tournament: Tournament) -> QuerySet[Payout]:
    """What was won, receipt by receipt."""
    return Payout.objects.filter(tournament=tournament).select_related("entry", "ticket", "by").order_by("number")


def _give(command: LockPayouts | ChangePayout, **order: Unpack[Order]) -> Receipt:
    with directing(**order) as held:
        if held.earlier is None:
            held.play(command)
            check_paid(held.locked)
    return held.receipt


def _pay(locked: Locked, *, by_hand: bool, order: Order) -> None:
    _mark_paid(locked, order=order)
    pay_out(locked, due(locked.row, locked.state), by_hand=by_hand, now=order["now"], by=order["by"])
    _note_the_last(locked, now=order["now"])


def _mark_paid(locked: Locked, *, order: Order) -> None:
    """With the first payment the facts stand for good."""
    if not locked.state.is_paid:
        key = playing.key_of(order["by"], order.get("command_id", ""))
        playing.play(locked, MarkPaid(), now=order["now"], by=order["by"], key=key)


def _note_the_last(locked: Locked, *, now: datetime) -> None:
    if locked.state.phase == "finished" and locked.row.paid_at is None and not due(locked.row, locked.state):
        locked.row.paid_at = now


def _check_may_be_paid(locked: Locked, entrant: int, *, now: datetime) -> None:
    state = locked.state
    if state.phase == "finished":
        if state.is_flight:
            raise Illegal("A flight pays nothing itself: its stacks go on.", "not-over")
        return
    if state.entrants[entrant].status != "out":
        raise Illegal(f"{state.entrants[entrant].name} is not out: nobody knows yet what they will win.", "not-out")
    if state.locked is None or state.is_payout_stale or state.is_entry_open(moments.ms(now)):
        raise Illegal("Lock the payouts first: entries may still change them.", "not-locked")
