"""The ruling desk: a few answers about a table outside the system, and the engine's ruling with its rule.

Nothing is stored, and nobody has to be logged in. `QUESTIONS` are data: what can have happened, and what is asked
then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from cardroom.core.errors import Invalid
from cardroom.core.sentences import translated
from games.dealing.procedure import next_step
from games.engine.errors import IllegalAction
from games.engine.facts.play import Ruled
from games.engine.rulebook import Rulebook
from games.rulebooks import RulebookError, slugs
from games.rulebooks.queries import load as rulebook
from games.rulebooks.words import translated_rule
from games.training.desk import betting, cards, people
from games.training.desk.answers import Answer, DeskRulingRow, PointRow, RefusedCommand
from games.training.desk.asks import GAMES, Answers, Ask, choice, number
from games.training.desk.questions import Question
from games.training.desk.scene import DeskScene

QUESTIONS: tuple[Question, ...] = (*cards.QUESTIONS, *betting.QUESTIONS, *people.QUESTIONS)
BY_SLUG: Mapping[str, Question] = {question.slug: question for question in QUESTIONS}

_GAMES = {
    "seven-card-stud": gettext_lazy("Seven-Card Stud"),
    "razz": gettext_lazy("Razz"),
    "stud-eight": gettext_lazy("Stud eight-or-better"),
    "mississippi-stud": gettext_lazy("Mississippi Stud"),
}
_STRUCTURES = {
    "fixed-limit": gettext_lazy("Fixed limit"),
    "spread-limit": gettext_lazy("Spread limit"),
    "pot-limit": gettext_lazy("Pot limit"),
    "no-limit": gettext_lazy("No limit"),
}
#: The seed of the cards where none is given.
SEED = 7
#: Points of routine rulings, which are made without a mistake too: shown only where the question is about them.
_ROUTINE = frozenset({"completion", "open_pair_fourth", "raise_cap", "beaten_call_stands"})


def common(question: Question) -> tuple[Ask, ...]:
    """The asks that every question has: the game, its betting structure, the setting, the number of players."""
    least, most = question.players
    return (
        choice("game", gettext_lazy("Game"), *[(slug, _GAMES[slug]) for slug in GAMES if slug in question.games]),
        choice(
            "structure",
            gettext_lazy("Betting"),
            *[(slug, _STRUCTURES[slug]) for slug in _STRUCTURES if _has(question, slug)],
        ),
        choice(
            "setting",
            gettext_lazy("Setting"),
            ("cash", gettext_lazy("Cash game")),
            ("tournament", gettext_lazy("Tournament")),
        ),
        number("players", gettext_lazy("Players dealt in"), least, most, min(max(question.usual_players, least), most)),
    )


def _has(question: Question, structure: str) -> bool:
    return structure in question.structures


def ask(question: Question, answers: Answers, *, book: Rulebook, seed: int = SEED) -> Answer:
    """What the engine rules on ``question`` under ``book``. ``answers`` hold a value for every ask that applies."""
    refused: RefusedCommand | None = None
    scene: DeskScene | None = None
    try:
        scene = DeskScene(
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
        refused = RefusedCommand(translated(error.message), error.rule, error.code)
    return _answer(question, answers, scene, refused, book)


def _answer(
    question: Question, answers: Answers, scene: DeskScene | None, refused: RefusedCommand | None, book: Rulebook
) -> Answer:
    points = [_point(key, book) for key in question.keys if key in book.points]
    if scene is None:
        return Answer(question.slug, answers, [], [], [], "", [], "", refused, {}, {}, points)
    new_rulings = scene.hand.rulings_made[scene.ruled :]
    return Answer(
        what=question.slug,
        answers=answers,
        story=scene.lines_before(),
        deed=list(scene.deeds),
        rulings=[
            _row(ruling, book) for ruling in new_rulings if ruling.key not in _ROUTINE or ruling.key in question.keys
        ],
        finding="" if refused else question.finding(scene),
        remedy=scene.lines_after(),
        next=next_step(scene.hand).words,
        refused=refused,
        before=scene.seen(),
        table=scene.view(),
        points=points,
    )


def _row(ruling: Ruled, book: Rulebook) -> DeskRulingRow:
    point = book.points[ruling.key]
    words = ruling.words or point.words
    return DeskRulingRow(
        key=ruling.key,
        verdict=ruling.verdict,
        seats=ruling.seats,
        words=words,
        rule=ruling.rule,
        citation=ruling.citation or book.citation(ruling.key),
        is_silent=point.is_silent,
        follows=point.follows,
        translation=translated_rule(words, point),
    )


def _point(key: str, book: Rulebook) -> PointRow:
    point = book.points[key]
    translation = translated_rule(point.words, point)
    return PointRow(key, point.words, book.citation(key), point.is_silent, point.follows, translation)


def as_json(ask: Ask) -> dict[str, Any]:
    """An ask for a page or a program."""
    return {
        "name": ask.name,
        "label": str(ask.label),
        "kind": ask.kind,
        "options": [{"value": value, "label": str(label)} for value, label in ask.options],
        "least": ask.least if ask.kind == "number" else None,
        "most": ask.most if ask.kind == "number" else None,
        "default": ask.default,
        "only_if": {name: list(values) for name, values in ask.only_if.items()},
    }


DEFAULT_BOOK = "roberts-v4"
_FLAGS = {"yes": True, "true": True, "1": True, "on": True, "no": False, "false": False, "0": False, "off": False}
_MOST_DIGITS = 3


def question(what: str) -> Question:
    """The question of this slug; `Invalid` where there is none."""
    entry = BY_SLUG.get(what)
    if entry is None:
        raise Invalid("no-such-question", "The desk has no question {what!r}.", what=what[:40], field="what")
    return entry


def asks_of(what: str) -> tuple[Ask, ...]:
    """All asks of a question: the common ones, and its own."""
    entry = question(what)
    return (*common(entry), *entry.asks)


def catalogue() -> dict[str, Any]:
    """Everything that the desk can be asked, as JSON: `questions`, each with group and asks; the published
    `rulebooks`."""
    return {
        "rulebooks": [{"slug": slug, "title": rulebook(slug).title} for slug in slugs()],
        "questions": [
            {
                "slug": entry.slug,
                "group": str(entry.group),
                "title": str(entry.title),
                "keys": list(entry.keys),
                "asks": [as_json(ask) for ask in asks_of(entry.slug)],
            }
            for entry in QUESTIONS
        ],
    }


def read_answers(what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to every ask of a question, read from ``given``: words as in an address, or values as in JSON.

    An ask that is missing has its default. `Invalid` names the `field` that cannot be read or that is no ask.
    """
    asks = asks_of(what)
    unknown = sorted(set(given) - {ask.name for ask in asks} - {"rulebook"})
    if unknown:
        raise Invalid("bad-answer", "{unknown!r} is not asked here.", unknown=unknown[0][:40], field=unknown[0][:40])
    answers: dict[str, Any] = {}
    for ask in asks:
        if ask.is_asked(answers):
            answers[ask.name] = _value(ask, given.get(ask.name))
    return answers


