"""``manage.py shuffle_test``: whether the room's shuffles look like chance."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.play import randomness

_SHUFFLES = {"deck": randomness.of_the_room, "cut": randomness.of_cuts}


class Command(BaseCommand):
    help = "Shuffle many decks as the room does and test them for chance; print a report; exit 1 where one is not fair."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--decks", type=int, default=1_000_000, help="how many of each kind (1,000,000)")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")

    def handle(self, *, decks: int, **options: Any) -> None:
        if decks < 2:
            self.stderr.write("Two decks are the fewest.")
            raise SystemExit(2)
        figures_by_shuffle = {name: randomness.figures(shuffle, decks) for name, shuffle in _SHUFFLES.items()}
        is_fair = all(figure.is_fair for figures in figures_by_shuffle.values() for figure in figures)
        if options["json"]:
            by_shuffle = {name: [vars(figure) for figure in figures] for name, figures in figures_by_shuffle.items()}
            self.stdout.write(json.dumps({"decks": decks, "limit": randomness.LIMIT, "is_fair": is_fair, **by_shuffle}))
        else:
            self._print(figures_by_shuffle, decks)
        if not is_fair:
            raise SystemExit(1)

    def _print(self, figures_by_shuffle: dict[str, list[randomness.Figure]], decks: int) -> None:
        for name, figures in figures_by_shuffle.items():
            self.stdout.write(f"{name}: {decks:,} shuffles; fair within {randomness.LIMIT:g} standard deviations")
            for figure in figures:
                verdict = "fair" if figure.is_fair else "NOT FAIR"
                self.stdout.write(
                    f"  {figure.name:<15} {figure.found:>12,.4f}  expected {figure.expected:>10,.4f}"
                    f"  z {figure.z:+8.2f}  {verdict}"
                )
