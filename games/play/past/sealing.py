"""Seals the classes of first cards in results of hands from before they were sealed."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from cardroom.core import seals
from games.play.past import figures
from games.tables.models.times import HandResult

_AT_ONCE = 500


def open_starts() -> QuerySet[HandResult]:
    """The results whose class of first cards is not sealed."""
    return HandResult.objects.exclude(start="").exclude(start__startswith=seals.MARK)


def seal_starts() -> int:
    """Seal `open_starts` in small batches, so that nobody waits for the locks. Returns how many. It may be stopped and
    run again."""
    sealed = 0
    while True:
        with transaction.atomic():
            rows = list(open_starts().order_by("pk").select_for_update(no_key=True)[:_AT_ONCE])
            for row in rows:
                row.start = figures.sealed_start(row.start, hand=row.hand_id, player=row.player_id)
            HandResult.objects.bulk_update(rows, ["start"])
        sealed += len(rows)
        if len(rows) < _AT_ONCE:
            return sealed
