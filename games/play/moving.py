"""Seat changes and moves to another table, with the whole stack: the wallet is not touched.

Between hands a move is done at once. During a hand the player plays on, the seat they go to is held for them, and the
alarm that the hand's end sets carries the move out. Each verb is one transaction and locks the tables by their ids.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import alarms, audit_log, languages, notices, topics
from cardroom.core.arguments import RowId
from cardroom.core.errors import Conflict, Illegal, Refusal
from cardroom.core.models import User
from cardroom.core.sentences import StoredText
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger import ledger
from games.play import private, seats, settling
from games.play.seating import CountedChips, MaybeReasonKept, ReasonKept
from games.rake import unpaid_time
from games.tables import holds, hosts, locking, reasons, stacks
from games.tables.models.offers import SeatHold
from games.tables.models.tables import Seat, SeatMove, Table

ALARM = settling.MOVE_ALARM
_GONE = (Seat.State.LEAVING, Seat.State.REMOVED)
#: The columns that go along to another seat; and those of a lost connection, where the new table needs them.
_CARRIED = ("time_bank_ms", "missed_clocks", "misses_hands", "out_since", "extra_used_ms")
_PRESENCE = ("gone_at", "extras_taken")


@verb("seating.move", roles=holds.ROLES)
def move(
    *,
    table_id: RowId,
    player: holds.NamedPlayer,
    to_table_id: RowId,
    number: holds.SeatNumber = None,
    why: ReasonKept,
    count: CountedChips = None,
    by: User | None,
) -> SeatMove:
    """Move a player with their stack to another seat (`number` None: the one held for them, or the first free one).

    During a hand they move after it, and the answer is a move of kind `moving`. `by` None: the house itself, or the
    player's own wish; `count`: their counted chips, where they leave a table in the room. Refuses: `NotFound` (they do
    not sit there), `Conflict` (taken, held, none free, sits there already, leaving), `Illegal` (another kind of table,
    another game that their stack does not fit, a table that takes nobody; they refused to pay the time here).
    """
    why = reasons.of_the_floor(why)
    if by is not None and isinstance(why, str):
        why = audit_log.reason_given(why, what=gettext("a move"))
    tables, now = lock(locking.tables, {table_id, to_table_id})
    source, target = tables[table_id], tables[to_table_id]
    seat = stacks.seat_of(source, player)
    _check_stays(seat)
    _check_route(source, target, seat, now=now)
    if source.pk == target.pk and number == seat.number:
        raise Conflict("same-seat", "The player sits in that seat.")
    number = holds.free_number(target, number, player=player, now=now, is_staff=by is not None)
    details = {"from": source.pk, "to": target.pk, "seat": number}
    seats.note("seating.move", source, player, by, now=now, reason=why, **details)
    if source.is_in_hand(seat.number):
        return _queue(seat, source, target, number, by=by, why=why, now=now)
    if source.pk == target.pk:
        count = None
    else:
        _check_stack(source, target, seat, count, by=by, now=now)
    _clear_queue(seat, now=now)
    arrival = carry(seat, source, target, number=number, now=now, count=count, by=by, why=why)
    for table in tables.values():
        seats.store_changed(table, now=now)
    return arrival


@verb("seating.cancel_move", roles=holds.ROLES)
def cancel_move(*, table_id: RowId, player: holds.NamedPlayer, by: User | None = None) -> bool:
    """Cancel a move that waits for the end of their hand: they stay. False where none waits."""
    table, now = lock(locking.table, table_id)
    seat = table.seats.select_related("player").filter(player=player, state=Seat.State.MOVING).first()
    if seat is None:
        return False
    _take_back(seat, now=now)
    seats.note("seating.cancel_move", table, player, by, now=now)
    seats.store_changed(table, now=now)
    return True


@verb("seating.swap", roles=holds.ROLES)
def swap(
    *, table_id: RowId, player: holds.NamedPlayer, other: holds.NamedPlayer, why: MaybeReasonKept = "", by: User
) -> SeatMove:
    """Two players of a table change seats, between hands, each with their stack; the answer is the first one's move.

    Refuses: `NotFound` (one of them does not sit there), `Conflict` (a hand is being played).
    """
    why = reasons.of_the_floor(why)
    with seats.locked_table(table_id, player) as (table, now):
        first_seat, second_seat = stacks.seat_of(table, player), stacks.seat_of(table, other)
        _check_stays(first_seat)
        _check_stays(second_seat)
        _check_route(table, table, first_seat, now=now)
        if first_seat.pk == second_seat.pk:
            raise Conflict("same-seat", "Choose two different players.")
        if table.hand_id is not None:
            raise Conflict("in-hand", "Seats are changed between hands: wait until this hand is over.")
        for seat in (first_seat, second_seat):
            _clear_queue(seat, now=now)
        first_number, second_number = first_seat.number, second_seat.number
        details = {"other": other.pk, "seats": [first_number, second_number]}
        seats.note("seating.swap", table, player, by, now=now, reason=why, **details)
        second_seat.delete()
        arrival = carry(first_seat, table, table, number=second_number, now=now, by=by, why=why, is_seat_freed=False)
        carry(second_seat, table, table, number=first_number, now=now, by=by, why=why, is_seat_freed=False)
        return arrival


def carry(
    seat: Seat,
    source: Table,
    target: Table,
    *,
    number: int,
    now: datetime,
    count: int | None = None,
    by: User | None = None,
    why: StoredText = "",
    is_seat_freed: bool = True,
) -> SeatMove:
    """Move a player with their stack to a free seat, in one transfer. Call with both tables locked, and store them
    after it. `count`: at tables in the room, the counted chips; `is_seat_freed`: the host of the table they leave may
    fill their seat."""
    held = stacks.chips_of(seat, source) if count is None else count
    player, from_number = seat.player, seat.number
    account = stacks.open_stack(target, player, number)
    details = {"now": now, "amount": held, "by": by, "reason": why}
    departure = stacks.note(source, player=player, number=from_number, kind=SeatMove.Kind.MOVED_AWAY, **details)
    stacks.keep_extra(departure, seat.extra_used_ms)
    arrival = stacks.note(target, player=player, number=number, kind=SeatMove.Kind.MOVED, **details)
    is_same = source.pk == target.pk
    is_away = (seat.out_since is not None and seat.state != Seat.State.PLAYING) or not held
    if seat.pk is not None:
        seat.delete()
    # A player who refused to pay the time at the table they come from is dealt in when they have paid it.
    is_away = is_away or not (is_same or unpaid_time.may_return(target, player))
    seat.out_since = (seat.out_since or now) if is_away else None
    holds.drop_own(target, player)
    Seat.objects.create(
        table=target,
        number=number,
        player=player,
        account=account,
        state=Seat.State.SITTING_OUT if is_away else Seat.State.PLAYING,
        sat_at=seat.sat_at if is_same else now,
        is_warned=is_same and seat.is_warned,
        counted=held if target.is_physical else 0,
        counted_at=seat.counted_at if is_same else now if target.is_physical else None,
        **{name: getattr(seat, name) for name in (*_CARRIED, *(_PRESENCE if target.minds_presence else ()))},
    )
    if is_away and not is_same:
        stacks.note(target, player=player, number=number, kind=SeatMove.Kind.SAT_OUT, now=now)
    from_account, to_account = seat.account, account
    if source.is_physical:
        from_account, to_account = stacks.pool(source), stacks.pool(target)
    legs = [(from_account, -held), (to_account, held)]
    ledger.post(
        reference=f"move:{arrival.pk}", reason=reasons.MOVED(at=target.name), legs=legs, at=now, by=by or player
    )
    if is_seat_freed:
        hosts.host_of(source).seat_freed(table_id=source.pk, now=now)
    topics.tell("floor", f"player:{player.pk}")
    return arrival


def wake(*, seat_id: int, now: datetime | None = None) -> bool:
    """The alarm of a move that waited for the end of a hand: carry it out; False where there is nothing to do.

    A move that became impossible meanwhile is cancelled: the player stays where they sit, and gets a notice.
    """
    waiting = Seat.objects.filter(pk=seat_id, state=Seat.State.MOVING).values_list("table", "moving_to").first()
    if waiting is None or None in waiting:
        return False
    with transaction.atomic():
        tables = locking.tables(set(waiting))
        now = now or current_time()
        seat = Seat.objects.select_related("player", "account").filter(pk=seat_id, state=Seat.State.MOVING).first()
        if seat is None or (seat.table_id, seat.moving_to_id) != waiting or tables[waiting[0]].is_in_hand(seat.number):
            return False
        source, target, number = tables[waiting[0]], tables[waiting[1]], seat.moving_number
        moves = SeatMove.objects.filter(table=source, player=seat.player, kind=SeatMove.Kind.MOVING).order_by("-pk")
        order = moves.select_related("by").first()
        details = {"by": order.by if order else None, "why": order.reason if order else ""}
        try:
            with languages.spoken_to(seat.player):
                _check_route(source, target, seat, now=now)
                number = holds.free_number(target, number, player=seat.player, now=now)
        except Refusal as refusal:
            _take_back(seat, now=now)
            with languages.spoken_to(seat.player):
                text = gettext("You keep your seat: {why}").format(why=refusal.message)
            notices.tell(player=seat.player, kind="seat", text=text, now=now)
        else:
            carry(seat, source, target, number=number, now=now, **details)
        for table in tables.values():
            seats.store_changed(table, now=now)
        return True


def _queue(
    seat: Seat, source: Table, target: Table, number: int, *, by: User | None, why: StoredText, now: datetime
) -> SeatMove:
    _clear_queue(seat, now=now)
    SeatHold.objects.filter(table=target, number=number).exclude(player=seat.player).delete()  # its time is over
    SeatHold.objects.update_or_create(
        table=target,
        player=seat.player,
        defaults={"number": number, "why": SeatHold.Why.MOVE, "until": None, "by": by, "at": now},
    )
    seat.state, seat.moving_to, seat.moving_number = Seat.State.MOVING, target, number
    seat.save(update_fields=["state", "moving_to", "moving_number"])
    kind = SeatMove.Kind.MOVING
    details = {"now": now, "by": by, "reason": why}
    seat_move = stacks.note(source, player=seat.player, number=seat.number, kind=kind, **details)
    # Only the end of the hand sets the alarm: nothing can be done before.
    for table in {source.pk: source, target.pk: target}.values():
        seats.store_changed(table, now=now)
    topics.tell(f"player:{seat.player_id}")
    return seat_move


def _clear_queue(seat: Seat, *, now: datetime) -> None:
    """Cancel a move that waits for them, if any; the caller saves or deletes the seat."""
    stacks.forget_move(seat, now=now)


def _take_back(seat: Seat, *, now: datetime) -> None:
    _clear_queue(seat, now=now)
    seat.state = Seat.State.SITTING_OUT if seat.out_since else Seat.State.PLAYING
    seat.save(update_fields=["state", "moving_to", "moving_number"])
    alarms.cancel(kind=ALARM, key=str(seat.pk))
    topics.tell(f"player:{seat.player_id}")


def _check_stays(seat: Seat) -> None:
    """`Conflict` for a player who is leaving: they get no other seat, for they may have been banned."""
    if seat.state in _GONE:
        raise Conflict("leaving", "{player} is {state}.", player=seat.player, state=seat.get_state_display())


def _check_route(source: Table, target: Table, seat: Seat, *, now: datetime) -> None:
    """Refuses a move between these tables that nobody, or not this player, may make."""
    if source.event or target.event:
        raise Illegal("seats-drawn", "This is a tournament table: its director moves the players.")
    if source.pk == target.pk:
        return
    if target.state != Table.State.OPEN:
        raise Illegal(
            "table-closed",
            "{target} is {state}: players cannot be seated there.",
            target=target.name,
            state=target.get_state_display(),
        )
    if source.is_physical != target.is_physical:
        raise Illegal(
            "other-kind-of-table",
            "Chips are not carried between a table in the room and one online: cash out here and buy in there.",
        )
    if target.seats.filter(player=seat.player_id).exists():
        raise Conflict("already-seated", "{player} sits at {target} already.", player=seat.player, target=target.name)
    private.check_not_looking(target, seat.player, now=now)
    if source.state != Table.State.BREAKING:
        unpaid_time.check_may_move(source, target, seat.player)


def _check_stack(
    source: Table, target: Table, seat: Seat, count: int | None, *, by: User | None, now: datetime
) -> None:
    """In the same game the whole stack goes along, whatever its size; `Illegal` where it does not fit the buy-in of
    another game."""
    if source.is_physical:
        stacks.check_not_own(seat.player, by)
    held = stacks.counted(seat, source, count, by=by, now=now) if source.is_physical else seat.account.balance
    is_same_game = source.offer_id == target.offer_id if source.offer_id else source.stakes == target.stakes
    if not is_same_game and not target.min_buy_in <= held <= target.max_buy_in:
        raise Illegal(
            "other-game",
            "{target} plays another game: its buy-in is {min_buy_in:,} to {max_buy_in:,}, and "
            "{player} has {held:,}. Let them leave here and buy in there.",
            rule=gettext_lazy("House rules: a stack goes along within one game; another one is bought into"),
            target=target.name,
            min_buy_in=target.min_buy_in,
            max_buy_in=target.max_buy_in,
            player=seat.player,
            held=held,
        )
