"""The rulebooks: one TOML file each beside this module, loaded once into a frozen ``Rulebook``.

Knows how a book is written down and nothing of what its points mean.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.engine.rulebook import Point, Rulebook

_FOLDER = Path(__file__).parent
_FIELDS = {"value", "tournament", "cite", "text", "silent", "follows"}
#: What a silent point has for a citation.
SILENT = "silent"


class RulebookError(ValueError):
    """A rulebook that is not there or not written as it should be; says which and where."""


def slugs() -> tuple[str, ...]:
    """The books there are, in alphabetical order."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def load(slug: str) -> Rulebook:
    """The book called ``slug``, such as ``roberts-v4``. Raises ``RulebookError`` when there is none."""
    if slug not in slugs():
        raise RulebookError(f"there is no rulebook called {slug!r}; there are: {', '.join(slugs())}")
    return parse(slug, (_FOLDER / f"{slug}.toml").read_text(encoding="utf-8"))


def parse(slug: str, text: str) -> Rulebook:
    """The rulebook written in ``text`` (TOML). Raises ``RulebookError`` naming the point and the field at fault."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{slug}: {error}") from None
    for field in ("title", "version"):
        if not isinstance(data.get(field), str):
            raise RulebookError(f"{slug}: {field} is missing or not a text")
    points = {key: _point(slug, key, table) for key, table in data.get("points", {}).items()}
    return Rulebook(slug=slug, version=data["version"], title=data["title"], points=MappingProxyType(points))


def _point(slug: str, key: str, table: Mapping[str, Any]) -> Point:
    where = f"{slug}: {key}"
    if unknown := sorted(set(table) - _FIELDS):
        raise RulebookError(f"{where}: there is no field {unknown[0]!r}")
    is_silent = table.get("silent", False)
    for field in ("value", "text", "follows" if is_silent else "cite"):
        if table.get(field, "") == "":
            raise RulebookError(f"{where}: {field} is missing")
    return Point(
        key=key,
        value=frozen(table["value"]),
        tournament=frozen(table["tournament"]) if "tournament" in table else None,
        cite=SILENT if is_silent else table["cite"],
        text=table["text"],
        is_silent=is_silent,
        follows=table.get("follows", ""),
    )


def frozen(value: Any) -> Any:
    """``value`` with lists as tuples and tables as read-only mappings, all the way down."""
    if isinstance(value, Mapping):
        return MappingProxyType({name: frozen(item) for name, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(frozen(item) for item in value)
    return value


def plain(value: Any) -> Any:
    """The opposite of ``frozen``: lists and dicts, ready for JSON."""
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
