"""The fields of a scenario: rulebooks, stacks, stakes, the dealer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine.cards import DECK
from games.notation.scenarios import words
from games.notation.scenarios.model import ScriptError

REQUIRED = ("name", "rule", "rulebooks", "stakes", "stacks", "play")


OPTIONAL = ("setting", "game", "structure", "dealer", "absent", "players_left", "options", "stub")


class FieldError(ScriptError):
    """A field that is missing or wrong; ``field`` says which."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


def read_fields(table: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a ``Scenario`` by name, the script aside. Raises ``FieldError``."""
    for field in sorted(set(table) - {*REQUIRED, *OPTIONAL}):
        raise FieldError(field, "there is no such field")
    for field in REQUIRED:
        if field not in table:
            raise FieldError(field, "is missing")
    rule = _text(table, "rule")
    if rule not in words.RULE_KEYS:
        raise FieldError("rule", f"{rule!r} is no rule key")
    structure = _one_of(table, "structure", words.STRUCTURES, "fixed-limit")
    stacks = _stacks(table["stacks"])
    if not isinstance(table["play"], str):
        raise FieldError("play", "is not a text")
    return {
        "name": _text(table, "name"),
        "rule": rule,
        "rulebooks": _rulebooks(table["rulebooks"]),
        "setting": _one_of(table, "setting", words.SETTINGS, "cash"),
        "game": _one_of(table, "game", words.GAMES, "seven-card-stud"),
        "structure": structure,
        "stakes": _stakes(table["stakes"], structure),
        "stacks": stacks,
        "dealer": _dealer(table, stacks),
        "absent": _absent(table, stacks),
        "players_left": _players_left(table),
        "options": _options(table),
        "stub": _stub(table),
    }


def _text(table: Mapping[str, Any], field: str) -> str:
    value = table[field]
    if not isinstance(value, str) or not value.strip():
        raise FieldError(field, "is not a text")
    return value


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _one_of(table: Mapping[str, Any], field: str, known: Any, default: str) -> str:
    value = table.get(field, default)
    if not isinstance(value, str) or value not in known:
        raise FieldError(field, f"{value!r} is none of {', '.join(sorted(known))}")
    return value


def _rulebooks(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(slug, str) and slug for slug in value):
        raise FieldError("rulebooks", "is not a list of slugs")
    if len(set(value)) != len(value):
        raise FieldError("rulebooks", "names a book twice")
    return tuple(value)


def _stacks(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not value or not all(_is_count(stack) for stack in value):
        raise FieldError("stacks", "is not a list of whole numbers of chips, one for each seat")
    return tuple(value)


def _stakes(value: Any, structure: str) -> dict[str, int]:
    if not isinstance(value, dict):
        raise FieldError("stakes", "is not a table such as { ante = 1, bring_in = 5, small_bet = 15, big_bet = 30 }")
    for name, amount in value.items():
        if name not in words.STAKES:
            raise FieldError("stakes", f"there is no stake called {name!r}")
        if not _is_count(amount):
            raise FieldError("stakes", f"{name} is not a whole number of chips")
    for name in words.STRUCTURES[structure]:
        if name not in value:
            raise FieldError("stakes", f"{structure} needs {name}")
    return dict(value)


def _dealer(table: Mapping[str, Any], stacks: tuple[int, ...]) -> int:
    value = table.get("dealer", len(stacks))
    if type(value) is not int or not 1 <= value <= len(stacks):
        raise FieldError("dealer", f"{value!r} is not one of the {len(stacks)} seats")
    return value


def _absent(table: Mapping[str, Any], stacks: tuple[int, ...]) -> tuple[int, ...]:
    value = table.get("absent", [])
    if not isinstance(value, list):
        raise FieldError("absent", "is not a list of seats")
    for seat in value:
        if type(seat) is not int or not 1 <= seat <= len(stacks):
            raise FieldError("absent", f"{seat!r} is not one of the {len(stacks)} seats")
        if not stacks[seat - 1]:
            raise FieldError("absent", f"nobody sits in seat {seat}")
    if len(set(value)) != len(value):
        raise FieldError("absent", "names a seat twice")
    return tuple(value)


def _players_left(table: Mapping[str, Any]) -> int:
    value = table.get("players_left", 0)
    if not _is_count(value):
        raise FieldError("players_left", "is not a number of players")
    return int(value)


def _options(table: Mapping[str, Any]) -> dict[str, Any]:
    value = table.get("options", {})
    if not isinstance(value, dict):
        raise FieldError("options", "is not a table of house choices")
    for name, choice in value.items():
        if name == "low_stakes":
            if not isinstance(choice, bool):
                raise FieldError("options", "low_stakes is true or false")
        elif name not in words.RULE_KEYS:
            raise FieldError("options", f"there is no house choice on {name!r}")
        elif isinstance(choice, str) and choice not in words.VERDICTS.get(name, (choice,)):
            raise FieldError("options", f"{choice!r} is no choice on {name}: {', '.join(words.VERDICTS[name])}")
    return dict(value)


def _stub(table: Mapping[str, Any]) -> tuple[str, ...]:
    value = table.get("stub", "")
    if not isinstance(value, str):
        raise FieldError("stub", "is not a text of cards")
    stub: list[str] = []
    for word in value.split():
        for start in range(0, len(word), 2):
            card = word[start : start + 2]
            if card not in DECK:
                raise FieldError("stub", f"{card!r} is not a card: write rank and suit, as in Td")
            if card in stub:
                raise FieldError("stub", f"{card} is there twice")
            stub.append(card)
    return tuple(stub)
