"""``manage.py rules [SLUG] [--json]``: every point of a rulebook."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.rulebook import Point, Rulebook
from games.rulebooks import RulebookError, load, plain, slugs


class Command(BaseCommand):
    help = "Print every point of a rulebook, or of all of them: value, tournament value, citation."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", metavar="SLUG", help="such as roberts-v4; all when left out")
        parser.add_argument("--json", action="store_true", help="print one JSON object per rulebook")

    def handle(self, *, slug: str | None, **options: Any) -> None:
        try:
            books = [load(slug)] if slug else [load(each) for each in slugs()]
        except RulebookError as error:
            raise CommandError(str(error)) from None
        for book in books:
            self.stdout.write(json.dumps(_as_json(book)) if options["json"] else _as_text(book))


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
