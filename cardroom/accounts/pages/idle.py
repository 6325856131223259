"""Staff who do nothing for a while are logged out: a screen that somebody walked away from opens nothing.

What a page asks for by itself is no sign of a person; a click is, and so is an address that is opened.
"""

import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode
from django.utils.translation import ngettext

from cardroom.accounts.pages import factors
from cardroom.core.errors import Forbidden, Verbatim
from cardroom.core.web import problems

#: In the session: when its owner did something last, in seconds since the epoch.
_ACTIVE_AT = "active_at"
#: Written down no more often than this, in seconds.
_NOTED_EVERY = 60


class IdleMiddleware(MiddlewareMixin):
    """Ends the session of a member of staff after `CARDROOM_STAFF_IDLE_MINUTES` without a sign of them."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        longest = settings.CARDROOM_STAFF_IDLE_MINUTES * 60
        if not longest or not request.user.is_authenticated:
            return None
        now = time.time()
        active_at = request.session.get(_ACTIVE_AT)
        if active_at is not None and now - active_at >= longest and factors.is_of_staff(request):
            return _logged_out(request)
        is_due = active_at is None or now - active_at >= min(_NOTED_EVERY, longest / 2)
        if is_due and _is_by_hand(request) and factors.is_of_staff(request):
            request.session[_ACTIVE_AT] = now
        return None


def _is_by_hand(request: HttpRequest) -> bool:
    if request.method not in ("GET", "HEAD"):
        return True
    return request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate" and "HX-Request" not in request.headers


def _logged_out(request: HttpRequest) -> HttpResponse:
    minutes = settings.CARDROOM_STAFF_IDLE_MINUTES
    text = ngettext(
        "You were logged out after {minutes} minute without a click. Log in again.",
        "You were logged out after {minutes} minutes without a click. Log in again.",
        minutes,
    ).format(minutes=minutes)
    logout(request)
    if request.path.startswith("/api/"):
        return problems.answer(request, problems.problem_of(Forbidden("idle", Verbatim(text)), request.path))
    messages.warning(request, text)
    if "HX-Request" in request.headers:
        return HttpResponse(headers={"HX-Redirect": reverse(settings.LOGIN_URL)})
    if request.method != "GET":
        return redirect(settings.LOGIN_URL)
    return redirect(f"{reverse(settings.LOGIN_URL)}?{urlencode({'next': request.get_full_path()})}")
