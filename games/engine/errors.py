"""Refusals of the engine: nothing changed, and here is why."""

from __future__ import annotations


class IllegalAction(Exception):
    """A command that the rules do not allow. The hand is exactly as before.

    ``code``: stable, for programs (``not-your-turn``); ``message``: a sentence for people; ``rule``: the citation in
    the hand's rulebook, such as ``"Robert's Rules of Poker v4, 3"`` (None where no rule but plain sense forbids it).
    """

    def __init__(self, code: str, message: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rule = rule