def answer(*, what: str, rulebook: str = DEFAULT_BOOK, seed: int = SEED, **given: Any) -> Answer:
    """What the engine rules on `what`, a question's slug, with these answers, under a rulebook.

    What the rules do not let happen is the answer's `refused`. `Invalid` where the answers make no sense.
    """
    return ask(question(what), read_answers(what, given), book=_book(rulebook), seed=seed)


def _book(reference: Any) -> Any:
    try:
        return rulebook(str(reference)[:80])
    except RulebookError:
        raise Invalid("no-such-rulebook", "There is no such rulebook.", field="rulebook") from None


def _value(ask: Ask, given: Any) -> Any:
    if given is None or given == "":
        return ask.default
    if ask.kind == "flag":
        value = given if type(given) is bool else _FLAGS.get(str(given).lower())
        if value is None:
            raise _wrong(ask, gettext("say yes or no"))
        return value
    if ask.kind == "number":
        is_number = type(given) is int or (isinstance(given, str) and given.isascii() and given.isdigit())
        if not is_number or len(str(given)) > _MOST_DIGITS or not ask.least <= int(given) <= ask.most:
            wanted = gettext("a whole number from {least} to {most}")
            raise _wrong(ask, wanted.format(least=ask.least, most=ask.most))
        return int(given)
    if given not in [value for value, _ in ask.options]:
        one_of = ", ".join(value for value, _ in ask.options)
        raise _wrong(ask, gettext("one of {options}").format(options=one_of))
    return given


def _wrong(ask: Ask, wanted: str) -> Invalid:
    return Invalid("bad-answer", "{label}: {wanted}.", label=ask.label, wanted=wanted, field=ask.name)
