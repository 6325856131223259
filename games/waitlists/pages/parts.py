"""How a page of the lists is drawn."""

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def draw(request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    """The page, with htmx its part alone; its forms are sent under a key, so that twice the same is done once."""
    part = f"games/waitlists/_{name}.html" if request.htmx else f"games/waitlists/{name}.html"
    return render(request, part, {"key": secrets.token_urlsafe(9)} | context)
