"""Go back to where the hand was before a mistaken entry."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import facts as f

if TYPE_CHECKING:
    from ..state import HandState


def _entry_reversed(state: HandState, fact: f.EntryReversed) -> None:
    """The log stays whole; all else is what the facts up to ``upto`` come to, reversals among them included."""
    before = state.blank()
    for earlier in state.facts[: fact.upto]:
        before.apply(earlier)
    before.facts = state.facts
    state.become(before)


APPLY: dict[str, Callable[[HandState, Any], None]] = {"entry-reversed": _entry_reversed}
