"""How each fact changes the state: by copying. Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import busting, ending, entering, seats, timing, undoing

if TYPE_CHECKING:
    from ..state import TournamentState

APPLY: dict[str, Callable[[TournamentState, Any], None]] = {
    **entering.APPLY,
    **seats.APPLY,
    **timing.APPLY,
    **busting.APPLY,
    **ending.APPLY,
    **undoing.APPLY,
}
