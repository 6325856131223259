"""The trail: every act of staff is written down by the service that does it, in the same transaction."""

from datetime import datetime
from typing import Any

from cardroom.models import StaffAction, User
from cardroom.services.errors import Invalid

LONGEST_REASON = 300


def note(
    *,
    verb: str,
    subject: str,
    by: User | None,
    now: datetime,
    player: User | None = None,
    reason: str = "",
    **details: Any,
) -> StaffAction:
    """Write down that `by` (None: an alarm or a command) did `verb` ("cage.deposit") to `subject` ("user:7").

    `details`: JSON-safe facts, ids and chips, never a card.
    """
    return StaffAction.objects.create(
        verb=verb, subject=subject, player=player, reason=reason, details=details, by=by, at=now
    )


def reason_given(reason: str, *, what: str = "this", least: int = 3) -> str:
    """A reason fit to be kept: `Invalid` where there is none, or one that is too long."""
    said = " ".join(reason.split())
    if not least <= len(said) <= LONGEST_REASON or not said.isprintable():
        raise Invalid(
            f"Say why in {least} to {LONGEST_REASON} characters: {what} is kept with its reason.", "reason-required"
        )
    return said
