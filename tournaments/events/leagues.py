"""The door for leagues and their seasons. An event belongs to a season by its own field, `season_id`.

Points are in hundredths, and so are the numbers of a formula that are points.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet, Sum

from cardroom.core.arguments import UNCHANGED, RowId, Unchanged, changed_values, not_kept
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.sentences import mid_sentence
from cardroom.core.titles import title
from cardroom.core.verb import current_time, lock, verb
from tournaments.engine import leagues as league_engine
from tournaments.engine.errors import IllegalCommand
from tournaments.events import staff
from tournaments.events.models import League, Season, Tournament, TournamentEntry

_LONGEST_NAME, _LONGEST_WORDS = 80, 10_000
_MOST = 10_000
_LARGEST = 10**9
_FIELDS = ("name", "description", "formula", "terms", "best_of", "min_entrants", "first_entry_only")
#: What all tables of a league hang on.
_COUNTING = ("formula", "terms", "best_of", "min_entrants", "first_entry_only")


@verb("leagues.create", roles=staff.DIRECTORS)
def create(
    *,
    name: str,
    formula: str,
    terms: Mapping[str, Any] | None = None,
    description: str = "",
    best_of: int = 0,
    min_entrants: int = 4,
    first_entry_only: bool = True,
    by: User,
) -> League:
    """A new league, for directors. `formula`: one of the engine's, `terms` its numbers by name. `first_entry_only`:
    re-entries score nothing; otherwise the best of a player's entries in an event does.

    Refuses: `Invalid`, `Illegal` (a formula that makes no sense), `Conflict` (the name is taken).
    """
    values = (name, description, formula, dict(terms or {}), best_of, min_entrants, first_entry_only)
    fields = dict(zip(_FIELDS, values, strict=True))
    return _save_league(League(created_by=by, created_at=current_time()), fields)


@verb("leagues.edit", roles=staff.DIRECTORS)
def edit(
    *,
    league_id: RowId,
    name: str | Unchanged = UNCHANGED,
    description: str | Unchanged = UNCHANGED,
    formula: str | Unchanged = UNCHANGED,
    terms: Mapping[str, Any] | Unchanged = UNCHANGED,
    best_of: int | Unchanged = UNCHANGED,
    min_entrants: int | Unchanged = UNCHANGED,
    first_entry_only: bool | Unchanged = UNCHANGED,
    is_archived: bool | Unchanged = UNCHANGED,
    by: User,
) -> Annotated[League, not_kept]:
    """Change what is given; of the `terms` too, unless the formula is another one.

    `Illegal`: how events count stays as it is once one of them was played.
    """
    league, _ = lock(League, league_id)
    if not isinstance(is_archived, Unchanged):
        league.is_archived = is_archived
    if not isinstance(terms, Unchanged) and formula in (UNCHANGED, league.formula):
        terms = {**league.terms, **terms}
    before = {field: getattr(league, field) for field in _FIELDS}
    after = before | changed_values(
        name=name,
        description=description,
        formula=formula,
        terms=terms,
        best_of=best_of,
        min_entrants=min_entrants,
        first_entry_only=first_entry_only,
    )
    finished = Tournament.objects.filter(season__league=league, state=Tournament.State.FINISHED)
    if any(after[name] != before[name] for name in _COUNTING) and finished.exists():
        raise Illegal(
            "league-has-results", "This formula has scored tournaments and cannot change: create another league."
        )
    return _save_league(league, after)


@verb("leagues.season", roles=staff.DIRECTORS)
def open_season(*, league_id: RowId, name: str, starts_on: date, ends_on: date | None = None, by: User) -> Season:
    """A new season of a league, for directors. `Conflict` where the league has one of that name."""
    league, _ = lock(League.objects.filter(is_archived=False), league_id)
    name = _text("name", name, _LONGEST_NAME)
    if not name:
        raise Invalid("bad-name", "A season has a name.")
    if ends_on is not None and ends_on < starts_on:
        raise Invalid("bad-dates", "A season ends on the day it begins or later.")
    try:
        with transaction.atomic():
            return Season.objects.create(league=league, name=name, starts_on=starts_on, ends_on=ends_on)
    except IntegrityError as error:
        raise Conflict(
            "name-taken", "{league} has a season called {name} already.", league=league.name, name=name
        ) from error


@verb("leagues.close_season", roles=staff.DIRECTORS)
def close_season(*, season_id: RowId, by: User) -> Annotated[Season, not_kept]:
    """Close a season to more events; its table stays. A second call does nothing. `Illegal` while an event is open."""
    season, now = lock(Season, season_id)
    over_states = (Tournament.State.FINISHED, Tournament.State.CANCELLED)
    waiting = season.tournaments.exclude(state__in=over_states).first()
    if waiting is not None:
        raise Illegal(
            "season-open", "{name} still counts for this season: play it or cancel it first.", name=waiting.name
        )
    if season.closed_at is None:
        season.closed_at = now
        season.save(update_fields=["closed_at"])
    return season


def _save_league(league: League, fields: Mapping[str, Any]) -> League:
    checked = dict(fields)
    checked["name"] = _text("name", fields["name"], _LONGEST_NAME)
    checked["description"] = _text("description", fields["description"], _LONGEST_WORDS)
    if not checked["name"]:
        raise Invalid("bad-name", "A league has a name.")
    for name in ("best_of", "min_entrants"):
        if type(checked[name]) is not int or not 0 <= checked[name] <= _MOST:
            raise Invalid(
                "bad-league",
                "The field {name} is a whole number from 0 to {most:,}.",
                name=mid_sentence(title(name)),
                most=_MOST,
            )
    if type(checked["first_entry_only"]) is not bool:
        raise Invalid("bad-league", "The field first_entry_only is true or false.")
    _check_formula(checked["formula"], checked["terms"])
    for name, value in checked.items():
        setattr(league, name, value)
    try:
        with transaction.atomic():
            league.save()
    except IntegrityError as error:
        raise Conflict("name-taken", "There is a league called {name} already.", name=league.name) from error
    return league


def _check_formula(kind: Any, terms: Any) -> None:
    numbers = ("scale", "per", "buy_in_of_one", "places", "playing")
    if not isinstance(terms, dict) or set(terms) - {*numbers, "table"}:
        raise Invalid("bad-league", "A formula has the numbers {choices} and a table.", choices=", ".join(numbers))
    table = terms.get("table", [])
    if not isinstance(table, list) or any(type(number) is not int for number in (*table, *_numbers(terms, numbers))):
        raise Invalid("bad-league", "The numbers of a formula are whole ones.")
    if max((*table, *_numbers(terms, numbers)), default=0) > _LARGEST or len(table) > _MOST:
        raise Invalid("bad-league", "The numbers of a formula are {most:,} at most.", most=_LARGEST)
    try:
        league_engine.check(league_engine.Formula(str(kind), **{**terms, "table": tuple(table)}))
    except IllegalCommand as error:
        raise Illegal(error.code, error.message, rule=error.rule) from None


def _numbers(terms: Mapping[str, Any], names: tuple[str, ...]) -> list[Any]:
    return [terms[name] for name in names if name in terms]


def _text(name: str, value: Any, most: int) -> str:
    called = mid_sentence(title(name))
    if not isinstance(value, str):
        raise Invalid(f"bad-{name}", "The {name} is a text.", name=called)
    value = value.strip() if name == "description" else " ".join(value.split())
    if len(value) > most or not all(letter.isprintable() or letter in "\r\n\t" for letter in value):
        raise Invalid(f"bad-{name}", "The {name} is a text of at most {most:,} characters.", name=called, most=most)
    return value


# Leagues, their seasons, and where everybody stands in one.


@dataclass(frozen=True, slots=True)
class SeasonScore:
    """A player's points from one event; `counts`: whether it is among their best."""

    event: Tournament
    place: int
    hundredths: int
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """A player in the table of a season. `rank` is shared by those who are level; `scores`: the best first."""

    rank: int
    player: User
    hundredths: int
    events: int
    wins: int
    best_place: int
    scores: list[SeasonScore]


