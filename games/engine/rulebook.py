"""A rulebook is data: for every point its value, the sentence for it, and where the book says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a rulebook.

    ``tournament`` is None where a tournament plays the same ``value``. ``cite`` is the rule's number or heading in the
    book, or the whole source where the rule is not of the book; ``citation`` is the source in full, for people. For a
    point on which the book is silent, ``follows`` names whose rule is played instead. ``played`` is the sentence for
    ``value`` where ``text`` is a house's own, which nothing holds to it.
    """

    key: str
    value: Any
    tournament: Any
    cite: str
    text: str
    citation: str
    is_silent: bool = False
    follows: str = ""
    played: str = ""

    @property
    def words(self) -> str:
        """The point for a ruling: its sentence, and what is played where that is another's."""
        return f"“{self.text}” Played: {self.played}" if self.played else self.text


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

    def words(self, key: str) -> str:
        """The rule as a ruling says it."""
        return self.points[key].words

    def citation(self, key: str) -> str:
        """Where the rule is from, for people: ``Robert's Rules of Poker v4, 9``, ``TDA 2024, rule 53``."""
        return self.points[key].citation
