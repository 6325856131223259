"""The room as an app: what a browser reads to install it, the worker that stands in when there is no connection, and
the page it shows then. The worker keeps that page and nothing else: no page of the room, and no card, is ever stored.
"""

import json
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

_COLOUR = "#1b4d40"
_SIZES = (192, 512)
#: What the page without a connection is made of.
_KEPT = ("cardroom/tokens.css", "cardroom/base.css", "cardroom/favicon.svg", "cardroom/offline.js")


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest: name, start page and icons."""
    icons = [
        {
            "src": static(f"cardroom/icons/{name}-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": use,
        }
        for name, use in (("room", "any"), ("room-mask", "maskable"))
        for size in _SIZES
    ]
    places = ((gettext("Lobby"), "lobby"), (gettext("My seats"), "my_seats"), (gettext("Tournaments"), "tournaments"))
    content = {
        "name": "Cardroom",
        "short_name": "Cardroom",
        "description": gettext("Seven-Card Stud: cash games and tournaments."),
        "lang": get_language() or settings.LANGUAGE_CODE,
        "id": "/",
        "start_url": reverse("lobby"),
        "scope": "/",
        "display": "standalone",
        "background_color": _COLOUR,
        "theme_color": _COLOUR,
        "icons": icons,
        "shortcuts": [{"name": name, "url": reverse(address)} for name, address in places],
    }
    return JsonResponse(content, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root: a worker controls only pages below its own address."""
    page = reverse("offline")
    shown = render_to_string("cardroom/app/offline.html")
    addresses = [page, *map(static, _KEPT)]
    # A new name for what it keeps makes browsers fetch it anew.
    name = sha256("".join([shown, *addresses]).encode()).hexdigest()[:12]
    icon = static(f"cardroom/icons/room-{_SIZES[0]}.png")
    pushes = {
        "csrf": settings.CSRF_COOKIE_NAME,
        "home": reverse("me"),
        "title": settings.CARDROOM_NAME,
        "ended": gettext("Push has ended in this browser. Switch it on again on your account page."),
    }
    options = json.dumps({"name": f"cardroom-{name}", "page": page, "kept": addresses, "icon": icon, "pushes": pushes})
    script = f"const options = {options};\n{render_to_string('cardroom/app/worker.js')}"
    return HttpResponse(script, content_type="text/javascript")


@require_safe
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """What the worker shows where the room cannot be reached."""
    return render(request, "cardroom/app/offline.html")


urlpatterns = [
    path("manifest.webmanifest", manifest, name="manifest"),
    path("worker.js", worker, name="worker"),
    path("offline/", offline, name="offline"),
]
