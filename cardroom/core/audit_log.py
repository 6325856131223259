"""The audit log: every act of staff, written by the service that does it in the same transaction."""

from datetime import date, datetime
from typing import Any

from django.db.models import Q, QuerySet

from cardroom.core import room_time, topics
from cardroom.core.errors import Invalid
from cardroom.core.models import StaffAction, User
from cardroom.core.sentences import StoredText

LONGEST_REASON = 300
READERS = ("manager", "auditor")


def note(
    *,
    verb: str,
    subject: str,
    by: User | None,
    now: datetime,
    player: User | None = None,
    reason: StoredText = "",
    **details: Any,
) -> StaffAction:
    """Write down that `by` (None: an alarm or a command) did `verb` ("cage.deposit") to `subject` ("user:7").

    `details`: JSON-safe facts, ids and chips, never a card.
    """
    if player is not None:
        topics.tell("players")  # the player's page shows it
    return StaffAction.objects.create(
        verb=verb, subject=subject, player=player, reason=reason, details=details, by=by, at=now
    )


def reason_given(reason: str, *, what: str, least: int = 3) -> str:
    """A reason for `what`, fit to be kept: `Invalid` where there is none, or one that is too long."""
    text = " ".join(reason.split())
    if not least <= len(text) <= LONGEST_REASON or not text.isprintable():
        raise Invalid(
            "reason-required",
            "Enter a reason of {least} to {longest} characters ({what}).",
            least=least,
            longest=LONGEST_REASON,
            what=what,
        )
    return text


def acts(
    *, who: str = "", verb: str = "", subject: str = "", since: date | None = None, until: date | None = None
) -> QuerySet[StaffAction]:
    """Entries, newest first: by or about the person `who`, of verbs that begin with `verb`, of a subject, and of these
    days (both ends included)."""
    entries = StaffAction.objects.select_related("by", "player").order_by("-at", "-pk")
    if who:
        entries = entries.filter(Q(by__username__iexact=who) | Q(player__username__iexact=who))
    if verb:
        entries = entries.filter(verb__startswith=verb)
    if subject:
        entries = entries.filter(subject=subject)
    if since:
        entries = entries.filter(at__gte=room_time.midnight(since))
    return entries.filter(at__lt=room_time.end(until)) if until else entries
