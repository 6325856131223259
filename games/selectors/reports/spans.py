"""Days of the house, and how a span falls into days that were added up and the rest."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock

from django.db.models import Max, Min
from django.utils import timezone

from games.models import DaySum

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Parts:
    """`days`: the first and the last of the days that were added up, if any; `rest`: what has to be added up now, each
    span within one day."""

    days: tuple[date, date] | None
    rest: list[tuple[datetime, datetime]]


def midnight(day: date) -> datetime:
    """When this day begins."""
    return timezone.make_aware(datetime.combine(day, clock.min))


def day_of(moment: datetime) -> date:
    return timezone.localdate(moment)


def parts(since: datetime, until: datetime) -> Parts:
    """This span, its end not included. One query."""
    known = DaySum.objects.aggregate(first=Min("day"), last=Max("day"))
    if known["first"] is None or since >= until:
        return Parts(None, by_day(since, until))
    first = day_of(since) if midnight(day_of(since)) == since else day_of(since) + _DAY
    first, last = max(first, known["first"]), min(day_of(until) - _DAY, known["last"])
    if first > last:
        return Parts(None, by_day(since, until))
    rest = by_day(since, midnight(first)) if known["first"] < first else _tail(since, midnight(first))
    return Parts((first, last), rest + by_day(midnight(last + _DAY), until))


def _tail(since: datetime, until: datetime) -> list[tuple[datetime, datetime]]:
    """Before the first day that was added up there is nothing, but for that day's own morning."""
    return by_day(max(since, until - _DAY), until)


def by_day(since: datetime, until: datetime) -> list[tuple[datetime, datetime]]:
    """The span, cut at each midnight."""
    found = []
    while since < until:
        end = min(until, midnight(day_of(since) + _DAY))
        found.append((since, end))
        since = end
    return found
