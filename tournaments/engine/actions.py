"""The log in actions: what was done, what still stands, and what could be done again.

An action is a fact with a label and the facts after it that have none.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .facts import ActionRedone, ActionUndone, Fact

#: Whatever people enter meanwhile does not take away what can be done again.
_BESIDE = frozenset({"entered", "entered-as-alternate"})


@dataclass(slots=True)
class Action:
    """Facts ``first`` to ``last``, numbered from 1. ``kinds``: theirs."""

    first: int
    last: int
    label: str
    at: int
    kinds: tuple[str, ...]


class ActionLog:
    """``standing``: in order; ``undone``: what can be redone, last undone last."""

    def __init__(self) -> None:
        self.standing: list[Action] = []
        self.undone: list[Action] = []
        #: first -> last of all that does not stand
        self._fallen: dict[int, int] = {}

    def copy(self) -> ActionLog:
        """An independent twin. Actions are only added to while they happen."""
        twin = ActionLog()
        twin.standing, twin.undone = self.standing.copy(), self.undone.copy()
        twin._fallen = self._fallen.copy()
        return twin

    def take(self, seq: int, fact: Fact) -> None:
        """Fact number ``seq`` happened."""
        if isinstance(fact, ActionUndone):
            place = bisect_left(self.standing, fact.first, key=lambda action: action.first)
            self.undone.append(self.standing.pop(place))
            self._fallen[fact.first] = fact.last
        elif isinstance(fact, ActionRedone):
            action = self.undone.pop()
            place = bisect_left(self.standing, action.first, key=lambda other: other.first)
            self.standing.insert(place, action)
            del self._fallen[fact.first]
        elif fact.label:
            self.standing.append(Action(seq, seq, fact.label, fact.at, (fact.kind,)))
            if self.undone and fact.kind not in _BESIDE:
                self.undone.clear()
        else:
            action = self.standing[-1]
            action.last = seq
            action.kinds = (*action.kinds, fact.kind)

    def of(self, facts: Iterable[Fact]) -> Iterator[Fact]:
        """Those of ``facts`` that stand."""
        until = 0
        for seq, fact in enumerate(facts, 1):
            until = self._fallen.get(seq, until)
            if seq > until and not isinstance(fact, ActionUndone | ActionRedone):
                yield fact
