"""Refusals of the tournament engine: nothing changed, and here is why."""

from __future__ import annotations


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
