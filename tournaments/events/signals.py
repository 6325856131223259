"""What happened in an event, told to the rooms above.

After the commit (`after_commit`): ids and numbers only. A receiver that fails is logged and stops nobody: whoever
missed a signal catches up from the journal.

In the transaction itself (`Signal.send`, with the event locked): a receiver that refuses takes everything back.
"""

from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import Signal

tournament_moved = Signal()
"""(tournament_id, seq): facts up to `seq` are there, or the event's row has changed (`seq` 0: it has no facts yet)."""

notice_given = Signal()
"""(notice_id, player_id): a player has something to read."""

facts_written = Signal()
"""In the transaction: (locked, facts, now): what follows from these facts outside the engine is due, such as notices
and prizes. A receiver plays nothing more. The same facts may come twice where one transaction holds an event more than
once."""


def after_commit(signal: Signal, **what: int) -> None:
    """Send `signal` once the transaction at hand has been committed; not at all if it is rolled back."""
    transaction.on_commit(partial(_send, signal, what), robust=True)


def _send(signal: Signal, what: dict[str, Any]) -> None:
    signal.send_robust(sender=None, **what)
