"""Actions that no longer stand, and those that stand again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import facts as f

if TYPE_CHECKING:
    from ..state import TournamentState


def _refolded(state: TournamentState, fact: f.ActionUndone | f.ActionRedone) -> None:
    """The log stays whole; all else is what the facts that stand come to."""
    state.refold()


APPLY: dict[str, Callable[[TournamentState, Any], None]] = {
    "action-undone": _refolded,
    "action-redone": _refolded,
}
