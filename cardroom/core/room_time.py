"""Time as the room has it: its zone (`CARDROOM_TIME_ZONE`), its days, and moments in words.

Days, clocks and papers of the house go by the room's zone for everybody. A page shows times in the zone of its reader,
which is their browser's unless they chose another: Django's current zone, see `web.parts`. Pages of the staff are in
the room's for everybody.
"""

import os
import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from datetime import time as clock_time
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.template.defaultfilters import date as django_date
from django.utils import timezone
from django.utils.translation import get_language

from cardroom.core.errors import Invalid

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)
#: Before and after these years some zone, or the database, has no date.
FIRST_YEAR, LAST_YEAR = 1900, 9000


def zone() -> tzinfo:
    """The room's time zone."""
    return timezone.get_default_timezone()


def local(at: datetime) -> datetime:
    """The same moment in the room's time zone."""
    return at.astimezone(zone())


def today(now: datetime) -> date:
    """The date in the room."""
    return local(now).date()


def midnight(day: date) -> datetime:
    """When this date begins in the room."""
    return _at(day, 0)


def end(day: date) -> datetime:
    """When this date is over in the room."""
    return _at(min(day, date.max - _DAY) + _DAY, 0)


def check(*moments: date | None) -> None:
    """`Invalid` for a day or a moment in a year beyond these."""
    if any(at is not None and not FIRST_YEAR <= at.year <= LAST_YEAR for at in moments):
        raise Invalid(
            "bad-moment", "Enter a time between the years {first} and {last}.", first=FIRST_YEAR, last=LAST_YEAR
        )


def begins(day: date) -> datetime:
    """When this gaming day begins: at the hour that the room sets (`CARDROOM_DAY_BEGINS`)."""
    return _at(day, settings.CARDROOM_DAY_BEGINS)


def day_of(moment: datetime) -> date:
    """The gaming day that this moment belongs to."""
    local_time = local(moment)
    return local_time.date() if local_time.hour >= settings.CARDROOM_DAY_BEGINS else local_time.date() - _DAY


def day_rule() -> str:
    """The zone and hour that gaming days go by, stored with each day's sums."""
    return f"{settings.TIME_ZONE} {settings.CARDROOM_DAY_BEGINS:02}:00"


def next_clock(hour: int, *, after: datetime) -> datetime:
    """When it is this full hour in the room next."""
    day = today(after)
    return next(at for at in (_at(day + _DAY * days, hour) for days in range(3)) if at > after)


def later(at: datetime, by: timedelta) -> datetime:
    """So much later. What is longer than an hour goes by the clock on the wall: 19:00 stays 19:00 when the clocks
    change, and where that time is left out it is as much later as they are put forward.

    >>> later(datetime(2030, 1, 5, 19, tzinfo=UTC), timedelta(days=1)).isoformat()
    '2030-01-06T19:00:00+00:00'
    """
    return at + by if by <= _HOUR else (local(at) + by).astimezone(UTC)


