"""Events and lists of them."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, QuerySet

from cardroom.models import User
from cardroom.services.errors import NotFound
from tournaments import journal, moments
from tournaments.engine import clock
from tournaments.models import Tournament

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
    with journal.looking(tournament.pk, upto=tournament.seq) as state:
        return state.reading(moments.ms(now))


def log(tournament: Tournament) -> list[Action]:
    """What was done in an event, the latest first, with what was undone."""
    if not tournament.seq:
        return []
    with journal.looking(tournament.pk, upto=tournament.seq) as state:
        standing = {action.first for action in state.log.standing}
        facts = list(state.facts)
    authors = journal.authors(tournament.pk)
    return [
        Action(seq, fact.label, moments.moment(fact.at), authors.get(seq), seq in standing)
        for seq, fact in reversed(list(enumerate(facts, 1)))
        if fact.label
    ]
