"""The floor's console: the whole room, one table of it, and what was ordered."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from cardroom.services import access
from games import selectors

ORDERS_A_PAGE = 50


@ensure_csrf_cookie
@never_cache
@login_required
@require_safe
def room(request: HttpRequest) -> HttpResponse:
    """All tables and the calls from them; they come over the floor's socket."""
    access.require_role(request.user, "floor")
    return render(request, "games/floor.html")


@ensure_csrf_cookie
@never_cache
@login_required
@require_safe
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    """One table as the rail sees it, and what the floor may order there: this page holds no card."""
    access.require_role(request.user, "floor")
    return render(request, "games/floor_table.html", {"table": selectors.table(table_id)})


@never_cache
@login_required
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """What was ordered, by whom and why, newest first; `?before=` goes back."""
    access.require_role(request.user, "floor")
    before = request.GET.get("before", "")
    older_than = int(before) if before.isascii() and before.isdigit() and len(before) < 16 else None
    orders = selectors.floor_log(before=older_than, limit=ORDERS_A_PAGE)
    return render(request, "games/floor_log.html", {"orders": orders, "is_full": len(orders) == ORDERS_A_PAGE})
