"""The rulebooks, as the data they are."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services.errors import NotFound
from games.engine.rulebook import Rulebook
from games.rulebooks import load, plain, reference, slugs
from games.rulebooks.house.choices import Part, Question, questions
from games.selectors import rulebooks as shelf
from games.web.api import rulebook_serializers as shapes


class RulebooksView(APIView):
    """The books a table can be told to play."""

    tags = ("rulebooks",)
    is_public = True

    @extend_schema(
        operation_id="rulebooks",
        summary="The rulebooks",
        description="Those published, then the newest version of each of the house's own.",
        responses=shapes.Book(many=True),
    )
    def get(self, request: Request) -> Response:
        published = [named(load(slug), base=None) for slug in slugs()]
        house = [named(shelf.book_of(version), base=version.book.base) for version in shelf.house_books()]
        return Response(shapes.Book(published + house, many=True).data)


class RulebookView(APIView):
    """A book, point by point: what is played, in a sentence, and where the book says so."""

    tags = ("rulebooks",)
    is_public = True

    @extend_schema(operation_id="rulebook", summary="A published rulebook", responses=shapes.BookWithPoints)
    def get(self, request: Request, slug: str) -> Response:
        if slug not in slugs():
            raise NotFound(f"There is no rulebook called {slug}.", "no-such-rulebook")
        book = load(slug)
        return Response(shapes.BookWithPoints(named(book, base=None) | {"points": points_of(book, {})}).data)


class ChoicesView(APIView):
    """What a house rulebook may change."""

    tags = ("rulebooks",)
    is_public = True

    @extend_schema(
        operation_id="rulebook_choices",
        summary="What a house rulebook may change",
        responses=shapes.ChoosablePoint(many=True),
    )
    def get(self, request: Request) -> Response:
        return Response(
            shapes.ChoosablePoint([_choosable(question) for question in questions().values()], many=True).data
        )


def named(book: Rulebook, *, base: str | None) -> dict[str, Any]:
    """A book in the shape of `Book`."""
    names = {"slug": book.slug, "version": book.version, "reference": reference(book), "title": book.title}
    return names | {"base": base}


def points_of(book: Rulebook, was: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every point in the shape of `Point`. `was`: the points that the house changed, as its base book has them."""
    return [
        {
            "key": point.key,
            "name": questions()[point.key].name,
            "value": plain(point.value),
            "tournament": plain(book.value(point.key, "tournament")),
            "text": point.text,
            "played": point.played,
            "cite": point.cite,
            "citation": book.citation(point.key),
            "is_silent": point.is_silent,
            "follows": point.follows,
            "changed_from": was.get(point.key),
        }
        for point in book.points.values()
    ]


def _choosable(question: Question) -> dict[str, Any]:
    return {
        "key": question.key,
        "name": question.name,
        "has_tournament": question.has_tournament,
        "parts": [_part(part) for part in question.parts],
    }


def _part(part: Part) -> dict[str, Any]:
    is_number = part.kind == "number"
    return {
        "key": part.key,
        "name": part.name,
        "kind": part.kind,
        "choices": [{"value": plain(choice.value), "name": choice.name} for choice in part.choices],
        "least": part.least if is_number else None,
        "most": part.most if is_number else None,
    }
