"""A house rulebook: one of the published books with points of the house's own.

Reads what somebody wants changed, refuses what cannot be played, and makes the book of it: pure data in, data out.
Where such books are kept is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from games.engine.rulebook import Point, Rulebook
from games.rulebooks import frozen, load, plain, slugs
from games.rulebooks.house.choices import Part, Question, questions
from games.rulebooks.house.combinations import Fault, faults, notes

__all__ = [
    "BadBook",
    "Fault",
    "changes_of",
    "derived",
    "differences",
    "faults_of",
    "notes_of",
    "read",
    "sentence",
    "written",
]

LONGEST_TEXT = 400
_SHORTEST_TEXT = 10
_FIELDS = {"value", "tournament", "text"}


@dataclass(frozen=True, slots=True)
class _Answer:
    """A changed point, whole and checked. ``tournament`` is None where a tournament plays the same; ``text`` is ""
    where the sentence is made from the value."""

    value: Any
    tournament: Any
    text: str


class BadBook(ValueError):
    """Changes that make no book; ``faults`` says which points and why, in the order of the book."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(" ".join(fault.reason for fault in faults))
        self.faults = faults


def derived(base: Rulebook, wanted: Mapping[str, Any], *, slug: str, version: str, title: str) -> Rulebook:
    """``base`` with the points that ``wanted`` changes: by key ``{"value", "tournament", "text"}``, each optional.

    A value of several parts may name only those that change; ``was`` is passed over. A point that comes out as the base
    book has it counts as unchanged. Raises ``BadBook`` for what is no value of a point, and for values that do not go
    together.
    """
    answers, wrong = _answers(base, wanted)
    if wrong:
        raise BadBook(wrong)
    points = {
        key: _changed(base, point, answers[key]) if key in answers else _kept(base, point)
        for key, point in base.points.items()
    }
    book = Rulebook(slug, version, title, MappingProxyType(points))
    if wrong := faults(book):
        raise BadBook(wrong)
    return book


def faults_of(base: Rulebook, wanted: Mapping[str, Any]) -> list[Fault]:
    """What is wrong with the changes; nothing when they make a book."""
    try:
        derived(base, wanted, slug="", version="", title="")
    except BadBook as bad:
        return bad.faults
    return []


def notes_of(book: Rulebook, changed: Mapping[str, Any]) -> list[Fault]:
    """What the changed points bring with them that one may not expect."""
    return [note for note in notes(book) if not changed.keys().isdisjoint(note.points)]