def next_after(first: datetime, every: timedelta, *, now: datetime) -> tuple[datetime, int]:
    """The first moment after `now` of those that come after `first` in whole steps, and how many steps after `first` it
    is: one at least. All are counted from `first`, so what a change of the clocks does to one of them it does to no
    other.

    >>> noon = datetime(2030, 1, 5, 12, tzinfo=UTC)
    >>> [next_after(noon, _DAY, now=noon + _DAY * days)[1] for days in (-3, 0, 1, 5)]
    [1, 1, 2, 6]
    """
    steps = max(1, (now - first) // every)
    while steps > 1 and step(first, every, steps - 1) > now:
        steps -= 1
    while step(first, every, steps) <= now:
        steps += 1
    return step(first, every, steps), steps


def step(first: datetime, every: timedelta, number: int) -> datetime:
    """The moment `number` steps after `first`; steps that are longer than an hour go by the clock on the wall, see
    `later`."""
    return later(first, every * number) if every > _HOUR else first + every * number


def format_moment(at: datetime) -> str:
    """`5 January 2030, 20:00 CET`: paper, mail and a refusal cannot know where they are read. In the current language,
    as the other words for days are."""
    local_time = local(at)
    return f"{format_day(local_time, 'j F Y')}, {local_time:%H:%M %Z}"


def format_date(at: datetime) -> str:
    """`05 January 2030`, in the room's zone."""
    return format_day(local(at), "d F Y")


def day_of_year(at: datetime) -> str:
    """`05 January`, in the room's zone."""
    return format_day(local(at), "d F")


def format_day(day: date | None, form: str) -> str:
    """A day by this form of Django's, such as "j F Y", as it is written in the current language; "" for none."""
    language = get_language() or ""
    for english, other in _FORMS.get(language, ()):
        form = english.sub(other, form)
    text = str(django_date(day, form))
    # Django has its months with a capital letter, which are written small.
    return re.sub(r"(?<=\bde )[A-Z]", lambda match: match[0].lower(), text) if language == "pt-br" else text


_WEEKDAY = (re.compile(r"\b([lD]) (?=[jd])"), r"\1, ")
_SMALL = (re.compile(r"\bM\b"), "b")
_OF = (_WEEKDAY, _SMALL, (re.compile("F Y"), r"F \\d\\e Y"), (re.compile("([jd]) F"), r"\1 \\d\\e F"))
_FORMS = {"de": (_WEEKDAY, (re.compile("([jd]) (?=[FM])"), r"\1. ")), "es": _OF, "fr": (_SMALL,), "pt-br": _OF}


def clock(at: datetime) -> str:
    """`20:00`, for those in the room."""
    return f"{local(at):%H:%M}"


def readers_clock(at: datetime) -> str:
    """`20:00`, on a page in the zone of its reader; elsewhere in the room's."""
    return f"{timezone.localtime(at):%H:%M}"


def readers_zone() -> str:
    """The name of the zone that a page is shown in, as browsers know it: also `Etc/GMT-12`, which Django calls +12."""
    return str(timezone.get_current_timezone())


def clock_and_zone(at: datetime) -> str:
    """`20:00 CET`."""
    return f"{local(at):%H:%M %Z}"


def iso(at: datetime) -> str:
    """A moment in a file: ISO 8601 in the room's zone, to the second, so that it can be read back."""
    return local(at).isoformat(timespec="seconds")


def _at(day: date, hour: int) -> datetime:
    # In UTC: Python takes moments of one zone from each other by the clock on the wall.
    local_time = datetime.combine(day, clock_time(hour))
    try:
        return local_time.replace(tzinfo=zone()).astimezone(UTC)
    except OverflowError:  # on the first day of the calendar, or the last
        return local_time.replace(tzinfo=UTC)


# Time zones, and the one of this machine. Read by the settings, so it does not import Django.


_LINK, _NAME = Path("/etc/localtime"), Path("/etc/timezone")


def is_known(name: str) -> bool:
    """Whether there is a zone of this name, such as Europe/Berlin."""
    try:
        ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        return False
    return True


def machine_zone(*, link: Path = _LINK, name: Path = _NAME) -> str:
    """The time zone of this machine: from `TZ`, from the link of its clock, or from its file; else UTC."""
    names = [os.environ.get("TZ", "").lstrip(":")]
    if link.is_symlink():
        names.append(str(link.resolve()).partition("zoneinfo/")[2])
    if name.is_file():
        names.append(name.read_text().strip())
    return next((zone_name for zone_name in names if zone_name and is_known(zone_name)), "UTC")


@cache
def by_region() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """All zones with the name of a place, by continent or ocean, to be chosen from; UTC by itself."""
    regions: dict[str, list[str]] = {}
    for zone_name in sorted(available_timezones()):
        region, _, place = zone_name.partition("/")
        if place and region not in ("Etc", "SystemV", "posix", "right"):
            regions.setdefault(region, []).append(zone_name)
    return (("", ("UTC",)), *((region, tuple(places)) for region, places in regions.items()))
