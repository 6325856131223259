"""The door for players at a table: sit down, add chips, sit out, come back, leave.

`key` is the caller's own word for one request: the same one again is answered as it first was and does nothing. Each
verb locks the table. `NotFound` where there is no such table, or the player has no seat at it.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from cardroom.models import User
from cardroom.services import ledger
from cardroom.services.errors import Conflict, Illegal, Invalid, NotEnoughChips, NotFound
from games import journal, signals
from games.engine.commands import Leave, Return
from games.models import Seat, SeatMove, Table
from games.services import away, locking, playing, settling, stacks

#: Between a change at a table without a hand and the deal it makes possible.
_SOON = timedelta(seconds=1)
_LONGEST_KEY = 60


def sit(
    *, table_id: int, player: User, number: int | None = None, buy_in: int, now: datetime, key: str = ""
) -> SeatMove:
    """Sit down in a free seat (`number` None: the first one) with `buy_in` chips from the wallet.

    Refuses: `Conflict` (the seat is taken, the table is full, already seated), `Invalid` (no such seat, a buy-in
    outside the table's range), `NotEnoughChips`, `Illegal` (the table is closed).
    """

    def do(table: Table, key: str) -> SeatMove:
        _check_anybody_sits(table)
        if table.state != Table.State.OPEN:
            raise Illegal("This table is closed.", "table-closed")
        taken = dict(table.seats.values_list("number", "player"))
        if player.pk in taken.values():
            raise Conflict("You sit at this table already.", "already-seated")
        place = _free_seat(table, number, taken)
        _check_buy_in(table, buy_in)
        move = stacks.buy_in(table, player=player, number=place, amount=buy_in, now=now, key=key)
        _changed(table, now=now)
        return move

    return _once("sit", table_id, player, key, do)


def top_up(*, table_id: int, player: User, amount: int, now: datetime, key: str = "") -> SeatMove:
    """Add chips from the wallet, up to the table's most; during a hand they are added when it is over.

    Asked for again during the same hand, the last amount counts. A player without chips is dealt in again. Refuses:
    `Invalid` (not a whole number of chips, or more than the table's most), `NotEnoughChips`.
    """

    def do(table: Table, key: str) -> SeatMove:
        _check_anybody_sits(table)
        seat = _seat(table, player)
        if seat.state == Seat.State.LEAVING:
            raise Conflict("You are leaving after this hand: come back first.", "leaving")
        _check_top_up(table, seat, amount)
        if table.is_in_hand(seat.number):
            _check_wallet(player, amount)
            seat.top_up_queued = amount
            seat.save(update_fields=["top_up_queued"])
            kind = SeatMove.Kind.TOP_UP_ASKED
            move = stacks.note(table, player=player, number=seat.number, kind=kind, amount=amount, now=now, key=key)
        else:
            was_broke = not seat.account.balance
            move = stacks.add(seat, table, amount=amount, now=now, key=key)
            if was_broke and seat.state == Seat.State.SITTING_OUT:
                _come_back(table, seat, now=now)
        _changed(table, now=now)
        return move

    return _once("top-up", table_id, player, key, do)


def sit_out(*, table_id: int, player: User, now: datetime, key: str = "") -> SeatMove:
    """Not be dealt in from the next hand on; the hand being played goes on, with its clock.

    At an event he is dealt in all the same, and absent; in the hand being played he is hurried from his next turn on.
    """

    def do(table: Table, key: str) -> SeatMove:
        seat = _seat(table, player)
        if table.event:
            return away.go(table, seat, now=now, key=key)
        if seat.state != Seat.State.PLAYING:
            raise Conflict(f"You are {seat.get_state_display()} already.", "already-out")
        move = settling.sit_out(seat, table, now=now, key=key)
        seat.save(update_fields=["state", "out_since", "missed_clocks"])
        _changed(table, now=now)
        return move

    return _once("sit-out", table_id, player, key, do)


def come_back(*, table_id: int, player: User, now: datetime, key: str = "") -> SeatMove:
    """Be dealt in again from the next hand on; also takes back a `leave` that waits for the hand to end. At an event he
    is there at once, with his whole clock if it is his turn.

    Refuses: `Conflict` (not away), `Illegal` (no chips left: add some first).
    """

    def do(table: Table, key: str) -> SeatMove:
        seat = _seat(table, player)
        if table.event:
            return away.come_back(table, seat, now=now, key=key)
        if seat.state == Seat.State.PLAYING:
            raise Conflict("You are in the game already.", "not-away")
        was_leaving = seat.state == Seat.State.LEAVING
        if not seat.account.balance and not table.is_in_hand(seat.number):
            raise Illegal("You have no chips on the table: add some first.", "no-chips")
        move = _come_back(table, seat, now=now, key=key)
        if was_leaving:
            _tell_hand(table, seat, is_back=True, now=now)
        _changed(table, now=now)
        return move

    return _once("come-back", table_id, player, key, do)


def leave(*, table_id: int, player: User, now: datetime, key: str = "") -> SeatMove:
    """Give up the seat and take the chips back into the wallet.

    In the middle of a hand the player is absent from now on: his hand is killed when the betting reaches it, and he is
    cashed out when the hand is over (the answer is then a move of kind `leaving`).
    """

    def do(table: Table, key: str) -> SeatMove:
        _check_anybody_sits(table)
        seat = _seat(table, player)
        if not table.is_in_hand(seat.number):
            move = stacks.cash_out(seat, table, now=now, key=key)
            _changed(table, now=now)
            return move
        if seat.state == Seat.State.LEAVING:
            raise Conflict("You are leaving already: your chips come back when the hand is over.", "already-leaving")
        seat.state, seat.out_since = Seat.State.LEAVING, now
        seat.save(update_fields=["state", "out_since"])
        kind = SeatMove.Kind.LEAVING
        move = stacks.note(table, player=player, number=seat.number, kind=kind, now=now, key=key)
        _tell_hand(table, seat, is_back=False, now=now)
        _changed(table, now=now)
        return move

    return _once("leave", table_id, player, key, do)


def _once(verb: str, table_id: int, player: User, key: str, do: Callable[[Table, str], SeatMove]) -> SeatMove:
    """Lock the table and do it, unless this key has had its answer."""
    if len(key) > _LONGEST_KEY:
        raise Invalid(f"A key has at most {_LONGEST_KEY} characters.", "bad-key")
    with transaction.atomic():
        table = locking.table(table_id)
        if not key:
            return do(table, "")
        # The table is part of it, so that its lock is enough to keep two requests with one key apart.
        full_key = f"{verb}:{table_id}:{key}"
        answered = SeatMove.objects.filter(player=player, key=full_key).first()
        return answered or do(table, full_key)


def _changed(table: Table, *, now: datetime) -> None:
    """Store a table at which somebody came, went or changed his mind."""
    if table.hand_id is None:
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


def _come_back(table: Table, seat: Seat, *, now: datetime, key: str = "") -> SeatMove:
    seat.state, seat.out_since, seat.missed_clocks = Seat.State.PLAYING, None, 0
    seat.save(update_fields=["state", "out_since", "missed_clocks"])
    kind = SeatMove.Kind.CAME_BACK
    return stacks.note(table, player=seat.player, number=seat.number, kind=kind, now=now, key=key)


def _check_anybody_sits(table: Table) -> None:
    if table.event:
        raise Illegal(
            "The seats of a tournament are drawn: nobody sits down, adds chips or leaves by himself.", "seats-drawn"
        )


def _seat(table: Table, player: User) -> Seat:
    seat = table.seats.select_related("player", "account").filter(player=player).first()
    if seat is None:
        raise NotFound("You have no seat at this table.", "not-seated")
    return seat


def _free_seat(table: Table, number: int | None, taken: dict[int, int]) -> int:
    numbers = range(1, table.seat_count + 1)
    if number is None:
        number = next((place for place in numbers if place not in taken), None)
        if number is None:
            raise Conflict("Every seat at this table is taken.", "table-full")
    if type(number) is not int or number not in numbers:
        raise Invalid(f"The seats of this table are 1 to {table.seat_count}.", "no-such-seat")
    if number in taken:
        raise Conflict(f"Seat {number} was taken a moment ago: choose another.", "seat-taken")
    return number


def _check_buy_in(table: Table, amount: int) -> None:
    _check_chips(amount)
    if not table.min_buy_in <= amount <= table.max_buy_in:
        raise Invalid(
            f"The buy-in here is {table.min_buy_in:,} to {table.max_buy_in:,}, not {amount:,}.",
            "buy-in-range",
            least=table.min_buy_in,
            most=table.max_buy_in,
        )


def _check_top_up(table: Table, seat: Seat, amount: int) -> None:
    """Against the stack as the hand found it: what the hand brings is not known yet, and settled when it is over."""
    _check_chips(amount)
    held = seat.account.balance
    if not held:
        _check_buy_in(table, amount)
    if held + amount > table.max_buy_in:
        room = max(0, table.max_buy_in - held)
        raise Invalid(
            f"The most on this table is {table.max_buy_in:,}: you can add {room:,}." if room
            else f"You have the table's most of {table.max_buy_in:,} or more: nothing can be added.",
            "top-up-range",
            most=room,
        )  # fmt: skip


def _check_chips(amount: int) -> None:
    if type(amount) is not int or amount <= 0:
        raise Invalid("Chips are counted in whole numbers from 1.", "bad-amount")


def _check_wallet(player: User, amount: int) -> None:
    held = ledger.wallet(player).balance
    if held < amount:
        raise NotEnoughChips(
            f"Not enough chips: the wallet holds {held:,} and this takes {amount:,}.", held=held, needed=amount
        )
