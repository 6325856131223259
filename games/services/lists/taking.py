"""From the list into the seat: by the floor, or by the called player alone."""

from datetime import datetime

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import Conflict
from cardroom.services.operations import operation
from games.models import ListEntry
from games.services import locking, seating, seats
from games.services.lists import calling, joining, store

State = ListEntry.State


@operation(store.of_entry)
def seat(
    *, entry_id: int, by: User, now: datetime, buy_in: int = 0, table_id: int | None = None, number: int | None = None,
    count: int | None = None, reason: str = "", key: str = "",
) -> ListEntry:  # fmt: skip
    """Seat somebody from a list: with `buy_in` chips from their wallet or, who sits elsewhere, with their stack
    (`count`: as counted at a table in the room; in a hand: after it, and they are `coming` until then).

    To the seat they are called to, else to one that is their turn; out of turn with a reason. Refuses what
    `calling.call` and the seat itself refuse. Locks the offer, then the tables.
    """
    access.require_role(by, *joining.ROLES)
    entry = store.entry(entry_id)
    asked = {"table": table_id, "number": number, "buy_in": buy_in, "count": count, "reason": reason}
    if store.answered(entry, "seat", key, by=by, now=now, **asked):
        return entry
    if table_id is None and entry.is_called:
        table_id, number = entry.called_to_id, number or entry.called_number
    table = calling.lock(entry, table_id, now=now)
    entry = store.again(entry_id)
    store.check_active(entry)
    was_called = entry.is_called and entry.called_to_id == table.pk
    if not was_called:
        if entry.is_called:
            raise Conflict(f"{entry.player} is called to {entry.called_to}: take that back first.", "called")
        choice = calling.in_turn(entry, table, number, reason=reason, now=now)
        calling.note(choice, "called", by=by, now=now)
        number = choice.number
    number = number or entry.called_number
    entry.called_to, entry.called_number, entry.called_at = table, number, entry.called_at or now
    if entry.is_move:
        made = seating.move(
            player=entry.player, from_table=entry.table_id or 0, to_table=table.pk, number=number, by=by,
            why=reason or f"{entry.get_kind_display()}: from the list.", now=now, count=count,
        )  # fmt: skip
        if made.kind != made.Kind.MOVED:
            entry.state = State.COMING
            why = "Moves after the hand being played."
            store.moved(entry, "moving", rule="floor", why=why, by=by, now=now, table=table, number=number)
            return entry
    else:
        seating.seat(table_id=table.pk, player=entry.player, number=number, buy_in=buy_in, by=by, now=now)
    return calling.arrived(entry, by=by, now=now)


@operation(store.of_entry)
def take_seat(*, entry_id: int, player: User, buy_in: int, now: datetime, key: str = "") -> ListEntry:
    """The called player sits down in the seat that is held for them. Refuses: `NotFound` (not their name), `Conflict`
    (not called), and what sitting down refuses. Locks the offer, then the table."""
    entry = joining.seen(entry_id, player)
    if store.answered(entry, "take-seat", key, by=player, now=now, buy_in=buy_in):
        return entry
    if entry.called_to_id is None or not entry.is_called or entry.is_move or entry.player_id != player.pk:
        raise Conflict("You are not called to a seat: the call is over, or was taken back.", "not-called")
    locking.table(entry.called_to_id)
    entry = store.again(entry_id)
    if not entry.is_called:
        raise Conflict("You are not called to a seat: the call is over, or was taken back.", "not-called")
    seats.sit(table_id=entry.called_to_id or 0, player=player, number=entry.called_number, buy_in=buy_in, now=now)
    return calling.arrived(entry, by=player, now=now)
