"""The flights of a final, as their rows tell."""

from django.db.models import QuerySet

from tournaments.models import Tournament, TournamentEntry

State = Tournament.State


def carried(final: Tournament) -> QuerySet[TournamentEntry]:
    """The entries that came from flights."""
    return final.entries.exclude(from_entry=None).order_by("number")


def are_waited_for(final: Tournament) -> bool:
    """Whether a flight to it that people were told of is still to be played, or being played."""
    return final.flights.exclude(state__in=[State.DRAFT, State.FINISHED, State.CANCELLED]).exists()


def are_to_come(final: Tournament) -> bool:
    """Whether there are flights to it, over or not, whose players have not been carried."""
    return final.flights.exclude(state__in=[State.DRAFT, State.CANCELLED]).exists() and not carried(final).exists()
