"""What a house rulebook may change: for every point the values the engine plays, and a name for each (choices.toml).

Knows which values a point can have, and nothing of how points go together (``combinations``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from cardroom.core.languages import of_the_house
from cardroom.core.sentences import filled, inside, joined, number
from games.engine.rulebook import Point, Rulebook
from games.rulebooks import frozen, published, slugs

# Which values do not go together, and why: checked over a whole book, once as cash games play it, once as tournaments.


#: (a point's key) -> what is played on it in the setting at hand.
Played = Callable[[str], Any]
_SETTINGS = {"cash": gettext_lazy("In cash games"), "tournament": gettext_lazy("In tournaments")}
_MOST_WITH_FOLDS_DEALT_TO = 8


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the values of ``points`` (keys), in a sentence."""

    points: tuple[str, ...]
    reason: str


def faults(book: Rulebook) -> list[Fault]:
    """What cannot be played as it is written."""
    return _in_both_settings(book, _FAULTS)


def notes(book: Rulebook) -> list[Fault]:
    """What has no effect, or an effect that one may not expect."""
    return _in_both_settings(book, _NOTES)


Check = Callable[[Played, str], Iterator[Fault]]


def _in_both_settings(book: Rulebook, checks: tuple[Check, ...]) -> list[Fault]:
    found: dict[Fault, list[str]] = {}
    for setting in _SETTINGS:
        for check in checks:
            for fault in check(lambda key, setting=setting: book.value(key, setting), setting):  # type: ignore[misc]
                found.setdefault(fault, []).append(setting)
    return [
        fault if len(settings) == len(_SETTINGS) else _only_in(fault, settings[0]) for fault, settings in found.items()
    ]


def _only_in(fault: Fault, setting: str) -> Fault:
    return Fault(fault.points, f"{_SETTINGS[setting]}: {inside(fault.reason)}")


# -- refused ---------------------------------------------------------------------------------------------------------


def _players_are_a_range(played: Played, setting: str) -> Iterator[Fault]:
    least, most = played("players")["least"], played("players")["most"]
    if least > most:
        yield Fault(
            ("players",),
            gettext("No hand could be dealt: it takes {least} players, and only {most} are dealt in.").format(
                least=least, most=most
            ),
        )


def _nine_cannot_keep_receiving(played: Played, setting: str) -> Iterator[Fault]:
    if played("players")["most"] > _MOST_WITH_FOLDS_DEALT_TO and played("fold_keeps_receiving") != "never":
        reason = gettext(
            "Nine players can be dealt in only if a folded hand gets no more cards: with all nine "
            "dealt to, the deck ends before sixth street."
        )
        yield Fault(("players", "fold_keeps_receiving"), reason)


def _no_cap_is_no_cap(played: Played, setting: str) -> Iterator[Fault]:
    cap = played("raise_cap")
    if not cap["raises"] and cap["heads_up"] != "uncapped":
        reason = gettext("Without a cap on the raises there is none for two players either: choose no cap for both.")
        yield Fault(("raise_cap",), reason)


def _cash_has_no_event(played: Played, setting: str) -> Iterator[Fault]:
    if setting == "cash" and played("raise_cap")["heads_up"] == "uncapped-at-two-left":
        yield Fault(
            ("raise_cap",), gettext("A cash game is no tournament with players left in it: choose capped or uncapped.")
        )


def _misdeal_comes_first(played: Played, setting: str) -> Iterator[Fault]:
    if played("exposed_downcard") == "misdeal" and played("both_downcards_exposed") != "misdeal":
        reason = gettext(
            "One downcard face up is a misdeal already, so two of them cannot be a dead hand: choose "
            "a misdeal for both, or let the third card come down after the first."
        )
        yield Fault(("exposed_downcard", "both_downcards_exposed"), reason)


def _no_burns_to_deal_on(played: Played, setting: str) -> Iterator[Fault]:
    if not played("burns") and played("deck_exhaustion") == "burns-without-burn":
        reason = gettext(
            "No card is burned, so there are no burns to deal on when the deck runs short: choose another remedy."
        )
        yield Fault(("burns", "deck_exhaustion"), reason)


_FAULTS: tuple[Check, ...] = (
    _players_are_a_range,
    _nine_cannot_keep_receiving,
    _no_cap_is_no_cap,
    _cash_has_no_event,
    _misdeal_comes_first,
    _no_burns_to_deal_on,
)


# -- explained -------------------------------------------------------------------------------------------------------


def _misdeal_makes_moot(played: Played, setting: str) -> Iterator[Fault]:
    if played("exposed_downcard") == "misdeal":
        reason = gettext("The first downcard face up is a misdeal, so no hand gets as far as both of them.")
        yield Fault(("exposed_downcard", "both_downcards_exposed", "dead_hand_lowcard"), reason)
    elif played("both_downcards_exposed") == "misdeal":
        reason = gettext("Both downcards face up are a misdeal, so there is no dead hand that could have been low.")
        yield Fault(("both_downcards_exposed", "dead_hand_lowcard"), reason)


