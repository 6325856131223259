"""How paper says moments: it cannot know where it is read, so the zone stands beside them."""

from datetime import UTC, datetime


def moment(at: datetime) -> str:
    """`5 January 2030, 20:00 UTC`."""
    at = at.astimezone(UTC)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"
