"""Pages of events for everybody: the list, the flyer, who is in it, and the box where one enters."""

from collections.abc import Callable, Mapping
from functools import wraps
from secrets import token_urlsafe
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from cardroom.core import access
from cardroom.core.errors import Refusal
from cardroom.core.web.pages import Context, Page
from cardroom.core.web.parts import by_room_clock
from games.play import event_tables
from games.rulebooks import RulebookError
from games.rulebooks.queries import load
from games.tables.queries import history
from tournaments.events import queries as event_queries
from tournaments.events import staff
from tournaments.events.models import Tournament
from tournaments.registration import queries as registration_queries
from tournaments.registration.pages.entry_box import box
from tournaments.registration.pages.flyer import sheet

State = Tournament.State
EVENT = "tournaments/<id:tournament_id>/"
EVENTS_A_PAGE = 30
PLAYERS_A_PAGE = 100
PLAYERS_ON_THE_FLYER = 24
HANDS_ON_THE_FLYER = 20

TABS = {
    "standings": gettext_lazy("Standings"),
    "payouts": gettext_lazy("Payouts"),
    "structure": gettext_lazy("Structure"),
    "tables": gettext_lazy("Tables"),
    "hands": gettext_lazy("Hands"),
}

SHOWS = {
    "": gettext_lazy("Upcoming and running"),
    "open": gettext_lazy("Registering"),
    "running": gettext_lazy("Running"),
    "finished": gettext_lazy("Finished"),
    "mine": gettext_lazy("Mine"),
    "drafts": gettext_lazy("Drafts"),
}


@vary_on_headers("HX-Request")
def tournaments(request: HttpRequest) -> HttpResponse:
    """`?show=` one of SHOWS, `?conduct=` online or room, `?q=` a part of the name."""
    is_director = access.has_role(request.user, *staff.DIRECTORS)
    show, conduct = request.GET.get("show", ""), request.GET.get("conduct", "")
    searched = looked_for(request.GET)
    events = _events_shown(show, request.user, is_director=is_director)
    if conduct in Tournament.Conduct.values:
        events = events.filter(conduct=conduct)
    if searched:
        events = events.filter(Q(name__icontains=searched) | Q(series__name__icontains=searched))
    page = Paginator(events.select_related("series", "season__league"), EVENTS_A_PAGE).get_page(request.GET.get("page"))
    hidden = {"mine"} if not request.user.is_authenticated else set()
    hidden |= set() if is_director else {"drafts"}
    context = {
        "page": page,
        "show": show,
        "shows": [(slug, title) for slug, title in SHOWS.items() if slug not in hidden],
        "conduct": conduct,
        "searched": searched,
        "is_director": is_director,
    }
    is_part = request.htmx and not request.htmx.history_restore_request
    return render(request, "tournaments/events/_list.html" if is_part else "tournaments/events/list.html", context)


@ensure_csrf_cookie
def flyer(request: HttpRequest, *, tournament_id: int) -> HttpResponse:
    return flyer_page(request, event_of(request, tournament_id))


def flyer_page(
    request: HttpRequest,
    row: Tournament,
    *,
    refusal: Refusal | None = None,
    staff_refusal: Refusal | None = None,
    typed: str = "",
) -> HttpResponse:
    """The public page of an event; `?tab=` one of TABS. `refusal`: why what the box was asked for cannot be, said
    there, and `staff_refusal` beside the director's buttons; `typed`: the entry code as it was sent."""
    now = timezone.now()
    parts = sheet(row, now=now)
    tabs = _tabs(row, parts)
    tab = request.GET.get("tab", "")
    if tab not in tabs:
        tab = "standings" if row.started_at else "structure"
    reading = event_queries.reading(row, now=now) if row.is_live else None
    context: dict[str, Any] = {
        "tournament": row,
        "sheet": parts,
        "box": box(row, request.user, now=now),
        "reading": reading,
        "played_at": list(event_tables.listing(event=row.unit).values()) if row.is_live and tab == "tables" else [],
        "level_now": parts["levels"][reading.level] if reading else None,
        "level_next": parts["levels"][reading.next_level] if reading and reading.next_level is not None else None,
        "has_games": len({level_row.level.game for level_row in parts["levels"] if not level_row.level.is_break}) > 1,
        "tabs": tabs.items(),
        "tab": tab,
        "first_players": _first_players(row) if tab == "standings" else [],
        "hands": history.hands_of_event(row.unit, request.user, limit=HANDS_ON_THE_FLYER) if tab == "hands" else [],
        "flights": row.flights.exclude(state=State.DRAFT).order_by("starts_at", "pk"),
        "satellites": row.satellites.exclude(state=State.DRAFT).order_by("starts_at", "pk"),
        "is_director": access.has_role(request.user, *staff.DIRECTORS),
        "is_desk": access.has_role(request.user, *staff.DESK),
        "book_title": book_title(row),
        "refusal": refusal,
        "staff_refusal": staff_refusal,
        "typed": typed,
        "key": token_urlsafe(12),
    }
    refused = refusal or staff_refusal
    return render(request, "tournaments/events/flyer.html", context, status=refused.status if refused else 200)


