"""The API of seats for staff, of the chips there, and of held seats."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from cardroom.cage.serializers import ApprovalOut
from cardroom.core.arguments import RowId
from cardroom.core.errors import Invalid
from cardroom.core.models import User
from cardroom.core.web.api.fields import MOST_CHIPS, RequestBody, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.engine.games import MOST_SEATS, SEAT_NUMBERS
from games.floor import cash_in, physical
from games.play import moving, seating
from games.play.pages.tables import SeatMoveResult
from games.rake.models.drops import BoxCount
from games.tables import holds
from games.tables.models.offers import SeatHold
from games.tables.models.tables import Seat
from games.tables.queries import tables as queries
from games.waitlists import calling

ROLES = ("floor", "manager", "cashier", "dealer")
_AUDITED = "For staff; it is recorded in the audit log."


class HeldSeat(Shape):
    """A seat that is held for a player."""

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
        "kept_until": "When the seat of a player who is away is picked up.",
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


class CountedStacks(serializers.Serializer[Any]):
    """What everybody at the table has, as counted."""

    stacks = serializers.DictField(child=serializers.IntegerField(), help_text="Chips by seat number.")
    total = serializers.IntegerField()


class EmptiedBox(Shape):
    of = BoxCount
    field_names = "id amount time promo jackpot rake over reason fund=fund_id at"
    help_texts = {
        "time": "Of it time, which was booked when it was charged.",
        "over": "More than was charged; below zero: less. Where time is collected.",
        "reason": "Of the difference.",
        "fund": "The jackpot that it went to.",
    }


class CountStacksBody(RequestBody):
    """What was counted, seat by seat."""

    counts = serializers.DictField(
        child=WholeNumber(min_value=0, max_value=MOST_CHIPS),
        help_text=f"Chips by seat number, from 1 to {MOST_SEATS}.",
        error_messages={"required": gettext_lazy("Enter what you counted, seat by seat.")},
    )


def count_stacks(*, table_id: RowId, counts: dict[str, int], by: User, key: str = "") -> dict[str, Any]:
    """Write down what was counted in front of players, by the numbers of their seats. Refuses (`Invalid`) what is no
    number of a seat, and what `physical.count` refuses."""
    if not counts or not set(counts) <= set(map(str, SEAT_NUMBERS)):
        raise Invalid("no-such-seat", "Name the seats that were counted, by their numbers 1 to 8.")
    counts_by_seat = {int(number): chips for number, chips in counts.items()}
    stacks = physical.count.once(key, table_id=table_id, counts=counts_by_seat, by=by)
    return {"stacks": stacks, "total": sum(stacks.values())}


def seats_of_table(*, table_id: RowId, by: User) -> list[queries.Chair]:
    """Every seat of a table, as staff sees it."""
    return queries.seat_plan(table_id=table_id, now=timezone.now()).chairs


def own_holds(*, by: User) -> list[SeatHold]:
    """The seats that are held for the user."""
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
        answers=SeatMoveResult,
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
        answers=SeatMoveResult,
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
        answers=SeatMoveResult,
        refuses=(409, 422),
    )


class Unseat(OfSeats):
    path = "tables/<id:table_id>/seating/unseat"
    post = does(
        seating.unseat,
        name="staff_unseat",
        summary="Remove a player, after their hand",
        description=_AUDITED,
        answers=SeatMoveResult,
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
        answers=SeatMoveResult,
        refuses=(409, 422),
    )


class MarkBack(OfSeats):
    path = "tables/<id:table_id>/seating/back"
    post = does(
        seating.mark_back,
        name="staff_back",
        summary="Mark a player back",
        description=_AUDITED,
        answers=SeatMoveResult,
        refuses=(409, 422),
    )


class PickUpSeat(OfSeats):
    path = "tables/<id:table_id>/seating/pick-up"
    post = does(
        seating.pick_up,
        name="staff_pick_up",
        summary="Pick up the seat of an absent player",
        description=_AUDITED,
        answers=SeatMoveResult,
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


class BringChips(OfSeats):
    path, scope = "tables/<id:table_id>/seating/top-up", "cage"
    post = does(
        physical.top_up,
        name="staff_top_up",
        summary="Bring chips to a player in the room",
        description=_AUDITED,
        answers=SeatMoveResult,
        refuses=(409, 422),
    )


class CashInAtTable(OfSeats):
    path, scope = "tables/<id:table_id>/seating/cash-in", "cage"
    post = does(
        cash_in.cash_in,
        name="staff_cash_in",
        summary="Take cash at a table in the room",
        description=_AUDITED,
        answers=SeatMoveResult,
        waiting=ApprovalOut,
        refuses=(409, 422),
    )


class CashOutAtTable(OfSeats):
    path, scope = "tables/<id:table_id>/seating/cash-out", "cage"
    post = does(
        physical.cash_out,
        name="staff_cash_out",
        summary="Cash a player out in the room",
        description=_AUDITED,
        answers=SeatMoveResult,
        refuses=(409, 422),
    )


class CountStacks(OfSeats):
    path = "tables/<id:table_id>/seating/count"
    post = does(
        count_stacks,
        name="staff_count",
        summary="Record counted stacks",
        description=_AUDITED,
        body=CountStacksBody,
        answers=CountedStacks,
        roles=ROLES,
        refuses=(409, 422),
    )


class EmptyDropBox(OfSeats):
    path, scope = "tables/<id:table_id>/seating/box", "cage"
    post = does(
        physical.empty_box,
        name="staff_box",
        summary="Empty the drop box",
        description=_AUDITED,
        answers=EmptiedBox,
        waiting=ApprovalOut,
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
        BringChips,
        CashInAtTable,
        CashOutAtTable,
        CountStacks,
        EmptyDropBox,
    ]
)
