"""A house rulebook: one of the published books with points of the house's own.

Reads the changes that a manager wants, refuses what cannot be played, and makes the book: data in, data out. It does
not know where such books are stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from games.engine.rulebook import Point, Rulebook
from games.rulebooks import frozen, plain
from games.rulebooks.house.answers import RuleAnswer, read_answers, sentence, sentence_of
from games.rulebooks.house.choices import LONGEST_TEXT, questions
from games.rulebooks.house.faults import RuleFault, faults, notes

__all__ = [
    "LONGEST_TEXT",
    "BadBook",
    "RuleFault",
    "changes_of",
    "derived",
    "differences",
    "faults_of",
    "notes_of",
    "read",
    "sentence",
    "was_of",
    "written",
]


class BadBook(ValueError):
    """Changes that make no book; ``faults`` says which points and why, in the order of the book."""

    def __init__(self, faults: list[RuleFault]) -> None:
        super().__init__(" ".join(fault.reason for fault in faults))
        self.faults = faults


def derived(base: Rulebook, wanted: Mapping[str, Any], *, slug: str, version: str, title: str) -> Rulebook:
    """``base`` with the points that ``wanted`` changes: by key ``{"value", "tournament", "text"}``, each optional.

    A value of several parts may name only those that change; ``was`` is passed over. A point that comes out as the base
    book has it counts as unchanged. Raises ``BadBook`` for what is no value of a point, and for values that do not go
    together.
    """
    answers, wrong = read_answers(base, wanted)
    if wrong:
        raise BadBook(wrong)
    points = {
        key: _changed_point(point, answers[key], title=title) if key in answers else _kept_point(point, title=title)
        for key, point in base.points.items()
    }
    book = Rulebook(slug, version, title, MappingProxyType(points))
    if wrong := faults(book):
        raise BadBook(wrong)
    return book


def faults_of(base: Rulebook, wanted: Mapping[str, Any]) -> list[RuleFault]:
    """What is wrong with the changes; nothing when they make a book."""
    try:
        derived(base, wanted, slug="", version="", title="")
    except BadBook as bad:
        return bad.faults
    return []


def notes_of(book: Rulebook, changed: Mapping[str, Any]) -> list[RuleFault]:
    """Unexpected effects of the changed points."""
    return [note for note in notes(book) if not changed.keys().isdisjoint(note.points)]


def changes_of(base: Rulebook, wanted: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What ``wanted`` really changes, whole and ready for JSON, so that ``derived`` makes the same of it again: by key
    ``value``, ``tournament`` (None where that cannot differ), ``text`` ("": made from the value), and ``was``, the
    point as the base book has it."""
    answers, wrong = read_answers(base, wanted)
    if wrong:
        raise BadBook(wrong)
    return {
        key: {
            "value": plain(answer.value),
            "tournament": _in_a_tournament(key, answer),
            "text": answer.text,
            "was": _as_stored(base, base.points[key]),
        }
        for key, answer in answers.items()
    }


def was_of(base: Rulebook, changes: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The changed points as the base book had them, by key; where that is from, as the book now says it."""
    return {key: {**change["was"], "citation": base.citation(key)} for key, change in changes.items()}


def _in_a_tournament(key: str, answer: RuleAnswer) -> Any:
    if not questions()[key].has_tournament:
        return None
    return plain(answer.value if answer.tournament is None else answer.tournament)


def _as_stored(base: Rulebook, point: Point) -> dict[str, Any]:
    return {
        "value": plain(point.value),
        "tournament": plain(point.tournament),
        "text": point.text,
        "citation": base.citation(point.key),
    }


def _kept_point(point: Point, *, title: str) -> Point:
    """A point that the house book takes from its base unchanged, cited as the base book's."""
    if point.cite == point.citation:
        return point
    cite = f"as {point.citation}"
    return replace(point, cite=cite, citation=f"{title}, {cite}", is_silent=False, follows="")


def _changed_point(point: Point, answer: RuleAnswer, *, title: str) -> Point:
    """``point`` is the base book's."""
    default_text = sentence_of(point, answer.value, answer.tournament)
    text = answer.text or default_text
    cite = f"{point.key} (changed from {point.citation})"
    played = "" if text == default_text else default_text
    return Point(point.key, answer.value, answer.tournament, cite, text, f"{title}, {cite}", played=played)


def written(book: Rulebook) -> dict[str, Any]:
    """Every point of a house book ready for JSON; ``read`` takes it."""
    return {
        point.key: {
            "value": plain(point.value),
            "tournament": plain(point.tournament),
            "cite": point.cite,
            "text": point.text,
        }
        for point in book.points.values()
    }


def read(points: Mapping[str, Any], *, base: Rulebook, slug: str, version: str, title: str) -> Rulebook:
    """The book that was written down; a point that is newer than it comes from its base."""
    in_order = {
        key: _as_written(point, points[key], title=title) if key in points else _kept_point(point, title=title)
        for key, point in base.points.items()
    }
    return Rulebook(slug, version, title, MappingProxyType(in_order))


def _as_written(like: Point, stored: Mapping[str, Any], *, title: str) -> Point:
    """The point that was written down, the parts of its value in the order of the base book's. What was written is what
    is played; where that is from, and the sentence of a point taken over, are said as the base book now says them."""
    value, tournament = (_in_order(stored[name], like.value) for name in ("value", "tournament"))
    if stored["cite"].startswith(f"{like.key} "):
        return _changed_point(like, RuleAnswer(value, tournament, stored["text"]), title=title)
    base_point = _kept_point(like, title=title)
    is_same = (value, tournament) == (like.value, like.tournament)
    return base_point if is_same else replace(base_point, value=value, tournament=tournament, text=stored["text"])


def _in_order(value: Any, like: Any) -> Any:
    # What keeps JSON may keep its keys in any order.
    if isinstance(value, Mapping) and isinstance(like, Mapping):
        return frozen({key: value[key] for key in like if key in value} | dict(value))
    return frozen(value)


def differences(before: Rulebook, after: Rulebook) -> list[tuple[str, Point, Point]]:
    """The points, by key, on which two books do not play or say the same, as the one and as the other has them."""
    return [
        (key, before.points[key], point)
        for key, point in after.points.items()
        if key in before.points and _content(before.points[key]) != _content(point)
    ]


def _content(point: Point) -> tuple[Any, ...]:
    return point.value, point.tournament, point.text
