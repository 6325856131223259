"""List preset structures: stakes by speed in one TOML file each, played as one game or as several in turn.

A preset is named by game and speed: ``stud-regular``, ``mixed-turbo``. ``games.toml`` has the games; every other file
beside this module is a speed. Knows how they are written down; whether they can be played is for the engine to say.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tournaments.engine.clock import Level, Structure, check
from tournaments.engine.errors import IllegalCommand

_FOLDER = Path(__file__).parent
_GAMES = "games"
_STAKES = {"ante", "bring_in", "small_bet", "big_bet"}
_BREAK = {"break", "colour_up"}


class PresetError(ValueError):
    """A preset that is not there or not written as it should be; says which and where."""


@dataclass(frozen=True, slots=True)
class Preset:
    """``stack``: the chips to start with, which the structure is made for. ``text`` says what it is good for."""

    slug: str
    title: str
    text: str
    stack: int
    structure: Structure


def slugs() -> tuple[str, ...]:
    """The presets there are: every game at every speed, the games in the order of their file."""
    speeds = sorted(path.stem for path in _FOLDER.glob("*.toml") if path.stem != _GAMES)
    return tuple(f"{game}-{speed}" for game in _games() for speed in speeds)


@cache
def load(slug: str) -> Preset:
    """The preset that ``slug`` names. Raises ``PresetError`` when there is none."""
    if slug not in slugs():
        raise PresetError(f"there is no structure called {slug!r}; there are: {', '.join(slugs())}")
    name, _, speed = slug.rpartition("-")
    rotation = _games()[name]
    return parse(slug, (_FOLDER / f"{speed}.toml").read_text(encoding="utf-8"), rotation["title"], rotation["games"])


def parse(slug: str, text: str, game_title: str, games: Sequence[str]) -> Preset:
    """The preset written in ``text`` (TOML), with ``games`` in turn by level. Raises ``PresetError`` naming what is
    wrong."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PresetError(f"{slug}: {error}") from None
    for field, kind in (("title", str), ("text", str), ("stack", int), ("minutes", int), ("chips", list)):
        if not isinstance(data.get(field), kind):
            raise PresetError(f"{slug}: {field} is missing or not what it should be")
    levels: list[Level] = []
    played = 0
    for number, row in enumerate(data.get("levels", ()), 1):
        level = _entry(f"{slug}: entry {number}", row, data["minutes"], games[played % len(games)])
        levels.append(level)
        played += not level.is_break
    structure = Structure(tuple(levels), tuple(data["chips"]))
    try:
        check(structure, data["stack"])
    except IllegalCommand as refusal:
        raise PresetError(f"{slug}: {refusal}") from None
    return Preset(slug, f"{game_title}, {data['title'].lower()}", data["text"], data["stack"], structure)


def _entry(where: str, row: Mapping[str, Any], minutes: int, game: str) -> Level:
    if "break" in row:
        if unknown := sorted(set(row) - _BREAK):
            raise PresetError(f"{where}: a break has no {unknown[0]!r}")
        return Level("break", row["break"], colour_up=tuple(row.get("colour_up", ())))
    if wrong := sorted(set(row) ^ _STAKES):
        raise PresetError(f"{where}: a level has {', '.join(sorted(_STAKES))}; {wrong[0]!r} is missing or too much")
    return Level("level", minutes, game=game, **row)


@cache
def _games() -> dict[str, dict[str, Any]]:
    """The ``title`` and the ``games`` in turn, by the first part of a slug."""
    return tomllib.loads((_FOLDER / f"{_GAMES}.toml").read_text(encoding="utf-8"))
