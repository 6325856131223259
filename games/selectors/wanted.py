"""Games in the room that a table could be opened for: as many names wait as the offer asks for, and no seat is free.

Online such a list opens a table by itself; in the room a dealer is needed, so the floor is told."""

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from games.models import ListEntry, Offer, Seat, SeatHold, Table
from games.selectors.lists import of_each

_NAMES = Q(list_entries__state=ListEntry.State.WAITING) & Q(
    list_entries__kind__in=(ListEntry.Kind.LIST, ListEntry.Kind.INTEREST)
)


@dataclass(frozen=True)
class Wanted:
    """A game whose list asks for a table; `waiting`: names on it."""

    offer: Offer
    waiting: int


def tables_wanted() -> dict[int, Wanted]:
    """By offer. One query."""
    asking = Offer.objects.filter(~Exists(_with_a_free_seat()), is_physical=True, is_listed=True, opens_with__gt=0)
    asking = asking.annotate(waiting=Count("list_entries", filter=_NAMES)).filter(waiting__gte=F("opens_with"))
    return {offer.pk: Wanted(offer, offer.waiting) for offer in asking}


def is_wanted(offer: Offer, *, waiting: int, free: int) -> bool:
    """Whether so many names ask for a table while so many seats of the game are free."""
    is_asking = offer.is_physical and offer.is_listed and offer.opens_with > 0
    return is_asking and waiting >= offer.opens_with and free <= 0


def _with_a_free_seat() -> QuerySet[Table]:
    """Of a game, the open tables with a seat that is neither taken nor held; a hold that is over goes soon."""
    tables = Table.objects.filter(offer=OuterRef("pk"), state=Table.State.OPEN, is_private=False)
    return tables.annotate(used=of_each(Seat) + of_each(SeatHold)).filter(seat_count__gt=F("used"))
