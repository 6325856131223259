"""The door for players at a table: sit down, add chips, sit out, come back, leave.

`key` is the caller's own word for one request: the same one again is answered as it first was and does nothing. Each
verb locks the table. `NotFound` where there is no such table, or the player has no seat at it.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from cardroom.models import User
from cardroom.services import limits, standing, visits
from cardroom.services.errors import Conflict, Illegal
from cardroom.services.operations import operation
from games import journal, signals
from games.engine.commands import Leave, Return
from games.models import Seat, SeatMove, Table
from games.services import (
    away,
    buying,
    holds,
    keyed,
    lineup,
    locking,
    playing,
    private,
    returning,
    sealed,
    settling,
    stacks,
    time_charges,
    unpaid,
)

#: Between a change at a table without a hand and the deal it makes possible.
_SOON = timedelta(seconds=1)
_NOT_OPEN = {
    Table.State.FREE: "Nothing is played at this table now.",
    Table.State.BREAKING: "This game breaks up: choose another table.",
    Table.State.CLOSING: "This table is closed when this hand is over.",
    Table.State.CLOSED: "This table is closed.",
}


@operation(locking.of_table)
def sit(
    *, table_id: int, player: User, number: int | None = None, buy_in: int, now: datetime, key: str = ""
) -> SeatMove:
    """Sit down in a free seat with `buy_in` chips from the wallet.

    `number` None: the seat held for them, or the first free one. Refuses: `Conflict` (the seat is taken or held, the
    table is full, already seated), `Invalid` (no such seat, a buy-in outside the table's range), `NotEnoughChips`,
    `Forbidden` (banned), `Illegal` (the table takes nobody, it is in the room, too many tables of this game, less than
    they left with a while ago).
    """

    def do(table: Table, key: str) -> SeatMove:
        _check_dealt_here(table)
        made = take(table, player, number, buy_in, now=now, key=key)
        changed(table, now=now)
        return made

    return _once("sit", table_id, player, key, do, amount=buy_in, number=number)


def take(
    table: Table,
    player: User,
    number: int | None,
    buy_in: int,
    *,
    now: datetime,
    key: str = "",
    by: User | None = None,
    is_staff: bool = False,
) -> SeatMove:
    """Put a player into a free seat, after every check. The table is locked, and the caller says that it changed."""
    _check_anybody_sits(table)
    if table.state != Table.State.OPEN:
        raise Illegal(_NOT_OPEN[table.state], "table-closed")
    stacks.lock_player(player)
    standing.check_may_play(player=player, now=now, where="room" if table.is_physical else "online")
    sealed.check_may_sit(table, player, now=now)
    if table.seats.filter(player=player).exists():
        raise Conflict("You sit at this table already.", "already-seated")
    theirs: frozenset[int] = frozenset()
    if not is_staff:
        private.check_may_sit(table, player)
        theirs = _with_first_right(table, player, number, now=now)
    buying.check_other_tables(table, player)
    unpaid.check_may_return(table, player)
    place = holds.free_number(table, number, player=player, now=now, is_staff=is_staff, but=theirs)
    buying.check_buy_in(table, buy_in, *returning.least_buy_in(table, player, now))
    limits.check(player=player, kind="buy-in", amount=buy_in, now=now)
    made = stacks.buy_in(table, player=player, number=place, amount=buy_in, now=now, key=key, by=by)
    holds.drop_own(table, player)
    time_charges.catch_up(table, player, now=now)
    if table.is_physical:
        visits.seated(player=player, by=by, now=now)
    return made


def _with_first_right(table: Table, player: User, number: int | None, *, now: datetime) -> frozenset[int]:
    """Free seats that others have first right to; whatever refuses this player a seat is raised."""
    answers = signals.about_to_sit.send(sender=Table, table=table, player=player, number=number, now=now)
    return frozenset[int]().union(*(theirs for _, theirs in answers))


@operation(locking.of_table)
def top_up(*, table_id: int, player: User, amount: int, now: datetime, key: str = "") -> SeatMove:
    """Add chips from the wallet, up to the table's most; during a hand they are added when it is over.

    Asked for again during the same hand, the last amount counts. A player without chips is dealt in again. Refuses:
    `Invalid` (not a whole number of chips, or more than the table's most), `NotEnoughChips`.
    """

    def do(table: Table, key: str) -> SeatMove:
        _check_anybody_sits(table)
        _check_dealt_here(table)
        seat = _seat(table, player)
        if seat.state in (Seat.State.LEAVING, Seat.State.REMOVED):
            raise Conflict("You are leaving after this hand: come back first.", "leaving")
        buying.check_top_up(table, seat, amount)
        stacks.lock_player(player)
        limits.check(player=player, kind="buy-in", amount=amount, now=now)
        if table.is_in_hand(seat.number):
            buying.check_wallet(player, amount)
            seat.top_up_queued = amount
            seat.save(update_fields=["top_up_queued"])
            kind = SeatMove.Kind.TOP_UP_ASKED
            move = stacks.note(table, player=player, number=seat.number, kind=kind, amount=amount, now=now, key=key)
        else:
            was_broke = not seat.account.balance
            move = stacks.add(seat, table, amount=amount, now=now, key=key)
            if was_broke and seat.state == Seat.State.SITTING_OUT and unpaid.may_return(table, player):
                back(table, seat, now=now)
        changed(table, now=now)
        return move

    return _once("top-up", table_id, player, key, do, amount=amount)


@operation(locking.of_table)
def sit_out(*, table_id: int, player: User, now: datetime, key: str = "") -> SeatMove:
    """Not be dealt in from the next hand on; the hand being played goes on, with its clock.

    At an event they are dealt in all the same, and absent; in the hand being played hurried from the next turn on.
    """

    def do(table: Table, key: str) -> SeatMove:
        seat = _seat(table, player)
        if table.event:
            return away.go(table, seat, now=now, key=key)
        _check_dealt_here(table)
        if seat.state != Seat.State.PLAYING:
            raise Conflict(f"You are {seat.get_state_display()} already.", "already-out")
        move = settling.sit_out(seat, table, now=now, key=key)
        seat.save(update_fields=["state", "out_since", "missed_clocks"])
        changed(table, now=now)
        return move

    return _once("sit-out", table_id, player, key, do)


@operation(locking.of_table)
def come_back(*, table_id: int, player: User, now: datetime, key: str = "") -> SeatMove:
    """Be dealt in again from the next hand on; also takes back a `leave` that waits for the hand to end. At an event
    they are there at once, with their whole clock if it is their turn.

    Refuses: `Conflict` (not away), `Illegal` (no chips left: add some first; they would not pay the time).
    """

    def do(table: Table, key: str) -> SeatMove:
        seat = _seat(table, player)
        if table.event:
            return away.come_back(table, seat, now=now, key=key)
        _check_dealt_here(table)
        if seat.state == Seat.State.PLAYING:
            raise Conflict("You are in the game already.", "not-away")
        if seat.state in (Seat.State.MOVING, Seat.State.REMOVED):
            raise Conflict(f"You are {seat.get_state_display()}: ask the floor.", "by-the-floor")
        was_leaving = seat.state == Seat.State.LEAVING
        if not seat.account.balance and not table.is_in_hand(seat.number):
            raise Illegal("You have no chips on the table: add some first.", "no-chips")
        unpaid.check_may_return(table, player)
        move = back(table, seat, now=now, key=key)
        if was_leaving:
            _tell_hand(table, seat, is_back=True, now=now)
        changed(table, now=now)
        return move

    return _once("come-back", table_id, player, key, do)


@operation(locking.of_table)
def leave(*, table_id: int, player: User, now: datetime, key: str = "") -> SeatMove:
    """Give up the seat and take the chips back into the wallet.

    In the middle of a hand the player is absent from now on: their hand is killed when the betting reaches it, and they
    are cashed out when the hand is over (the answer is then a move of kind `leaving`).
    """

    def do(table: Table, key: str) -> SeatMove:
        _check_anybody_sits(table)
        _check_dealt_here(table)
        seat = _seat(table, player)
        if not table.is_in_hand(seat.number):
            move = stacks.cash_out(seat, table, now=now, key=key)
            changed(table, now=now)
            return move
        if seat.state in (Seat.State.LEAVING, Seat.State.REMOVED):
            raise Conflict("You are leaving already: your chips come back when the hand is over.", "already-leaving")
        stacks.forget_move(seat, now=now)
        seat.state, seat.out_since = Seat.State.LEAVING, now
        seat.save(update_fields=["state", "out_since", "moving_to", "moving_number"])
        kind = SeatMove.Kind.LEAVING
        move = stacks.note(table, player=player, number=seat.number, kind=kind, now=now, key=key)
        _tell_hand(table, seat, is_back=False, now=now)
        changed(table, now=now)
        return move

    return _once("leave", table_id, player, key, do)


def _once(
    verb: str, table_id: int, player: User, key: str, do: Callable[[Table, str], SeatMove], **content: Any
) -> SeatMove:
    """Lock the table and do it, unless this key has had its answer."""
    full_key = keyed.full(verb, table_id, key)
    with transaction.atomic():
        table = locking.table(table_id)
        return keyed.earlier(player, full_key, **content) or do(table, full_key)


def changed(table: Table, *, now: datetime) -> None:
    """Store a table at which somebody came, went or changed their mind."""
    if table.is_physical:
        # A game that breaks up ends when the last one has gone.
        locking.store(table, wake_at=now if table.state == Table.State.BREAKING else table.wake_at)
    elif table.hand_id is None:
        soon = max(table.deal_at or now, now + _SOON)
        is_sooner = table.wake_at is not None and table.wake_at < soon
        locking.store(table, wake_at=table.wake_at if is_sooner else soon)
    else:
        people = table.seats.filter(state=Seat.State.PLAYING, player__is_bot=False)
        table.people_waiting = people.exclude(number__in=[int(number) for number in table.clocks]).count()
        locking.store(table, wake_at=table.wake_at)
    signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version)


def _tell_hand(table: Table, seat: Seat, *, is_back: bool, now: datetime) -> None:
    """Tell the hand that a player went away, or is back."""
    open_hand = journal.load(table.hand_id, seq=table.seq)
    if open_hand.engine.seats[seat.number].is_absent == is_back:
        playing.play(table, open_hand, Return(seat.number) if is_back else Leave(seat.number), now=now)


def back(table: Table, seat: Seat, *, now: datetime, key: str = "", by: User | None = None) -> SeatMove:
    """To be dealt in again from the next hand on; they owe nothing, for stud has no blinds they could have missed."""
    seat.state, seat.out_since, seat.missed_clocks = Seat.State.PLAYING, None, 0
    seat.save(update_fields=["state", "out_since", "missed_clocks"])
    kind = SeatMove.Kind.CAME_BACK
    return stacks.note(table, player=seat.player, number=seat.number, kind=kind, now=now, key=key, by=by)


def _check_anybody_sits(table: Table) -> None:
    if table.event:
        raise Illegal(
            "The seats of a tournament are drawn: nobody sits down, adds chips or leaves by themselves.", "seats-drawn"
        )


def _seat(table: Table, player: User) -> Seat:
    return lineup.seat_of(table, player, refusal="You have no seat at this table.")


def _check_dealt_here(table: Table) -> None:
    """What a player does by themselves: at a table in the room chips are on the felt, and staff does it with them."""
    if table.is_physical:
        raise Illegal(
            f"{table.name} is a table in the room: ask the floor there, who seats you and counts your chips.",
            "table-in-the-room",
        )
