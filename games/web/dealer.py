"""The dealer's console: one page to a table that a person deals."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from cardroom.services import access
from cardroom.services.errors import Conflict
from games import selectors


@ensure_csrf_cookie
@never_cache
@login_required
@require_safe
def console(request: HttpRequest, table_id: int) -> HttpResponse:
    """The console; what is dealt comes over the table's socket, as the rail sees it: this page holds no card."""
    access.require_role(request.user, "dealer", "floor")
    table = selectors.table(table_id)
    if table.dealt_by != "person":
        raise Conflict("This table deals by itself: there is nothing for a dealer to do.", "automatic-table")
    return render(request, "games/dealer.html", {"table": table})
