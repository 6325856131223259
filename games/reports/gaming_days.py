"""Gaming days, and how a span divides into days already added up and the rest."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Case, IntegerField, Max, Min, QuerySet, Value, When

from cardroom.core.room_time import begins, day_of, day_rule
from games.reports.models import DaySum

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class SplitSpan:
    """`days`: the first and the last of the days that were added up, if any; `rest`: what has to be added up now, each
    span within one day."""

    days: tuple[date, date] | None
    rest: list[tuple[datetime, datetime]]


class Buckets:
    """Spans one after the other; finds the place of the span that a moment lies in."""

    def __init__(self, spans: Sequence[tuple[datetime, datetime]]) -> None:
        self.spans = sorted(spans)
        self.since = self.spans[0][0]
        self.until = max(until for _, until in self.spans)
        self._begins = [since for since, _ in self.spans]

    def place(self, at: datetime) -> int | None:
        """The place of the span that this moment lies in; None between them."""
        place = bisect_right(self._begins, at) - 1
        return place if place >= 0 and at < self.spans[place][1] else None

    def of(self, rows: QuerySet[Any], at: str) -> QuerySet[Any]:
        """These rows with the `place` of their span, by the time in column `at`; without rows between the spans."""
        rows = rows.filter(**{f"{at}__gte": self.since, f"{at}__lt": self.until})
        if len(self.spans) == 1:
            return rows.annotate(place=Value(0))
        cases = [
            When(**{f"{at}__gte": since, f"{at}__lt": until}, then=Value(place))
            for place, (since, until) in enumerate(self.spans)
        ]
        return rows.annotate(place=Case(*cases, default=None, output_field=IntegerField())).exclude(place=None)


def added_up() -> QuerySet[DaySum]:
    """The gaming days that were added up by the current rule. None after the room changes its zone or the hour at which
    a day begins, until they are added up anew."""
    return DaySum.objects.filter(rule=current_rule())


def current_rule() -> str:
    """The rule that a stored day was added up by: how days begin in this room, and a version number of the sums."""
    return f"{day_rule()} 2"


def split_span(since: datetime, until: datetime) -> SplitSpan:
    """A span (without its end) as stored days and the rest. One query."""
    known = added_up().aggregate(first=Min("day"), last=Max("day"))
    if known["first"] is None or since >= until:
        return SplitSpan(None, by_day(since, until))
    first = day_of(since) if begins(day_of(since)) == since else day_of(since) + _DAY
    first, last = max(first, known["first"]), min(day_of(until) - _DAY, known["last"])
    if first > last:
        return SplitSpan(None, by_day(since, until))
    # Nothing happened before the first stored day, except in the hours before it began.
    before = since if known["first"] < first else max(since, begins(first) - _DAY)
    return SplitSpan((first, last), by_day(before, begins(first)) + by_day(begins(last + _DAY), until))


def by_day(since: datetime, until: datetime) -> list[tuple[datetime, datetime]]:
    """The span, cut where each gaming day begins."""
    spans = []
    while since < until:
        end = min(until, begins(day_of(since) + _DAY))
        spans.append((since, end))
        since = end
    return spans
