"""Staff at the pages: a second factor before anything else, and the same factor again before money and sealed cards."""

import time
from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import suspend_request
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode
from django.utils.translation import gettext

from cardroom.accounts import sessions
from cardroom.core.errors import Forbidden
from cardroom.core.web import problems

#: Where a person without the factor may go: to set one up, to confirm an address or change a password, and out.
_OPEN = ("allauth.", "cardroom.realtime.health", "cardroom.core.web.installed")
#: Where money is moved and sealed cards are opened, beside what says so (`operations.asks_factor`): modules whose views
#: ask for the factor again to do anything, and addresses that do so to look as well.
MODULES = frozenset({"games.play.pages.sealed"})
SEALED = frozenset({"api-sealed"})


class SecondFactorMiddleware(MiddlewareMixin):
    """For those who are logged in by a session; of tokens and sockets see `api_auth` and `realtime.callers`."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if not settings.CARDROOM_STAFF_FACTOR or not sessions.is_asked_of(request.user):
            return None
        try:
            sessions.check(request.user)
        except Forbidden as refusal:
            if _module_of(view).startswith(_OPEN):
                request.lacks_factor = True  # type: ignore[attr-defined]  # the page opens no socket, which is refused
                return None
            return _set_up_first(request, refusal)
        if _needs_factor(request, view) and not did_lately(request):
            return _once_more(request)
        return None


def did_lately(request: HttpRequest) -> bool:
    """Whether the second factor was shown in this session within the time that the settings give."""
    shown = [record["at"] for record in get_authentication_records(request, request.user) if record["method"] == "mfa"]
    return bool(shown) and time.time() - max(shown) < settings.CARDROOM_FACTOR_MINUTES * 60


def _needs_factor(request: HttpRequest, view: Callable[..., Any]) -> bool:
    name = getattr(request.resolver_match, "url_name", None) or ""
    if name in SEALED:
        return True
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return False
    asking = getattr(_kind_of(view), "asks_factor", False)
    return _module_of(view) in MODULES or asking is True or bool(asking and asking & {"", *_verbs_in(request)})


def _verbs_in(request: HttpRequest) -> set[str]:
    """What could be the verb here: another field of that kind beside it must not hide the one that counts."""
    said = request.resolver_match.kwargs if request.resolver_match else {}
    return {str(said.get("verb", "")), request.POST.get("verb", ""), request.POST.get("what", "")}


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
        words = gettext("Confirm your second factor in your browser first: money and sealed cards require it.")
        return problems.answer(request, problems.problem_of(Forbidden(words, "step-up"), request.path))
    where = next(
        way["url"] for way in get_adapter().get_reauthentication_methods(request.user) if way["id"].startswith("mfa")
    )
    if getattr(request, "htmx", False):
        back = getattr(request.htmx, "current_url_abs_path", None) or "/"
        return HttpResponse(headers={"HX-Redirect": f"{where}?{urlencode({'next': back})}"})
    if "password" in request.POST:  # which is not to be kept in between
        return redirect(f"{where}?{urlencode({'next': request.path})}")
    return suspend_request(request, where)
