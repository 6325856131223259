"""``manage.py rules [SLUG ...] [--json]``: every point of a rulebook, or of several side by side."""

from __future__ import annotations

import json
import shutil
from argparse import ArgumentParser
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from games.engine.rulebook import Point, Rulebook
from games.rulebooks import RulebookError, plain
from games.rulebooks import slugs as published
from games.rulebooks.queries import load

_NARROWEST, _GAP = 22, 2


class Command(BaseCommand):
    help = "Print every point of a rulebook: value, tournament value, citation. Several, or all, stand side by side."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "slugs",
            nargs="*",
            metavar="SLUG",
            help="such as roberts-v4 or house:riverside@2026-11-20; all the published ones when left out",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object per rulebook")

        parser.add_argument("--width", type=int, default=0, help="of the lines; the terminal's when left out")

    def handle(self, *, slugs: list[str], width: int, **options: Any) -> None:
        try:
            books = [load(slug) for slug in slugs or published()]
        except RulebookError as error:
            raise CommandError(str(error)) from None
        except Error as error:
            raise CommandError(f"House rulebooks are in the database, and it does not answer: {error}") from None
        if options["json"]:
            for book in books:
                self.stdout.write(json.dumps(_as_json(book)))
        elif len(books) == 1:
            self.stdout.write(_as_text(books[0]))
        else:
            self.stdout.write(_side_by_side(books, width or shutil.get_terminal_size((160, 0)).columns))


def _as_json(book: Rulebook) -> dict[str, Any]:
    return {
        "slug": book.slug,
        "title": book.title,
        "version": book.version,
        "points": [
            {
                "key": point.key,
                "value": plain(point.value),
                "tournament": plain(book.value(point.key, "tournament")),
                "cite": point.cite,
                "citation": book.citation(point.key),
                "text": point.text,
                "silent": point.is_silent,
                "follows": point.follows,
            }
            for point in book.points.values()
        ],
    }


def _as_text(book: Rulebook) -> str:
    lines = [f"{book.title} ({book.slug}, version {book.version})"]
    for point in book.points.values():
        lines += ["", f"{point.key}: {_value(point)}", f"  {point.text}", f"  {book.citation(point.key)}"]
    return "\n".join(lines)


def _side_by_side(books: list[Rulebook], width: int) -> str:
    """A column for each book; a point on which they differ is marked with a star."""
    column = max(_NARROWEST, (width - 2 + _GAP) // len(books) - _GAP)
    keys = list(dict.fromkeys(key for book in books for key in book.points))
    blocks = [_row([[book.title, f"({book.slug}, version {book.version})"] for book in books], column)]
    for key in keys:
        values = {_value(book.points[key]) if key in book.points else "" for book in books}
        star = "*" if len(values) > 1 else " "
        blocks.append([f"{star} {key}", *_row([_cell(book, key) for book in books], column)])
    differ = sum(block[0].startswith("*") for block in blocks)
    summary = f"{len(keys)} points; the books differ on the {differ} marked *"
    return "\n".join("\n".join(block) + "\n" for block in blocks) + "\n" + summary


def _cell(book: Rulebook, key: str) -> list[str]:
    point = book.points.get(key)
    if point is None:
        return ["(no such point)"]
    in_tournament = [] if point.tournament is None else [f"tournament: {_plainly(point.tournament)}"]
    cite = f"(silent; as {point.follows})" if point.is_silent else f"[{point.cite}]"
    return [_plainly(point.value), *in_tournament, point.text, cite]


def _row(cells: list[list[str]], column: int) -> list[str]:
    """The cells beside each other, each wrapped to its column."""
    wrapped = [[line for part in cell for line in wrap(part, column)] for cell in cells]
    gap = " " * _GAP
    return [
        ("  " + gap.join(part.ljust(column) for part in line)).rstrip() for line in zip_longest(*wrapped, fillvalue="")
    ]


def _value(point: Point) -> str:
    if point.tournament is None:
        return _plainly(point.value)
    return f"{_plainly(point.value)}; in a tournament {_plainly(point.tournament)}"


def _plainly(value: Any) -> str:
    value = plain(value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plainly(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(_plainly(item) for item in value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
