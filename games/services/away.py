"""Being there: at an event's table, away by one's own word or by a missed clock, back by a word or an action; at every
table that gives extra time for it, out of touch when the last socket is gone.

In a hand the clocks of the table's row say who is away and who is gone; between hands the seats do. Call with the table
locked, but for `heard`.
"""

from datetime import datetime

from django.db import transaction

from cardroom.services.errors import Conflict
from cardroom.services.operations import read
from games import journal, signals
from games.engine.commands import Return
from games.models import Seat, SeatMove, Table
from games.services import clocks, locking, playing, stacks


def is_away(table: Table, seat: Seat) -> bool:
    """Whether the seat is played without its player."""
    if table.is_in_hand(seat.number):
        return table.is_away_in_hand(seat.number)
    return seat.state == Seat.State.SITTING_OUT


def go(table: Table, seat: Seat, *, now: datetime, key: str = "") -> SeatMove:
    """Away from now on; a turn that has begun keeps its clock."""
    if is_away(table, seat):
        raise Conflict("You are away already.", "already-out")
    seat.state, seat.out_since = Seat.State.SITTING_OUT, now
    seat.save(update_fields=["state", "out_since"])
    if table.is_in_hand(seat.number):
        clocks.put(table, seat.number, clocks.of(table, seat.number)._replace(is_away=True))
    move = _note(table, seat, SeatMove.Kind.SAT_OUT, now=now, key=key)
    _store(table)
    return move


def come_back(table: Table, seat: Seat, *, now: datetime, key: str = "") -> SeatMove:
    """There again, in the hand being played as well, where the hand is still live."""
    if not is_away(table, seat):
        raise Conflict("You are in the game already.", "not-away")
    seat.state, seat.out_since = Seat.State.PLAYING, None
    seat.save(update_fields=["state", "out_since"])
    if table.is_in_hand(seat.number):
        clocks.put(table, seat.number, clocks.of(table, seat.number)._replace(is_away=False, missed=0))
        if table.to_act == seat.number and table.deadline is not None:
            clocks.lengthen(table, extra_ms=table.extra_ms)
            table.wake_at = table.deadline
        open_hand = journal.load(table.hand_id, seq=table.seq)
        player = open_hand.engine.seats[seat.number]
        if player.is_absent and player.is_live:
            playing.play(table, open_hand, Return(seat.number), now=now)
    move = _note(table, seat, SeatMove.Kind.CAME_BACK, now=now, key=key)
    _store(table)
    return move


@transaction.atomic
def heard(*, table_id: int, player_id: int, is_here: bool, now: datetime | None = None) -> bool:
    """The player's last socket at this table is gone, or the first one is here; True if that was news to the table.

    In their turn they get extra time at once; when they are heard of again they keep of it what they used and as much
    as an act clock, and the next turns have none. Nothing to a table of no event that gives no extra time. Locks the
    table.
    """
    seats = Seat.objects.filter(table=table_id, player=player_id, player__is_bot=False)
    # Most of the time there is nothing to be told, and nobody has to wait for that.
    if not seats.filter(gone_at__isnull=not is_here).exists():
        return False
    table = locking.table(table_id)
    now = read(now)
    seat = seats.first()
    if seat is None or (seat.gone_at is None) == is_here or not (is_here or table.minds_presence):
        return False
    is_in_hand = table.is_in_hand(seat.number)
    # In a hand of a cash game nothing is won by coming and going: the schedule goes on where it was.
    starts_anew = is_here and (bool(table.event) or not is_in_hand)
    seat.gone_at = None if is_here else now
    seat.extras_taken = 0 if starts_anew else seat.extras_taken
    seat.save(update_fields=["gone_at", "extras_taken"])
    if is_in_hand:
        clock = clocks.of(table, seat.number)._replace(is_gone=not is_here)
        clocks.put(table, seat.number, clock._replace(extras=0) if starts_anew else clock)
        if table.to_act == seat.number and table.deadline is not None:
            _change_turn(table, clock, now=now)
    _store(table)
    return True


def _change_turn(table: Table, clock: clocks.SeatClock, *, now: datetime) -> None:
    """It is the turn of whom nobody hears any more, or who is heard of again. A clock that has run out stays so."""
    if clock.is_away or now >= table.deadline:
        return
    if clock.is_gone:
        # Losing touch twice in one turn gives no more than losing it once.
        clocks.lengthen(table, extra_ms=max(table.extra_ms, clocks.extra_time(table, clock)))
    elif table.extra_ms:
        used = max(0, (now - table.turn_at) // clocks.MILLISECOND - table.act_seconds * 1000)
        clocks.lengthen(table, extra_ms=min(table.extra_ms, used + table.act_seconds * 1000))
    table.wake_at = table.deadline


def _note(table: Table, seat: Seat, kind: SeatMove.Kind, *, now: datetime, key: str) -> SeatMove:
    return stacks.note(table, player=seat.player, number=seat.number, kind=kind, now=now, key=key)


def _store(table: Table) -> None:
    locking.store(table, wake_at=table.wake_at)
    signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version)
