"""`manage.py role NAME ROLE`: the operator gives somebody a role, or takes it away; how a room gets its first managers.

Nobody of the room gave it, so nobody is kept from deciding on what they ask for.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.accounts import roles
from cardroom.core import access
from cardroom.core.errors import Refusal


class Command(BaseCommand):
    help = "Gives somebody a role, or takes it away."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="a screen name")
        parser.add_argument("role", choices=access.ROLES)
        parser.add_argument("--take", action="store_true", help="take it away")

    def handle(self, *, name: str, role: str, take: bool, **options: Any) -> None:
        try:
            user = access.get_user_by_name(name)
            if take:
                roles.take_as_operator(user=user, role=role)
            else:
                roles.give_as_operator(user=user, role=role)
        except Refusal as refusal:
            raise CommandError(refusal.message) from refusal
        held = ", ".join(sorted(access.roles_of(user))) or "none"
        self.stdout.write(f"{user.username}: {held}")
