"""The error log for managers and auditors: a page to look through."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from cardroom.services import access, faults

A_PAGE = 50


@never_cache
@login_required
@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """`?q=` words of the message or its source."""
    access.require_role(request.user, *faults.READERS)
    words = " ".join(request.GET.get("q", "").replace("\0", "").split())[:60]
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "page": Paginator(faults.newest(words=words), A_PAGE).get_page(request.GET.get("page")),
        "words": words,
        "query": query.urlencode(),
        "kept": faults.KEPT,
    }
    return render(request, "cardroom/players/faults.html", context)
