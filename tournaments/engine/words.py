"""How the engine says numbers and names to people."""

from __future__ import annotations

from collections.abc import Iterable


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
