"""What is read about events, their lists, and the flights of a final."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, QuerySet
from django.utils.formats import get_format
from django.utils.translation import gettext, gettext_lazy, ngettext

from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.sentences import filled, number, translated
from tournaments.engine import clock
from tournaments.engine.clock import Level
from tournaments.engine.config import EventConfig, PayoutTerms
from tournaments.engine.plain import listed
from tournaments.events import journal as event_journal
from tournaments.events.models import Series, Tournament, TournamentEntry

State = Tournament.State


@dataclass(frozen=True)
class LogLine:
    """One line of an event's log: what began with fact `first`, in words. `by`: the id of the person who gave the
    command, None for the house itself; `stands`: it was not undone."""

    first: int
    label: str
    at: datetime
    by: int | None
    stands: bool


def event(tournament_id: int, *, with_drafts: bool = False) -> Tournament:
    """The event with what it belongs to; `NotFound` where there is none, or only a draft."""
    row = (
        Tournament.objects.select_related("series", "parent", "satellite_to", "season").filter(pk=tournament_id).first()
    )
    if row is None or (row.state == State.DRAFT and not with_drafts):
        raise NotFound("no-such-event", "There is no such tournament.")
    return row


def schedule(*, with_drafts: bool = False) -> QuerySet[Tournament]:
    """Events that are not over, the next one first; those without a time last."""
    hidden = [State.FINISHED, State.CANCELLED, *([] if with_drafts else [State.DRAFT])]
    return Tournament.objects.exclude(state__in=hidden).order_by(F("starts_at").asc(nulls_last=True), "pk")


def finished_events() -> QuerySet[Tournament]:
    """Events that were played or called off, the latest first."""
    events = Tournament.objects.filter(state__in=[State.FINISHED, State.CANCELLED])
    return events.order_by(F("ended_at").desc(), "-pk")


def live() -> QuerySet[Tournament]:
    """Events being played, be they paused."""
    return Tournament.objects.filter(state__in=[State.RUNNING, State.PAUSED]).order_by("pk")


def of_player(player: User) -> QuerySet[Tournament]:
    """Events that somebody has an entry in that stands, the next one first."""
    standing = Tournament.objects.filter(entries__player=player, entries__state__in=["in", "alternate"]).distinct()
    return standing.exclude(state__in=[State.FINISHED, State.CANCELLED]).order_by("starts_at", "pk")


def shown_series() -> QuerySet[Series]:
    """The series that are not put away, the latest first."""
    return Series.objects.filter(is_archived=False).order_by("-starts_on", "name")


def one_series(series_id: int) -> Series:
    """`NotFound` where there is none."""
    row = Series.objects.filter(pk=series_id).first()
    if row is None:
        raise Series.not_found()
    return row


def reading(tournament: Tournament, *, now: datetime) -> clock.Reading | None:
    """What the event's clock shows; None before registration opens. No query, as a rule."""
    if not tournament.seq:
        return None
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return state.reading(event_journal.ms(now))


def log(tournament: Tournament) -> list[LogLine]:
    """What was done in an event, the latest first, with what was undone."""
    if not tournament.seq:
        return []
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        facts = list(state.log.marked(state.facts))
    authors = event_journal.authors(tournament.pk)
    return [
        LogLine(seq, translated(fact.label), event_journal.moment(fact.at), authors.get(seq), stands)
        for seq, (fact, stands) in reversed(list(enumerate(facts, 1)))
        if fact.label
    ]


# Flights


def entries_from_flights(final: Tournament) -> QuerySet[TournamentEntry]:
    """The entries that came from flights."""
    return final.entries.exclude(from_entry=None).order_by("number")


def are_waited_for(final: Tournament) -> bool:
    """Whether a flight to it that people were told of is still to be played, or being played."""
    return final.flights.exclude(state__in=[State.DRAFT, State.FINISHED, State.CANCELLED]).exists()


def are_to_come(final: Tournament) -> bool:
    """Whether there are flights to it, over or not, whose players have not been carried."""
    return (
        final.flights.exclude(state__in=[State.DRAFT, State.CANCELLED]).exists()
        and not entries_from_flights(final).exists()
    )


# What people call games, formats, states, stakes and payouts of events.


GAMES = {
    "seven-card-stud": "Seven-Card Stud",
    "razz": "Razz",
    "stud-eight": "Stud Eight-or-Better",
    "mississippi-stud": "Mississippi Stud",
}
BETTING = {
    "fixed-limit": gettext_lazy("fixed limit"),
    "spread-limit": gettext_lazy("spread limit"),
    "pot-limit": gettext_lazy("pot limit"),
    "no-limit": gettext_lazy("no limit"),
}
#: The same in a narrow place.
SHORT_GAMES = {"seven-card-stud": "Stud", "razz": "Razz", "stud-eight": "Stud/8", "mississippi-stud": "Mississippi"}
SHORT_BETTING = {
    "fixed-limit": gettext_lazy("limit"),
    "spread-limit": gettext_lazy("spread"),
    "pot-limit": gettext_lazy("pot limit"),
    "no-limit": gettext_lazy("no limit"),
}
FORMATS = {
    "tables": gettext_lazy("Multi-table"),
    "shootout": gettext_lazy("Shootout: table winners meet"),
    "bracket": gettext_lazy("Heads-up bracket"),
}
PAYOUTS = {
    "curve": gettext_lazy("Standard curve"),
    "percent": gettext_lazy("Own percentages"),
    "amounts": gettext_lazy("Own amounts"),
    "winner": gettext_lazy("Winner takes all"),
    "tickets": gettext_lazy("Satellite tickets"),
}
BOUNTIES = {
    "none": gettext_lazy("None"),
    "fixed": gettext_lazy("Fixed"),
    "progressive": gettext_lazy("Progressive: half is added to the winner's own bounty"),
}
#: Colour of the badge of a state.
BADGES = {"open": "good", "running": "accent", "paused": "accent", "cancelled": "bad"}

