"""The REST API of the room: the resources of every app under one address, with their schema and their docs."""

from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path
from django.utils import translation
from django.utils.translation import gettext, gettext_noop
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from cardroom.core import languages
from cardroom.core.errors import NotFound
from cardroom.core.web import heavy
from cardroom.core.web.api import reference, schema
from cardroom.core.web.api.formats import YAML, PlainYAML, as_html
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
        document: bytes = renderer().render(reference.document(language), renderer_context={})
    return document


class Document(SpectacularAPIView):
    """What the API is, as OpenAPI. To write it takes a second, so a process keeps it by language and form."""

    renderer_classes = (YAML, PlainYAML, OpenApiJsonRenderer, OpenApiJsonRenderer2)

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
        return HttpResponse(heavy.work_unpaced(_written, type(form), language), kind, headers=headers)


def docs(request: HttpRequest) -> HttpResponse:
    """The document as pages: its subjects, or what was looked for in all of them."""
    return heavy.work_unpaced(_docs, request)


def _docs(request: HttpRequest) -> HttpResponse:
    language = translation.get_language() or settings.LANGUAGE_CODE
    subjects, words = reference.subjects(language).values(), request.GET.get("q", "").strip()
    about = reference.document(language)["info"]["description"]
    refusals = [(status, as_html(languages.of_the_api_or_room(said))) for status, said in schema.REFUSALS.items()]
    told = {"subjects": subjects, "q": words, "found": reference.found(words, subjects) if words else None}
    told |= {
        "problem": reference.shape(language, "Problem"),
        "about": list(map(as_html, about.split("\n\n"))),
        "refusals": refusals,
    }
    return render(request, "cardroom/api/docs.html", told)


def subject(request: HttpRequest, subject: str) -> HttpResponse:
    """One subject of the document: every address of it, and the shapes of what is sent and answered."""
    subjects = heavy.work_unpaced(reference.subjects, translation.get_language() or settings.LANGUAGE_CODE)
    if subject not in subjects:
        raise NotFound(gettext("There is no such subject of the API."), "no-such-subject")
    return render(request, "cardroom/api/subject.html", {"subject": subjects[subject]})


urlpatterns = [
    path("v1/", Index.as_view(), name="api-index"),
    path("v1/", include([*house, *games, *tournaments])),
    path("schema/", Document.as_view(), name="api-schema"),
    path("docs/", docs, name="api-docs"),
    path("docs/<slug:subject>/", subject, name="api-subject"),
]
