"""`manage.py seal_starts`: seal the classes of players' first cards in results from before they were sealed."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cardroom.core.errors import Refusal
from games.play.past import sealing


class Command(BaseCommand):
    help = "Seal what players' first cards were in the results of hands that were played before it was sealed."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            count = sealing.seal_starts()
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        self.stdout.write(f"{count:,} results sealed")