def _no_burn_no_burn_error(played: Played, setting: str) -> Iterator[Fault]:
    if not played("burns"):
        reason = gettext("No card is burned: only a card burned by mistake is a burn error then.")
        yield Fault(("burns", "burn_error"), reason)


def _no_full_opening(played: Played, setting: str) -> Iterator[Fault]:
    if not played("opener_may_complete"):
        reason = gettext("Whoever opens in place of the lowcard cannot open for a full bet either.")
        yield Fault(("opener_may_complete", "ante_all_in_lowcard", "dead_hand_lowcard"), reason)


def _cap_is_for_fixed_limit(played: Played, setting: str) -> Iterator[Fault]:
    if played("limits") == "any-structure" and played("raise_cap")["raises"]:
        yield Fault(("limits", "raise_cap"), gettext("The cap on raises counts in fixed limit only."))


def _two_cannot_finish(played: Played, setting: str) -> Iterator[Fault]:
    least = played("players")["least"]
    if setting == "tournament" and least > 2:
        yield Fault(
            ("players",),
            gettext("A tournament comes down to two players, and a hand here takes {least}.").format(least=least),
        )


_NOTES: tuple[Check, ...] = (
    _misdeal_makes_moot,
    _no_burn_no_burn_error,
    _no_full_opening,
    _cap_is_for_fixed_limit,
    _two_cannot_finish,
)


# What a house rulebook may change: for every point the values the engine plays, and a name for each (choices.toml).


