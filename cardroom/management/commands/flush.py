"""`manage.py flush`: what may never be deleted or emptied singly may be emptied as a whole."""

from typing import Any

from django.core.management.commands import flush
from django.db import connections

from cardroom.core.database import guards, roles


class Command(flush.Command):
    def handle(self, **options: Any) -> None:
        with roles.owning(options["database"]):
            connection = connections[options["database"]]
            guards.lift(connection)
            try:
                super().handle(**options)
            finally:
                if guards.are_possible(connection):
                    guards.install(connection)
