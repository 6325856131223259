"""`manage.py migrate`, by the owner of the database where the settings name one; the room's role gets its rights."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from cardroom.core.database import roles


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        alias = options["database"]
        password = str(connections[alias].settings_dict["PASSWORD"])
        with roles.owning(alias) as room:
            super().handle(*args, **options)
            if room and not (options["check_unapplied"] or options["plan"]):
                roles.give_rights(connections[alias], room, password)
                if options["verbosity"]:
                    self.stdout.write(f"The role {room} reads and writes rows, and nothing else.")
