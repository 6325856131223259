"""Whom a table's takings belonged to at a moment: its game, its section, and the dealer who was clocked in there."""

from bisect import bisect_right
from collections import defaultdict
from datetime import datetime
from typing import NamedTuple

from django.db.models import OuterRef, Q, Subquery

from games.models import Down, Table, TableUse


class Where(NamedTuple):
    """Whom takings belong to, by their ids; 0: nobody."""

    table: int = 0
    offer: int = 0
    section: int = 0
    dealer: int = 0


class Uses:
    """The uses and downs of a span, asked for many moments. Three queries."""

    def __init__(self, since: datetime, until: datetime) -> None:
        before = TableUse.objects.filter(table=OuterRef("pk"), since__lt=since).order_by("-since", "-pk")
        tables = list(
            Table.objects.filter(event="")
            .annotate(last_use=Subquery(before.values("pk")[:1]))
            .values_list("pk", "offer", "section", "last_use")
        )
        self._now = {pk: (offer or 0, section or 0) for pk, offer, section, _ in tables}
        self._uses: dict[int, list[tuple[datetime, int, int]]] = defaultdict(list)
        lasts = [last for *_, last in tables if last]
        uses = TableUse.objects.filter(Q(pk__in=lasts) | Q(since__gte=since, since__lt=until)).order_by("since", "pk")
        for table, at, offer, section in uses.values_list("table", "since", "offer", "section"):
            self._uses[table].append((at, offer or 0, section or 0))
        self._downs: dict[int, list[tuple[datetime, datetime, int]]] = defaultdict(list)
        touching = Down.objects.filter(Q(until=None) | Q(until__gte=since), since__lt=until, table__isnull=False)
        for table, start, end, dealer in touching.order_by("since", "pk").values_list(
            "table", "since", "until", "dealer"
        ):
            self._downs[table].append((start, end or until, dealer))

    def where(self, table: int, at: datetime, *, with_dealer: bool = True) -> Where:
        """What the table was used for at this moment, and who dealt there."""
        offer, section = self._use(table, at)
        return Where(table, offer, section, self._dealer(table, at) if with_dealer else 0)

    def _use(self, table: int, at: datetime) -> tuple[int, int]:
        uses = self._uses.get(table)
        if uses:
            place = bisect_right(uses, at, key=lambda use: use[0])
            return uses[max(0, place - 1)][1:]
        return self._now.get(table, (0, 0))

    def _dealer(self, table: int, at: datetime) -> int:
        downs = self._downs.get(table, [])
        for start, end, dealer in reversed(downs):
            if start <= at < end:
                return dealer
        return 0