_DAY, _WEEK = 24 * 60, 7 * 24 * 60


def game(slug: str) -> str:
    return GAMES.get(slug, slug.replace("-", " ").capitalize())


def games(config: EventConfig) -> str:
    """The games of an event and how they are bet, each named once."""
    levels = [level for level in config.structure.levels if not level.is_break]
    played = list(dict.fromkeys(game(level.game) for level in levels))
    bet = list(dict.fromkeys(str(BETTING.get(level.betting, level.betting)) for level in levels))
    return f"{translated(listed(played))}, {translated(listed(bet))}"


def format_of(config: EventConfig) -> str:
    """How an event is laid out, in few words."""
    if config.format == "bracket":
        return gettext("heads-up bracket")
    if config.format == "shootout":
        return gettext("shootout, {seats} at a table").format(seats=config.seats)
    if config.max_entrants and config.max_entrants <= config.seats:
        return gettext("one table of {seats}").format(seats=config.max_entrants)
    return gettext("{seats} at a table").format(seats=config.seats)


def stakes(level: Level) -> str:
    """`ante 50, bring-in 100, 300/600`; of a break how long it is."""
    if level.is_break:
        return gettext("{n} minutes").format(n=level.minutes)
    ante = filled(gettext("ante {amount:,}"), amount=level.ante) if level.ante else ""
    bring_in = filled(gettext("bring-in {amount:,}"), amount=level.bring_in) if level.bring_in else ""
    return ", ".join(filter(None, (ante, bring_in, bets(level))))


def bets(level: Level) -> str:
    """`300/600`; where the limit is not fixed, the least bet and the most of a spread."""
    if level.betting == "fixed-limit":
        return f"{number(level.small_bet)}/{number(level.big_bet)}"
    if level.betting == "spread-limit":
        return filled(gettext("{least:,} to {most:,}"), least=level.small_bet, most=level.big_bet)
    return filled(gettext("from {least:,}, {betting}"), least=level.small_bet, betting=BETTING[level.betting])


def length(level: Level) -> str:
    if level.is_by_hands:
        return gettext("{n} hands").format(n=level.hands)
    return gettext("{n} min").format(n=level.minutes)


def points(hundredths: int) -> str:
    """Points of a league, which are counted in hundredths: `12.5`, `100`; with the mark of the current language."""
    return f"{hundredths / 100:.2f}".rstrip("0").rstrip(".").replace(".", get_format("DECIMAL_SEPARATOR"))


def paid_places(terms: PayoutTerms) -> str:
    """How many places an event pays, before anybody has come."""
    if terms.kind == "winner":
        return gettext("The winner takes all.")
    if terms.kind == "percent":
        n = len(terms.percents)
        return ngettext(
            "{n} place is paid, each a share of the pool.", "{n} places are paid, each a share of the pool.", n
        ).format(n=n)
    if terms.kind == "amounts":
        n = len(terms.amounts)
        return ngettext("{n} place is paid, in fixed amounts.", "{n} places are paid, in fixed amounts.", n).format(n=n)
    if terms.kind == "tickets":
        return filled(
            gettext("As many tickets worth {worth:,} as the pool buys; what is over goes to the next place."),
            worth=terms.ticket_value,
        )
    if terms.places:
        return ngettext("{n} place is paid.", "{n} places are paid.", terms.places).format(n=terms.places)
    return gettext("{n} % of the entries are paid, rounded up.").format(n=terms.share_percent)


#: More often than this is always.
_TOLD = 100


def recurs(row: Tournament) -> str:
    """How an event comes again; '' where it does not."""
    if not row.recurs_times:
        return ""
    words = _again(row)
    if not words or row.recurs_times > _TOLD:
        return f"{words}." if words else ""
    more = ngettext("{n} more time", "{n} more times", row.recurs_times).format(n=row.recurs_times)
    return gettext("{again}, {more}.").format(again=words, more=more)


def _again(row: Tournament) -> str:
    if row.recurs_when_full:
        return gettext("A new one opens when this one is full")
    named = {_DAY: gettext("Every day"), _WEEK: gettext("Every week"), 2 * _WEEK: gettext("Every two weeks")}
    if not row.recurs_minutes or row.recurs_minutes in named:
        return named.get(row.recurs_minutes, "")
    return gettext("Every {span}").format(span=span(timedelta(minutes=row.recurs_minutes)))


def span(time: timedelta) -> str:
    """`2 h 20 min`, `3 days`."""
    minutes = int(time.total_seconds()) // 60
    if minutes >= 2 * _DAY and minutes % _DAY == 0:
        return gettext("{n} days").format(n=minutes // _DAY)
    hours, rest = divmod(minutes, 60)
    in_hours = gettext("{n} h").format(n=hours) if hours else ""
    in_minutes = gettext("{n} min").format(n=rest) if rest or not hours else ""
    return " ".join(filter(None, (in_hours, in_minutes)))
