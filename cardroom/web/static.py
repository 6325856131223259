"""Static files without a second server and without `collectstatic`."""

from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


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
