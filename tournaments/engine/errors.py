"""Refusals of the tournament engine: nothing changed, and here is why."""

from __future__ import annotations

from collections.abc import Iterable


class IllegalAction(Exception):
    """A command that the rules of the event do not allow. The tournament is exactly as before.

    ``code``: stable, for programs (``entry-closed``); ``message``: a sentence for people, with what would mend it;
    ``rule``: the citation behind it, such as ``"TDA 8"`` (None where no rule but plain sense forbids it).
    """

    def __init__(self, code: str, message: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rule = rule


# How the engine says numbers and names to people.


def ordinal(number: int) -> str:
    """``1st``, ``12th``."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def listed(names: Iterable[str]) -> str:
    """``Ana, Ben and Cy``."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def counted(count: int, noun: str) -> str:
    """``1 player``, ``2 players``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
