"""What staff writes down about players for one another. No player ever sees it."""

from typing import Annotated

from cardroom.accounts.models import PlayerNote
from cardroom.core import access, audit_log, topics
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Forbidden, Invalid
from cardroom.core.models import User
from cardroom.core.verb import current_time, lock, verb

STAFF = ("floor", "cashier", "manager")
LONGEST = 1000

Flag = Annotated[str, Limits(choices=[choice for choice in PlayerNote.Flag.choices if choice[0]], required=False)]


@verb("notes.write", roles=STAFF)
def write(
    *, player: User, text: Annotated[str, Limits(min_length=2, max_length=LONGEST)], flag: Flag = "", by: User
) -> PlayerNote:
    """Write a note, with a flag that is shown wherever staff sees the player.

    Refuses: `Invalid` (empty, too long, no such flag).
    """
    words = "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
    if not 2 <= len(words) <= LONGEST or "\0" in words:
        raise Invalid("bad-note", "A note has 2 to {longest} characters.", longest=LONGEST)
    if flag not in PlayerNote.Flag.values:
        raise Invalid("bad-flag", "A flag is one of: {names}.", names=", ".join(filter(None, PlayerNote.Flag.values)))
    now = current_time()
    note = PlayerNote.objects.create(player=player, text=words, flag=flag, by=by, at=now)
    subject = f"user:{player.pk}"
    audit_log.note(verb="note.write", subject=subject, player=player, by=by, now=now, note=note.pk, flag=flag)
    topics.tell("players")
    return note


@verb("notes.remove", roles=STAFF)
def remove(*, note_id: RowId, by: User) -> PlayerNote:
    """Archive a note: by its author, or a manager. It is kept but no longer shown; a second call does nothing.

    Refuses: `NotFound`, `Forbidden`. Locks the note.
    """
    note, now = lock(PlayerNote, note_id)
    if note.by_id != by.pk and not access.has_role(by, "manager"):
        raise Forbidden("not-your-note", "Only its author or a manager can archive this note.")
    if note.removed_at is None:
        note.removed_at, note.removed_by = now, by
        note.save(update_fields=["removed_at", "removed_by"])
        subject = f"user:{note.player_id}"
        audit_log.note(verb="note.remove", subject=subject, player=note.player, by=by, now=now, note=note.pk)
        topics.tell("players")
    return note


def about(player: User) -> list[PlayerNote]:
    """The notes about a player, newest first."""
    return list(PlayerNote.objects.filter(player=player, removed_at=None).select_related("by").order_by("-pk"))
