"""`manage.py audit`: every check of the books; exit 1 on any fault."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from cardroom.core import audit as core_audit


class Command(BaseCommand):
    help = "Add up the ledger and every stored hand again, and print each fault found, and what is worth knowing."

    def handle(self, *args: Any, **options: Any) -> None:
        report = core_audit.run()
        for fault in report.faults:
            self.stdout.write(fault)
        for note in report.notes:
            self.stdout.write(f"Note: {note}")
        self.stdout.write(f"{len(report.checks)} checks, {len(report.faults)} faults")
        if report.faults:
            sys.exit(1)
