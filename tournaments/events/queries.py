"""What is read about events, their lists, and the flights of a final."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, QuerySet

from cardroom.core.errors import NotFound
from cardroom.core.models import User
from tournaments.engine import clock
from tournaments.events import journal as event_journal
from tournaments.events.models import Tournament, TournamentEntry

State = Tournament.State


@dataclass(frozen=True)
class Action:
    """One line of an event's log: what began with fact `first`, in words. `by`: the id of who gave the command, None
    for the house itself; `stands`: it was not undone."""

    first: int
    label: str
    at: datetime
    by: int | None
    stands: bool


def event(tournament_id: int, *, with_drafts: bool = False) -> Tournament:
    """The event with what it belongs to; `NotFound` where there is none, or only a draft."""
    found = (
        Tournament.objects.select_related("series", "parent", "satellite_to", "season").filter(pk=tournament_id).first()
    )
    if found is None or (found.state == State.DRAFT and not with_drafts):
        raise NotFound("There is no such event.", "no-such-event")
    return found


def schedule(*, with_drafts: bool = False) -> QuerySet[Tournament]:
    """Events that are not over, the next one first; those without a time last."""
    hidden = [State.FINISHED, State.CANCELLED, *([] if with_drafts else [State.DRAFT])]
    return Tournament.objects.exclude(state__in=hidden).order_by(F("starts_at").asc(nulls_last=True), "pk")


def finished() -> QuerySet[Tournament]:
    """Events that were played or called off, the latest first."""
    over = Tournament.objects.filter(state__in=[State.FINISHED, State.CANCELLED])
    return over.order_by(F("ended_at").desc(), "-pk")


def live() -> QuerySet[Tournament]:
    """Events being played, be they paused."""
    return Tournament.objects.filter(state__in=[State.RUNNING, State.PAUSED]).order_by("pk")


def of_player(player: User) -> QuerySet[Tournament]:
    """Events that somebody has an entry in that stands, the next one first."""
    standing = Tournament.objects.filter(entries__player=player, entries__state__in=["in", "alternate"]).distinct()
    return standing.exclude(state__in=[State.FINISHED, State.CANCELLED]).order_by("starts_at", "pk")


def reading(tournament: Tournament, *, now: datetime) -> clock.Reading | None:
    """What the event's clock shows; None before registration opens. No query, as a rule."""
    if not tournament.seq:
        return None
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return state.reading(event_journal.ms(now))


def log(tournament: Tournament) -> list[Action]:
    """What was done in an event, the latest first, with what was undone."""
    if not tournament.seq:
        return []
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        standing = {action.first for action in state.log.actions}
        facts = list(state.facts)
    authors = event_journal.authors(tournament.pk)
    return [
        Action(seq, fact.label, event_journal.moment(fact.at), authors.get(seq), seq in standing)
        for seq, fact in reversed(list(enumerate(facts, 1)))
        if fact.label
    ]


# Flights


def carried(final: Tournament) -> QuerySet[TournamentEntry]:
    """The entries that came from flights."""
    return final.entries.exclude(from_entry=None).order_by("number")


def are_waited_for(final: Tournament) -> bool:
    """Whether a flight to it that people were told of is still to be played, or being played."""
    return final.flights.exclude(state__in=[State.DRAFT, State.FINISHED, State.CANCELLED]).exists()


def are_to_come(final: Tournament) -> bool:
    """Whether there are flights to it, over or not, whose players have not been carried."""
    return final.flights.exclude(state__in=[State.DRAFT, State.CANCELLED]).exists() and not carried(final).exists()
