"""Calls: somebody from a list is called to a seat that is held for them, and comes, asks for time, or does not come.

Whoever sits somewhere already is not called but moved, with their stack, after the hand they are in.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from cardroom.models import User
from cardroom.services import access, notices, repeats, room_time, trail
from cardroom.services.errors import Conflict, Illegal, NotFound, Stale
from cardroom.services.operations import operation
from games.models import Hand, ListEntry, Offer, Seat, SeatHold, SeatMove, Table
from games.services import holds, locking, private, seating
from games.services.lists import joining, rules, store
from games.services.lists.choosing import Choice, next_for

Kind, State = ListEntry.Kind, ListEntry.State

#: A seat is held no longer than this for somebody whose clock stands still.
_LONGEST_HAND = timedelta(hours=2)


@operation(store.of_table)
def call_next(
    *, table_id: int, by: User | None, now: datetime, number: int | None = None, player_id: int | None = None,
    key: str = "",
) -> ListEntry:  # fmt: skip
    """Call (or move) the one whose turn it is at this table, to the free seat `number` (None: the one that is theirs).

    `player_id`: whom the asker saw there. Refuses: `Forbidden` (not of the floor), `NotFound`, `Conflict` (nobody
    waits, or no seat is free), `Stale` (it is another's turn by now). Locks the offer, then the tables.
    """
    if by is not None:
        access.require_role(by, *joining.ROLES)

    def make() -> ListEntry:
        choice = choice_at(table_id, number, now=now)
        if choice is None:
            raise Conflict("Nobody on the lists can have a seat at this table now.", "nobody-waits")
        if player_id is not None and choice.entry.player_id != player_id:
            raise Stale(f"It is the turn of {choice.entry.player} by now: look again.", "another-turn")
        return give(choice, by=by, now=now)

    content = {"table": table_id, "number": number, "player": player_id}
    return repeats.made(ListEntry, make, by=by, key=key, verb="lists.call_next", now=now, **content)


@operation(store.of_entry)
def call(
    *, entry_id: int, by: User, now: datetime, table_id: int | None = None, number: int | None = None,
    reason: str = "", key: str = "",
) -> ListEntry:  # fmt: skip
    """Call this name, to a table of their game (None: the first that has a free seat), in turn or, with a reason, out
    of turn. Refuses: `Forbidden`, `NotFound`, `Conflict` (called or off the list already, no seat free), `Illegal` (it
    is another's turn, and no reason given; cites the rule). Locks the offer, then the tables."""
    access.require_role(by, *joining.ROLES)
    entry = store.entry(entry_id)
    if store.answered(entry, "call", key, by=by, now=now, table=table_id, number=number, reason=reason):
        return entry
    table = lock(entry, table_id, now=now)
    entry = store.again(entry_id)
    _check_waits(entry)
    choice = in_turn(entry, table, number, reason=reason, now=now)
    return give(choice, by=by, now=now)


def give(choice: Choice, *, by: User | None, now: datetime) -> ListEntry:
    """The seat is theirs: hold it and call them, or move them there. Offer and tables are locked."""
    entry, table = choice.entry, choice.table
    if entry.pk is None:
        entry.place = store.next_place(entry.offer)
        entry.joined_at = entry.joined_at or now
    entry.called_to, entry.called_number, entry.called_at = table, choice.number, now
    entry.more_time_at = entry.call_until = entry.in_hand = None
    if entry.is_move:
        return _move(choice, by=by, now=now)
    entry.state, entry.in_hand = State.CALLED, _hand_of(entry.player)
    if entry.in_hand is None:
        entry.call_until = now + timedelta(minutes=entry.offer.call_minutes)
    hold(entry, now=now)
    note(choice, "called", by=by, now=now)
    _tell_called(entry, now=now)
    return entry


def unset(entry: ListEntry) -> None:
    """They are called no longer."""
    entry.called_to, entry.called_number, entry.called_at = None, 0, None
    entry.call_until = entry.more_time_at = entry.in_hand = None


def hold(entry: ListEntry, *, now: datetime) -> None:
    """Hold the seat they are called to as long as their call lasts."""
    is_coming = entry.state == State.COMING
    holds.hold(
        table_id=entry.called_to_id or 0,
        number=entry.called_number,
        player=entry.player,
        why=SeatHold.Why.LOCK_UP if is_coming else SeatHold.Why.CALLED,
        until=entry.call_until or now + _LONGEST_HAND,
        by=None,
        now=now,
    )


def in_turn(entry: ListEntry, table: Table, number: int | None, *, reason: str, now: datetime) -> Choice:
    """The choice that gives them this seat: by the rules where it is their turn, else by the floor's reason."""
    numbers = None if number is None else [number]
    choice = next_for(table, now=now, numbers=numbers)
    if choice is not None and choice.entry.pk == entry.pk:
        return choice
    if entry.table_id != table.pk and not private.may_sit(table, entry.player):
        raise Illegal(f"{table.name} is private: invite {entry.player} there first.", "not-invited")
    free = [each for each in holds.free_seats(table, entry.player, now=now) if number in (None, each)]
    if not free:
        said = f"Seat {number} of {table.name} is" if number else f"No seat of {table.name} is"
        raise Conflict(f"{said}{' not' if number else ''} free.", "no-free-seat")
    if choice is not None and not reason:
        raise Illegal(
            f"It is the turn of {choice.entry.player} ({choice.rule.title}). Say why {entry.player} goes first.",
            "out-of-turn",
            rule=choice.rule.cite,
            player=choice.entry.player_id,
        )
    why = trail.reason_given(reason or "Nobody else waits for this seat.", what="calling out of turn")
    passed = [] if choice is None else [(choice.entry, "the floor decided"), *choice.passed_over]
    return Choice(entry, table, free[0], rules.BY_SLUG["floor"], why, passed)


def _move(choice: Choice, *, by: User | None, now: datetime) -> ListEntry:
    entry, table = choice.entry, choice.table
    entry.state = State.COMING
    note(choice, "moving", by=by, now=now)
    why = f"{choice.rule.title}: {choice.why}"[:200]
    if table.is_physical and entry.table_id != table.pk:
        # Chips in the room are counted first: the floor does it and seats them.
        until = now + timedelta(minutes=entry.offer.hold_minutes)
        holds.hold(table_id=table.pk, number=choice.number, player=entry.player, why=SeatHold.Why.MOVE, until=until,
                   by=None, now=now)  # fmt: skip
        _tell_moving(entry, now=now)
        return entry
    made = seating.move(
        player=entry.player, from_table=entry.table_id or 0, to_table=table.pk, number=choice.number, by=None, why=why,
        now=now,
    )  # fmt: skip
    if made.kind == SeatMove.Kind.MOVED:
        return arrived(entry, by=by, now=now)
    _tell_moving(entry, now=now)
    return entry


def arrived(entry: ListEntry, *, by: User | None, now: datetime) -> ListEntry:
    """They sit where they were called to."""
    entry.state = State.SEATED
    table, number = entry.called_to, entry.called_number
    said = f"Seat {number} at {table.name}." if table is not None else "Has a seat."
    store.call_is_over(entry, now=now)
    store.moved(entry, "seated", rule="took-a-seat", why=said, by=by, now=now, table=table, number=number)
    return entry


def choice_at(
    table_id: int, number: int | None, *, now: datetime, skipped: Mapping[int, str] | None = None
) -> Choice | None:
    """The choice at a table, with everything locked that acting on it takes. `skipped`: players, and why not they."""
    offer_id = Table.objects.filter(pk=table_id).values_list("offer", flat=True).first()
    if offer_id is None:
        raise NotFound("There is no such table of a game on offer.", "no-such-table")
    store.offer(offer_id)
    asked: dict[str, Any] = {"now": now, "numbers": None if number is None else [number], "skipped": skipped or {}}
    looked = next_for(Table.objects.select_related("offer").get(pk=table_id), **asked)
    if looked is None:
        return None
    others = {looked.entry.table_id} if looked.entry.table_id is not None else set()
    table = locking.tables({table_id, *others})[table_id]
    choice = next_for(table, **asked)
    if choice is None or {choice.entry.table_id} - {None} - others:
        return None  # somebody left or sat down at this very moment: that sets the alarm again
    if choice.entry.pk is not None:
        return replace(choice, entry=store.again(choice.entry.pk))
    return choice


def lock(entry: ListEntry, table_id: int | None, *, now: datetime) -> Table:
    """The table they are called to, and the one they come from, locked."""
    if table_id is None:
        table_id = _table_with_a_seat(entry.offer, entry, now=now)
    table = locking.tables({pk for pk in (table_id, entry.table_id) if pk is not None})[table_id]
    if table.offer_id != entry.offer_id:
        raise Conflict(f"{table.name} plays another game than the one they wait for.", "other-game")
    return table


def _table_with_a_seat(offer: Offer, entry: ListEntry, *, now: datetime) -> int:
    """The first table with a seat that could be theirs; who changes seats stays at their table."""
    if entry.kind == Kind.SEAT_CHANGE and entry.table_id is not None:
        return entry.table_id
    wanted, sits_at = entry.wish("tables"), Seat.objects.filter(player=entry.player).values("table")
    for table in Table.objects.filter(offer=offer, state=Table.State.OPEN).exclude(pk__in=sits_at).order_by("pk"):
        if (wanted and table.pk not in wanted) or not private.may_sit(table, entry.player):
            continue
        if holds.free_seats(table, entry.player, now=now):
            return table.pk
    raise Conflict(f"No seat that could be theirs is free in {offer.name}.", "no-free-seat")


def _check_waits(entry: ListEntry) -> None:
    store.check_active(entry)
    if entry.is_called:
        raise Conflict(f"{entry.player} is called already, to {entry.called_to}.", "called")


def _hand_of(player: User) -> Hand | None:
    """The hand they are in at this moment, if any."""
    seats = Seat.objects.filter(player=player, table__hand__isnull=False).select_related("table__hand")
    return next((seat.table.hand for seat in seats if seat.table.is_in_hand(seat.number)), None)


def note(choice: Choice, verb: str, *, by: User | None, now: datetime) -> None:
    store.moved(
        choice.entry, verb, rule=choice.rule.slug, why=choice.why, by=by, now=now, table=choice.table,
        number=choice.number, passed_over=choice.passed_names,
    )  # fmt: skip


def _tell_called(entry: ListEntry, *, now: datetime) -> None:
    table = entry.called_to
    if entry.call_until is not None:
        until = f"The seat is held until {room_time.clock_and_zone(entry.call_until)}."
    else:
        until = f"You have {entry.offer.call_minutes} minutes from the end of the hand you are in."
    notices.tell(
        player=entry.player, kind="called", key=f"call:{entry.pk}:{entry.version}", now=now, is_sent=True,
        text=f"Your seat is ready: {entry.offer.name}, {table}, seat {entry.called_number}. {until}",
        data={"entry": entry.pk, "table": entry.called_to_id, "seat": entry.called_number,
              **({"phone": entry.wishes["phone"]} if entry.wish("phone") else {})},
    )  # fmt: skip


def _tell_moving(entry: ListEntry, *, now: datetime) -> None:
    said = f"You move to {entry.called_to}, seat {entry.called_number}, after this hand, with your whole stack."
    if entry.kind == Kind.MUST_MOVE:
        said += " The main game has a free seat and it is your turn; if you refuse you give up your seat."
    notices.tell(
        player=entry.player, kind="moving", key=f"call:{entry.pk}:{entry.version}", now=now, text=said,
        data={"entry": entry.pk, "table": entry.called_to_id, "seat": entry.called_number},
    )  # fmt: skip
