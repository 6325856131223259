"""The kiosk: a screen in the room where people put their own names on lists, without logging in.

Somebody of the floor opens it; that logs him out there, so the screen can do nothing else. Members give their number or
show their barcode; whoever is no member gives a name.
"""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import Forbidden
from games.selectors import lists as shown
from games.services import lists
from games.web import forms
from games.web.lists_forms import KioskForm

_OPENED_BY = "kiosk_opened_by"


@ensure_csrf_cookie
@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The games with their names, and a big form; for the floor, the button that makes this screen a kiosk."""
    if _OPENED_BY not in request.session:
        access.require_role(request.user, *lists.ROLES)
        return render(request, "games/lists/kiosk_open.html")
    name = "games/lists/_kiosk.html" if request.htmx else "games/lists/kiosk.html"
    return render(request, name, {"lists": shown.every()})


@login_required
@require_POST
def open_here(request: HttpRequest) -> HttpResponse:
    """This screen is a kiosk from now on, until it is closed."""
    staff = access.require_role(request.user, *lists.ROLES)
    logout(request)
    request.session[_OPENED_BY] = staff.pk
    request.session.set_expiry(None)
    return redirect("kiosk")


@require_POST
def close_here(request: HttpRequest) -> HttpResponse:
    """This screen is no kiosk any more; whoever works here logs in again."""
    _staff(request)
    request.session.flush()
    return redirect("account_login")


@require_POST
def join(request: HttpRequest) -> HttpResponse:
    staff = _staff(request)
    said = forms.sent(KioskForm, request)
    entry = lists.at_kiosk(
        offer_id=said["offer"], who=said["who"], phone=said["phone"], opened_by=staff, key=said["key"],
        now=timezone.now(),
    )  # fmt: skip
    place = shown.story(entry.pk, entry.player, is_staff=False).row.place
    messages.success(request, f"{entry.player}: number {place} on the list of {entry.offer.name}.")
    return redirect("kiosk")


def _staff(request: HttpRequest) -> User:
    """Who opened this kiosk; a kiosk ends with the role of whoever did."""
    staff = User.objects.filter(pk=request.session.get(_OPENED_BY, 0)).first()
    if staff is None:
        raise Forbidden("This screen is no kiosk: somebody of the floor opens it.", "no-kiosk")
    return access.require_role(staff, *lists.ROLES)
