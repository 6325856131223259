"""Whole numbers, days and moments, as forms and addresses say them."""

from datetime import date, datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from cardroom.services.errors import Invalid

#: More than any chips, and any id.
_MOST_DIGITS = 16


def whole(said: str, refusal: str = "Say which one.", **details: Any) -> int:
    """The number; with commas or spaces, as people write thousands. Refuses anything else (`Invalid`)."""
    number = whole_or_none(said)
    if number is None:
        raise Invalid(refusal, "bad-number", **details)
    return number


def whole_or_none(said: str) -> int | None:
    """The same; None for anything else."""
    digits = said.replace(",", "").replace(" ", "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else None


def asked(request: HttpRequest, name: str) -> int | None:
    """A whole number in the address, None where none is given; `Invalid` for anything else."""
    given = request.GET.get(name, "")
    return whole(given, f"`{name}` is a whole number.") if given else None


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
