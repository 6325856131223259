"""A player's own pages: their card and visits, and the limits they set for themselves."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cardroom.models import Where
from cardroom.services import cards, limits, room_time, standing, visits
from cardroom.services.errors import CardroomError, Invalid
from cardroom.services.sessions import open_now
from cardroom.web import numbers

_NO_NUMBER = "Write a whole number, or nothing for no limit."
#: For how many days somebody may shut themselves out, as the form offers it; "": for good.
EXCLUSIONS = {
    "1": "a day",
    "7": "a week",
    "30": "a month",
    "182": "six months",
    "365": "a year",
    "1826": "five years",
    "": "for good",
}


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def my_card(request: HttpRequest) -> HttpResponse:
    """The player's number and card; a POST says that the card is lost."""
    now, status = timezone.now(), 200
    if request.method == "POST":
        try:
            cards.report_lost(player=request.user, by=request.user)
            messages.success(request, "Your card is good for nothing any more. The desk gives you another.")
            return redirect("my_card")
        except CardroomError as refusal:
            messages.error(request, refusal.message)
            status = refusal.status
    member = cards.member_of(request.user)
    context = {
        "member": member,
        "card": member.cards.first() if member else None,
        "visits": visits.with_minutes(request.user, now=now, limit=15),
        "sessions": open_now(now=now, user=request.user)[:20],
    }
    return render(request, "cardroom/players/my_card.html", context, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def my_limits(request: HttpRequest) -> HttpResponse:
    """What the player allows themselves; a POST sets one limit (`amount` empty: none), or cancels what they asked
    for."""
    if request.method != "POST":
        return _limits(request)
    try:
        if change := request.POST.get("cancel"):
            limits.cancel(player=request.user, change_id=numbers.whole(change))
            said = "Taken back: the limit stays as it is."
        else:
            amount = request.POST.get("amount", "").strip()
            key = request.POST.get("key", "")
            kind = request.POST.get("kind", "")
            made = limits.wish(
                player=request.user,
                kind=kind,
                amount=numbers.whole(amount, _NO_NUMBER) if amount else None,
                key=key,
            )
            said = "It counts from now on."
            if made.counts_from > timezone.now():
                said = f"It counts from {room_time.said(made.counts_from)}; until then you can take it back."
    except CardroomError as refusal:
        messages.error(request, refusal.message)
        return _limits(request, status=refusal.status)
    messages.success(request, said)
    return redirect("my_limits")


@login_required
@require_POST
def exclude_me(request: HttpRequest) -> HttpResponse:
    """Shut oneself out; the box that says that it cannot be taken back has to be ticked."""
    days, now = request.POST.get("days", "no"), timezone.now()
    try:
        if days not in EXCLUSIONS or "sure" not in request.POST:
            raise Invalid("Say for how long, and tick that you know it cannot be taken back.", "not-sure")
        until = now + timedelta(days=int(days)) if days else None
        standing.exclude_oneself(player=request.user, until=until, where=request.POST.get("where", Where.BOTH))
    except CardroomError as refusal:
        messages.error(request, refusal.message)
        return _limits(request, status=refusal.status)
    return redirect("lobby")


def _limits(request: HttpRequest, *, status: int = 200) -> HttpResponse:
    now = timezone.now()
    context = {
        "limits": limits.all_of(request.user, now=now),
        "ranges": limits.RANGES,
        "exclusions": EXCLUSIONS.items(),
        "places": Where.choices,
        "bans": list(standing.in_force(request.user, now=now)),
        "key": f"{now.timestamp():.6f}",
    }
    return render(request, "cardroom/players/my_limits.html", context, status=status)
