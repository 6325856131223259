"""Words of the staff to a person, on every page he has open."""

from datetime import datetime

from django.db import transaction

from cardroom.models import Notice, User
from cardroom.services import access, notices, trail
from cardroom.services.errors import Invalid

STAFF = ("floor", "manager")


@transaction.atomic
def say(*, player: User, text: str, by: User, now: datetime) -> Notice | None:
    """Tell a player something; None for a bot. By the floor and managers. Refuses: `Forbidden`, `Invalid` (empty, too
    long)."""
    access.require_role(by, *STAFF)
    said = " ".join(text.split())
    if not 1 <= len(said) <= notices.LONGEST or not said.isprintable():
        raise Invalid(f"Say it in 1 to {notices.LONGEST} characters.", "bad-message")
    trail.note(verb="connection.message", subject=f"user:{player.pk}", player=player, by=by, now=now, text=said)
    return notices.tell(player=player, kind="staff", text=said, now=now)
