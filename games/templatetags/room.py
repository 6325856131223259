"""Tables, seats and playing time in templates. Seats are written by hand: a room has thousands of them."""

from collections.abc import Iterable
from datetime import datetime
from functools import cache, lru_cache
from typing import NamedTuple

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, gettext_lazy

from cardroom.core.sentences import filled, number, to_text
from cardroom.core.web.static_files import asked_at_once
from games.floor.room_map import SeatGlance, TableGlance
from games.tables.queries import offers as offer_queries
from games.tables.queries.tables import TableRow
from games.tables.words import PHASES
from games.waitlists.choosing import BY_SLUG
from games.waitlists.models import ListMove
from games.waitlists.queries import GameList, NameRow, is_wanted

register = template.Library()
register.filter("game_name", offer_queries.game_name)
register.filter("to_text", to_text)

_STATES = {"playing": "in", "sitting-out": "away", "leaving": "going", "moving": "going", "removed": "going"}
_TITLES = {
    "in": gettext_lazy("seat {number} {name}, {chips:,}"),
    "away": gettext_lazy("seat {number} {name}, {chips:,}, away"),
    "going": gettext_lazy("seat {number} {name}, {chips:,}, leaves after this hand"),
}
_TABLE_STATES = {
    "free": gettext_lazy("free"),
    "open": gettext_lazy("open"),
    "breaking": gettext_lazy("breaking"),
    "closing": gettext_lazy("closing"),
    "closed": gettext_lazy("closed"),
}


@register.simple_tag
def module(name: str) -> SafeString:
    """A script of ours, with hints to load all its imports at once and not one after the other."""
    hints = format_html_join(
        "", '<link rel="modulepreload" href="{}">', ((static(path),) for path in asked_at_once(name))
    )
    return format_html('{}<script type="module" src="{}"></script>', hints, static(name))


@register.filter
def table_state(state: str) -> str:
    """The state of a table in a word."""
    return str(_TABLE_STATES.get(state, state))


@register.filter
def asks_for_a_table(names: GameList) -> bool:
    """Whether the list of a game in the room is long enough for a table."""
    return is_wanted(names.offer, waiting=names.waiting, free=names.open_seats)


@register.filter
def verb_name(verb: str) -> str:
    """The label of a change to a name on a list."""
    return str(ListMove.Kind(verb).label)


@register.filter
def rule_title(slug: str) -> str:
    """The title of a rule of the lists, such as "First come"."""
    return str(BY_SLUG[slug].title) if slug in BY_SLUG else slug


class Tile(NamedTuple):
    """All that the map shows of a table."""

    pk: int
    name: str
    phase: str
    offer: str
    stakes: str
    game: str
    dealt_by: str
    seat_count: int
    is_physical: bool
    is_private: bool
    is_must_move: bool
    is_dead_spread: bool
    calls: int
    waiting: int
    free: int
    owes: int
    seats: tuple[SeatGlance, ...]


@register.simple_tag
def map_tile(glance: TableGlance) -> SafeString:
    """A table on the map of the room."""
    table = glance.table
    tile = Tile(
        table.pk,
        table.name,
        glance.phase,
        table.offer.name if table.offer else "",
        table.stakes,
        table.game,
        table.dealt_by,
        table.seat_count,
        table.is_physical,
        table.is_private,
        table.must_move_to_id is not None,
        glance.is_dead_spread,
        glance.calls,
        glance.waiting,
        glance.free,
        glance.owes,
        tuple(glance.seats),
    )
    return _tile(tile, get_language())


@lru_cache(maxsize=1000)
def _tile(tile: Tile, language: str | None) -> SafeString:
    """Kept as long as nothing of it changes: of a room, few tables change between two looks."""
    return render_to_string("games/floor/_map_tile.html", {"tile": tile})


@register.simple_tag
def list_row(row: NameRow) -> SafeString:
    """A name on a list, as the floor sees it."""
    return _list_row(row, get_language(), timezone.get_current_timezone_name())


@lru_cache(maxsize=2000)
def _list_row(row: NameRow, language: str | None, zone: str) -> SafeString:
    return render_to_string("games/waitlists/_staff_row.html", {"row": row})


