"""What moved, told after the commit that moved it: ids and numbers only.

A receiver that fails is logged and stops nobody: whoever missed a signal catches up from the journal.
"""

from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import Signal

tournament_moved = Signal()
"""(tournament_id, seq): facts up to `seq` are there, or the event's row has changed (`seq` 0: it has no facts yet)."""

notice_given = Signal()
"""(notice_id, player_id): a player has something to read."""


def after_commit(signal: Signal, **what: int) -> None:
    """Send `signal` once the transaction at hand has been committed; not at all if it is rolled back."""
    transaction.on_commit(partial(_send, signal, what), robust=True)


def _send(signal: Signal, what: dict[str, Any]) -> None:
    signal.send_robust(sender=None, **what)
