"""How each fact changes the state: by copying. Nothing here reads a card's value or decides anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import betting, dealing, ending, mistakes, reversal

if TYPE_CHECKING:
    from ..state import HandState

#: Facts that are only for the record.
_NOTED = ("announced", "timed-out", "ordered")

APPLY: dict[str, Callable[[HandState, Any], None] | None] = {
    **dealing.APPLY,
    **betting.APPLY,
    **ending.APPLY,
    **mistakes.APPLY,
    **reversal.APPLY,
    **dict.fromkeys(_NOTED),
}