def changes_of(base: Rulebook, wanted: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What ``wanted`` really changes, whole and ready for JSON, so that ``derived`` makes the same of it again: by key
    ``value``, ``tournament`` (None where that cannot differ), ``text`` ("": made from the value), and ``was``, the
    point as the base book has it."""
    answers, wrong = _answers(base, wanted)
    if wrong:
        raise BadBook(wrong)
    return {
        key: {
            "value": plain(answer.value),
            "tournament": _in_a_tournament(key, answer),
            "text": answer.text,
            "was": _told(base, base.points[key]),
        }
        for key, answer in answers.items()
    }


def _in_a_tournament(key: str, answer: _Answer) -> Any:
    if not questions()[key].has_tournament:
        return None
    return plain(answer.value if answer.tournament is None else answer.tournament)


def _told(base: Rulebook, point: Point) -> dict[str, Any]:
    return {
        "value": plain(point.value),
        "tournament": plain(point.tournament),
        "text": point.text,
        "citation": base.citation(point.key),
    }


# -- points ----------------------------------------------------------------------------------------------------------


def _kept(base: Rulebook, point: Point) -> Point:
    """A point the house took over: cited as the book's it is."""
    return replace(point, cite=f"as {base.citation(point.key)}", is_silent=False, follows="")


def _changed(base: Rulebook, point: Point, answer: _Answer) -> Point:
    return Point(
        key=point.key,
        value=answer.value,
        tournament=answer.tournament,
        cite=f"{point.key} (changed from {base.citation(point.key)})",
        text=answer.text or sentence(point.key, answer.value, answer.tournament),
    )


def sentence(key: str, value: Any, tournament: Any) -> str:
    """The sentence for a point that has these values: a published book's that plays the same, else one made up."""
    for book in map(load, slugs()):
        point = book.points[key]
        if (point.value, point.tournament) == (value, tournament):
            return point.text
    question = questions()[key]
    made = question.sentence(value)
    if tournament is None:
        return made
    apart = question.sentence(tournament)
    return f"{made} In a tournament: {apart[:1].lower()}{apart[1:]}"


# -- reading what is wanted ------------------------------------------------------------------------------------------


def _answers(base: Rulebook, wanted: Mapping[str, Any]) -> tuple[dict[str, _Answer], list[Fault]]:
    """What differs from the base book, in its order, and what makes no sense."""
    answers: dict[str, _Answer] = {}
    wrong = [Fault((), f"There is no point called {str(key)[:40]!r}.") for key in wanted if key not in base.points]
    for key in base.points:
        if key not in wanted:
            continue
        try:
            answer = _answer(base, questions()[key], wanted[key])
        except _NoAnswer as error:
            wrong.append(Fault((key,), str(error)))
            continue
        if answer is not None:
            answers[key] = answer
    return answers, wrong


class _NoAnswer(ValueError):
    pass


def _answer(base: Rulebook, question: Question, wanted: Any) -> _Answer | None:
    """The point as it is wanted, None where that is how the base book has it."""
    point = base.points[question.key]
    if not isinstance(wanted, Mapping) or not wanted.keys() <= {*_FIELDS, "was"}:
        raise _NoAnswer(f"{question.name}: say what to change: {', '.join(sorted(_FIELDS))}.")
    value, tournament = point.value, point.tournament
    if wanted.get("value") is not None:
        value = _value(question, value, wanted["value"])
    if wanted.get("tournament") is not None:
        if not question.has_tournament:
            raise _NoAnswer(f"{question.name}: a tournament plays this as a cash game does.")
        tournament = _value(question, tournament if tournament is not None else value, wanted["tournament"])
    if tournament == value:
        tournament = None
    is_same = (value, tournament) == (point.value, point.tournament)
    text = _text(question, wanted.get("text"))
    if text == (point.text if is_same else sentence(question.key, value, tournament)):
        text = ""
    return None if is_same and not text else _Answer(value, tournament, text)


def _value(question: Question, before: Any, wanted: Any) -> Any:
    """``wanted``, which may leave out parts that stay as they were ``before``."""
    try:
        wanted = frozen(wanted)
    except RecursionError:
        raise _NoAnswer(f"{question.name}: this is no value of it.") from None
    if isinstance(before, Mapping):
        if not isinstance(wanted, Mapping) or not wanted.keys() <= before.keys():
            raise _NoAnswer(f"{question.name}: its parts are {', '.join(before)}.")
        value: Any = frozen({**before, **wanted})
    else:
        value = wanted
    for part in question.parts:
        if why := part.refuses(question.answer(value, part)):
            raise _NoAnswer(f"{_name(question, part)}: this is {why}.")
    if question.is_fixed or isinstance(before, Mapping):
        _refuse_to_move(question, before, value)
    return value


def _refuse_to_move(question: Question, before: Any, value: Any) -> None:
    """What is played one way everywhere stays as it is."""
    moves = {part.key for part in question.parts}
    fixed = [key for key in before if key not in moves] if isinstance(before, Mapping) else []
    if (question.is_fixed and value != before) or any(value[key] != before[key] for key in fixed):
        way = question.plays or ", ".join(f"{key}: {before[key]}" for key in fixed)
        raise _NoAnswer(f"{question.name}: this is played one way only ({way}).")


def _name(question: Question, part: Part) -> str:
    return f"{question.name}, {part.name.lower()}" if part.key else question.name


def _text(question: Question, wanted: Any) -> str:
    if wanted is None:
        return ""
    if not isinstance(wanted, str):
        raise _NoAnswer(f"{question.name}: the sentence is a text.")
    text = " ".join(wanted.split())
    if not text.isprintable():
        raise _NoAnswer(f"{question.name}: the sentence has a character that cannot be written.")
    if text and not _SHORTEST_TEXT <= len(text) <= LONGEST_TEXT:
        raise _NoAnswer(f"{question.name}: the sentence has {_SHORTEST_TEXT} to {LONGEST_TEXT} characters.")
    return text


# -- on paper --------------------------------------------------------------------------------------------------------


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
        key: _as_written(point, points[key]) if key in points else _kept(base, point)
        for key, point in base.points.items()
    }
    return Rulebook(slug, version, title, MappingProxyType(in_order))


def _as_written(like: Point, told: Mapping[str, Any]) -> Point:
    """The point that was written down, the parts of its value in the order of the base book's."""
    value, tournament = (_in_order(told[name], like.value) for name in ("value", "tournament"))
    return Point(like.key, value, tournament, told["cite"], told["text"])


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
        if key in before.points and _says(before.points[key]) != _says(point)
    ]


def _says(point: Point) -> tuple[Any, ...]:
    return point.value, point.tournament, point.text
