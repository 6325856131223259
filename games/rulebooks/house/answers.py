"""What somebody wants changed in a rulebook, read point by point: values that can be played, and the sentence for each.

Knows nothing of how points go together (``combinations``), and makes no book.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.engine.rulebook import Point, Rulebook
from games.rulebooks import frozen, published, slugs
from games.rulebooks.house.choices import Part, Question, questions
from games.rulebooks.house.combinations import Fault

LONGEST_TEXT = 400
_SHORTEST_TEXT = 10
_FIELDS = {"value", "tournament", "text"}


@dataclass(frozen=True, slots=True)
class Answer:
    """A changed point, whole and checked. ``tournament`` is None where a tournament plays the same; ``text`` is ""
    where the sentence is made from the value."""

    value: Any
    tournament: Any
    text: str


def sentence_of(point: Point, value: Any, tournament: Any) -> str:
    """The sentence that is not the house's own for these values of the base book's ``point``."""
    is_same = (value, tournament) == (point.value, point.tournament)
    return point.text if is_same else sentence(point.key, value, tournament)


def sentence(key: str, value: Any, tournament: Any) -> str:
    """The sentence for a point that has these values: a published book's that plays the same, else one made up."""
    for book in map(published, slugs()):
        point = book.points[key]
        if (point.value, point.tournament) == (value, tournament):
            return point.text
    question = questions()[key]
    made = question.sentence(value)
    if tournament is None:
        return made
    apart = question.sentence(tournament)
    return f"{made} In a tournament: {apart[:1].lower()}{apart[1:]}"


def read_answers(base: Rulebook, wanted: Mapping[str, Any]) -> tuple[dict[str, Answer], list[Fault]]:
    """What differs from the base book, in its order, and what makes no sense."""
    answers: dict[str, Answer] = {}
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


def _answer(base: Rulebook, question: Question, wanted: Any) -> Answer | None:
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
    if text == sentence_of(point, value, tournament):
        text = ""
    return None if is_same and not text else Answer(value, tournament, text)


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
