"""The rulebooks: one TOML file each beside this module, loaded once into a frozen ``Rulebook``.

Knows how a book is written down and nothing of what its points mean. The house's own books are rows: ``queries.load``
finds them as well as the published ones, which are all that is known here. A book is named by a reference:
``roberts-v4`` for a published one, ``house:riverside@2026-11-20`` for one dated version of a house book, which never
changes once it is saved.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.engine.rulebook import Point, Rulebook

_FOLDER = Path(__file__).parent
_FIELDS = {"value", "tournament", "cite", "sources", "text", "silent", "follows"}
#: What a silent point has for a citation.
SILENT = "silent"
#: What is played by no book at all.
HOUSE_PRACTICE = "House practice"
#: Sources of rules beside the stud pages: general sections, a rule of the tournament directors, the house itself.
_GENERAL = re.compile(rf"Robert's Rules of Poker, general sections|TDA 2024, rule [0-9]+[A-Z]?|{HOUSE_PRACTICE}")
#: How the slug of a house book begins.
HOUSE = "house:"


class RulebookError(ValueError):
    """A rulebook that is not there or not written as it should be; says which and where."""


def slugs() -> tuple[str, ...]:
    """The published books there are, in alphabetical order."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def reference(book: Rulebook) -> str:
    """What ``queries.load`` knows ``book`` by."""
    return reference_to(book.slug, book.version)


def reference_to(slug: str, version: str) -> str:
    """What ``queries.load`` knows a book by; a published one is known by its slug alone."""
    return f"{slug}@{version}" if slug.startswith(HOUSE) else slug


@cache
def published(slug: str) -> Rulebook:
    """The published book of this slug. Raises ``RulebookError`` when there is none."""
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
    name = data.get("cited_as", data["title"])
    points = {key: _point(slug, name, key, table) for key, table in data.get("points", {}).items()}
    return Rulebook(slug=slug, version=data["version"], title=data["title"], points=MappingProxyType(points))


def _point(slug: str, name: str, key: str, table: Mapping[str, Any]) -> Point:
    """``name``: what the book is cited as."""
    where = f"{slug}: {key}"
    if unknown := sorted(set(table) - _FIELDS):
        raise RulebookError(f"{where}: there is no field {unknown[0]!r}")
    is_silent, sources = table.get("silent", False), table.get("sources", [])
    for field in ("value", "text", "follows" if is_silent else "" if sources else "cite"):
        if field and table.get(field, "") == "":
            raise RulebookError(f"{where}: {field} is missing")
    if unheard := [source for source in sources if not _GENERAL.fullmatch(source)]:
        raise RulebookError(f"{where}: {unheard[0]!r} is no source of general rules")
    follows, cite = table.get("follows", ""), table.get("cite", "")
    return Point(
        key=key,
        value=frozen(table["value"]),
        tournament=frozen(table["tournament"]) if "tournament" in table else None,
        cite=SILENT if is_silent else cite or "; ".join(sources),
        text=table["text"],
        citation=f"{name} ({_silent(follows)})" if is_silent else "; ".join([f"{name}, {cite}"] * bool(cite) + sources),
        is_silent=is_silent,
        follows=follows,
    )


def _silent(follows: str) -> str:
    """What is said of a book that leaves a point out: whose rule is played."""
    slug, _, rule = follows.partition(" ")
    followed = f"{_names()[slug]}, {rule}" if slug in _names() else follows
    return f"silent; played as {followed}"


@cache
def _names() -> Mapping[str, str]:
    """What each published book is cited as, by its slug."""
    heads = {slug: tomllib.loads((_FOLDER / f"{slug}.toml").read_text(encoding="utf-8")) for slug in slugs()}
    return {slug: head.get("cited_as", head["title"]) for slug, head in heads.items()}


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
