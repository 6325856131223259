"""A table of levels, as the form of an event and the page of the levels to come have it.

Row `n` of a form is in the fields `level-n-minutes` and so on; rows count from 0 without holes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from cardroom.core.sentences import mid_sentence
from cardroom.core.web import parts
from tournaments.engine.clock import MOST_LEVELS, USUAL_BETTING, USUAL_GAME, Level, Structure
from tournaments.events import queries as event_queries

#: The whole numbers of a row, in the order in which they stand.
NUMBERS = {
    "minutes": gettext_lazy("Minutes"),
    "hands": gettext_lazy("Hands"),
    "ante": gettext_lazy("Ante"),
    "bring_in": gettext_lazy("Bring-in"),
    "small_bet": gettext_lazy("Small bet"),
    "big_bet": gettext_lazy("Big bet"),
}
_FIELDS = ("kind", *NUMBERS, "game", "betting", "colour_up")
_MOST = 10**12
#: Between two numbers; other spaces than these set thousands apart.
_BETWEEN = re.compile(r"[, \t\r\n]+")
_BREAK_MINUTES = "10"


@dataclass
class TypedLevel:
    """One level or break as it was typed. `fault`: what is wrong in it, for people."""

    number: int
    name: str
    kind: str
    texts: Mapping[str, str]
    game: str
    betting: str
    colour_up: str
    fault: str = ""

    @property
    def is_break(self) -> bool:
        return self.kind == "break"

    def has(self, name: str) -> bool:
        """A break has nothing but its minutes."""
        return name == "minutes" or not self.is_break

    @property
    def cells(self) -> list[tuple[str, str, str, bool]]:
        """(field, label, value, whether the row has it) of its numbers."""
        return [(f"level-{self.number}-{name}", NUMBERS[name], self.texts[name], self.has(name)) for name in NUMBERS]

    def level(self) -> Level:
        """The level of this row. Call it where there is no `fault`."""
        sums = {name: _number(self.texts[name]) or 0 for name in NUMBERS if self.has(name)}
        colour_up = tuple(sorted(whole_numbers(self.colour_up) or ()))
        return Level(kind=self.kind, game=self.game, betting=self.betting, colour_up=colour_up, **sums)


@dataclass
class LevelTable:
    """The rows, and what is wrong with them."""

    rows: list[TypedLevel] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        return [f"{row.name}: {row.fault}" for row in self.rows if row.fault]

    def structure(self, chips: Iterable[int]) -> Structure:
        """The structure of the rows. Call it where there are no `faults`."""
        return Structure(tuple(row.level() for row in self.rows), tuple(sorted(chips)))


def read_levels(data: Mapping[str, Any]) -> LevelTable:
    """The rows of the form; what cannot be read is noted as the `fault` of its row."""
    rows: list[TypedLevel] = []
    counted = Counter[str]()
    for number, texts in enumerate(_raw(data)):
        kind = "break" if texts["kind"] == "break" else "level"
        counted[kind] += 1
        game, betting = texts["game"] or USUAL_GAME, texts["betting"] or USUAL_BETTING
        name = gettext("Break {n}") if kind == "break" else gettext("Level {n}")
        rows.append(TypedLevel(number, name.format(n=counted[kind]), kind, texts, game, betting, texts["colour_up"]))
        rows[-1].fault = _fault(rows[-1])
    return LevelTable(rows)


def fields_of_levels(levels: Iterable[Level]) -> dict[str, str]:
    """The fields of the form for these levels."""
    rows = []
    for level in levels:
        row = {name: str(getattr(level, name) or "") for name in _FIELDS}
        rows.append(row | {"colour_up": ", ".join(str(chip) for chip in level.colour_up)})
    return _numbered_fields(rows)


def replace_levels(data: Mapping[str, Any], levels: Mapping[str, str]) -> dict[str, Any]:
    """The form with these levels in place of its own."""
    return {name: value for name, value in data.items() if not name.startswith("level-")} | dict(levels)


def press_button(data: Mapping[str, Any], press: str) -> dict[str, Any]:
    """The form after one of its buttons: `add-level` copies the last level, `add-break`, `remove-<row>`."""
    rows = _raw(data)
    if press in ("add-level", "add-break") and len(rows) < MOST_LEVELS:
        last = next((row for row in reversed(rows) if row["kind"] != "break"), {"minutes": "20"})
        a_break = {"kind": "break", "minutes": _BREAK_MINUTES}
        rows.append(a_break if press == "add-break" else {**last, "kind": "level", "colour_up": ""})
    elif press.startswith("remove-"):
        number = parts.whole_number_or_none(press.removeprefix("remove-"))
        rows = [row for at, row in enumerate(rows) if at != number]
    return replace_levels(data, _numbered_fields(rows))


def _raw(data: Mapping[str, Any]) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    while f"level-{len(rows)}-kind" in data and len(rows) <= MOST_LEVELS:
        rows.append({name: str(data.get(f"level-{len(rows)}-{name}", "")).strip() for name in _FIELDS})
    return rows


def _numbered_fields(rows: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return {f"level-{number}-{name}": value for number, row in enumerate(rows) for name, value in row.items()}


def _number(text: str) -> int | None:
    number = parts.whole_number_or_none(text)
    return number if number is not None and number < _MOST else None


def whole_numbers(text: str) -> list[int] | None:
    """Whole numbers with commas or blanks between them; None for any other text. "1,000" is one of those: its second
    part begins with a nought, so that it is not taken for a one and a nought."""
    words = [word for word in _BETWEEN.split(text) if word]
    values = [n for word in words if (n := _number(word)) is not None and (word == "0" or word[0] != "0")]
    return values if len(values) == len(words) else None


def _fault(row: TypedLevel) -> str:
    for name, label in NUMBERS.items():
        if (value := row.texts[name]) and _number(value) is None:
            return gettext("{what} is a whole number, not “{value}”.").format(what=mid_sentence(label), value=value)
    if whole_numbers(row.colour_up) is None:
        return gettext("the chips that are coloured up are whole numbers, separated by commas.")
    if row.game not in event_queries.GAMES:
        return gettext("there is no game called “{game}”.").format(game=row.game)
    return (
        ""
        if row.betting in event_queries.BETTING
        else gettext("nothing is bet by “{betting}”.").format(betting=row.betting)
    )
