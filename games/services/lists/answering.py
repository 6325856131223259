"""What becomes of a call: the player comes, asks for time or does not want the seat; the floor passes them over."""

from datetime import datetime, timedelta

from cardroom.models import User
from cardroom.services import access, notices, trail
from cardroom.services.errors import Conflict, Illegal, Invalid
from cardroom.services.operations import operation
from games.models import ListEntry, Seat
from games.services import holds, locking, seating
from games.services.lists import calling, joining, rules, store

Kind, State = ListEntry.Kind, ListEntry.State

REPLIES = ("coming", "more-time", "cancel")
WHERE_TO = ("stay", "bottom", "off")


@operation(store.of_entry)
def answer(*, entry_id: int, player: User, reply: str, now: datetime, key: str = "") -> ListEntry:
    """What a called player says: "coming" (the seat is held longer), "more-time" (once a call), "cancel" (off the list;
    of a must-move: they refuse, and give up the seat after the hand).

    The floor may say it for them. Refuses: `NotFound`, `Conflict` (not called, said already), `Illegal` (more time
    twice). Locks the offer, then the tables.
    """
    entry = joining.seen(entry_id, player)
    if store.answered(entry, "answer", key, by=player, now=now, reply=reply):
        return entry
    if reply not in REPLIES:
        raise Invalid(f"A call is answered with {', '.join(REPLIES[:-1])} or {REPLIES[-1]}.", "bad-reply")
    if reply == "cancel":
        if entry.kind == Kind.MUST_MOVE:
            return _refuse(entry, by=player, now=now)
        return joining.leave(entry_id=entry_id, by=player, now=now, reason="Said that they do not come.", key=key)
    if entry.called_to_id is not None:
        locking.table(entry.called_to_id)
    entry = store.again(entry_id)
    if not entry.is_called or entry.is_move:
        raise Conflict("There is no call to answer: its time is over, or it was taken back.", "not-called")
    if entry.call_until is not None and entry.call_until <= now:
        raise Conflict("The time of this call is over.", "call-over", rule=rules.BY_SLUG["call-time"].cite)
    why = _come(entry, now) if reply == "coming" else _wait(entry, now)
    calling.hold(entry, now=now)
    store.moved(
        entry, reply, rule="own-wish", why=why, by=player, now=now, table=entry.called_to, number=entry.called_number,
    )  # fmt: skip
    return entry


@operation(store.of_table)
def give_up(*, table_id: int, player: User, now: datetime, key: str = "") -> bool:
    """A player does not want the seat that is held for them at this table; False where none is.

    Who is called to it is off that list. Refuses: `Conflict` (they have to move there: they refuse by `answer`).
    """
    called = ListEntry.objects.filter(player=player, called_to=table_id, state__in=(State.CALLED, State.COMING)).first()
    if called is None:
        return holds.release(table_id=table_id, player=player, by=player, now=now, key=key)
    joining.leave(entry_id=called.pk, by=player, now=now, key=key)
    return True


@operation(store.of_entry)
def pass_over(*, entry_id: int, by: User, reason: str, now: datetime, to: str = "bottom", key: str = "") -> ListEntry:
    """The floor passes somebody over: they keep their place ("stay"), go to the bottom, or "off" the list.

    Their call, if there is one, is taken back, and for as long as a seat is held that one is not theirs; who keeps
    their place without a call is called to none. Refuses: `Forbidden`, `NotFound`, `Conflict` (off the list already),
    `Invalid`.
    """
    access.require_role(by, *joining.ROLES)
    why = trail.reason_given(reason, what="passing somebody over")
    entry = joining.seen(entry_id, by)
    if store.answered(entry, "pass-over", key, by=by, now=now, reason=why, to=to):
        return entry
    joining.release(entry, now=now)
    entry = store.again(entry.pk)
    store.check_active(entry)
    table, number = entry.called_to, entry.called_number
    off = to == "off" or entry.kind == Kind.MUST_MOVE
    if off:
        entry.state = State.PASSED
    else:
        entry.state = State.WAITING
        if to != "stay":
            entry.tier, entry.place = 1, store.next_place(entry.offer)
    calling.unset(entry)
    verb = "held-back" if table is None and to == "stay" else "passed-over"
    store.moved(entry, verb, rule="floor", why=why, by=by, now=now, table=table, number=number)
    store.look_again_at(entry, now + timedelta(minutes=entry.offer.hold_minutes))
    where = "off the list" if off else "at your place on the list" if to == "stay" else "at the bottom of the list"
    notices.tell(
        player=entry.player, kind="passed-over", key=f"list:{entry.pk}:{entry.version}", now=now,
        text=f"You were passed over for {entry.offer.name} and are {where}: {why}",
    )  # fmt: skip
    return entry


def _refuse(entry: ListEntry, *, by: User, now: datetime) -> ListEntry:
    """Who has to move and will not: they give up the seat they have, after the hand they are in. Who was moved a moment
    ago sits there, and refuses nothing."""
    store.check_active(entry)
    locking.tables({pk for pk in (entry.table_id, entry.called_to_id) if pk})
    if _is_there(entry):
        return calling.arrived(store.again(entry.pk), by=None, now=now)
    joining.release(entry, now=now)
    why = f"Refused to move to {entry.called_to}." if entry.called_to else "Refused to move."
    if entry.table is not None and entry.table.seats.filter(player=entry.player).exists():
        seating.unseat(table_id=entry.table.pk, player=entry.player, by=None, reason=why, now=now)
    entry = store.again(entry.pk)
    store.check_active(entry)
    entry.state = State.LEFT
    store.moved(
        entry, "refused", rule="refused-move", why=f"{why} Gives up the seat.", by=by, now=now, table=entry.called_to,
        number=entry.called_number,
    )  # fmt: skip
    return entry


def _is_there(entry: ListEntry) -> bool:
    spot = {"table": entry.called_to_id, "number": entry.called_number}
    return entry.called_to_id is not None and Seat.objects.filter(player=entry.player, **spot).exists()


def _come(entry: ListEntry, now: datetime) -> str:
    if entry.state == State.COMING:
        raise Conflict("You have said so already: the seat is held for you.", "coming")
    entry.state = State.COMING
    minutes = entry.offer.hold_minutes
    if entry.in_hand_id is not None:
        return f"Is coming; the seat is held until {minutes} minutes after the hand they are in."
    entry.call_until = max(entry.call_until or now, now + timedelta(minutes=minutes))
    return f"Is coming; the seat is held until {store.clock(entry.call_until)}."


def _wait(entry: ListEntry, now: datetime) -> str:
    minutes = entry.offer.more_time_minutes
    if not minutes:
        raise Illegal("In this game a call has no more time.", "no-more-time", rule=rules.BY_SLUG["call-time"].cite)
    if entry.more_time_at is not None:
        rule = rules.BY_SLUG["call-time"].cite
        raise Illegal("More time is given once a call.", "more-time-given", rule=rule)
    entry.more_time_at = now
    if entry.in_hand_id is not None:
        return f"Asked for more time: {minutes} minutes more from the end of the hand they are in."
    entry.call_until = (entry.call_until or now) + timedelta(minutes=minutes)
    return f"Asked for more time; the seat is held until {store.clock(entry.call_until)}."
