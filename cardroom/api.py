"""The REST API of the room: the resources of every app under one address, with their schema and their docs."""

from functools import lru_cache

from django.conf import settings
from django.http import HttpResponse
from django.urls import include, path
from django.utils import translation
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from cardroom.core import languages
from cardroom.house_urls import api as house
from games.urls import api as games
from tournaments.urls import api as tournaments


class Index(APIView):
    """Where to begin."""

    is_public = True
    description = gettext_noop("Where to begin. Every resource is described at the docs.")

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        names = ("tables", "tournaments", "rulebooks", "me", "me/seats", "me/transfers", "tokens", "docs")
        called = {"me/seats": "my-seats", "me/transfers": "transfers"}
        return Response({called.get(name, name): reverse(f"api-{name}", request=request) for name in names})


@lru_cache(maxsize=16)
def _written(renderer: type[BaseRenderer], language: str) -> bytes:
    with translation.override(language):
        document: bytes = renderer().render(Document.generator_class().get_schema(public=True), renderer_context={})
    return document


class Document(SpectacularAPIView):
    """What the API is, as OpenAPI. To write it takes a second, so a process keeps it by language and form."""

    def handle_exception(self, exc: Exception) -> Response:
        """A refusal is no document, whichever form was asked for."""
        self.request.accepted_renderer, self.request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        return super().handle_exception(exc)

    def _get_schema_response(self, request: Request) -> HttpResponse:
        form = request.accepted_renderer
        name = self._get_filename(request, self.api_version)
        headers = {"Content-Disposition": f'inline; filename="{name}"'}
        kind = f"{form.media_type}; charset={form.charset}" if form.charset else form.media_type
        language = translation.get_language()
        if language not in dict(settings.LANGUAGES):  # asked for by `?lang=`
            language = languages.chosen_by(request.user) or translation.get_language_from_request(request)
        return HttpResponse(_written(type(form), language), kind, headers=headers)


urlpatterns = [
    path("v1/", Index.as_view(), name="api-index"),
    path("v1/", include([*house, *games, *tournaments])),
    path("schema/", Document.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
]
