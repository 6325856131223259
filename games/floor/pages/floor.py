"""The pages of the floor and of dealers: the map of the room, calls and rulings, past orders with their reasons; the
console of a table that a person deals."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie

from cardroom.core import topics
from cardroom.core.errors import Conflict
from cardroom.core.web import parts, shared
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.parts import part_of
from games.floor import queries, room_map
from games.floor.pages.floor_api import FLOOR, ROLES
from games.tables.models.offers import Section
from games.tables.queries import tables as table_queries

ORDERS_A_PAGE = 50


@ensure_csrf_cookie
def room(request: HttpRequest) -> HttpResponse:
    """The map of the room, live; beside it the lists, or the table that was chosen (`?table=`)."""
    room = _map(request)
    context = {
        "map": room.mark,
        "section": _section(request),
        "sections": Section.objects.all(),
        "chosen": parts.whole_number_or_none(request.GET.get("table", "")),
        "seat": parts.whole_number_or_none(request.GET.get("seat", "")),
    }
    page = render_to_string("games/floor/room.html", context, request)
    return shared.answer(request, shared.PagePart(page, [room]))


@part_of("floor")
def tables(request: HttpRequest) -> HttpResponse:
    """The map only, which the page loads again when something changes."""
    return shared.answer(request, _map(request))


@part_of("floor", table="table_id")
def panel(request: HttpRequest, table_id: int) -> HttpResponse:
    """One table: its players, since when they sit there, and what the floor may do. `?seat=`: the chosen seat."""
    glance = room_map.table_glance(table_id, now=timezone.now())
    seat = parts.whole_number_or_none(request.GET.get("seat", ""))
    return render(request, "games/floor/_panel.html", {"glance": glance, "table": glance.table, "seat": seat})


@ensure_csrf_cookie
def rulings(request: HttpRequest) -> HttpResponse:
    """All hands and the calls from their tables; they come over the floor's socket."""
    return render(request, "games/floor/floor.html")


@ensure_csrf_cookie
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    """One table as spectators see it, and the orders of the floor. The page holds no card: the socket sends them."""
    return render(request, "games/floor/table.html", {"table": table_queries.table(table_id)})


def log(request: HttpRequest) -> HttpResponse:
    """The past orders, newest first, with the person who gave each and why; `?before=` goes back."""
    orders = queries.floor_log(before=parts.whole_number_or_none(request.GET.get("before", "")), limit=ORDERS_A_PAGE)
    return render(request, "games/floor/log.html", {"orders": orders, "is_full": len(orders) == ORDERS_A_PAGE})


def _map(request: HttpRequest) -> shared.PagePart:
    """The map, which all who may see it share."""
    section = _section(request)

    def render_map() -> shared.PagePart:
        room = room_map.room_map(now=timezone.now(), section=section)
        return shared.PagePart(render_to_string("games/floor/_map.html", {"map": room}))

    version = topics.version("floor", "hands", "lists", "lobby")
    return shared.once("floor-map", section, version=version, render=render_map)


def _section(request: HttpRequest) -> int | None:
    return parts.whole_number_or_none(request.GET.get("section", ""))


@ensure_csrf_cookie
def console(request: HttpRequest, table_id: int) -> HttpResponse:
    """The console of a dealer. The page holds no card: they come over the table's socket, as spectators see them."""
    table = table_queries.table(table_id)
    if table.dealt_by != "person":
        raise Conflict("automatic-table", "This table has an automatic dealer: there is nothing to enter.")
    return render(request, "games/floor/dealer.html", {"table": table})


RULINGS = Page("floor/rulings/", "floor_rulings", rulings, FLOOR)
PAGES = [
    Page("tables/<int:table_id>/deal/", "deal", console, ("dealer", "floor")),
    Page("floor/", "floor", room, ROLES),
    Page("floor/map/", "floor_map", tables, ROLES),
    Page("floor/map/<int:table_id>/", "floor_panel", panel, ROLES),
    RULINGS,
    Page("floor/log/", "floor_log", log, FLOOR),
    Page("floor/tables/<int:table_id>/", "floor_table", table, FLOOR),
]

urlpatterns = page_urls(PAGES)
