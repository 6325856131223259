"""What the floor sees of the lists: every game with its names, and at each table with a free seat whose turn it is."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from games.models import ListEntry, Table
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
    waits = Q(offer__list_entries__state=ListEntry.State.WAITING) | Q(fed_by__isnull=False)
    tables = Table.objects.filter(waits, state=Table.State.OPEN, event="", offer__isnull=False).distinct()
    tables = tables.select_related("offer").annotate(players=Count("seats", distinct=True)).order_by("name")
    found = list(tables)
    if not found:
        return []
    room = gathering.look(found, now=now, is_for_show=True)
    return [
        Suggestion(table, free, gathering.next_for(table, now=now, room=room), calls_itself(table))
        for table in found
        if (free := room.free(table))
    ]
