"""Words of the staff to a person, on every page they have open."""

from datetime import datetime

from cardroom.models import Notice, User
from cardroom.services import access, notices, repeats, trail
from cardroom.services.errors import Invalid
from cardroom.services.operations import operation

STAFF = ("floor", "manager")


@operation()
def say(*, player: User, text: str, by: User, now: datetime, key: str = "") -> Notice | None:
    """Tell a player something; None for a bot, or under a `key` that said it before. By the floor and managers.

    Refuses: `Forbidden`, `Invalid` (empty, too long), `Conflict` (the key of other words).
    """
    access.require_role(by, *STAFF)
    said = " ".join(text.split())
    if not 1 <= len(said) <= notices.LONGEST or not said.isprintable():
        raise Invalid(f"Say it in 1 to {notices.LONGEST} characters.", "bad-message")
    if not repeats.is_new(by=by, verb="messages.say", key=key, asked={"player": player.pk, "text": said}, now=now):
        return None
    trail.note(verb="connection.message", subject=f"user:{player.pk}", player=player, by=by, now=now, text=said)
    return notices.tell(player=player, kind="staff", text=said, now=now)
