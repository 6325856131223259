"""Calls for the floor from the tables, their answers, and the orders that the rules leave to the floor, always with a
reason.

`FloorOrder` keeps for ever what was ordered, by whom, when and why.
"""

from datetime import datetime
from typing import Annotated

from django.db import transaction
from django.db.models import F

from cardroom.core import access
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Forbidden, Invalid
from cardroom.core.models import User
from cardroom.core.once import command_name
from cardroom.core.verb import current_time, lock, verb
from games.dealing import dealer
from games.engine.commands import ORDERS, Order
from games.floor.models import FloorCall, FloorOrder
from games.play import hands as table_hands
from games.play import opening
from games.tables import journal as table_journal
from games.tables import locking
from games.tables import signals as table_signals
from games.tables.journal import Receipt
from games.tables.models.tables import Seat
from games.tables.queries.tables import check_may_see

__all__ = ["ROLE", "WHATS", "answer", "call", "order"]

ROLE = "floor"
#: What can be ordered: the orders of the engine, and to take back the last entry of a dealer.
WHATS = (*ORDERS, "undo")

_LONGEST_NOTE, _LONGEST_REASON = 200, 300
_SHORTEST_REASON = 3
_MOST_HANDS = 100
_SEATED = ("rules-live", "kills", "penalises")


CallKind = Annotated[FloorCall.Kind, Limits(help_text="What is wanted.")]
Note = Annotated[str, Limits(max_length=_LONGEST_NOTE, required=False)]


@verb("floor.call")
def call(*, table_id: RowId, kind: CallKind = FloorCall.Kind.FLOOR, note: Note = "", by: User) -> FloorCall:
    """Call the floor to a table, as a player who sits there or as its dealer; `kind` is what is wanted. While their
    call of this kind is open, that call is returned.

    Refuses: `NotFound`, `Forbidden` (not at this table), `Invalid` (no such kind; a note that is too long).
    """
    note = opening.checked_text(note, "note", most=_LONGEST_NOTE)
    if kind not in FloorCall.Kind.values:
        raise Invalid("bad-kind", "The floor is called for: {names}.", names=", ".join(FloorCall.Kind.values))
    access.require_login(by)
    table, now = lock(locking.table, table_id)
    seat = table.seats.filter(player=by).values_list("number", flat=True).first()
    if seat is None and not access.has_role(by, *dealer.ROLES):
        check_may_see(table, by)
        raise Forbidden("not-at-the-table", "Only a seated player or the dealer can call the floor.")
    open_call, is_new = FloorCall.objects.get_or_create(
        table=table,
        player=by,
        kind=kind,
        answered_at=None,
        defaults={"seat": seat, "hand_id": table.hand_id, "note": note, "at": now},
    )
    if is_new:
        table_signals.table_changed.after_commit(table_id=table.pk)
    return open_call


@verb("floor.answer", roles=(ROLE,))
def answer(*, call_id: RowId, by: User) -> FloorCall:
    """Answer a call: the floor comes. A call that was answered stays as it is. Locks the call."""
    open_call, now = lock(FloorCall, call_id)
    if open_call.answered_at is None:
        open_call.answered_by, open_call.answered_at = by, now
        open_call.save(update_fields=["answered_by", "answered_at"])
        table_signals.table_changed.after_commit(table_id=open_call.table_id)
    return open_call


def order(
    *, hand_id: int, by: User, what: str, reason: str, command_id: str, seat: int = 0, hands: int = 0,
    expected_seq: int | None = None, now: datetime | None = None,
) -> Receipt:  # fmt: skip
    """Give an order of the floor in a hand. `what`: one of `WHATS`; `hands`: how many hands a penalty keeps the player
    out of.

    Refuses: `Forbidden` (no floor, or they play in this hand), `Invalid` (no such order, no reason), `NotFound`,
    `Stale`, `Illegal` with the rule (the rules do not leave it to the floor now). Locks the table.
    """
    access.require_role(by, ROLE)
    reason = _check_order(what, seat, reason, hands)
    # The hand's log of facts keeps the name of each command: it is itself the record of what was done.
    key = command_name(by, command_id, is_required=True)
    with transaction.atomic():
        table = locking.table_playing(hand_id)
        now = now or current_time()
        if table is None:
            return table_hands.after_the_end(hand_id, key)
        open_hand = table_journal.load(hand_id, seq=table.seq)
        if key in open_hand.receipts:
            return open_hand.receipts[key]
        dealer.check_may_rule(table, open_hand, by, expected_seq)
        if what == "undo":
            receipt = dealer.take_back(table, open_hand, by=by, reason=reason, key=key, now=now)
        else:
            receipt = table_hands.play(table, open_hand, Order(what, seat, reason), now=now, command_id=key)
            values = {"what": what, "seat": seat, "hands": hands, "reason": reason, "by": by, "at": now}
            FloorOrder.objects.create(table=table, hand_id=hand_id, seq=receipt.seq, **values)
        if hands:
            penalised = Seat.objects.filter(table=table, player=open_hand.sitters[seat].player)
            penalised.update(misses_hands=F("misses_hands") + hands)
        return receipt


def _check_order(what: str, seat: int, reason: str, hands: int) -> str:
    if what not in WHATS:
        raise Invalid("no-such-order", "The floor can order: {names}.", names=", ".join(WHATS))
    reason = opening.checked_text(reason, "reason", most=_LONGEST_REASON)
    if len(reason) < _SHORTEST_REASON:
        raise Invalid("reason-required", "Enter a reason for the order.")
    if type(seat) is not int or seat < 0 or (what in _SEATED and not seat):
        raise Invalid("bad-seat", "Choose the seat.")
    if what not in _SEATED and seat:
        raise Invalid("bad-seat", "{what!r} applies to the whole hand, not to a seat.", what=what)
    if type(hands) is not int or not 0 <= hands <= _MOST_HANDS or (hands and what != "penalises"):
        raise Invalid("bad-hands", "A penalty keeps a player out of 0 to {most} hands.", most=_MOST_HANDS)
    return reason
