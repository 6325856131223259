"""What a house rulebook may change: for every point the values the engine plays, and a name for each (choices.toml).

Knows which values a point can have, and nothing of how points go together (``combinations``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from cardroom.core.sentences import filled, joined, mid_sentence, number
from games.rulebooks import frozen

_FILE = Path(__file__).parent / "choices.toml"


_NO_PARTS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """One value, its name in the reader's language, and the sentence for it in English, as books are written."""

    value: Any
    name: Any
    sentence: str = ""

    @property
    def code(self) -> str:
        """The value as one word: ``third-card-down``, ``yes``, ``4``, ``mixed+looked-at``."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return "+".join(map(str, self.value)) if isinstance(self.value, tuple) else str(self.value)


@dataclass(frozen=True, slots=True)
class RulePart:
    """One question of a point. ``key`` is "" where the point's value is the answer itself, else its place in the value.

    ``kind``: ``choice`` (one of ``choices``), ``number`` (``least`` to ``most``), ``set`` (any of ``choices``).
    ``pattern``: the sentence for a value, ``{}`` standing for it in words. ``none``: what 0, or none of them, is
    called, and ``sentence_for_none`` the sentence for it. ``moot``: other parts with a value that makes this part mean
    nothing. Names are in the reader's language.
    """

    key: str
    name: Any
    kind: str
    choices: tuple[RuleChoice, ...] = ()
    least: int = 0
    most: int = 0
    pattern: str = ""
    none: Any = ""
    sentence_for_none: str = ""
    moot: Mapping[str, Any] = field(default_factory=lambda: _NO_PARTS)

    def reason_against(self, value: Any) -> str:
        """Why ``value`` is no answer; "" when it is one."""
        if self.kind == "number":
            if type(value) is int and self.least <= value <= self.most:
                return ""
            return filled(gettext("a whole number from {least} to {most:,}"), least=self.least, most=self.most)
        if self.kind == "set":
            values = [choice.value for choice in self.choices]
            if isinstance(value, tuple) and list(value) == [allowed for allowed in values if allowed in value]:
                return ""
            names = ", ".join(choice.code for choice in self.choices)
            return gettext("any of {names}, each once and in this order").format(names=names)
        if self._chosen(value) is None:
            return gettext("one of {names}").format(names=", ".join(choice.code for choice in self.choices))
        return ""

    def in_words(self, value: Any) -> str:
        """``value`` in words."""
        if self.none and not value:
            return str(self.none)
        if self.kind == "number":
            return number(value)
        if self.kind == "set":
            return _and_list([str(choice.name) for choice in self.choices if choice.value in value])
        choice = self._chosen(value)
        return str(choice.name) if choice else str(value)

    def sentence(self, value: Any) -> str:
        """The rule that ``value`` makes."""
        if self.sentence_for_none and not value:
            return self.sentence_for_none
        if self.kind == "choice":
            choice = self._chosen(value)
            return choice.sentence if choice else ""
        return self.pattern.format(self.in_words(value))

    def _chosen(self, value: Any) -> RuleChoice | None:
        # True is no 1 here.
        matches = (c for c in self.choices if type(c.value) is type(value) and c.value == value)
        return next(matches, None)


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """A point as the house may answer it. ``plays``: the one way it is played, where there is nothing to choose."""

    key: str
    name: Any
    plays: Any = ""
    has_tournament: bool = False
    parts: tuple[RulePart, ...] = ()

    @property
    def is_fixed(self) -> bool:
        return not self.parts

    def answer(self, value: Any, part: RulePart) -> Any:
        """What ``value``, a value of this point, says to one of its parts."""
        return value[part.key] if part.key else value

    def in_words(self, value: Any) -> str:
        """A value of this point in words."""
        if self.is_fixed:
            return str(self.plays)
        if not self.parts[0].key:
            return self.parts[0].in_words(value)
        shown = [part for part in self.parts if not self._is_moot(part, value)]
        if len(self.parts) == 1:
            return _with_name(shown[0], value)
        return joined(_with_name(part, value) for part in shown)

    def sentence(self, value: Any) -> str:
        """The rule that a value of this point makes."""
        return " ".join(
            part.sentence(self.answer(value, part)) for part in self.parts if not self._is_moot(part, value)
        )

    def _is_moot(self, part: RulePart, value: Any) -> bool:
        return any(value[other] == moot_value for other, moot_value in part.moot.items())


def _with_name(part: RulePart, value: Any) -> str:
    return gettext("{name}: {words}").format(name=mid_sentence(part.name), words=part.in_words(value[part.key]))


def _and_list(names: list[str]) -> str:
    first, last = ", ".join(names[:-1]), names[-1]
    return gettext("{names} and {last}").format(names=first, last=last) if first else last


@cache
def questions() -> Mapping[str, RuleQuestion]:
    """Every point, by its key, in the order of a book."""
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return MappingProxyType({key: _question(key, table) for key, table in tables.items()})


def _in_readers_language(words: str) -> Any:
    """These words of the file, translated for the reader."""
    return gettext_lazy(words)


def _question(key: str, table: dict[str, Any]) -> RuleQuestion:
    name = _in_readers_language(table["name"])
    if "plays" in table:
        return RuleQuestion(key, name, _in_readers_language(table["plays"]))
    parts = table.get("parts") or {"": table}
    return RuleQuestion(
        key,
        name,
        has_tournament=table.get("has_tournament", False),
        parts=tuple(_part(name, part) for name, part in parts.items()),
    )


def _part(key: str, table: dict[str, Any]) -> RulePart:
    choices = table.get("choices") or table.get("any_of") or ()
    kind = "choice" if "choices" in table else "set" if "any_of" in table else "number"
    return RulePart(
        key,
        _in_readers_language(table["name"]),
        kind,
        tuple(RuleChoice(frozen(c["value"]), _in_readers_language(c["name"]), c.get("says", "")) for c in choices),
        least=table.get("least", 0),
        most=table.get("most", 0),
        pattern=table.get("says", ""),
        none=_in_readers_language(table["none"]) if "none" in table else "",
        sentence_for_none=table.get("says_none", ""),
        moot=MappingProxyType(table.get("moot", {})),
    )


LONGEST_TEXT = 400


SHORTEST_TEXT = 10


FIELDS = {"value", "tournament", "text"}
