"""What the floor sees of the lists: every game with its names, and at each table with a free seat whose turn it is."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from games.models import ListEntry, Offer, Seat, Table
from games.selectors import lists
from games.selectors.lists import GameList
from games.services.lists import choosing, gathering
from games.services.lists.choosing import Choice
from games.services.lists.filling import calls_itself


@dataclass(frozen=True)
class Suggestion:
    """A table with free seats, and whose the next one is; `is_automatic`: they are called without the floor."""

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
    """Every game that is offered. Eight queries, however many tables and names there are; two more where one of the
    names has a limit of time."""
    offers = lists.listed()
    names = lists.with_games(gathering.with_details(lists.active(offers), now=now), offers)
    shown = lists.of_offers(offers, names)
    by_game: dict[int, list[Suggestion]] = {}
    for each in _suggestions(offers, names, now=now):
        by_game.setdefault(each.table.offer_id or 0, []).append(each)
    return [StaffList(each, by_game.get(each.offer.pk, [])) for each in shown]


def _suggestions(offers: list[Offer], names: list[ListEntry], *, now: datetime) -> list[Suggestion]:
    """The tables where a seat is free and somebody could want it."""
    waited_for = {entry.offer_id for entry in names if entry.state == ListEntry.State.WAITING}
    seats = Seat.objects.filter(table=OuterRef("pk")).order_by().values("table").annotate(n=Count("pk")).values("n")
    tables = Table.objects.filter(Q(offer__in=waited_for) | Q(fed_by__isnull=False), offer__in=offers, event="")
    tables = tables.alias(taken=Coalesce(Subquery(seats), 0)).filter(taken__lt=F("seat_count"), state=Table.State.OPEN)
    tables = tables.select_related("offer").distinct().order_by("name")
    found = list(tables)
    if not found:
        return []
    room = gathering.look(found, now=now, names=names)
    return [
        Suggestion(table, free, choosing.next_for(table, now=now, room=room), calls_itself(table))
        for table in found
        if (free := room.free(table))
    ]
