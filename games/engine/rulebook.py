"""A rulebook is data: for every point its value, the sentence for it, and where the book says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a rulebook.

    ``tournament`` is None where a tournament plays the same ``value``. ``cite`` is the rule's number or heading in the
    book; for a point on which the book is silent, ``follows`` names whose rule is played instead.
    """

    key: str
    value: Any
    tournament: Any
    cite: str
    text: str
    is_silent: bool = False
    follows: str = ""


@dataclass(frozen=True, eq=False)
class Rulebook:
    """A dated version of a book; compared by identity, for it is loaded once."""

    slug: str
    version: str
    title: str
    points: Mapping[str, Point]

    def value(self, key: str, setting: str) -> Any:
        """What the book plays on ``key`` in ``setting`` (cash or tournament). Raises ``KeyError`` for no such point."""
        point = self.points[key]
        if setting == "tournament" and point.tournament is not None:
            return point.tournament
        return point.value

    def cite(self, key: str) -> str:
        """The rule's number or heading."""
        return self.points[key].cite

    def text(self, key: str) -> str:
        """The rule in a sentence of our own."""
        return self.points[key].text

    def citation(self, key: str) -> str:
        """Book and rule, for people: ``Robert's Rules of Poker v4, 3``."""
        point = self.points[key]
        if point.is_silent:
            return f"{self.title} (silent; played as {point.follows})"
        return f"{self.title}, {point.cite}"
