"""Addresses that answer with a part of a page, for that page to keep itself up to date with."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.vary import vary_on_headers

View = Callable[..., HttpResponse]


def is_opened(request: HttpRequest) -> bool:
    """Whether a person opened this address, in a tab or by going back, and no page asked for it: only a browser that
    is to show a page asks for HTML before all else."""
    wants_page = request.headers.get("Accept", "").startswith("text/html")
    is_asked = "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers
    return wants_page and not is_asked


def part_of(page: str, **query: str) -> Callable[[View], View]:
    """For a view that answers with a part of `page`, an address by its name: who opens it gets that page.

    `query`: what is said to the page beside what was asked of the part, by the view's argument that says it.
    """

    def decorated(view: View) -> View:
        @wraps(view)
        @vary_on_headers("Accept", "HX-Request")
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not is_opened(request):
                return view(request, *args, **kwargs)
            said = request.GET.dict() | {name: kwargs[argument] for name, argument in query.items()}
            return redirect(reverse(page) + (f"?{urlencode(said)}" if said else ""))

        return answer

    return decorated
