"""Tables and their seats."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Order
from cardroom.web.api.schema import refusals
from games import selectors
from games.models import SeatMove
from games.services import seats
from games.web.api import serializers as shapes


class TablesView(APIView):
    """The tables that are open, cheapest first."""

    tags = ("tables",)
    is_public = True

    @extend_schema(
        operation_id="tables",
        summary="The lobby",
        parameters=[shapes.TableQuery],
        responses=shapes.TableRow(many=True),
    )
    def get(self, request: Request) -> Response:
        wanted = shapes.TableQuery.read(request)
        rows = [row for row in selectors.lobby() if _is_wanted(row, wanted)]
        return Response(shapes.TableRow(rows, many=True).data)


class TableView(APIView):
    """A table as you may see it."""

    tags = ("tables",)
    is_public = True

    @extend_schema(operation_id="table", summary="A table", responses=shapes.TableView)
    def get(self, request: Request, table_id: int) -> Response:
        view = selectors.table_view(table_id=table_id, viewer=request.user)
        return Response(shapes.TableView(view).data)


class SeatsView(APIView):
    """The seats of a table."""

    tags = ("seats",)
    is_public = True

    @extend_schema(operation_id="seats", summary="Who sits where", responses=shapes.Seats)
    def get(self, request: Request, table_id: int) -> Response:
        view = selectors.table_view(table_id=table_id, viewer=request.user)
        numbers = {seat["number"] for seat in view["seats"]}
        free = [number for number in range(1, view["seat_count"] + 1) if number not in numbers]
        return Response(shapes.Seats({"taken": view["seats"], "free": free}).data)

    @extend_schema(
        operation_id="sit",
        summary="Sit down",
        request=shapes.SitOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.Move} | refusals(409, 422),
    )
    def post(self, request: Request, table_id: int) -> Response:
        order = shapes.SitOrder.read(request)
        move = seats.sit(
            table_id=table_id,
            player=asker(request),
            number=order.get("seat"),
            buy_in=order["buy_in"],
            key=keys.key_of(request),
        )
        return Response(shapes.Move(move).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="leave_seat",
        summary="Leave",
        description="The same as a POST to `leave`.",
        parameters=[keys.PARAMETER],
        responses={200: shapes.Move} | refusals(409, 422),
    )
    def delete(self, request: Request, table_id: int) -> Response:
        return _moved(seats.leave, request, table_id)


def _verb(name: str, verb: Callable[..., SeatMove], summary: str, order: type[Order] = shapes.NoOrder) -> Any:
    """A view for something a player does with the seat they have: POST, and the move is the answer."""

    @extend_schema(
        operation_id=name.replace("-", "_"),
        summary=summary,
        request=order if order is not shapes.NoOrder else None,
        parameters=[keys.PARAMETER],
        responses={200: shapes.Move} | refusals(409, 422),
    )
    def post(self: APIView, request: Request, table_id: int) -> Response:
        return _moved(verb, request, table_id, **order.read(request))

    title = "".join(word.capitalize() for word in name.split("-"))
    return type(f"{title}View", (APIView,), {"__doc__": f"{summary}.", "tags": ("seats",), "post": post})


VERBS = {
    "leave": _verb("leave", seats.leave, "Give up the seat: at once, or when the hand being played is over"),
    "top-up": _verb("top-up", seats.top_up, "Add chips, at once or after the hand", shapes.TopUpOrder),
    "sit-out": _verb("sit-out", seats.sit_out, "Not to be dealt in from the next hand on"),
    "come-back": _verb("come-back", seats.come_back, "To be dealt in again; takes back a leave as well"),
}


class MySeatsView(APIView):
    """Where you sit."""

    tags = ("me",)

    @extend_schema(operation_id="my_seats", summary="Your seats", responses=shapes.MySeat(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.MySeat(selectors.seats_of(asker(request)), many=True).data)


def _moved(verb: Callable[..., SeatMove], request: Request, table_id: int, **order: Any) -> Response:
    move = verb(table_id=table_id, player=asker(request), key=keys.key_of(request), **order)
    return Response(shapes.Move(move).data)


def _is_wanted(row: selectors.TableRow, wanted: dict[str, Any]) -> bool:
    return (
        row.game == wanted.get("game", row.game)
        and row.structure == wanted.get("structure", row.structure)
        and wanted.get("least_small_bet", 0) <= row.small_bet <= wanted.get("most_small_bet", row.small_bet)
        and row.min_buy_in <= wanted.get("buy_in", row.min_buy_in) <= row.max_buy_in
        and wanted.get("has_free_seat", not row.is_full) is not row.is_full
        and wanted.get("has_people", row.people > 0) is (row.people > 0)
    )
