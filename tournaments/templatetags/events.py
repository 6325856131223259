"""Events in templates: lists of them for pages of the house, and their numbers in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.db.models import Case, Sum, When
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from cardroom.core.sentences import number, translated
from tournaments.engine.clock import Level
from tournaments.engine.plain import ordinal
from tournaments.events import queries as event_queries
from tournaments.events import terms
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.prizes import queries as prize_queries
from tournaments.prizes.models import Ticket
from tournaments.registration import queries as registration_queries

register = template.Library()

_IN_THE_LOBBY = 5
_HOUR = 60
_DAY = 24 * _HOUR
#: From here on days are said, minutes.
_LONG = 2 * _DAY

register.filter("stakes", event_queries.stakes)
register.filter("bets", event_queries.bets)
register.filter("lasts", event_queries.length)
register.filter("span", event_queries.span)
register.filter("game_name", event_queries.game)
register.filter("games", event_queries.games)
register.filter("format_of", event_queries.format_of)
register.filter("paid_places", event_queries.paid_places)
register.filter("recurs", event_queries.recurs)
register.filter("points", event_queries.points)
register.filter("translated", translated)
register.filter("config", terms.config_of)


@register.filter
def place_in(entry: TournamentEntry, row: Tournament) -> int:
    """The place of an entry that is out, as of now."""
    return registration_queries.place(entry, row) or 0


@register.filter
def chips(kinds: Iterable[int]) -> str:
    """`25, 1,000`."""
    return ", ".join(map(number, kinds))


@register.filter
def place(number: int) -> str:
    """`3rd`."""
    return translated(ordinal(number))


@register.filter
def places(row: Any) -> str:
    """`3rd`, or `4th to 6th` of a row of prizes."""
    if row.first == row.last:
        return place(row.first)
    return gettext("{first} to {last}").format(first=place(row.first), last=place(row.last))


@register.filter
def badge(row: Tournament) -> str:
    """The colour of its state, for a badge."""
    colour = event_queries.BADGES.get(row.state)
    return f"badge--{colour}" if colour else ""


@register.filter
def minutes(milliseconds: int) -> str:
    """Time left on a clock: `4:05`, `1:04:05`."""
    seconds = max(0, milliseconds) // 1000
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


@register.filter
def starts_in(at: datetime) -> str:
    """`in 12 min`, `in 2 h 5 min`, `in 3 days`; "now" at the time and after it. `events/page.js` counts on."""
    left = max(0, round((at - timezone.now()).total_seconds() / 60))
    if left >= _LONG:
        days = round(left / _DAY)
        return ngettext("in {n} day", "in {n} days", days).format(n=days)
    if not left:
        return gettext("now")
    words = gettext("in {hours} h {minutes} min") if left >= _HOUR else gettext("in {minutes} min")
    return words.format(hours=left // _HOUR, minutes=left % _HOUR)


@register.filter
def hours(minutes_in_all: int) -> str:
    """`2 h 20 min`, `start` for none."""
    return event_queries.span(timedelta(minutes=minutes_in_all)) if minutes_in_all else gettext("start")


@register.filter
def since_start(begins: timedelta) -> str:
    """`0:00`, `2:20`: hours and minutes."""
    total = int(begins.total_seconds()) // 60
    return f"{total // 60}:{total % 60:02}"


@register.filter
def in_big_bets(stack: int, level: Level) -> str:
    """`12.5`, or `25`: a stack in big bets of this level."""
    tenths = round(10 * stack / level.big_bet)
    return number_format(tenths / 10, 1 if tenths % 10 else 0, use_l10n=True)


@register.filter
def costs(row: Tournament) -> int:
    """What an entry costs in all."""
    return terms.price_of(row, "entry").total


@register.filter
def level_words(row: Tournament) -> str:
    """`Level 4: ante 50, bring-in 100, 300/600` of an event being played, as its row says."""
    structure = terms.config_of(row).structure
    level = structure.levels[row.level]
    name, words = translated(structure.name(row.level)), event_queries.stakes(level)
    return gettext("{name}: {words}").format(name=name, words=words)


@register.simple_tag
def events_in_the_lobby(stars: Collection[int] = (), only_those: bool = False) -> list[Tournament]:
    """Those with a star, then those being played or taking entries, then those to come; one query."""
    rows = event_queries.schedule().select_related("series")
    rows = rows.order_by(Case(When(pk__in=stars, then=0), default=1), *rows.query.order_by) if stars else rows
    return list((rows.filter(pk__in=stars) if only_those else rows)[:_IN_THE_LOBBY])


@register.simple_tag
def players_in_events() -> int:
    """How many play in events now; one query."""
    return event_queries.live().aggregate(players=Sum("players_left"))["players"] or 0


@register.simple_tag
def entered_by(user: Any, rows: Iterable[Tournament]) -> set[int]:
    """Ids of those of these events in which somebody has an entry that stands; one query."""
    if not user.is_authenticated:
        return set()
    standing = [TournamentEntry.State.IN, TournamentEntry.State.ALTERNATE]
    entries = TournamentEntry.objects.filter(player=user, tournament__in=list(rows), state__in=standing)
    return set(entries.values_list("tournament", flat=True))


@register.simple_tag
def tickets_of(user: Any) -> list[Ticket]:
    """The tickets somebody has that are good; one query."""
    return list(prize_queries.tickets(user))


@register.simple_tag
def events_of(user: Any, but: Collection[str] = ()) -> list[Tournament]:
    """Those that somebody has an entry in that stands, `but` those of these units; one query."""
    return [row for row in event_queries.of_player(user) if row.unit not in but]
