"""The ruling desk for a table outside the system: a few answers, and the ruling of the engine with its rule.

Nothing is stored, and nobody has to be logged in. `QUESTIONS` are data: what can have happened, and what is asked then.
"""

from collections.abc import Mapping
from typing import Any

from cardroom.services.errors import Invalid
from games.desk import asking
from games.desk.asking import QUESTIONS
from games.desk.model import Answer, Ask, PointRow, Question, Refusal, RulingRow
from games.rulebooks import RulebookError, slugs
from games.rulebooks import load as rulebook

__all__ = [
    "DEFAULT_BOOK",
    "QUESTIONS",
    "Answer",
    "Ask",
    "PointRow",
    "Question",
    "Refusal",
    "RulingRow",
    "answer",
    "asks_of",
    "catalogue",
    "question",
    "read",
]

DEFAULT_BOOK = "roberts-v4"
_FLAGS = {"yes": True, "true": True, "1": True, "on": True, "no": False, "false": False, "0": False, "off": False}
_MOST_DIGITS = 3


def question(what: str) -> Question:
    """The question of this slug; `Invalid` where there is none."""
    found = asking.BY_SLUG.get(what)
    if found is None:
        raise Invalid(f"The desk knows no such thing as {what[:40]!r}.", "no-such-question", field="what")
    return found


def asks_of(what: str) -> tuple[Ask, ...]:
    """Everything that is asked about it: what all questions ask, and its own."""
    found = question(what)
    return (*asking.common(found), *found.asks)


def catalogue() -> dict[str, Any]:
    """All that can be asked, as JSON: `questions`, each with its group and its asks; the published `rulebooks`."""
    return {
        "rulebooks": [{"slug": slug, "title": rulebook(slug).title} for slug in slugs()],
        "questions": [
            {
                "slug": found.slug,
                "group": found.group,
                "title": found.title,
                "keys": list(found.keys),
                "asks": [asking.as_json(ask) for ask in asks_of(found.slug)],
            }
            for found in QUESTIONS
        ],
    }


def read(what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The answers to all that is asked, from what was given: words as in an address, or values as in JSON.

    What is missing has its default. `Invalid` names the `field` that cannot be read; what is not asked is refused too.
    """
    asks = asks_of(what)
    unknown = sorted(set(given) - {ask.name for ask in asks} - {"rulebook"})
    if unknown:
        raise Invalid(f"{unknown[0][:40]!r} is not asked here.", "bad-answer", field=unknown[0][:40])
    answers: dict[str, Any] = {}
    for ask in asks:
        if ask.is_asked(answers):
            answers[ask.name] = _value(ask, given.get(ask.name))
    return answers


def answer(*, what: str, rulebook: str = DEFAULT_BOOK, seed: int = asking.SEED, **given: Any) -> Answer:
    """What the engine rules on `what`, a question's slug, with these answers, under a rulebook.

    What the rules do not let happen is the answer's `refused`. `Invalid` where the answers make no sense.
    """
    return asking.ask(question(what), read(what, given), book=_book(rulebook), seed=seed)


def _book(reference: Any) -> Any:
    try:
        return rulebook(str(reference)[:80])
    except RulebookError:
        raise Invalid("There is no such rulebook.", "no-such-rulebook", field="rulebook") from None


def _value(ask: Ask, given: Any) -> Any:
    if given is None or given == "":
        return ask.default
    if ask.kind == "flag":
        value = given if type(given) is bool else _FLAGS.get(str(given).lower())
        if value is None:
            raise _wrong(ask, "say yes or no")
        return value
    if ask.kind == "number":
        is_number = type(given) is int or (isinstance(given, str) and given.isascii() and given.isdigit())
        if not is_number or len(str(given)) > _MOST_DIGITS or not ask.least <= int(given) <= ask.most:
            raise _wrong(ask, f"a whole number from {ask.least} to {ask.most}")
        return int(given)
    if given not in [value for value, _ in ask.options]:
        raise _wrong(ask, f"one of {', '.join(value for value, _ in ask.options)}")
    return given


def _wrong(ask: Ask, wanted: str) -> Invalid:
    return Invalid(f"{ask.label}: {wanted}.", "bad-answer", field=ask.name)
