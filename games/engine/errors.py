"""Refusals of the engine: nothing has changed, and the message says why."""

from __future__ import annotations

from typing import Any, Self


class Said(str):
    """A text for people in English that keeps its pattern and values, so that it can be translated.

    ``pattern``: the text to translate, with ``{name}`` in place of each of ``values``; a value may be a ``Said`` too.
    ``many``: the pattern for every number ``n`` but 1, "" where nothing is counted.
    """

    __slots__ = ("many", "pattern", "values")
    pattern: str
    many: str
    values: dict[str, Any]

    def __new__(cls, pattern: str, many: str = "", /, **values: Any) -> Self:
        chosen = many if many and values["n"] != 1 else pattern
        message = super().__new__(cls, chosen.format(**values) if values else chosen)
        message.pattern, message.many, message.values = pattern, many, values
        return message


def counted(n: int, singular: str, plural: str, /, **values: Any) -> Said:
    """``singular`` for 1, else ``plural``; both may contain ``{n}``."""
    return Said(singular, plural, n=n, **values)


class IllegalAction(Exception):
    """A command that the rules do not allow. The hand is exactly as before.

    ``code``: stable, for programs (``not-your-turn``); ``message``: a sentence for people; ``rule``: the citation in
    the hand's rulebook, such as ``"Robert's Rules of Poker v4, 3"``
    (None where no rule but plain sense forbids it). It is raised with the sentence's pattern and values.
    """

    def __init__(self, code: str, pattern: str, rule: str | None = None, /, **values: Any) -> None:
        self.message = pattern if isinstance(pattern, Said) else Said(pattern, **values)
        super().__init__(self.message)
        self.code = code
        self.rule = rule
