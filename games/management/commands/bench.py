"""Run a benchmark and print what it measured."""

import json
from argparse import ArgumentParser
from importlib import import_module
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.benches.live import CannotRun

BENCHES = {
    "engine": "games.benches.engine",
    "evaluate": "games.benches.evaluate",
    "live": "games.benches.live",
}


class Command(BaseCommand):
    help = "Run a benchmark: the engine, the evaluator, or live play over sockets."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bench", choices=BENCHES, help="what to measure")
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")
        parser.add_argument("--seconds", type=float, help="how long to measure, in all (each has its own default)")

    def handle(self, *, bench: str, as_json: bool, seconds: float | None, **options: Any) -> None:
        if seconds is not None and not 0 < seconds <= 600:
            raise CommandError("--seconds is more than 0 and at most 600.")
        try:
            measured = import_module(BENCHES[bench]).run(**({} if seconds is None else {"seconds": seconds}))
        except CannotRun as error:
            raise CommandError(str(error)) from None
        if as_json:
            self.stdout.write(json.dumps(measured))
        else:
            self._tell(measured)

    def _tell(self, measured: dict[str, Any], indent: str = "") -> None:
        for name, value in measured.items():
            if isinstance(value, dict):
                self.stdout.write(f"{indent}{name}:")
                self._tell(value, indent + "  ")
            else:
                shown = f"{value:,}" if isinstance(value, int | float) else value
                self.stdout.write(f"{indent}{name}: {shown}")
