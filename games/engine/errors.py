"""Refusals of the engine: nothing changed, and here is why."""

from __future__ import annotations

from typing import Any, Self


class Said(str):
    """Words for people in English, and what they were made of, so that they can be said in another language too.

    ``pattern``: as it is translated, ``{name}`` where each of ``values`` stands; a value may be ``Said`` itself.
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
    """``one`` for 1, else ``many``, with ``{n}`` in them."""
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