_FILE = Path(__file__).parent / "choices.toml"
_NO_PARTS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Choice:
    """One value, its name in the reader's language, and the sentence for it in English, as books are written."""

    value: Any
    name: Any
    says: str = ""

    @property
    def code(self) -> str:
        """The value as one word: ``third-card-down``, ``yes``, ``4``, ``mixed+looked-at``."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return "+".join(map(str, self.value)) if isinstance(self.value, tuple) else str(self.value)


@dataclass(frozen=True, slots=True)
class Part:
    """One question of a point. ``key`` is "" where the point's value is the answer itself, else its place in the value.

    ``kind``: ``choice`` (one of ``choices``), ``number`` (``least`` to ``most``), ``set`` (any of ``choices``).
    ``none``: what 0, or none of them, is called. Names are in the reader's language.
    """

    key: str
    name: Any
    kind: str
    choices: tuple[Choice, ...] = ()
    least: int = 0
    most: int = 0
    says: str = ""
    none: Any = ""
    says_none: str = ""
    moot: Mapping[str, Any] = field(default_factory=lambda: _NO_PARTS)

    def refuses(self, value: Any) -> str:
        """Why ``value`` is no answer; "" when it is one."""
        if self.kind == "number":
            if type(value) is int and self.least <= value <= self.most:
                return ""
            return filled(gettext("a whole number from {least} to {most:,}"), least=self.least, most=self.most)
        if self.kind == "set":
            values = [choice.value for choice in self.choices]
            if isinstance(value, tuple) and list(value) == [each for each in values if each in value]:
                return ""
            names = ", ".join(choice.code for choice in self.choices)
            return gettext("any of {names}, each once and in this order").format(names=names)
        if self._chosen(value) is None:
            return gettext("one of {names}").format(names=", ".join(choice.code for choice in self.choices))
        return ""

    def told(self, value: Any) -> str:
        """``value`` in words."""
        if self.none and not value:
            return str(self.none)
        if self.kind == "number":
            return number(value)
        if self.kind == "set":
            return _listed([str(choice.name) for choice in self.choices if choice.value in value])
        choice = self._chosen(value)
        return str(choice.name) if choice else str(value)

    def sentence(self, value: Any) -> str:
        """The rule that ``value`` makes."""
        if self.says_none and not value:
            return self.says_none
        if self.kind == "choice":
            choice = self._chosen(value)
            return choice.says if choice else ""
        return self.says.format(self.told(value))

    def _chosen(self, value: Any) -> Choice | None:
        # True is no 1 here.
        same = (c for c in self.choices if type(c.value) is type(value) and c.value == value)
        return next(same, None)


@dataclass(frozen=True, slots=True)
class Question:
    """A point as the house may answer it. ``plays``: the one way it is played, where there is nothing to choose."""

    key: str
    name: Any
    plays: Any = ""
    has_tournament: bool = False
    parts: tuple[Part, ...] = ()

    @property
    def is_fixed(self) -> bool:
        return not self.parts

    def answer(self, value: Any, part: Part) -> Any:
        """What ``value``, a value of this point, says to one of its parts."""
        return value[part.key] if part.key else value

    def told(self, value: Any) -> str:
        """A value of this point in words."""
        if self.is_fixed:
            return str(self.plays)
        if not self.parts[0].key:
            return self.parts[0].told(value)
        shown = [part for part in self.parts if not self._is_moot(part, value)]
        if len(self.parts) == 1:
            return _with_name(shown[0], value)
        return joined(_with_name(part, value) for part in shown)

    def sentence(self, value: Any) -> str:
        """The rule that a value of this point makes."""
        return " ".join(
            part.sentence(self.answer(value, part)) for part in self.parts if not self._is_moot(part, value)
        )

    def _is_moot(self, part: Part, value: Any) -> bool:
        return any(value[other] == says for other, says in part.moot.items())


def _with_name(part: Part, value: Any) -> str:
    return gettext("{name}: {words}").format(name=inside(part.name), words=part.told(value[part.key]))


def _listed(names: list[str]) -> str:
    first, last = ", ".join(names[:-1]), names[-1]
    return gettext("{names} and {last}").format(names=first, last=last) if first else last


@cache
def questions() -> Mapping[str, Question]:
    """Every point, by its key, in the order of a book."""
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return MappingProxyType({key: _question(key, table) for key, table in tables.items()})


def _said(words: str) -> Any:
    """These words of the file, in the language of whoever reads them."""
    return gettext_lazy(words)


def _question(key: str, table: dict[str, Any]) -> Question:
    name = _said(table["name"])
    if "plays" in table:
        return Question(key, name, _said(table["plays"]))
    parts = table.get("parts") or {"": table}
    return Question(
        key,
        name,
        has_tournament=table.get("has_tournament", False),
        parts=tuple(_part(name, part) for name, part in parts.items()),
    )


def _part(key: str, table: dict[str, Any]) -> Part:
    choices = table.get("choices") or table.get("any_of") or ()
    kind = "choice" if "choices" in table else "set" if "any_of" in table else "number"
    return Part(
        key,
        _said(table["name"]),
        kind,
        tuple(Choice(frozen(c["value"]), _said(c["name"]), c.get("says", "")) for c in choices),
        least=table.get("least", 0),
        most=table.get("most", 0),
        says=table.get("says", ""),
        none=_said(table["none"]) if "none" in table else "",
        says_none=table.get("says_none", ""),
        moot=MappingProxyType(table.get("moot", {})),
    )


# What somebody wants changed in a rulebook, read point by point: values that can be played, and the sentence for each.


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
    with of_the_house():  # it is written down in the book
        made = question.sentence(value)
        apart = "" if tournament is None else question.sentence(tournament)
    if tournament is None:
        return made
    return f"{made} In a tournament: {apart[:1].lower()}{apart[1:]}"


def read_answers(base: Rulebook, wanted: Mapping[str, Any]) -> tuple[dict[str, Answer], list[Fault]]:
    """What differs from the base book, in its order, and what makes no sense."""
    answers: dict[str, Answer] = {}
    wrong = [
        Fault((), gettext("There is no point called {value!r}.").format(value=str(key)[:40]))
        for key in wanted
        if key not in base.points
    ]
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
        raise _NoAnswer(
            gettext("{name}: say what to change: {names}.").format(name=question.name, names=", ".join(sorted(_FIELDS)))
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
    return None if is_same and not text else Answer(value, tournament, text)


def _value(question: Question, before: Any, wanted: Any) -> Any:
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
        if why := part.refuses(question.answer(value, part)):
            raise _NoAnswer(gettext("{name}: this is {why}.").format(name=_name(question, part), why=why))
    if question.is_fixed or isinstance(before, Mapping):
        _refuse_to_move(question, before, value)
    return value


def _refuse_to_move(question: Question, before: Any, value: Any) -> None:
    """What is played one way everywhere stays as it is."""
    moves = {part.key for part in question.parts}
    fixed = [key for key in before if key not in moves] if isinstance(before, Mapping) else []
    if (question.is_fixed and value != before) or any(value[key] != before[key] for key in fixed):
        way = question.plays or ", ".join(f"{key}: {before[key]}" for key in fixed)
        raise _NoAnswer(gettext("{name}: this is played one way only ({way}).").format(name=question.name, way=way))


def _name(question: Question, part: Part) -> str:
    return f"{question.name}, {inside(part.name)}" if part.key else str(question.name)


def _text(question: Question, wanted: Any) -> str:
    if wanted is None:
        return ""
    if not isinstance(wanted, str):
        raise _NoAnswer(gettext("{name}: the sentence is a text.").format(name=question.name))
    text = " ".join(wanted.split())
    if not text.isprintable():
        raise _NoAnswer(
            gettext("{name}: the sentence has a character that cannot be written.").format(name=question.name)
        )
    if text and not _SHORTEST_TEXT <= len(text) <= LONGEST_TEXT:
        raise _NoAnswer(
            gettext("{name}: the sentence has {shortest_text} to {longest} characters.").format(
                name=question.name, shortest_text=_SHORTEST_TEXT, longest=LONGEST_TEXT
            )
        )
    return text
