"""How a request over HTTP is answered: all of it in the request's own thread."""

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class Handler(ASGIHandler):
    """Django's, with the middleware as under WSGI: every view and middleware of the room is synchronous.

    Django's own would draw the page of a refusal in a thread that is not the request's: it took a second database
    connection while the request held its first, and never gave it back.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)
