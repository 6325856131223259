"""`manage.py add_up`: add up the days that are over for the reports, as the alarm does each night."""

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from cardroom.core.errors import Invalid
from games.reports import reports


class Command(BaseCommand):
    help = "Adds up the days that are over and were not added up; with --again one day anew."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--again", metavar="2030-01-31", help="a day to add up anew")

    def handle(self, *args: Any, again: str | None = None, **options: Any) -> None:
        now = timezone.now()
        if again:
            try:
                row = reports.add_up_again(day=date.fromisoformat(again), now=now)
            except ValueError as error:
                raise CommandError("A day is written 2030-01-31.") from error
            except Invalid as refusal:
                raise CommandError(refusal.message) from refusal
            self.stdout.write(f"{row.day}: {row.entries:,} entries")
        days = [] if again else reports.missing_days(now=now)
        for day in days:
            row = reports.add_up(day=day, now=now)
            if options["verbosity"] > 1:
                self.stdout.write(f"{day}: {row.entries:,} entries")
        count = len(days) or int(bool(again))
        self.stdout.write(f"{count:,} day{'' if count == 1 else 's'} added up")
