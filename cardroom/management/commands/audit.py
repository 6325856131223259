"""`manage.py audit`: every check of the books; exit 1 on any fault."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from cardroom.core import audit as core_audit
from cardroom.core.history import checking, exporting


class Command(BaseCommand):
    help = "Add up the ledger and every stored hand again, and print each fault found, and what is worth knowing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seal", metavar="HEAD", help="check history alone, up to the seal of this head, as it was kept elsewhere"
        )
        parser.add_argument(
            "--export", metavar="FILE", help="write what is sealed into a file, for somebody outside to check"
        )

    def handle(self, *args: Any, seal: str | None = None, export: str | None = None, **options: Any) -> None:
        if export:
            with core_audit.one_moment(), Path(export).open("w", encoding="utf-8", newline="\n") as file:
                count = exporting.export(file, head=seal or "")
            self.stdout.write(f"{count} seals written to {export}")
            return
        if seal:
            with core_audit.one_moment():
                report = core_audit.Report(["history"], *core_audit.split_notes(checking.faults(head=seal)))
        else:
            report = core_audit.run()
        for fault in report.faults:
            self.stdout.write(fault)
        for note in report.notes:
            self.stdout.write(f"Note: {note}")
        self.stdout.write(f"{len(report.checks)} checks, {len(report.faults)} faults")
        if report.faults:
            sys.exit(1)
