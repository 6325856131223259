"""The kiosk: a screen in the room where people check in and put their own names on lists, without logging in.

A member of the floor opens it; that logs them out there, so the screen can do nothing else. Members scan their card, or
give its number and the last digits of their phone; people who are not members give a name.

And the page behind the link of a call: who is called where until when, and three answers. Nobody has to log in.
"""

import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from rest_framework import serializers

from cardroom.accounts import sessions
from cardroom.accounts.pages.login import address_of
from cardroom.core import access
from cardroom.core.errors import Forbidden, Refusal
from cardroom.core.models import User
from cardroom.core.web.api.fields import RequestBody, Text, WholeNumber
from cardroom.core.web.forms import key_in
from games.engine.games import MOST_SEATS, SEAT_NUMBERS
from games.waitlists import calling, guests, joining
from games.waitlists import queries as waitlist_queries
from games.waitlists.wishes import Wishes


class KioskOrder(RequestBody):
    """A name at the kiosk: a member number or a barcode, or the name of a person who is not a member. Without `offer`
    they check in only."""

    offer = WholeNumber(required=False, min_value=1)
    who = Text(max_length=60, error_messages={"required": gettext_lazy("Scan your card, or enter your name.")})
    phone = Text(default="", max_length=30)
    seats = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=MOST_SEATS), default=list, max_length=MOST_SEATS
    )


class KioskMiddleware(MiddlewareMixin):
    """Refuses log-ins at a kiosk, where the next visitor would find them logged in."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if request.path.startswith("/accounts/") and sessions.KIOSK in request.session:
            return redirect("kiosk")
        return None


@ensure_csrf_cookie
@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The games with their lists, and a big form; for the floor, the button that makes this screen a kiosk."""
    if sessions.KIOSK not in request.session:
        access.require_role(request.user, *joining.ROLES)
        return render(request, "games/waitlists/kiosk_open.html")
    _staff(request)
    if request.htmx:
        return render(request, "games/waitlists/_kiosk.html", {"lists": waitlist_queries.every()})
    return _page(request)


@login_required
@require_POST
def open_here(request: HttpRequest) -> HttpResponse:
    """Make this screen a kiosk until it is closed."""
    staff = access.require_role(request.user, *joining.ROLES)
    logout(request)
    agent = request.META.get("HTTP_USER_AGENT", "")
    sessions.remember(session=request.session, address=address_of(request), agent=agent, now=timezone.now())
    request.session[sessions.KIOSK] = staff.pk
    request.session.set_expiry(None)
    return redirect("kiosk")


@require_POST
def close_here(request: HttpRequest) -> HttpResponse:
    """Close the kiosk; staff log in again on this screen."""
    _staff(request)
    request.session.flush()
    return redirect("account_login")


@require_POST
def join(request: HttpRequest) -> HttpResponse:
    """Put a name on the chosen list; with none, check a member in."""
    staff = _staff(request)
    try:
        message = _join_or_check_in(request, staff)
    except Refusal as refusal:
        return _page(request, refusal=refusal)
    messages.success(request, message)
    return redirect("kiosk")


def _join_or_check_in(request: HttpRequest, staff: User) -> str:
    """Do what the form of the kiosk asks for. Returns the message for the person."""
    order = KioskOrder.typed(request.POST)
    person = {"who": order["who"], "phone": order["phone"]}
    kiosk = sessions.handle_of(str(request.session.session_key))
    if "offer" not in order or "check-in" in request.POST:
        visit = guests.check_in_at_kiosk(kiosk=kiosk, **person)
        return gettext("{player}: you are checked in.").format(player=visit.player)
    entry = guests.at_kiosk(
        offer_id=order["offer"],
        kiosk=kiosk,
        opened_by=staff,
        wishes=Wishes(seats=order["seats"]),
        key=key_in(request.POST),
        **person,
    )
    place = waitlist_queries.story(entry.pk, entry.player, is_staff=False).row.place
    return gettext("{player}: number {place} on the list of {offer}.").format(
        player=entry.player, place=place, offer=entry.offer.name
    )


def _page(request: HttpRequest, *, refusal: Refusal | None = None) -> HttpResponse:
    typed: dict[str, Any] = {} if refusal is None else request.POST.dict()
    context = {
        "lists": waitlist_queries.every(),
        "seat_numbers": [str(number) for number in SEAT_NUMBERS],
        "seats_typed": request.POST.getlist("seats") if refusal else [],
        "typed": typed,
        "refusal": refusal,
        "key": secrets.token_urlsafe(12),
    }
    return render(request, "games/waitlists/kiosk.html", context, status=refusal.status if refusal else 200)


def _staff(request: HttpRequest) -> User:
    """The staff member who opened this kiosk; it ends when they lose their role."""
    staff = User.objects.filter(pk=request.session.get(sessions.KIOSK, 0)).first()
    if staff is not None and access.has_role(staff, *joining.ROLES):
        return staff
    request.session.pop(sessions.KIOSK, None)
    raise Forbidden("no-kiosk", "This screen is not a kiosk: ask the floor to open it.")


@csrf_exempt  # the link itself is the secret, and a browser that opens it from a message may keep no cookie
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def call_link(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a call. A GET changes nothing; a POST answers with `reply`, and a refusal is shown on the page."""
    call = calling.entry_of(token)
    if call is None:
        raise Http404
    (entry, is_good), now = call, timezone.now()
    if entry.call_until is not None and entry.call_until <= now:
        is_good = False
    refusal, status = "", 200 if is_good else 410
    if request.method == "POST" and is_good:
        try:
            reply, key = request.POST.get("reply", ""), request.POST.get("key", "")[:60]
            calling.answer(entry_id=entry.pk, by=entry.player, reply=reply, key=key)
            return redirect("call_link", token)
        except Refusal as error:
            refusal, status = error.message, error.status
    context = {"entry": entry, "is_good": is_good, "refusal": refusal, "key": secrets.token_urlsafe(12)}
    return render(request, "games/waitlists/call_link.html", context, status=status)


urlpatterns = [
    path("calls/<str:token>/", call_link, name="call_link"),
    path("kiosk/", page, name="kiosk"),
    path("kiosk/open/", open_here, name="kiosk_open"),
    path("kiosk/close/", close_here, name="kiosk_close"),
    path("kiosk/join/", join, name="kiosk_join"),
]
