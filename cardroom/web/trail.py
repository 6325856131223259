"""The trail of what staff did, for managers and auditors: a page to look through, and a file of it."""

from datetime import date
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from cardroom.services import access
from cardroom.services import trail as acts
from cardroom.services.errors import Invalid
from cardroom.services.prints import trail_files
from cardroom.web import files
from cardroom.web.when import day_of

A_PAGE = 100


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
        "forms": (("csv", "CSV"), ("pdf", "PDF")),
    }
    is_part = request.htmx and not request.htmx.history_restore_request
    template = "cardroom/players/_trail.html" if is_part else "cardroom/players/trail.html"
    return render(request, template, context, status=status)


@never_cache
@login_required
@require_GET
def export(request: HttpRequest, form: str) -> HttpResponse:
    """The same as a file, the newest acts where there are more than it holds."""
    access.require_role(request.user, *acts.READERS)
    made = trail_files.file_of(acts.acts(**asked(request.GET)), form=form, now=timezone.now())
    return files.answer(made, is_saved=True)


def asked(sent: Any) -> dict[str, Any]:
    """What is looked for, as an address says it."""
    words = {name: " ".join(sent.get(name, "").replace("\0", "").split())[:60] for name in ("who", "verb", "subject")}
    days: dict[str, date | None] = {name: day_of(sent.get(name, "")) for name in ("since", "until")}
    return words | days
