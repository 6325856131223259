"""Seats for staff: who sits where, and every act with a seat as a POST to its own address."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import Approval
from cardroom.services import access, accounts
from cardroom.services.errors import Invalid
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.cage_serializers import ApprovalOut
from cardroom.web.api.fields import Order
from cardroom.web.api.schema import refusals
from games.selectors import seating as chairs
from games.services import holds, lists, physical, seating
from games.web.api import seating_serializers as shapes
from games.web.api.serializers import Move

ROLES = ("dealer", "floor", "cashier", "manager")
Act = Callable[[dict[str, Any], dict[str, Any]], Any]


class StaffSeatsView(APIView):
    """The seats of a table, with those that are held."""

    tags = ("seating",)

    @extend_schema(
        operation_id="staff_seats",
        summary="Every seat of a table",
        description="For staff.",
        responses=shapes.StaffSeat(many=True),
    )
    def get(self, request: Request, table_id: int) -> Response:
        access.require_role(asker(request), *ROLES)
        plan = chairs.seat_plan(table_id=table_id, now=timezone.now())
        return Response(shapes.StaffSeat(plan.chairs, many=True).data)


class MyHoldsView(APIView):
    """Seats that are held for you."""

    tags = ("me",)

    @extend_schema(operation_id="my_holds", summary="Seats held for you", responses=shapes.HeldSeat(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.HeldSeat(chairs.holds_of(asker(request), now=timezone.now()), many=True).data)


class MyHoldView(APIView):
    """The seat that is held for you at a table."""

    tags = ("me",)

    @extend_schema(
        operation_id="give_up_seat",
        summary="Give up a seat held for you",
        responses={200: shapes.TakenBack} | refusals(409),
    )
    def delete(self, request: Request, table_id: int) -> Response:
        player = asker(request)
        was_there = lists.give_up(table_id=table_id, player=player)
        return Response(shapes.TakenBack({"was_there": was_there}).data)


def _verb(
    name: str,
    act: Act,
    summary: str,
    order: type[Order],
    answer: type[Any] = Move,
    scope: str = "direct",
    *,
    is_asked_for: bool = False,
) -> type[APIView]:
    """A view for one act of staff: POST, and what came of it is the answer. What moves chips between a wallet, or the
    house, and the table is the cage's. `is_asked_for`: there are cases for a second person."""
    waits = {202: ApprovalOut} if is_asked_for else {}

    @extend_schema(
        operation_id=f"staff_{name.replace('-', '_')}",
        summary=summary,
        description="For staff; it is written on the trail.",
        request=order,
        parameters=[keys.PARAMETER],
        responses={200: answer} | waits | refusals(409, 422),
    )
    def post(self: APIView, request: Request, table_id: int) -> Response:
        by = access.require_role(asker(request), *ROLES)
        asked = order.read(request)
        for who in ("player", "other"):
            if who in asked:
                asked[who] = accounts.one(asked[who])
        given = {"table_id": table_id, "by": by}
        done = act(asked, given | {"key": keys.key_of(request)})
        if isinstance(done, Approval):
            return Response(ApprovalOut(done).data, status=status.HTTP_202_ACCEPTED)
        return Response(answer(done).data)

    title = "".join(word.capitalize() for word in name.split("-"))
    return type(
        f"Staff{title}View", (APIView,), {"__doc__": summary, "tags": ("seating",), "scope": scope, "post": post}
    )


def _plain(verb: Callable[..., Any]) -> Act:
    return lambda asked, given: verb(**asked, **given)


def _move(asked: dict[str, Any], given: dict[str, Any]) -> Any:
    return seating.move(from_table=given.pop("table_id"), **asked, **given)


def _cancel_move(asked: dict[str, Any], given: dict[str, Any]) -> Any:
    return {"was_there": seating.cancel_move(from_table=given.pop("table_id"), **asked, **given)}


def _hold(asked: dict[str, Any], given: dict[str, Any]) -> Any:
    minutes = asked.pop("minutes", None)
    return holds.hold(**asked, until=timezone.now() + timedelta(minutes=minutes) if minutes else None, **given)


def _release(asked: dict[str, Any], given: dict[str, Any]) -> Any:
    return {"was_there": holds.release(**asked, **given)}


def _count(asked: dict[str, Any], given: dict[str, Any]) -> Any:
    counts = asked["counts"]
    if not counts or not set(counts) <= set("12345678"):
        raise Invalid("Name the seats that were counted, by their numbers 1 to 8.", "no-such-seat")
    held = physical.count(counts={int(number): chips for number, chips in counts.items()}, **given)
    return {"stacks": {str(number): chips for number, chips in held.items()}, "total": sum(held.values())}


VERBS = {
    "seat": _verb("seat", _plain(seating.seat), "Seat a player", shapes.SeatPlayerOrder),
    "move": _verb("move", _move, "Move a player with their stack, after their hand", shapes.MoveSeatOrder),
    "cancel-move": _verb(
        "cancel-move", _cancel_move, "Take back a move that waits", shapes.SeatedPlayerOrder, answer=shapes.TakenBack
    ),
    "swap": _verb("swap", _plain(seating.swap), "Have two players change seats", shapes.SwapSeatsOrder),
    "unseat": _verb("unseat", _plain(seating.unseat), "Take a player off, after their hand", shapes.UnseatOrder),
    "absent": _verb("absent", _plain(seating.mark_absent), "Mark a player away", shapes.SeatedPlayerOrder),
    "back": _verb("back", _plain(seating.mark_back), "Mark a player back", shapes.SeatedPlayerOrder),
    "pick-up": _verb("pick-up", _plain(seating.pick_up), "Pick up a seat kept too long", shapes.PickUpSeatOrder),
    "hold": _verb("hold", _hold, "Hold a free seat", shapes.HoldSeatOrder, answer=shapes.HeldSeat),
    "release": _verb("release", _release, "Release a held seat", shapes.SeatedPlayerOrder, answer=shapes.TakenBack),
    "top-up": _verb(
        "top-up", _plain(physical.top_up), "Bring a player chips in the room", shapes.BringChipsOrder, scope="cage"
    ),
    "cash-out": _verb(
        "cash-out", _plain(physical.cash_out), "Cash a player out in the room", shapes.CashOutSeatOrder, scope="cage"
    ),
    "count": _verb("count", _count, "Write down counted stacks", shapes.CountStacksOrder, answer=shapes.CountedStacks),
    "box": _verb(
        "box",
        _plain(physical.empty_box),
        "Empty the drop box",
        shapes.DropBoxOrder,
        shapes.EmptiedBox,
        scope="cage",
        is_asked_for=True,
    ),
}