def leagues() -> QuerySet[League]:
    """Leagues in use, by name, with their seasons."""
    return League.objects.filter(is_archived=False).order_by("name").prefetch_related("seasons")


def league(league_id: int) -> League:
    row = League.objects.filter(pk=league_id).first()
    if row is None:
        raise NotFound("no-such-league", "There is no such league.")
    return row


def season(season_id: int) -> Season:
    row = Season.objects.select_related("league").filter(pk=season_id).first()
    if row is None:
        raise NotFound("no-such-season", "There is no such season.")
    return row


def rules_of(league: League) -> league_engine.LeagueRules:
    """The league's rules for the engine. `terms` are the numbers of the formula by name."""
    terms = {name: tuple(value) if isinstance(value, list) else value for name, value in league.terms.items()}
    return league_engine.LeagueRules(
        league_engine.Formula(league.formula, **terms), league.best_of, league.min_entrants
    )


def events(season: Season) -> QuerySet[Tournament]:
    """The season's events that anybody may see, in the order in which they are played."""
    return season.tournaments.exclude(state=Tournament.State.DRAFT).order_by("starts_at", "pk")


def standings(season: Season) -> list[SeasonStanding]:
    """The table, first rank first, of all events that were played to their end: not of flights, which have no winner.
    House bots take places and score nothing. Three queries."""
    finished = season.tournaments.filter(state=Tournament.State.FINISHED, parent=None)
    played = {event.pk: event for event in finished.annotate(in_flights=Sum("flights__entries_count"))}
    rows = league_engine.season(rules_of(season.league), _results(season.league, played))
    players = User.objects.in_bulk([row.player for row in rows])
    return [
        SeasonStanding(
            rank=row.rank,
            player=players[row.player],
            hundredths=row.points,
            events=row.events,
            wins=row.wins,
            best_place=row.best_place,
            scores=[SeasonScore(played[score.event], score.place, score.points, score.counts) for score in row.scores],
        )
        for row in rows
    ]


def _results(league: League, played: Mapping[int, Any]) -> list[league_engine.EventResult]:
    """One result for each player and event. A final is as large as its flights were together."""
    entries = TournamentEntry.objects.filter(tournament__in=played, place__isnull=False, player__is_bot=False)
    fields = ("tournament", "player", "number", "place", "tied", "prize")
    best: dict[tuple[int, int], league_engine.EventResult] = {}
    for event, player, number, place, tied, prize in entries.order_by(
        "number" if league.first_entry_only else "place"
    ).values_list(*fields):
        row = played[event]
        result = league_engine.EventResult(
            event=event,
            player=player,
            entry=number,
            place=place,
            entries=max(row.entries_count, row.in_flights or 0),
            tied=tied,
            buy_in=sum(row.price.get("entry", {}).values()),
            prize=prize,
        )
        best.setdefault((event, player), result)
    return list(best.values())
