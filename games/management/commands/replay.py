"""``manage.py replay PATH...``: recorded hands (PHH) through the engine."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.notation.files import replay_paths


class Command(BaseCommand):
    help = "Replay recorded hands (PHH); print a JSON line for each; exit 1 on a mismatch or a bad file."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="PHH files, or folders of them")

    def handle(self, *, paths: list[Path], **options: Any) -> None:
        is_clean = True
        for result in replay_paths(paths):
            is_clean = is_clean and result.matches is not False
            self.stdout.write(json.dumps(result.as_json()))
            for note in result.notes:
                self.stderr.write(f"{result.file}: {note}")
            if result.error:
                self.stderr.write(f"{result.file}: {result.error}")
        if not is_clean:
            raise SystemExit(1)
