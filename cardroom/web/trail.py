"""The trail of what staff did, for managers and auditors: a page to look through, and a file of it."""

import csv
import json
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from cardroom.models import StaffAction
from cardroom.services import access
from cardroom.services import trail as acts
from cardroom.services.errors import Invalid
from cardroom.web.when import day_of

A_PAGE = 100
MOST_ROWS = 100_000
COLUMNS = ("at", "who", "verb", "subject", "player", "reason", "details")


@never_cache
@login_required
@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """`?who=` a screen name, `?verb=` its beginning, `?subject=` such as table:3, `?since=` and `?until=` days."""
    access.require_role(request.user, *acts.READERS)
    refusal, status = "", 200
    try:
        found = acts.acts(**asked(request.GET))
    except Invalid as error:
        found, refusal, status = acts.acts(), error.message, error.status
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "page": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "asked": request.GET,
        "query": query.urlencode(),
        "refusal": refusal,
    }
    is_part = request.htmx and not request.htmx.history_restore_request
    template = "cardroom/players/_trail.html" if is_part else "cardroom/players/trail.html"
    return render(request, template, context, status=status)


@never_cache
@login_required
@require_GET
def export(request: HttpRequest) -> StreamingHttpResponse:
    """The same as a file, oldest rows beyond the hundred thousandth left out."""
    access.require_role(request.user, *acts.READERS)
    found = acts.acts(**asked(request.GET))[:MOST_ROWS]
    name = f"trail-{timezone.now():%Y-%m-%d}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(_lines(found), content_type="text/csv; charset=utf-8", headers=headers)


def asked(sent: Any) -> dict[str, Any]:
    """What is looked for, as an address says it."""
    words = {name: " ".join(sent.get(name, "").replace("\0", "").split())[:60] for name in ("who", "verb", "subject")}
    days: dict[str, date | None] = {name: day_of(sent.get(name, "")) for name in ("since", "until")}
    return words | days


def _lines(found: QuerySet[StaffAction]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(COLUMNS)
    for act in found.iterator(chunk_size=2000):
        by, player = act.by.username if act.by else "", act.player.username if act.player else ""
        details = json.dumps(act.details) if act.details else ""
        cells = [act.at.isoformat(), by, act.verb, act.subject, player, act.reason, details]
        yield writer.writerow([_safe(cell) for cell in cells])


def _safe(cell: str) -> str:
    """A spreadsheet would take these for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@")) else cell


class _Echo:
    """A file that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text
