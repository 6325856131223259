"""One command in a hand, from the engine to the journal, the clock, the table's row and its alarm.

Call with the table locked and the hand loaded. A command that does not end the hand costs an insert, an update and the
alarm: with the lock four statements.
"""

from datetime import datetime

from cardroom.services.errors import CardroomError, Illegal, Stale
from games import journal, signals
from games.engine.commands import Command
from games.engine.errors import IllegalAction
from games.journal import OpenHand, Receipt
from games.models import Table
from games.services import clocks, locking, pacing, settling


def play(
    table: Table, open_hand: OpenHand, command: Command, *, now: datetime, command_id: str = "", is_missed: bool = False
) -> Receipt:
    """Play a command and write down all that follows. `is_missed`: the player's clock plays it for them.

    A refusal of the engine becomes `Illegal`, or `Stale` where it is another player's turn; nothing has changed then.
    """
    engine = open_hand.engine
    turn = engine.options(engine.to_act)
    try:
        receipt = journal.play(open_hand, command, at=now, command_id=command_id)
    except IllegalAction as error:
        raise refusal(error) from None
    if turn is not None and not engine.is_over and engine.options(engine.to_act) is turn:
        # Somebody left or came back out of turn: the player to act goes on thinking.
        table.seq = open_hand.length
        locking.store(table, wake_at=table.wake_at)
    else:
        _stop_clock(table, now=now, is_missed=is_missed)
        follow(table, open_hand, now=now)
    signals.after_commit(signals.hand_moved, table_id=table.pk, hand_id=open_hand.pk, seq=receipt.seq)
    return receipt


def follow(table: Table, open_hand: OpenHand, *, now: datetime) -> None:
    """Bring the table's row to where the hand stands: the next turn, or the end."""
    engine = open_hand.engine
    table.seq = open_hand.length
    if engine.is_over:
        wake_at = settling.settle(table, open_hand, now=now)
    else:
        table.street = engine.street
        clocks.start(table, engine.to_act, now=now, is_timed=engine.turn is not None)
        wake_at = _next_wake(table, open_hand, now=now)
    locking.store(table, wake_at=wake_at)


def _stop_clock(table: Table, *, now: datetime, is_missed: bool) -> None:
    """At an event a missed clock sends the player away and an action brings them back, which is told."""
    seat = table.to_act
    was_away = bool(table.event and seat) and clocks.of(table, seat).is_away
    clocks.stop(table, seat, now=now, is_missed=is_missed)
    if table.event and seat and clocks.of(table, seat).is_away != was_away:
        signals.after_commit(signals.table_changed, table_id=table.pk, version=table.version + 1)


def refusal(error: IllegalAction) -> CardroomError:
    """The engine's refusal as the house answers it."""
    kind = Stale if error.code == "not-your-turn" else Illegal
    return kind(error.message, error.code, error.rule)


def _next_wake(table: Table, open_hand: OpenHand, *, now: datetime) -> datetime | None:
    """When the alarm has to ring: a bot has thought, or a clock has run out. None: a person has all the time."""
    if open_hand.engine.turn is None or not open_hand.sitters[table.to_act].is_bot:
        return table.deadline
    thinks = pacing.thinks(table)
    return now + (thinks if table.deadline is None else min(thinks, (table.deadline - now) / 2))
