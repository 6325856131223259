"""Puts a question to the engine: the whole catalogue, what each question asks, and the answer to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine.errors import IllegalAction
from games.engine.facts import Ruled
from games.engine.rulebook import Rulebook
from games.selectors.procedure import next_step

from . import betting, cards, people
from .model import GAMES, Answer, Answers, Ask, PointRow, Question, Refusal, RulingRow, choice, number
from .scene import Scene

QUESTIONS: tuple[Question, ...] = (*cards.QUESTIONS, *betting.QUESTIONS, *people.QUESTIONS)
BY_SLUG: Mapping[str, Question] = {question.slug: question for question in QUESTIONS}

_GAMES = {
    "seven-card-stud": "Seven-Card Stud",
    "razz": "Razz",
    "stud-eight": "Stud eight-or-better",
    "mississippi-stud": "Mississippi Stud",
}
_STRUCTURES = {
    "fixed-limit": "Fixed limit",
    "spread-limit": "Spread limit",
    "pot-limit": "Pot limit",
    "no-limit": "No limit",
}
#: What happens to be dealt when nobody says.
SEED = 7
#: Said at every table, mistakes or not: told only where it was asked for.
_ROUTINE = frozenset({"completion", "open_pair_fourth", "raise_cap", "beaten_call_stands"})


def common(question: Question) -> tuple[Ask, ...]:
    """What every question asks beside its own: the game, how it is bet, the setting, how many play."""
    least, most = question.players
    return (
        choice("game", "Game", *[(slug, _GAMES[slug]) for slug in GAMES if slug in question.games]),
        choice("structure", "Betting", *[(slug, _STRUCTURES[slug]) for slug in _STRUCTURES if _has(question, slug)]),
        choice("setting", "Setting", ("cash", "Cash game"), ("tournament", "Tournament")),
        number("players", "Players dealt in", least, most, min(max(question.usual_players, least), most)),
    )


def _has(question: Question, structure: str) -> bool:
    return structure in question.structures


def ask(question: Question, answers: Answers, *, book: Rulebook, seed: int = SEED) -> Answer:
    """What the engine makes of it under ``book``. ``answers`` hold a value for every ask that is asked."""
    refused: Refusal | None = None
    scene: Scene | None = None
    try:
        scene = Scene(
            book=book,
            setting=answers["setting"],
            game=answers["game"],
            structure=answers["structure"],
            players=answers["players"],
            setup=question.setup(answers),
            seed=seed,
        )
        question.play(scene, answers)
    except IllegalAction as error:
        refused = Refusal(error.message, error.rule, error.code)
    return _answer(question, answers, scene, refused, book)


def _answer(
    question: Question, answers: Answers, scene: Scene | None, refused: Refusal | None, book: Rulebook
) -> Answer:
    points = [_point(key, book) for key in question.keys if key in book.points]
    if scene is None:
        return Answer(question.slug, answers, [], [], [], "", [], "", refused, {}, {}, points)
    made = scene.hand.rulings_made[scene.ruled :]
    return Answer(
        what=question.slug,
        answers=answers,
        told=scene.told(),
        deed=list(scene.deeds),
        rulings=[_row(ruling, book) for ruling in made if ruling.key not in _ROUTINE or ruling.key in question.keys],
        finding="" if refused else question.finding(scene),
        remedy=scene.followed(),
        next=next_step(scene.hand).words,
        refused=refused,
        before=scene.seen(),
        table=scene.view(),
        points=points,
    )


def _row(ruling: Ruled, book: Rulebook) -> RulingRow:
    point = book.points[ruling.key]
    return RulingRow(
        key=ruling.key,
        verdict=ruling.verdict,
        seats=ruling.seats,
        words=ruling.words or point.words,
        rule=ruling.rule,
        citation=ruling.citation or book.citation(ruling.key),
        is_silent=point.is_silent,
        follows=point.follows,
    )


def _point(key: str, book: Rulebook) -> PointRow:
    point = book.points[key]
    return PointRow(key, point.words, book.citation(key), point.is_silent, point.follows)


def as_json(ask: Ask) -> dict[str, Any]:
    """An ask for a page or a program."""
    return {
        "name": ask.name,
        "label": ask.label,
        "kind": ask.kind,
        "options": [{"value": value, "label": label} for value, label in ask.options],
        "least": ask.least if ask.kind == "number" else None,
        "most": ask.most if ask.kind == "number" else None,
        "default": ask.default,
        "only_if": {name: list(values) for name, values in ask.only_if.items()},
    }
