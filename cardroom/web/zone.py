"""The zone that a page is shown in: the one its reader chose, else the room's."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from cardroom import zones


class ZoneMiddleware:
    """Makes the reader's zone the current one while their request is answered. Whose page it is costs a query: it is
    asked for only where a session is sent along."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        chosen = getattr(request.user, "time_zone", "") if request.user.is_authenticated else ""
        if not chosen or not zones.is_known(chosen):
            return self.get_response(request)
        with timezone.override(ZoneInfo(chosen)):
            return self.get_response(request)