@register.simple_tag
def seat_cells(table: int, seats: Iterable[SeatGlance]) -> SafeString:
    """The seats of a table as small cells that open the seat beside the map: number, player and chips; or for whom it
    is held, and how long."""
    page, panel = reverse("floor"), reverse("floor_panel", args=[table])
    cells = (_link(_cell(seat), f"{page}?table={table}&amp;seat={seat.number}", panel) for seat in seats)
    return mark_safe("".join(cells))  # noqa: S308  (names are escaped, the rest is ours)


def _link(cell: tuple[str, str, str], address: str, panel: str) -> str:
    kind, title, inside = cell
    seat = address.rpartition("=")[2]
    return (
        f'<a class="fs fs--{kind}" title="{title}" href="{address}" hx-get="{panel}?seat={seat}" hx-target="#panel">'
        f"{inside}</a>"
    )


@register.filter
def ms(moment: datetime | None) -> str:
    """Milliseconds since the epoch, as pages count down to; "" for no moment."""
    return str(round(moment.timestamp() * 1000)) if moment else ""


@register.filter
def phase_name(phase: str) -> str:
    """The name of a table's phase in the reader's language."""
    return str(PHASES[phase])


@register.filter
def short_chips(amount: int) -> str:
    """ "950", "12.4k", "3.1M": as much as a small cell has room for."""
    if amount < 10_000:
        return number(amount)
    shown, unit = (amount / 1000, "k") if amount < 1_000_000 else (amount / 1_000_000, "M")
    return f"{number_format(shown, decimal_pos=1, use_l10n=True)}{unit}"


def _cell(seat: SeatGlance) -> tuple[str, str, str]:
    """The kind of a cell, its title, and its content."""
    place = f"<b>{seat.number}</b>"
    if seat.state == "free":
        free = gettext("free")
        title = gettext("seat {number}: {name}").format(number=seat.number, name=free)
        return "free", escape(title), f"{place}<i>{escape(free)}</i>"
    name = escape(seat.name)
    if seat.state == "held":
        until = f'<time data-until="{ms(seat.held_until)}"></time>' if seat.held_until else ""
        title = gettext("seat {number} {why}: {name}").format(number=seat.number, why=seat.held_why, name=seat.name)
        return "held", escape(title), f"{place}<i>{name}</i>{until}"
    kind = _STATES.get(seat.state, "in")
    since = f'<time data-since="{ms(seat.out_since)}"></time>' if kind == "away" and seat.out_since else ""
    chips = since or f"<em>{short_chips(seat.stack)}</em>"
    marks = f"{' fs--bot' if seat.is_bot else ''}{' fs--owes' if seat.owes else ''}"
    title = filled(_TITLES[kind], number=seat.number, name=seat.name, chips=seat.stack)
    if seat.owes:
        title = filled(gettext("{seat}, owes {chips:,}"), seat=title, chips=seat.owes)
    return f"{kind}{marks}", escape(title), f"{place}<i>{name}</i>{chips}"


@register.filter
def hours(minutes: int) -> str:
    """Hours and minutes: 1:05."""
    return f"{number(minutes // 60)}:{minutes % 60:02}"


@register.filter
def unlocalized(value: float) -> str:
    """A number for a drawing."""
    return f"{value:.1f}"


@register.filter
def seat_dots(table: TableRow) -> SafeString:
    """A dot for each seat: a person, a bot, held or free."""
    return _dots(table.people, table.bots, table.held, table.seat_count)


@cache
def _dots(people: int, bots: int, held: int, seats: int) -> SafeString:
    """Cached for each combination of taken seats: a lobby has hundreds of tables."""
    kinds = ["person"] * people + ["bot"] * bots + ["held"] * held
    kinds += ["free"] * (seats - len(kinds))
    dots = "".join(f'<i class="seat-dot seat-dot--{kind}"></i>' for kind in kinds)
    return mark_safe(f'<span class="seat-dots" aria-hidden="true">{dots}</span>')  # noqa: S308  (nothing of anybody's)
