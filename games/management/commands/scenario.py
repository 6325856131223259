"""``manage.py scenario PATH...``: the rule scenarios."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.notation.scenarios.runner import run_paths


class Command(BaseCommand):
    help = "Replay rule scenarios through the engine; exit 1 if any failed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="scenario files, or folders of them")
        parser.add_argument("--json", action="store_true", help="print one JSON object per scenario and rulebook")

    def handle(self, *, paths: list[Path], **options: Any) -> None:
        passed = failed = 0
        for result in run_paths(paths):
            passed += result.passed
            failed += not result.passed
            if options["json"]:
                self.stdout.write(json.dumps(result.as_json()))
            elif not result.passed:
                self.stdout.write(str(result))
        if not options["json"]:
            self.stdout.write(f"{passed} passed, {failed} failed")
        if failed:
            raise SystemExit(1)
