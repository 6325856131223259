"""The clock for the wall: one page for any number of screens, in several looks."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.selectors import board

#: By name in the address: what it is called.
LOOKS = {
    "plain": "Plain",
    "felt": "Dark felt",
    "time": "Big time",
    "payouts": "Payouts",
    "score": "Scoreboard",
}


@never_cache
@require_safe
def clock(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """`?look=` one of LOOKS, the first for any other; what it shows comes over the event's socket."""
    event = board.heading(tournament_id)
    look = request.GET.get("look", "")
    given = {"tournament": event, "looks": LOOKS.items(), "look": look if look in LOOKS else next(iter(LOOKS))}
    return render(request, "tournaments/clock.html", given)


@never_cache
@require_safe
def worker(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The script that keeps the page for when the room is away. It lies below the page: that is all it may serve."""
    given = {"static_url": settings.STATIC_URL}
    return render(request, "tournaments/clock_worker.js", given, content_type="text/javascript")
