"""Static files without a second server and without `collectstatic`; and the zone that a page is shown in: the one its
reader chose, else the room's.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from cardroom.core.process import zones


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """Whitenoise, answering with the bytes themselves.

    Its own answer is a synchronous stream, which Django warns about under ASGI and then reads whole all the same.
    """

    def add_files(self, root: Any, prefix: str | None = None) -> None:
        if Path(root).is_dir():  # it is not, until somebody runs `collectstatic`
            super().add_files(root, prefix)

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        answer = static_file.get_response(request.method, request.META)
        body = b""
        if answer.file is not None:
            with answer.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(answer.status))
        del response["Content-Type"]
        for name, value in answer.headers:
            response[name] = value
        return response


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
