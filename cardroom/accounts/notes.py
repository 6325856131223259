"""What staff writes down about players for one another. No player ever sees it."""

from datetime import datetime

from cardroom.accounts.models import PlayerNote
from cardroom.core import access, audit_log, topics
from cardroom.core.errors import Forbidden, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.operation import operation, row_of

STAFF = ("floor", "cashier", "manager")
LONGEST = 1000


@operation(verb="notes.write", roles=STAFF)
def write(*, player: User, text: str, by: User, now: datetime, flag: str = "") -> PlayerNote:
    """Write a note, with a flag that is shown wherever staff sees the player. The same `key` again returns the first.

    Refuses: `Forbidden`, `Invalid` (empty, too long, no such flag), `Conflict` (the key of another note).
    """
    said = "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
    if not 2 <= len(said) <= LONGEST or "\0" in said:
        raise Invalid(f"A note has 2 to {LONGEST} characters.", "bad-note")
    if flag not in PlayerNote.Flag.values:
        raise Invalid(f"A flag is one of: {', '.join(filter(None, PlayerNote.Flag.values))}.", "bad-flag")
    note = PlayerNote.objects.create(player=player, text=said, flag=flag, by=by, at=now)
    subject = f"user:{player.pk}"
    audit_log.note(verb="note.write", subject=subject, player=player, by=by, now=now, note=note.pk, flag=flag)
    topics.tell("players")
    return note


@operation(row_of(PlayerNote, "note_id"), roles=STAFF)
def remove(*, note_id: int, by: User, now: datetime) -> PlayerNote:
    """Archive a note: by who wrote it, or a manager. It is kept, and shown no more; once more does nothing."""
    note = PlayerNote.objects.select_for_update(no_key=True, of=("self",)).filter(pk=note_id).first()
    if note is None:
        raise NotFound("There is no such note.", "no-such-note")
    if note.by_id != by.pk and not access.has_role(by, "manager"):
        raise Forbidden("Only its author or a manager can archive this note.", "not-your-note")
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
