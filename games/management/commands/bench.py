"""Run a benchmark and print what it measured."""

import json
from argparse import ArgumentParser
from importlib import import_module
from inspect import signature
from typing import Any

from django.core.management import BaseCommand, CommandError

_MOST = {"hands": 100_000, "seed": 1_000_000, "seconds": 600, "entrants": 20_000, "bots": 2_000, "entries": 100_000_000}


class Command(BaseCommand):
    help = "Run a benchmark: the engine, the evaluator, the bots, live play, clocks, pages, storage, tournaments."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bench", choices=benches(), help="what to measure")
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")
        parser.add_argument("--seconds", type=float, help="how long to measure, in all (each has its own default)")
        parser.add_argument(
            "--hands", type=int, help="that each two strengths play (bots), or that are written (storage)"
        )
        parser.add_argument("--seed", type=int, help="of the cards and of what the bots choose by chance (bots)")
        parser.add_argument("--entrants", type=int, help="of the field that seats are drawn for (tournament)")
        parser.add_argument("--bots", type=int, help="that play an event to its end (tournament)")
        parser.add_argument("--entries", type=int, help="of the ledger among which reports are made (room)")
        parser.add_argument("--plan", action="store_true", help="print how the database finds what they show (room)")

    def handle(self, *, bench: str, as_json: bool, **options: Any) -> None:
        run = import_module(benches()[bench]).run
        sizes = {name: options[name] for name in _MOST if options.get(name) is not None}
        sizes |= {"plan": True} if options.get("plan") else {}
        for name, value in sizes.items():
            if name not in signature(run).parameters:
                raise CommandError(f"bench {bench} has no --{name}.")
            if name in _MOST and not 0 < value <= _MOST[name]:
                raise CommandError(f"--{name} is more than 0 and at most {_MOST[name]}.")
        try:
            measured = run(**sizes)
        except of_the_tests("temporary").CannotRun as error:
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


def of_the_tests(name: str = "") -> Any:
    """The benchmarks, or one of their modules. They lie beside the tests, which a room that is served may lack."""
    try:
        return import_module(f"tests.benches.{name}".rstrip("."))
    except ModuleNotFoundError as error:
        if error.name not in ("tests", "tests.benches"):
            raise
        raise CommandError("The benchmarks lie beside the tests: run this in a checkout of the project.") from None


def benches() -> dict[str, str]:
    """The modules of the benchmarks, by name."""
    modules: dict[str, str] = of_the_tests().BENCHES
    return modules
