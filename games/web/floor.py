"""The floor's pages: the map of the room, one table of it in a side panel, calls and rulings, and what was ordered."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from cardroom.services import access
from cardroom.web import numbers
from cardroom.web.parts import part_of
from games import selectors
from games.models import Section
from games.selectors import room_map
from games.services import floor

ORDERS_A_PAGE = 50
#: Whose the map of the room is. Rulings are the floor's alone.
ROLES = ("floor", "manager")


@ensure_csrf_cookie
@never_cache
@login_required
@require_safe
def room(request: HttpRequest) -> HttpResponse:
    """The map of the room, live; beside it the lists, or the table that was chosen (`?table=`)."""
    access.require_role(request.user, *ROLES)
    context = _map(request) | {
        "sections": Section.objects.all(),
        "chosen": numbers.whole_or_none(request.GET.get("table", "")),
    }
    return render(request, "games/floor/room.html", context)


@part_of("floor")
@never_cache
@login_required
@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    """The map alone, for the page to keep itself up to date with."""
    access.require_role(request.user, *ROLES)
    return render(request, "games/floor/_map.html", _map(request))


@part_of("floor", table="table_id")
@never_cache
@login_required
@require_safe
def panel(request: HttpRequest, table_id: int) -> HttpResponse:
    """One table: who sits there since when, and what may be done; other areas add their forms."""
    access.require_role(request.user, *ROLES)
    glance = room_map.table_glance(table_id, now=timezone.now())
    return render(request, "games/floor/_panel.html", {"glance": glance, "table": glance.table})


@login_required
@require_POST
def answer_call(request: HttpRequest, call_id: int) -> HttpResponse:
    """The floor comes."""
    access.require_role(request.user, floor.ROLE)
    call = floor.answer(call_id=call_id, by=request.user)
    if request.htmx:
        return HttpResponse(status=204)
    messages.success(request, f"{call.table} knows that you come.")
    return redirect("floor")


@ensure_csrf_cookie
@never_cache
@login_required
@require_safe
def rulings(request: HttpRequest) -> HttpResponse:
    """All hands and the calls from their tables; they come over the floor's socket."""
    access.require_role(request.user, floor.ROLE)
    return render(request, "games/floor.html")


@ensure_csrf_cookie
@never_cache
@login_required
@require_safe
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    """One table as the rail sees it, and what the floor may order there: this page holds no card."""
    access.require_role(request.user, floor.ROLE)
    return render(request, "games/floor_table.html", {"table": selectors.table(table_id)})


@never_cache
@login_required
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """What was ordered, by whom and why, newest first; `?before=` goes back."""
    access.require_role(request.user, floor.ROLE)
    orders = selectors.floor_log(before=numbers.whole_or_none(request.GET.get("before", "")), limit=ORDERS_A_PAGE)
    return render(request, "games/floor_log.html", {"orders": orders, "is_full": len(orders) == ORDERS_A_PAGE})


def _map(request: HttpRequest) -> dict[str, object]:
    section = numbers.whole_or_none(request.GET.get("section", ""))
    return {"map": room_map.room_map(now=timezone.now(), section=section), "section": section}
