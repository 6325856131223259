"""The ruling desk: a ruling for any table, by the same engine."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api import queries
from games.services import desk
from games.web.api import ruling_serializers as shapes


class DeskView(APIView):
    """What can be asked, and asking it."""

    tags = ("desk",)
    is_public = True

    @extend_schema(operation_id="desk", summary="What can be asked at the desk", responses=shapes.Catalogue)
    def get(self, request: Request) -> Response:
        return Response(shapes.Catalogue(desk.catalogue()).data)

    @extend_schema(
        operation_id="ask_desk",
        summary="Ask for a ruling",
        description="Nothing is kept. The same can be asked by a GET of `desk/<what>`, which takes no login.",
        request=shapes.DeskOrder,
        responses={200: shapes.DeskAnswer},
    )
    def post(self, request: Request) -> Response:
        order = shapes.DeskOrder.read(request)
        given = order.get("answers", {})
        book = order.get("rulebook", desk.DEFAULT_BOOK)
        return Response(_told(desk.answer(what=order["what"], rulebook=book, **_named(given))))


class DeskAnswerView(APIView):
    """A ruling with an address of its own, to be kept and shared."""

    tags = ("desk",)
    is_public = True

    @extend_schema(
        operation_id="desk_answer",
        summary="A ruling of the desk",
        description="The answers stand after the `?`, by the names of the asks; what is missing has its default.",
        parameters=[shapes.DeskQuery],
        responses=shapes.DeskAnswer,
    )
    def get(self, request: Request, what: str) -> Response:
        given: dict[str, Any] = request.query_params.dict()
        book = shapes.DeskQuery.read(request).get("rulebook", desk.DEFAULT_BOOK)
        given.pop("rulebook", None)
        queries.know(request, *given)  # the desk itself refuses what it does not ask for
        return Response(_told(desk.answer(what=what, rulebook=book, **_named(given))))


def _named(given: dict[str, Any]) -> dict[str, Any]:
    """The answers, without names that are the desk's own."""
    return {name: value for name, value in given.items() if name not in ("what", "rulebook", "seed")}


def _told(answer: desk.Answer) -> Any:
    told = {name: getattr(answer, name) for name in answer.__dataclass_fields__}
    return shapes.DeskAnswer(told | {"before": answer.before or None, "table": answer.table or None}).data
