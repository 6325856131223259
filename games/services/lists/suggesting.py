"""What the floor sees of the lists: every game with its names, and at each table with a free seat whose turn it is."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from games.models import ListEntry, Seat, Table
from games.selectors import lists
from games.selectors.lists import GameList
from games.services.lists import gathering
from games.services.lists.filling import calls_itself
from games.services.lists.gathering import Choice


@dataclass(frozen=True)
class Suggestion:
    """A table with free seats, and whose the next one is; `is_automatic`: he is called without the floor."""

    table: Table
    free: list[int]
    choice: Choice | None
    is_automatic: bool


@dataclass(frozen=True)
class StaffList:
    """The list of a game as the floor works with it."""

    list: GameList
    suggestions: list[Suggestion]


def for_staff(*, now: datetime) -> list[StaffList]:
    """Every game that is offered or has names waiting. Eleven queries, however many tables there are."""
    shown = lists.every()
    by_game: dict[int, list[Suggestion]] = {}
    for each in _suggestions(now=now):
        by_game.setdefault(each.table.offer_id or 0, []).append(each)
    return [StaffList(each, by_game.get(each.offer.pk, [])) for each in shown]


def _suggestions(*, now: datetime) -> list[Suggestion]:
    """The tables where a seat is free and somebody could want it."""
    names = ListEntry.objects.filter(offer=OuterRef("offer"), state=ListEntry.State.WAITING)
    seats = Seat.objects.filter(table=OuterRef("pk")).order_by().values("table").annotate(n=Count("pk")).values("n")
    tables = Table.objects.filter(Exists(names) | Q(fed_by__isnull=False), state=Table.State.OPEN, event="")
    tables = tables.alias(taken=Coalesce(Subquery(seats), 0)).filter(taken__lt=F("seat_count"), offer__isnull=False)
    tables = tables.select_related("offer").distinct().order_by("name")
    found = list(tables)
    if not found:
        return []
    room = gathering.look(found, now=now, is_for_show=True)
    return [
        Suggestion(table, free, gathering.next_for(table, now=now, room=room), calls_itself(table))
        for table in found
        if (free := room.free(table))
    ]
