"""The house's own rulebooks, version by version, and which book a table plays."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.schema import refusals
from games import selectors
from games.engine.rulebook import Point
from games.models import RulebookVersion
from games.rulebooks import house, load, plain
from games.selectors import rulebooks as shelf
from games.services import rulebooks
from games.web.api import rulebook_serializers as shapes
from games.web.api.rulebooks import named, points_of
from games.web.api.serializers import BookName

_FAULTS = "For managers. A book that cannot be played is refused with 422 and `faults`: `points` and the `reason`."


class HouseBooksView(APIView):
    """The house's own books."""

    tags = ("rulebooks",)
    scope = "direct"
    is_public = True

    @extend_schema(
        operation_id="house_rulebooks", summary="The house's rulebooks", responses=shapes.HouseBook(many=True)
    )
    def get(self, request: Request) -> Response:
        rows = [
            _told(version) | {"versions": version.number, "changes": len(version.changes)}
            for version in shelf.house_books()
        ]
        return Response(shapes.HouseBook(rows, many=True).data)

    @extend_schema(
        operation_id="found_house_rulebook",
        summary="Start a house rulebook",
        description=_FAULTS,
        request=shapes.HouseBookOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.HouseVersion} | refusals(409, 422),
    )
    def post(self, request: Request) -> Response:
        order = shapes.HouseBookOrder.read(request)
        saved = rulebooks.found(**order, by=asker(request), key=keys.key_of(request))
        return Response(shapes.HouseVersion(_told(saved)).data, status=status.HTTP_201_CREATED)


class HouseBookView(APIView):
    """A house rulebook in its newest version."""

    tags = ("rulebooks",)
    is_public = True

    @extend_schema(
        operation_id="house_rulebook",
        summary="A house rulebook, the newest version",
        responses=shapes.HouseVersionWithPoints,
    )
    def get(self, request: Request, book: str) -> Response:
        return Response(_with_points(shelf.house_book(book)))


class HouseVersionsView(APIView):
    """The versions of a house rulebook, newest first."""

    tags = ("rulebooks",)
    scope = "direct"
    is_public = True

    @extend_schema(
        operation_id="house_rulebook_versions",
        summary="The versions of a house rulebook, and what each changed",
        responses=shapes.HouseStep(many=True),
    )
    def get(self, request: Request, book: str) -> Response:
        steps = [
            _told(step.version)
            | {"differences": [{"key": k, "before": _point(b), "after": _point(a)} for k, b, a in step.differences]}
            for step in shelf.history(book)
        ]
        return Response(shapes.HouseStep(steps, many=True).data)

    @extend_schema(
        operation_id="revise_house_rulebook",
        summary="Save a new version of a house rulebook",
        description=_FAULTS,
        request=shapes.HouseVersionOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.HouseVersion} | refusals(409, 422),
    )
    def post(self, request: Request, book: str) -> Response:
        order = shapes.HouseVersionOrder.read(request)
        saved = rulebooks.revise(slug=book, **order, by=asker(request), key=keys.key_of(request))
        return Response(shapes.HouseVersion(_told(saved)).data, status=status.HTTP_201_CREATED)


class HouseVersionView(APIView):
    """A version of a house rulebook."""

    tags = ("rulebooks",)
    is_public = True

    @extend_schema(
        operation_id="house_rulebook_version",
        summary="A version of a house rulebook",
        responses=shapes.HouseVersionWithPoints,
    )
    def get(self, request: Request, book: str, version: str) -> Response:
        return Response(_with_points(shelf.house_book(book, version)))


class TableRulebookView(APIView):
    """The book a table plays."""

    tags = ("rulebooks",)
    scope = "direct"
    is_public = True

    @extend_schema(operation_id="table_rulebook", summary="The book of a table's next hand", responses=BookName)
    def get(self, request: Request, table_id: int) -> Response:
        return Response(BookName(named(load(selectors.table(table_id).rulebook), base=None)).data)

    @extend_schema(
        operation_id="choose_table_rulebook",
        summary="Have a table play another book from its next hand on",
        description="For managers. The hand being played keeps its own.",
        request=shapes.TableRulebookOrder,
        responses={200: BookName},
    )
    def put(self, request: Request, table_id: int) -> Response:
        order = shapes.TableRulebookOrder.read(request)
        table = rulebooks.play_by(table_id=table_id, reference=order["rulebook"], by=asker(request))
        return Response(BookName(named(load(table.rulebook), base=None)).data)


def _told(version: RulebookVersion) -> dict[str, Any]:
    return {
        "slug": version.slug,
        "version": version.version,
        "reference": version.reference,
        "title": version.title,
        "base": version.book.base,
        "book": version.book.slug,
        "name": version.book.name,
        "number": version.number,
        "note": version.note,
        "saved_by": version.saved_by.username,
        "saved_at": version.saved_at,
    }


def _with_points(version: RulebookVersion) -> dict[str, Any]:
    book = shelf.book_of(version)
    notes = [note.reason for note in house.notes_of(book, version.changes)]
    was = house.was_of(load(version.book.base), version.changes)
    told = _told(version) | {"points": points_of(book, was), "notes": notes}
    return dict(shapes.HouseVersionWithPoints(told).data)


def _point(point: Point) -> dict[str, Any]:
    return {"value": plain(point.value), "tournament": plain(point.tournament), "text": point.text}
