"""The REST API of the room: the resources of every app under one address, with their schema and their docs."""

from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from cardroom.core import languages
from cardroom.core.web import heavy
from cardroom.core.web.api.formats import YAML, PlainYAML
from cardroom.house_urls import api as house
from games.urls import api as games
from tournaments.urls import api as tournaments


class Index(APIView):
    """Where to begin."""

    is_public = True

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        names = ("tables", "tournaments", "rulebooks", "me", "me/seats", "me/transfers", "tokens", "docs")
        called = {"me/seats": "my-seats", "me/transfers": "transfers"}
        return Response({called.get(name, name): reverse(f"api-{name}", request=request) for name in names})


@lru_cache(maxsize=4)
def _rendered_schema(renderer: type[BaseRenderer]) -> bytes:
    with languages.of_the_house():
        document: bytes = renderer().render(SchemaGenerator().get_schema(public=True), renderer_context={})
    return document


class Document(SpectacularAPIView):
    """The API described as OpenAPI, in English. It takes a second to write, so a process keeps it in each form."""

    renderer_classes = (YAML, PlainYAML, OpenApiJsonRenderer, OpenApiJsonRenderer2)

    def handle_exception(self, exc: Exception) -> Response:
        """Answer a refusal as JSON, whichever form was asked for: a refusal is no document."""
        self.request.accepted_renderer, self.request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        return super().handle_exception(exc)

    def _get_schema_response(self, request: Request) -> HttpResponse:
        form = request.accepted_renderer
        name = self._get_filename(request, self.api_version)
        headers = {"Content-Disposition": f'inline; filename="{name}"', "Content-Language": "en"}
        kind = f"{form.media_type}; charset={form.charset}" if form.charset else form.media_type
        return HttpResponse(heavy.work_unpaced(_rendered_schema, type(form)), kind, headers=headers)


def docs(request: HttpRequest) -> HttpResponse:
    """The document in a viewer, Swagger UI: to read it, to search it and to send requests."""
    return render(request, "cardroom/api_docs.html")


urlpatterns = [
    path("v1/", Index.as_view(), name="api-index"),
    path("v1/", include([*house, *games, *tournaments])),
    path("schema/", Document.as_view(), name="api-schema"),
    path("docs/", docs, name="api-docs"),
]
