"""The life of tables, for the floor: opened for a game, paused, broken up, closed; and counts."""

from functools import partial
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import Approval
from cardroom.services import access
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.cage_serializers import ApprovalOut
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals
from games.selectors import offers as select
from games.services import counting, sections, tables
from games.web.api import offer_serializers as shapes

_SEES = ("dealer", "floor", "cashier", "manager", "auditor")


class OfferTablesView(APIView):
    """The tables of a game on offer."""

    tags = ("table life",)
    scope = "direct"

    @extend_schema(
        operation_id="offer_tables",
        summary="The open tables of a game",
        description="For the staff.",
        responses=shapes.RoomTable(many=True),
    )
    def get(self, request: Request, offer_id: int) -> Response:
        access.require_role(asker(request), *_SEES)
        select.offer(offer_id)
        return Response(shapes.RoomTable(select.room_tables(offer_id=offer_id), many=True).data)

    @extend_schema(
        operation_id="open_for",
        summary="Open a table for a game",
        description="For the floor and managers.",
        request=shapes.OpenTableOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.RoomTable} | refusals(409, 422),
    )
    def post(self, request: Request, offer_id: int) -> Response:
        order = shapes.OpenTableOrder.read(request)
        named = {"table": "table_id", "section": "section_id", "must_move_to": "must_move_to_id"}
        order = {named.get(name, name): value for name, value in order.items()}
        key = keys.key_of(request)
        made = tables.open_for(offer_id=offer_id, by=asker(request), key=key, **order)
        return Response(told(made.pk), status=status.HTTP_201_CREATED)


class RoomTablesView(APIView):
    """Every table of the room and online, free and open, as the staff lists them."""

    tags = ("table life",)
    scope = "direct"

    @extend_schema(
        operation_id="room_tables",
        summary="The tables as the staff lists them",
        description="For the staff.",
        parameters=[shapes.RoomTableQuery],
        responses=shapes.RoomTable(many=True),
    )
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), *_SEES)
        wanted = shapes.RoomTableQuery.read(request)
        found = select.room_tables(
            offer_id=wanted.get("offer"), section_id=wanted.get("section"), with_closed=wanted["is_closed"]
        )
        return Response(shapes.RoomTable(found, many=True).data)

    @extend_schema(
        operation_id="add_table",
        summary="Put a free table into the room",
        description="For the floor and managers. Games are opened at it, and closing them leaves it free again.",
        request=shapes.AddOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.RoomTable} | refusals(404, 409),
    )
    def post(self, request: Request) -> Response:
        order = shapes.AddOrder.read(request)
        key = keys.key_of(request)
        asked = {"name": order["name"], "section_id": order.get("section")}
        made = tables.add(**asked, by=asker(request), key=key)
        return Response(told(made.pk), status=status.HTTP_201_CREATED)


class RoomTableView(APIView):
    """One table as the staff lists it."""

    tags = ("table life",)
    scope = "direct"

    @extend_schema(
        operation_id="room_table",
        summary="A table as the staff lists it",
        description="For the staff.",
        responses=shapes.RoomTable,
    )
    def get(self, request: Request, table_id: int) -> Response:
        access.require_role(asker(request), *_SEES)
        return Response(told(table_id))

    @extend_schema(
        operation_id="edit_table",
        summary="Change a table as it stands",
        description="For the floor and managers. Its stakes are its offer's.",
        request=shapes.TableEdit,
        parameters=[keys.PARAMETER],
        responses={200: shapes.RoomTable} | refusals(409, 422),
    )
    def patch(self, request: Request, table_id: int) -> Response:
        order = shapes.TableEdit.read(request)
        if "must_move_to" in order:
            order["must_move_to_id"] = order.pop("must_move_to")
        key = keys.key_of(request)
        tables.edit(table_id=table_id, by=asker(request), key=key, **order)
        return Response(told(table_id))


def _verb(name: str, verb: Any, summary: str, order: Any = shapes.StaffReason) -> Any:
    """A view for something the floor does with a table; the table as it is then is the answer."""

    @extend_schema(
        operation_id=f"{name.replace('-', '_')}_table",
        summary=summary,
        description="For the floor and managers. During a hand it counts when the hand is over.",
        request=order,
        parameters=[keys.PARAMETER],
        responses={200: shapes.RoomTable} | refusals(409, 422),
    )
    def post(self: APIView, request: Request, table_id: int) -> Response:
        said = order.read(request)
        verb(table_id=table_id, by=asker(request), key=keys.key_of(request), **said)
        return Response(told(table_id))

    title = "".join(word.capitalize() for word in name.split("-"))
    fields = {"__doc__": f"{summary}.", "tags": ("table life",), "scope": "direct", "post": post}
    return type(f"{title}TableView", (APIView,), fields)


VERBS = {
    "pause": _verb("pause", tables.pause, "Deal no new hand; players read the reason"),
    "resume": _verb("resume", tables.resume, "Deal again"),
    "take-up": _verb("take-up", tables.take_up, "Play by the newest settings of its game"),
    "break-up": _verb("break-up", tables.break_up, "End the game; its players go to other tables, or to the list"),
    "close": _verb("close", tables.close, "Close the table; everybody is cashed out"),
    "reopen": _verb("reopen", tables.reopen, "Open a closed table again"),
    "message": _verb("message", tables.tell, "Tell a line to all who look on", shapes.TableLineOrder),
}


class TableSectionView(APIView):
    """In which section a table lies."""

    tags = ("table life",)
    scope = "direct"

    @extend_schema(
        operation_id="place_table",
        summary="Put a table into a section",
        description="For the floor and managers.",
        request=shapes.PlaceOrder,
        responses=shapes.RoomTable,
    )
    def put(self, request: Request, table_id: int) -> Response:
        section = shapes.PlaceOrder.read(request)["section"]
        sections.place(table_id=table_id, section_id=section, by=asker(request))
        return Response(told(table_id))


class CountsView(APIView):
    """The counts of a table of the room."""

    tags = ("table life",)
    scope = "direct"
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="counts",
        summary="The counts of a table of the room",
        description="For the staff, newest first.",
        responses=shapes.CountView(many=True),
    )
    def get(self, request: Request, table_id: int) -> Response:
        access.require_role(asker(request), *_SEES)
        select.room_table(table_id)
        rows = partial(_counts, table_id)
        found, later = NewestFirst().page(request, rows, number=lambda row: row.pk)
        return Response({"next": later, "results": shapes.CountView(found, many=True).data})

    @extend_schema(
        operation_id="count_table",
        summary="Say what chips lie on a table of the room",
        description="For the floor and managers. The count is blind: where it differs from the books it is written "
        "down and refused with what they say; the same count again with a reason settles it, and above a limit a "
        "second person is asked. What it is over or short goes to the house.",
        request=shapes.TableCountOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.CountView, 202: ApprovalOut} | refusals(409, 422),
    )
    def post(self, request: Request, table_id: int) -> Response:
        order = shapes.TableCountOrder.read(request)
        made = counting.count(table_id=table_id, by=asker(request), key=keys.key_of(request), **order)
        if isinstance(made, Approval):
            return Response(ApprovalOut(made).data, status=status.HTTP_202_ACCEPTED)
        return Response(shapes.CountView(made).data, status=status.HTTP_201_CREATED)


def told(table_id: int) -> dict[str, Any]:
    """A table as the staff lists it, as JSON."""
    told: dict[str, Any] = shapes.RoomTable(select.room_table(table_id)).data
    return told


def _counts(table_id: int, before: int | None, limit: int) -> list[Any]:
    return list(select.counts(table_id, before=before, limit=limit))
