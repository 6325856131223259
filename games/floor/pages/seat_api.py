"""What programs of the staff do with seats, and which seats are held for somebody."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers

from cardroom.core.arguments import RowId
from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.play import moving, seating
from games.play.pages.tables import Move
from games.tables import holds
from games.tables.models.offers import SeatHold
from games.tables.models.tables import Seat
from games.tables.queries import tables as queries
from games.waitlists import calling

ROLES = ("floor", "manager", "cashier", "dealer")
_AUDITED = "For staff; it is recorded in the audit log."


class HeldSeat(Shape):
    """A seat that is held for somebody."""

    of = SeatHold
    field_names = "table=table_id table_name=table.name number player=player_id player_name=player.username why until"
    help_texts = {"until": "None: until it is released."}
    why = serializers.ChoiceField(SeatHold.Why.choices)


def _of_seat(field: type[serializers.Field], name: str, *choices: Any) -> Any:
    return field(*choices, source=f"seat.{name}", allow_null=True, default=None)


class StaffSeat(Shape):
    """A seat of a table, as staff sees it."""

    of = queries.Chair
    field_names = "number player name state chips in_hand=is_in_hand sat_at counted_at kept_until is_overdue held"
    help_texts = {
        "chips": "At a table in the room as last counted.",
        "kept_until": "When the seat of who is away is picked up.",
    }
    player = _of_seat(serializers.IntegerField, "player_id")
    name = _of_seat(serializers.CharField, "player.username")
    state = _of_seat(serializers.ChoiceField, "state", Seat.State.choices)
    sat_at = _of_seat(serializers.DateTimeField, "sat_at")
    counted_at = _of_seat(serializers.DateTimeField, "counted_at")
    held = HeldSeat(allow_null=True)


class TakenBack(serializers.Serializer[Any]):
    """Whether there was anything to take back."""

    was_there = serializers.BooleanField()


def seats_of_table(*, table_id: RowId, by: User) -> list[queries.Chair]:
    """Every seat of a table, as staff sees it."""
    return queries.seat_plan(table_id=table_id, now=timezone.now()).chairs


def own_holds(*, by: User) -> list[SeatHold]:
    """The seats that are held for them."""
    return queries.holds_of(by, now=timezone.now())


def was_there(result: bool, by: User) -> dict[str, bool]:
    """Whether there was anything to take back."""
    return {"was_there": result}


class OwnHolds(Resource):
    path, tags = "me/holds", ("me",)
    get = reads(own_holds, name="my_holds", summary="Seats held for you", answers=HeldSeat, many=True)


class OwnHold(Resource):
    path, tags = "me/holds/<id:table_id>", ("me",)
    delete = does(
        calling.give_up,
        name="give_up_seat",
        summary="Give up a seat held for you",
        answers=TakenBack,
        shown=was_there,
        refuses=(409,),
    )


class OfSeats(Resource):
    tags, scope = ("seating",), "direct"


class StaffSeats(OfSeats):
    path = "tables/<id:table_id>/seating"
    get = reads(
        seats_of_table,
        name="staff_seats",
        summary="Every seat of a table",
        description="For staff.",
        answers=StaffSeat,
        many=True,
        roles=ROLES,
    )


class SeatPlayer(OfSeats):
    path = "tables/<id:table_id>/seating/seat"
    post = does(
        seating.seat,
        name="staff_seat",
        summary="Seat a player",
        description=_AUDITED,
        answers=Move,
        roles=ROLES,
        refuses=(409, 422),
    )


class MovePlayer(OfSeats):
    path = "tables/<id:table_id>/seating/move"
    post = does(
        moving.move,
        name="staff_move",
        summary="Move a player with their stack, after their hand",
        description=_AUDITED,
        answers=Move,
        refuses=(409, 422),
    )


class CancelMove(OfSeats):
    path = "tables/<id:table_id>/seating/cancel-move"
    post = does(
        moving.cancel_move,
        name="staff_cancel_move",
        summary="Cancel a move",
        description=_AUDITED,
        answers=TakenBack,
        shown=was_there,
        refuses=(409, 422),
    )


class SwapPlayers(OfSeats):
    path = "tables/<id:table_id>/seating/swap"
    post = does(
        moving.swap,
        name="staff_swap",
        summary="Swap two players",
        description=_AUDITED,
        answers=Move,
        refuses=(409, 422),
    )


class Unseat(OfSeats):
    path = "tables/<id:table_id>/seating/unseat"
    post = does(
        seating.unseat,
        name="staff_unseat",
        summary="Remove a player, after their hand",
        description=_AUDITED,
        answers=Move,
        roles=ROLES,
        refuses=(409, 422),
    )


class MarkAbsent(OfSeats):
    path = "tables/<id:table_id>/seating/absent"
    post = does(
        seating.mark_absent,
        name="staff_absent",
        summary="Mark a player away",
        description=_AUDITED,
        answers=Move,
        refuses=(409, 422),
    )


class MarkBack(OfSeats):
    path = "tables/<id:table_id>/seating/back"
    post = does(
        seating.mark_back,
        name="staff_back",
        summary="Mark a player back",
        description=_AUDITED,
        answers=Move,
        refuses=(409, 422),
    )


class PickUpSeat(OfSeats):
    path = "tables/<id:table_id>/seating/pick-up"
    post = does(
        seating.pick_up,
        name="staff_pick_up",
        summary="Pick up the seat of an absent player",
        description=_AUDITED,
        answers=Move,
        refuses=(409, 422),
    )


class HoldSeat(OfSeats):
    path = "tables/<id:table_id>/seating/hold"
    post = does(
        holds.hold,
        name="staff_hold",
        summary="Hold a free seat",
        description=_AUDITED,
        answers=HeldSeat,
        roles=ROLES,
        refuses=(409, 422),
    )


class ReleaseSeat(OfSeats):
    path = "tables/<id:table_id>/seating/release"
    post = does(
        holds.release,
        name="staff_release",
        summary="Release a held seat",
        description=_AUDITED,
        answers=TakenBack,
        shown=was_there,
        roles=ROLES,
        refuses=(409, 422),
    )


api = addresses(
    [
        OwnHolds,
        OwnHold,
        StaffSeats,
        SeatPlayer,
        MovePlayer,
        CancelMove,
        SwapPlayers,
        Unseat,
        MarkAbsent,
        MarkBack,
        PickUpSeat,
        HoldSeat,
        ReleaseSeat,
    ]
)
