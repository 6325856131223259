"""How a page of the lists is drawn."""

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def draw(request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    """The page, or with htmx only its part; its forms carry a key, so that a form sent twice is done once."""
    part = f"games/waitlists/_{name}.html" if request.htmx else f"games/waitlists/{name}.html"
    return render(request, part, {"key": secrets.token_urlsafe(9)} | context)
