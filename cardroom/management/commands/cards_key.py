"""`manage.py cards_key`: a new key for the cards in the database, as the setting that holds it."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from cardroom.core import seals

_FIRST = """This is the room's first key. Put the line into .env, or into the environment, of every process and machine
of the room, keep a copy apart from the database and its backups, and start all processes again."""
_NEXT = """The new key stands first and seals from now on; the others still open what they sealed, so keep them. Put the
line in the place of the present setting on every machine of the room, keep a copy apart from the database and its
backups, then stop all processes and start them again: one that lacks the new key cannot read what it seals."""


class Command(BaseCommand):
    help = "Print CARDROOM_CARDS_KEY with a new key in front, the present ones behind it: the first key, or a rotation."
    requires_system_checks: list[str] = []  # the room may have no key yet

    def handle(self, *args: Any, **options: Any) -> None:
        present = settings.CARDROOM_CARDS_KEY
        self.stdout.write(f"CARDROOM_CARDS_KEY={seals.with_new_key(present)}")
        self.stderr.write(_NEXT if present else _FIRST)
