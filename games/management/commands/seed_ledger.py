"""Fill an empty database with ten years of a cash room, to see what statements and reports cost among them."""

from argparse import ArgumentParser
from time import monotonic

from django.core.management import BaseCommand, CommandError

from cardroom.core.errors import Refusal
from games.management.commands.bench import of_the_tests

_MOST = 100_000_000


class Command(BaseCommand):
    help = (
        "Write years of play (hands, drop, time, comps, deposits of 5,000 players) into an empty PostgreSQL database: "
        "ten years in ten million entries. Never into one that somebody plays in."
    )

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--entries", type=int, default=10_000_000, help="of the ledger, about so many")

    def handle(self, *, entries: int, **options: object) -> None:
        if not 0 < entries <= _MOST:
            raise CommandError(f"--entries is more than 0 and at most {_MOST:,}.")
        began = monotonic()
        try:
            written = of_the_tests("years").write(
                entries=entries, tell=lambda what: self.stdout.write(f"{monotonic() - began:6.1f} s  {what}")
            )
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        for what, rows in written.items():
            self.stdout.write(f"{what}: {rows:,}")
