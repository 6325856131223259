"""The table of levels on the form of an event: rows of text as they were typed, and the structure they make.

Row `n` of the form is in the fields `level-n-minutes` and so on; rows count from 0 without holes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tournaments import words
from tournaments.engine.structure import MOST_LEVELS, Level, Structure

#: The whole numbers of a row, in the order in which they stand.
NUMBERS = ("minutes", "hands", "ante", "bring_in", "small_bet", "big_bet")
_LABELS = {
    "minutes": "Minutes",
    "hands": "Hands",
    "ante": "Ante",
    "bring_in": "Bring-in",
    "small_bet": "Small bet",
    "big_bet": "Big bet",
}
#: What a break has none of.
_STAKES = ("hands", "ante", "bring_in", "small_bet", "big_bet")
_MOST_DIGITS = 12
_BREAK_MINUTES = 10


@dataclass
class Row:
    """One level or break as it was typed. `fault`: what is wrong in it, for people."""

    number: int
    name: str
    kind: str
    said: dict[str, str]
    game: str
    betting: str
    colour_up: str
    fault: str = ""

    @property
    def is_break(self) -> bool:
        return self.kind == "break"

    @property
    def cells(self) -> list[tuple[str, str, str, bool]]:
        """(field, label, value, whether the row has it) of its numbers."""
        return [
            (f"level-{self.number}-{name}", _LABELS[name], self.said[name], not (self.is_break and name in _STAKES))
            for name in NUMBERS
        ]


@dataclass
class Levels:
    """The rows, and what is wrong with them."""

    rows: list[Row] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        return [f"{row.name}: {row.fault}" for row in self.rows if row.fault]

    def structure(self, chips: Iterable[int]) -> Structure:
        """What the rows make. Call it where there are no `faults`."""
        return Structure(tuple(_level(row) for row in self.rows), tuple(sorted(chips)))


def read(data: Mapping[str, Any]) -> Levels:
    """The rows of the form, as far as they go; what is not to be understood is noted at its row."""
    rows: list[Row] = []
    levels = breaks = 0
    while len(rows) < MOST_LEVELS + 1 and f"level-{len(rows)}-kind" in data:
        number = len(rows)

        def said(name: str, number: int = number) -> str:
            return str(data.get(f"level-{number}-{name}", "")).strip()

        kind = "break" if said("kind") == "break" else "level"
        levels, breaks = levels + (kind == "level"), breaks + (kind == "break")
        row = Row(
            number=number,
            name=f"Level {levels}" if kind == "level" else f"Break {breaks}",
            kind=kind,
            said={name: said(name) for name in NUMBERS},
            game=said("game") or "seven-card-stud",
            betting=said("betting") or "fixed-limit",
            colour_up=said("colour_up"),
        )
        row.fault = _fault(row)
        rows.append(row)
    return Levels(rows)


def told(levels: Iterable[Level]) -> dict[str, str]:
    """The fields of the form for these levels."""
    data: dict[str, str] = {}
    for number, level in enumerate(levels):
        row = {name: str(getattr(level, name) or "") for name in NUMBERS}
        row |= {"kind": level.kind, "game": level.game, "betting": level.betting}
        row["colour_up"] = ", ".join(str(chip) for chip in level.colour_up)
        data |= {f"level-{number}-{name}": value for name, value in row.items()}
    return data


def without(data: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The fields with row `number` taken out and those after it moved up."""
    rows = _raw(data)
    return _others(data) | _numbered(rows[:number] + rows[number + 1 :])


def with_one_more(data: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The fields with a level or a break more at the end; a level goes on from the last one."""
    rows = _raw(data)
    played = [row for row in rows if row.get("kind") != "break"]
    last = played[-1] if played else {"minutes": "20"}
    if kind == "break":
        new = {"kind": "break", "minutes": str(_BREAK_MINUTES)}
    else:
        new = {**last, "kind": "level", "colour_up": ""}
    return _others(data) | _numbered([*rows, new] if len(rows) < MOST_LEVELS else rows)


def _raw(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = ("kind", *NUMBERS, "game", "betting", "colour_up")
    rows: list[dict[str, Any]] = []
    while f"level-{len(rows)}-kind" in data and len(rows) <= MOST_LEVELS:
        rows.append({name: data.get(f"level-{len(rows)}-{name}", "") for name in names})
    return rows


def _others(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if not name.startswith("level-")}


def _numbered(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {f"level-{number}-{name}": value for number, row in enumerate(rows) for name, value in row.items()}


def _fault(row: Row) -> str:
    for name in NUMBERS:
        value = row.said[name]
        if value and not (value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS):
            return f"{_LABELS[name].lower()} is a whole number, not “{value}”."
    if not all(chip.isascii() and chip.isdigit() and len(chip) <= _MOST_DIGITS for chip in _chips(row)):
        return "the chips that are coloured up are whole numbers, separated by commas."
    if row.game not in words.GAMES:
        return f"there is no game called “{row.game}”."
    if row.betting not in words.BETTING:
        return f"nothing is bet by “{row.betting}”."
    return ""


def _chips(row: Row) -> list[str]:
    return row.colour_up.replace(",", " ").split()


def _level(row: Row) -> Level:
    numbers = {name: int(row.said[name] or 0) for name in NUMBERS if not (row.is_break and name in _STAKES)}
    return Level(
        kind=row.kind,
        game=row.game,
        betting=row.betting,
        colour_up=tuple(sorted(int(chip) for chip in _chips(row))),
        **numbers,
    )
