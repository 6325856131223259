"""Answers to the questions of a house rulebook, read from what was typed or sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from cardroom.core.languages import of_the_house
from cardroom.core.sentences import mid_sentence
from games.engine.rulebook import Point, Rulebook
from games.rulebooks import frozen, published, slugs
from games.rulebooks.house.choices import FIELDS, LONGEST_TEXT, SHORTEST_TEXT, RulePart, RuleQuestion, questions
from games.rulebooks.house.faults import RuleFault


@dataclass(frozen=True, slots=True)
class RuleAnswer:
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
    with of_the_house():  # it is written down in the book
        cash_sentence = question.sentence(value)
        tournament_sentence = "" if tournament is None else question.sentence(tournament)
    if tournament is None:
        return cash_sentence
    return f"{cash_sentence} In a tournament: {tournament_sentence[:1].lower()}{tournament_sentence[1:]}"


def read_answers(base: Rulebook, wanted: Mapping[str, Any]) -> tuple[dict[str, RuleAnswer], list[RuleFault]]:
    """What differs from the base book, in its order, and what makes no sense."""
    answers: dict[str, RuleAnswer] = {}
    wrong = [
        RuleFault((), gettext("There is no point called {value!r}.").format(value=str(key)[:40]))
        for key in wanted
        if key not in base.points
    ]
    for key in base.points:
        if key not in wanted:
            continue
        try:
            answer = _answer(base, questions()[key], wanted[key])
        except _NoAnswer as error:
            wrong.append(RuleFault((key,), str(error)))
            continue
        if answer is not None:
            answers[key] = answer
    return answers, wrong


class _NoAnswer(ValueError):
    pass


def _answer(base: Rulebook, question: RuleQuestion, wanted: Any) -> RuleAnswer | None:
    """The point as it is wanted, None where that is how the base book has it."""
    point = base.points[question.key]
    if not isinstance(wanted, Mapping) or not wanted.keys() <= {*FIELDS, "was"}:
        raise _NoAnswer(
            gettext("{name}: say what to change: {names}.").format(name=question.name, names=", ".join(sorted(FIELDS)))
        )
    value, tournament = point.value, point.tournament
    if wanted.get("value") is not None:
        value = _value(question, value, wanted["value"])
    if wanted.get("tournament") is not None:
        if not question.has_tournament:
            raise _NoAnswer(gettext("{name}: a tournament plays this as a cash game does.").format(name=question.name))
        tournament = _value(question, tournament if tournament is not None else value, wanted["tournament"])
    if tournament == value:
        tournament = None
    is_same = (value, tournament) == (point.value, point.tournament)
    text = _text(question, wanted.get("text"))
    if text == sentence_of(point, value, tournament):
        text = ""
    return None if is_same and not text else RuleAnswer(value, tournament, text)


def _value(question: RuleQuestion, before: Any, wanted: Any) -> Any:
    """``wanted``, which may leave out parts that stay as they were ``before``."""
    try:
        wanted = frozen(wanted)
    except RecursionError:
        raise _NoAnswer(gettext("{name}: this is no value of it.").format(name=question.name)) from None
    if isinstance(before, Mapping):
        if not isinstance(wanted, Mapping) or not wanted.keys() <= before.keys():
            raise _NoAnswer(
                gettext("{name}: its parts are {names}.").format(name=question.name, names=", ".join(before))
            )
        value: Any = frozen({**before, **wanted})
    else:
        value = wanted
    for part in question.parts:
        if why := part.reason_against(question.answer(value, part)):
            raise _NoAnswer(gettext("{name}: this is {why}.").format(name=_name(question, part), why=why))
    if question.is_fixed or isinstance(before, Mapping):
        _refuse_to_move(question, before, value)
    return value


def _refuse_to_move(question: RuleQuestion, before: Any, value: Any) -> None:
    """What is played one way everywhere stays as it is."""
    moves = {part.key for part in question.parts}
    fixed = [key for key in before if key not in moves] if isinstance(before, Mapping) else []
    if (question.is_fixed and value != before) or any(value[key] != before[key] for key in fixed):
        way = question.plays or ", ".join(f"{key}: {before[key]}" for key in fixed)
        raise _NoAnswer(gettext("{name}: this is played one way only ({way}).").format(name=question.name, way=way))


def _name(question: RuleQuestion, part: RulePart) -> str:
    return f"{question.name}, {mid_sentence(part.name)}" if part.key else str(question.name)


def _text(question: RuleQuestion, wanted: Any) -> str:
    if wanted is None:
        return ""
    if not isinstance(wanted, str):
        raise _NoAnswer(gettext("{name}: the sentence is a text.").format(name=question.name))
    text = " ".join(wanted.split())
    if not text.isprintable():
        raise _NoAnswer(
            gettext("{name}: the sentence has a character that cannot be written.").format(name=question.name)
        )
    if text and not SHORTEST_TEXT <= len(text) <= LONGEST_TEXT:
        raise _NoAnswer(
            gettext("{name}: the sentence has {shortest_text} to {longest} characters.").format(
                name=question.name, shortest_text=SHORTEST_TEXT, longest=LONGEST_TEXT
            )
        )
    return text
