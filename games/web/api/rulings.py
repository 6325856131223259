"""The rulings of the room."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import room_time
from cardroom.services.errors import Invalid
from cardroom.web.api.paging import NewestFirst
from games import selectors
from games.web.api import ruling_serializers as shapes


class RulingsView(APIView):
    """Every ruling at every table, newest first."""

    tags = ("rulings",)
    is_public = True
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="rulings",
        summary="The rulings of the room",
        parameters=[shapes.RulingQuery],
        responses=shapes.Ruling(many=True),
    )
    def get(self, request: Request) -> Response:
        asked = shapes.RulingQuery.read(request)
        wanted = {
            "key": asked.get("key", ""),
            "table": asked.get("table"),
            "since": _moment(asked.get("from", ""), "from"),
            "until": _moment(asked.get("to", ""), "to", is_end=True),
        }
        found, later = NewestFirst().page(request, partial(_rows, wanted), number=lambda row: row.id)
        return Response({"next": later, "results": shapes.Ruling(found, many=True).data})


def _rows(wanted: dict[str, Any], before: int | None, limit: int) -> list[selectors.RulingRow]:
    return selectors.rulings(before=before, limit=limit, **wanted)


def _moment(text: str, name: str, *, is_end: bool = False) -> datetime | None:
    """The moment in `text`; of a date its beginning in the room's zone, or (`is_end`) that of the next day."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        if len(text) > len("2030-01-05"):
            return moment
        return room_time.midnight(moment.date() + timedelta(days=1 if is_end else 0))
    except (ValueError, OverflowError):
        raise Invalid(f"{name} is a date or a moment: 2030-01-05 or 2030-01-05T20:00:00Z.", f"bad-{name}") from None
