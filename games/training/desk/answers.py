"""What the ruling desk answers: the rulings of the engine with their rules, and the hand around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.training.desk.asks import Answers


@dataclass(frozen=True)
class DeskRulingRow:
    """A ruling with where the book says so. ``follows``: whose rule a silent book plays; ``translation``: ``words``
    in the reader's language, "" where they stay as they are."""

    key: str
    verdict: str
    seats: tuple[int, ...]
    words: str
    rule: str
    citation: str
    is_silent: bool
    follows: str
    translation: str


@dataclass(frozen=True)
class PointRow:
    """What a book says on a point, whether or not it came to a ruling. ``translation``: ``text`` in
    the reader's language."""

    key: str
    text: str
    citation: str
    is_silent: bool
    follows: str
    translation: str


@dataclass(frozen=True)
class RefusedCommand:
    """Why the rules do not let this happen."""

    message: str
    rule: str | None
    code: str


@dataclass(frozen=True)
class Answer:
    """The ruling desk's answer to a question. ``story``: how the little hand went; ``deed``: what happened then;
    ``rulings``, cause first; ``finding``: what the rule of play comes to where there is nothing to rule on; ``remedy``:
    what follows, in sentences; ``next``: what correct procedure wants then. ``before``: the hand as the rail sees it
    before the deed, or, where that is the deal itself, before the ruling; ``table``: in the end. ``points``: what the
    book says on the points of the question."""

    what: str
    answers: Answers
    story: list[str]
    deed: list[str]
    rulings: list[DeskRulingRow]
    finding: str
    remedy: list[str]
    next: str
    refused: RefusedCommand | None
    before: dict[str, Any]
    table: dict[str, Any]
    points: list[PointRow]
