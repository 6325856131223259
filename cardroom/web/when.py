"""Days and moments as forms send them."""

from datetime import date, datetime

from django.utils import timezone

from cardroom.services.errors import Invalid


def day_of(sent: str) -> date | None:
    """ "2030-01-05"; None where nothing was typed."""
    if not sent:
        return None
    try:
        return date.fromisoformat(sent)
    except ValueError as error:
        raise Invalid("A day is written 2030-01-31.", "bad-day") from error


def moment_of(sent: str) -> datetime | None:
    """ "2030-01-05T20:00", in the zone of who looks at the page; None where nothing was typed."""
    if not sent:
        return None
    try:
        moment = datetime.fromisoformat(sent)
    except ValueError as error:
        raise Invalid("A moment is written 2030-01-31T20:00.", "bad-moment") from error
    return moment if moment.tzinfo else timezone.make_aware(moment)
