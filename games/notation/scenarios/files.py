"""Reads scenario files: TOML, any number of ``[[scenario]]`` tables. Every fault carries its file, line and reason.

A file or a scenario that cannot be read comes back as a ``ScenarioFault``, so that a runner counts it and goes on.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.notation.scenarios.expecting import read_expectation
from games.notation.scenarios.fields import FieldError, read_fields
from games.notation.scenarios.model import (
    BurnLine,
    DealLine,
    Expectation,
    PrematureLine,
    Scenario,
    ScenarioFault,
    ScriptError,
    ScriptLine,
)
from games.notation.scenarios.reading import ScriptTable, cards_named, read_fact


def scenario_files(path: Path) -> list[Path]:
    """``path`` itself, or every TOML file below it, in order of name. Raises ``ScriptError`` where there is none."""
    if path.is_dir():
        files = sorted(path.rglob("*.toml"))
        if not files:
            raise ScriptError("there is no scenario file (*.toml) in this folder")
        return files
    if not path.is_file():
        raise ScriptError("there is no such file or folder")
    return [path]


def read_path(path: Path) -> Iterator[Scenario | ScenarioFault]:
    """The scenarios of a file or folder."""
    try:
        files = scenario_files(path)
    except ScriptError as error:
        yield ScenarioFault(str(path), 0, str(error))
        return
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            yield ScenarioFault(str(file), 0, f"it cannot be read: {reason}")
            continue
        yield from read_text(str(file), text)


def read_text(file: str, text: str) -> Iterator[Scenario | ScenarioFault]:
    """The scenarios written in ``text``; ``file`` is what messages call it."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # A number with too many digits is a plain ValueError.
        at = re.search(r"line (\d+)", str(error))
        yield ScenarioFault(file, int(at[1]) if at else text.count("\n") + 1, f"it is not TOML: {error}")
        return
    tables = data.get("scenario")
    unknown = sorted(set(data) - {"scenario"})
    if unknown:
        yield ScenarioFault(file, 1, f"there is no field {unknown[0]!r} outside a [[scenario]]")
    elif not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        yield ScenarioFault(file, 1, "there is no [[scenario]] in it")
    else:
        sections = _sections(text)
        for place, table in enumerate(tables):
            section = sections[place] if place < len(sections) else _Section(1, {}, 1)
            yield _read_scenario(file, table, section)


@dataclass(slots=True)
class _Section:
    """File lines, from 1, of a scenario's header, of its fields, and of the first line of its script."""

    header: int
    fields: dict[str, int]
    script: int


def _sections(text: str) -> list[_Section]:
    """Where each ``[[scenario]]`` and its fields stand: TOML parsers do not tell."""
    sections: list[_Section] = []
    quote = ""
    for number, line in enumerate(text.splitlines(), start=1):
        rest = line
        if quote:
            if quote not in line:
                continue
            rest, quote = line.split(quote, 1)[1], ""
        elif re.match(r"\s*\[\[\s*scenario\s*\]\]", line):
            sections.append(_Section(number, {}, number))
        elif sections and (named := re.match(r"\s*([A-Za-z_]+)\s*=", line)):
            sections[-1].fields.setdefault(named[1], number)
            if named[1] == "play":
                opens = re.search(r"\"\"\"|'''", line)
                sections[-1].script = number + (1 if opens and not line[opens.end() :].strip() else 0)
        quote = _open_quote(rest)
    return sections


def _open_quote(line: str) -> str:
    """The triple quote that ``line`` opens and does not close."""
    quote = ""
    for mark in re.findall(r"\"\"\"|'''", line):
        quote = "" if mark == quote else quote or mark
    return quote


def _read_scenario(file: str, table: Mapping[str, Any], section: _Section) -> Scenario | ScenarioFault:
    name = table.get("name") if isinstance(table.get("name"), str) else ""
    try:
        fields = read_fields(table)
        lines = _read_script(table, fields, section.script)
    except FieldError as error:
        at = section.fields.get(error.field, section.header)
        return ScenarioFault(file, at, f"{error.field}: {error}", name or "")
    except _LineError as error:
        return ScenarioFault(file, error.number, f"{error.text!r}: {error}", name or "")
    return Scenario(file=file, line=section.header, lines=lines, **fields)


class _LineError(ScriptError):
    def __init__(self, number: int, text: str, reason: str) -> None:
        super().__init__(reason)
        self.number, self.text = number, text


def _read_script(table: Mapping[str, Any], fields: Mapping[str, Any], first: int) -> tuple[ScriptLine, ...]:
    stacks = fields["stacks"]
    seats = ScriptTable(len(stacks), frozenset(seat for seat, chips in enumerate(stacks, start=1) if chips))
    where: dict[str, str] = dict.fromkeys(fields["stub"], "the stub")
    lines: list[ScriptLine] = []
    for number, raw in enumerate(table["play"].splitlines(), start=first):
        text = raw.split("#", 1)[0].strip()
        if not text:
            continue
        try:
            line = ScriptLine(number, text, _read_line(text, seats))
            _check_order(lines, line)
            _check_cards(line, where)
        except ScriptError as error:
            raise _LineError(number, text, str(error)) from None
        lines.append(line)
    if not lines:
        raise FieldError("play", "is empty")
    if isinstance(lines[-1].content, BurnLine):
        raise _LineError(lines[-1].number, lines[-1].text, "no deal line follows it")
    return tuple(lines)


def _read_line(text: str, table: ScriptTable) -> Any:
    if text.startswith("?"):
        expectation = text[1:].strip()
        return read_expectation(expectation.split(), expectation, table)
    return read_fact(text.split(), table)


def _check_order(before: list[ScriptLine], line: ScriptLine) -> None:
    """What depends on the lines before: a burn belongs to a deal, a citation to a ruling."""
    if before and isinstance(before[-1].content, BurnLine) and not isinstance(line.content, DealLine | PrematureLine):
        raise ScriptError(f"a deal line must follow {before[-1].text!r}")
    if isinstance(line.content, Expectation) and line.content.what == "cites":
        expected = (old.content.what for old in before if isinstance(old.content, Expectation))
        if "ruling" not in expected:
            raise ScriptError("no '? ruling' line before it says which ruling is meant")


def _check_cards(line: ScriptLine, where: dict[str, str]) -> None:
    """No card is dealt twice. One dealt too soon may come back when the deck runs short: whether it can is a rule."""
    if isinstance(line.content, Expectation):
        return
    for card in cards_named(line.content):
        if card in where:
            raise ScriptError(f"{card} is dealt twice: it was already in {where[card]}")
        if not isinstance(line.content, PrematureLine):
            where[card] = f"line {line.number}"
