"""`manage.py problems`: new lines for the file of problems that come with the house."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.training.problems import bundled


class Command(BaseCommand):
    help = "Writes problems of the day from hands of house bots, as `games/training/problem_files/hands.toml` has them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("count", type=int, help="how many")
        parser.add_argument("--seed", type=int, default=1, help="other hands for another (default %(default)s)")

    def handle(self, *args: Any, count: int, seed: int, **options: Any) -> None:
        for line in bundled.new_lines(count, seed=seed):
            self.stdout.write(line)
            self.stdout.flush()
