"""What moved, told after the commit that moved it: ids and numbers only, never a card.

Send with `after_commit`, once the table has been stored: whoever hears of it finds it noted (`watching`). A receiver
that fails is logged and stops nobody: whoever missed a signal catches up from the journal.
"""

from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import Signal

hand_moved = Signal()
"""(table_id, hand_id, seq): facts up to `seq` are there."""

hand_ended = Signal()
"""(table_id, hand_id, seq): that was the last fact, and the stacks are settled."""

table_changed = Signal()
"""(table_id, version): somebody sat down, left, sits out, came back or added chips, called the floor or was answered,
or the table closed."""

seat_freed = Signal()
"""(table_id, number): a seat that was taken, or held for somebody, is free."""


def after_commit(signal: Signal, **what: int) -> None:
    """Send `signal` once the transaction at hand has been committed; not at all if it is rolled back."""
    transaction.on_commit(partial(_send, signal, what), robust=True)


def _send(signal: Signal, what: dict[str, Any]) -> None:
    signal.send_robust(sender=None, **what)