def _tabs(row: Tournament, parts: Mapping[str, Any]) -> dict[str, Any]:
    """Those of TABS that this event has."""
    hidden = {"payouts"} if row.state == State.CANCELLED else set()
    hidden |= set() if parts["tables"] else {"tables"}
    hidden |= set() if row.conduct == Tournament.Conduct.ONLINE and row.started_at else {"hands"}
    tabs = {name: title for name, title in TABS.items() if name not in hidden}
    return tabs if row.started_at else tabs | {"standings": gettext_lazy("Players")}


def _first_players(row: Tournament) -> list[Any]:
    return registration_queries.with_counts(row, registration_queries.standings(row)[:PLAYERS_ON_THE_FLYER])


def players(request: HttpRequest, *, tournament_id: int) -> Context:
    """Everybody in an event, best first; `?q=` a part of a name."""
    row = event_of(request, tournament_id)
    searched = looked_for(request.GET)
    entries = registration_queries.standings(row)
    if searched:
        entries = entries.filter(name__icontains=searched)
    page = Paginator(entries, PLAYERS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = registration_queries.with_counts(row, page.object_list)
    return {"tournament": row, "page": page, "searched": searched}


def for_directors(show: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A form that is sent to its own address, and drawn anew by each of its buttons."""

    @login_required
    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @by_room_clock
    @wraps(show)
    def answer(request: HttpRequest, **address: int) -> HttpResponse:
        access.require_role(request.user, *staff.DIRECTORS)
        return show(request, **address)

    return answer


def looked_for(given: Mapping[str, str], *names: str, most: int = 80) -> str:
    """What a page is searched for: `?q=`, or what else it may be called."""
    text = next((given[name] for name in names or ("q",) if given.get(name)), "")
    return " ".join(text.replace("\0", "").split())[:most]


def event_of(request: HttpRequest, tournament_id: int) -> Tournament:
    return event_for(request.user, tournament_id)


def event_for(viewer: Any, tournament_id: int) -> Tournament:
    """The event; a draft is there for directors only (`NotFound`)."""
    row = event_queries.event(tournament_id, with_drafts=True)
    if row.state == State.DRAFT and not access.has_role(viewer, *staff.DIRECTORS):
        return event_queries.event(tournament_id)
    return row


def book_title(row: Tournament) -> str:
    """What the event's rulebook is called; its reference where it cannot be found any more."""
    reference = str(row.config.get("rulebook", ""))
    try:
        return load(reference).title
    except RulebookError:
        return reference


def _events_shown(show: str, user: Any, *, is_director: bool) -> QuerySet[Tournament]:
    if show == "finished":
        return event_queries.finished_events()
    if show == "running":
        return event_queries.live()
    if show == "open":
        return event_queries.schedule().filter(Q(state=State.OPEN) | Q(is_entry_open=True))
    if show == "mine" and user.is_authenticated:
        return Tournament.objects.filter(entries__player=user).distinct().order_by("-starts_at", "-pk")
    if show == "drafts" and is_director:
        return Tournament.objects.filter(state=State.DRAFT).order_by("-pk")
    return event_queries.schedule()


PAGES = [
    Page("tournaments/", "tournaments", tournaments, is_public=True),
    Page(EVENT, "tournament", flyer, is_public=True),
    Page(f"{EVENT}players/", "tournament_players", players, is_public=True, template="tournaments/events/players.html"),
]
