"""The rulebooks, as the data they are."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services.errors import NotFound
from games.engine.rulebook import Point, Rulebook
from games.rulebooks import load, plain, slugs
from games.web.api import serializers as shapes


class RulebooksView(APIView):
    """The books there are."""

    tags = ("rulebooks",)
    is_public = True

    @extend_schema(operation_id="rulebooks", summary="The rulebooks", responses=shapes.Book(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.Book([load(slug) for slug in slugs()], many=True).data)


class RulebookView(APIView):
    """A book, point by point: what is played, in a sentence, and where the book says so."""

    tags = ("rulebooks",)
    is_public = True

    @extend_schema(operation_id="rulebook", summary="A rulebook", responses=shapes.BookWithPoints)
    def get(self, request: Request, slug: str) -> Response:
        if slug not in slugs():
            raise NotFound(f"There is no rulebook called {slug}.", "no-such-rulebook")
        book = load(slug)
        points = [_told(book, point) for point in book.points.values()]
        told = {"slug": book.slug, "title": book.title, "version": book.version, "points": points}
        return Response(shapes.BookWithPoints(told).data)


def _told(book: Rulebook, point: Point) -> dict[str, Any]:
    return {
        "key": point.key,
        "value": plain(point.value),
        "tournament": plain(book.value(point.key, "tournament")),
        "text": point.text,
        "cite": point.cite,
        "citation": book.citation(point.key),
        "is_silent": point.is_silent,
        "follows": point.follows,
    }
