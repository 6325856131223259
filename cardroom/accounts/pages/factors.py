"""Staff at the pages: a second factor before anything else, and the same factor again before money and sealed cards.

The ledger finds out which requests move money (`cardroom.core.step_up`); sealed cards, roles and tokens are declared.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate, suspend_request
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_noop

from cardroom.accounts import second_factor
from cardroom.core import step_up
from cardroom.core.errors import Forbidden
from cardroom.core.web import problems

#: Where a person without the factor may go: to set one up, to confirm an address or change a password, and out.
_OPEN = ("allauth.", "cardroom.realtime.health", "cardroom.core.web.installed")
#: Where sealed cards are opened: modules whose views ask for the factor again to do anything, and addresses that do so
#: to look as well. Roles, drawers and tokens say so themselves (`operations.asks_factor`).
MODULES = frozenset({"games.play.pages.sealed"})
SEALED = frozenset({"api-sealed"})


class SecondFactorMiddleware(MiddlewareMixin):
    """For those who are logged in by a session; of tokens and sockets see `api_auth` and `realtime.callers`."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        step_up.watch(None)
        if not settings.CARDROOM_STAFF_FACTOR or not is_of_staff(request):
            return None
        try:
            second_factor.require_factor(request.user)
        except Forbidden as refusal:
            if _module_of(view).startswith(_OPEN):
                request.lacks_factor = True  # type: ignore[attr-defined]  # the page opens no socket, which is refused
                return None
            return _set_up_first(request, refusal)
        if _needs_factor(request, view) and not did_lately(request):
            return _once_more(request)
        step_up.watch(step_up.Caller(request.user.pk, partial(did_lately, request)))
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return _once_more(request) if isinstance(exception, step_up.StepUpRequired) else None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        step_up.watch(None)
        return response


def is_of_staff(request: HttpRequest) -> bool:
    """Whether a member of staff sent this request. One query for each request."""
    known: bool | None = getattr(request, "is_of_staff", None)
    if known is None:
        known = request.is_of_staff = second_factor.is_staff_person(request.user)  # type: ignore[attr-defined]
    return known


def did_lately(request: HttpRequest) -> bool:
    """Whether the second factor was shown in this session within the time that the settings give."""
    shown = [record["at"] for record in get_authentication_records(request, request.user) if record["method"] == "mfa"]
    return bool(shown) and time.time() - max(shown) < settings.CARDROOM_FACTOR_MINUTES * 60


def is_sure(request: HttpRequest) -> bool:
    """Whether a second factor or the password was entered in this browser lately."""
    return did_lately(request) or did_recently_reauthenticate(request)


def _needs_factor(request: HttpRequest, view: Callable[..., Any]) -> bool:
    name = getattr(request.resolver_match, "url_name", None) or ""
    if name in SEALED:
        return True
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return False
    return _module_of(view) in MODULES or getattr(_kind_of(view), "asks_factor", False)


def _kind_of(view: Any) -> Any:
    return getattr(view, "cls", None) or getattr(view, "view_class", None) or view


def _module_of(view: Any) -> str:
    return str(_kind_of(view).__module__)


def _set_up_first(request: HttpRequest, refusal: Forbidden) -> HttpResponse:
    if request.path.startswith("/api/") or getattr(request, "htmx", False):
        return problems.answer(request, problems.problem_of(refusal, request.path))
    words = gettext("Staff need a second factor: set up an authenticator app or a passkey first.")
    messages.warning(request, words)
    return redirect("mfa_index")


def _once_more(request: HttpRequest) -> HttpResponse:
    if request.path.startswith("/api/"):
        words = gettext_noop("Confirm your second factor in your browser first: money and sealed cards require it.")
        return problems.answer(request, problems.problem_of(Forbidden("step-up", words), request.path))
    where = next(
        way["url"] for way in get_adapter().get_reauthentication_methods(request.user) if way["id"].startswith("mfa")
    )
    if getattr(request, "htmx", False):
        back = getattr(request.htmx, "current_url_abs_path", None) or "/"
        return HttpResponse(headers={"HX-Redirect": f"{where}?{urlencode({'next': back})}"})
    if "password" in request.POST:  # which is not to be kept in between
        return redirect(f"{where}?{urlencode({'next': request.path})}")
    return suspend_request(request, where)
