"""The API of the floor: hands in progress, the map of the room, past orders, and giving an order."""

from typing import Annotated, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.core.arguments import Limits, RowId
from cardroom.core.models import User
from cardroom.core.web.api.access import asker
from cardroom.core.web.api.routes import resource
from cardroom.core.web.api.schema import refusals
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.engine.facts.play import Ruled
from games.floor import queries, room_map, rulings
from games.floor.models import FloorCall
from games.floor.models import FloorOrder as OrderRow
from games.floor.pages.dealer_api import LAST_SEEN, MOST_SEQ
from games.play import private
from games.play.pages import hand_shapes as shapes
from games.play.pages.tables import EPOCH
from games.tables.models.tables import Table
from games.waitlists.queries import TableDemand

#: The roles that see the map of the room. Rulings are for the floor only.
ROLES = ("floor", "manager")
FLOOR = (rulings.ROLE,)

What = Annotated[str, Limits(choices=rulings.WHATS)]
OrderedSeat = Annotated[int, Limits(required=False, min_value=0, max_value=9, help_text="0: the whole hand.")]
PenaltyHands = Annotated[
    int, Limits(required=False, min_value=0, max_value=100, help_text="Hands a penalty keeps the player out of.")
]
OrderReason = Annotated[str, Limits(min_length=3, max_length=300)]
LastSeen = Annotated[int | None, Limits(allow_null=True, min_value=0, max_value=MOST_SEQ, help_text=LAST_SEEN)]


class FloorCallSummary(serializers.Serializer[Any]):
    """A call for the floor from a table."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    table_name = serializers.CharField()
    hand = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True, help_text="null for a dealer.")
    who = serializers.CharField()
    kind = serializers.ChoiceField(FloorCall.Kind.choices, help_text="What is wanted.")
    note = serializers.CharField(allow_blank=True)
    at = serializers.IntegerField(help_text=EPOCH)


class FloorOrderSummary(Shape):
    """An order of the floor, or an entry that was taken back."""

    of = OrderRow
    field_names = "id table hand=hand_id number=hand.number seq what seat hands reason by=by.username at"
    help_texts = {"number": "Of the hand at its table.", "seq": "The fact it led to."}
    table = shapes.TableName()


class OpenOrder(serializers.Serializer[Any]):
    what = serializers.ChoiceField(rulings.WHATS)
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="Empty: it concerns the whole hand.")


class FloorHand(serializers.Serializer[Any]):
    """The orders that can be given in a hand now, and those that were given."""

    orders = OpenOrder(many=True)
    log = FloorOrderSummary(many=True)


class LastRuling(Shape):
    of = Ruled
    field_names = "key verdict words rule citation seats seq"
    help_texts = {"citation": "The source of the rule, for people."}
    seq = serializers.IntegerField(allow_null=True)


class GlanceHand(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    seq = serializers.IntegerField()
    street = serializers.IntegerField()
    pot = serializers.IntegerField()
    to_act = serializers.IntegerField(help_text="0: nobody.")
    awaits = serializers.CharField(allow_blank=True)
    since = serializers.IntegerField(help_text=f"When the turn began, or the hand. {EPOCH}")
    deadline = serializers.IntegerField(allow_null=True, help_text=EPOCH)
    last_ruling = LastRuling(allow_null=True)


class GlanceSeat(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField()
    is_bot = serializers.BooleanField()
    stack = serializers.IntegerField()
    state = serializers.CharField()


class GlanceBook(serializers.Serializer[Any]):
    slug = serializers.CharField()
    title = serializers.CharField()


class Glance(Shape):
    """A table at a glance."""

    of = Table
    field_names = "id name state game structure stakes rulebook dealt_by deck seat_count seats last_hand hand calls"
    state = serializers.ChoiceField(Table.State.choices)
    rulebook = GlanceBook()
    dealt_by = serializers.ChoiceField(Table.DealtBy.choices)
    deck = serializers.ChoiceField(Table.Deck.choices)
    seats = GlanceSeat(many=True)
    last_hand = serializers.IntegerField(allow_null=True)
    hand = GlanceHand(allow_null=True)
    calls = serializers.IntegerField(help_text="How many calls wait there.")


class FloorView(serializers.Serializer[Any]):
    tables = Glance(many=True)
    calls = FloorCallSummary(many=True)


class MapSeat(Shape):
    of = room_map.SeatGlance
    field_names = "number state player name is_bot stack sat_at out_since held_until held_why owes"
    help_texts = {
        "state": '"free", "held", or that of its player: "playing", "sitting-out" ...',
        "owes": "Time still to be paid.",
    }


class MapTable(Shape):
    of = room_map.TableGlance
    field_names = (
        "id=table.pk name=table.name offer=table.offer_id stakes=table.stakes phase is_physical=table.is_physical calls"
        " waiting seats"
    )
    help_texts = {"phase": "free, open, going, paused or breaking.", "calls": "Of its players for the floor."}
    seats = MapSeat(many=True)


class MapSection(Shape):
    of = room_map.SectionGlance
    field_names = "id name tables"
    tables = MapTable(many=True)


class WantedTable(Shape):
    of = TableDemand
    field_names = "offer=offer.pk name=offer.name opens_with=offer.opens_with waiting"


class MapShape(serializers.Serializer[Any]):
    sections = MapSection(many=True)
    wanted = WantedTable(many=True, help_text="Games in the room whose lists ask for a table.")


def hands_in_progress(*, by: User) -> dict[str, Any]:
    """Every hand in progress, and the calls from tables."""
    return queries.floor_view()


def map_of_room(*, by: User) -> room_map.RoomMap:
    """The sections with their tables and seats."""
    return room_map.room_map(now=timezone.now())


def list_orders(*, table: int | None = None, before: int | None, limit: int, by: User) -> list[OrderRow]:
    """The past orders of the floor, newest first; at one table or at all."""
    return queries.floor_log(table=table, before=before, limit=limit)


def orders_of_hand(*, hand_id: RowId, by: User) -> dict[str, Any]:
    """The orders that the floor can give in a hand, and those it gave."""
    return {"orders": queries.open_orders(hand_id=hand_id), "log": queries.floor_log(hand=hand_id)}


def order(
    *,
    hand_id: RowId,
    what: What,
    seat: OrderedSeat = 0,
    hands: PenaltyHands = 0,
    reason: OrderReason,
    expected_seq: LastSeen = None,
    command_id: shapes.CommandId = "",
    by: User,
    key: str = "",
) -> shapes.HandReceipt:
    """Give a floor order."""
    receipt = rulings.order(
        hand_id=hand_id,
        by=by,
        what=what,
        reason=reason,
        command_id=shapes.sent_command_id(command_id, key),
        seat=seat,
        hands=hands,
        expected_seq=expected_seq,
    )
    return shapes.HandReceipt(hand_id, receipt)


class FloorResource(Resource):
    tags = ("floor",)


class HandsInProgress(FloorResource):
    path = "floor"
    get = reads(
        hands_in_progress,
        name="floor",
        summary="List every hand in progress",
        description="For the floor. The socket `/ws/floor/` tells the same at every change.",
        answers=FloorView,
        roles=FLOOR,
    )


class MapOfRoom(FloorResource):
    path = "floor/map"
    get = reads(
        map_of_room,
        name="floor_map",
        summary="Sections, tables, and who sits where",
        description="For the floor. The socket `/ws/room/?topics=floor,hands` tells when to ask again.",
        answers=MapShape,
        roles=ROLES,
    )


class FloorLog(FloorResource):
    path = "floor/log"
    get = reads(
        list_orders,
        name="floor_log",
        summary="List floor orders",
        description="For the floor.",
        answers=FloorOrderSummary,
        roles=FLOOR,
    )


class FloorOfHand(FloorResource):
    path, scope = "hands/<id:hand_id>/floor", "direct"
    get = reads(
        orders_of_hand,
        name="floor_hand",
        summary="List possible and given orders of a hand",
        description="For the floor.",
        answers=FloorHand,
        roles=FLOOR,
    )
    post = does(
        order,
        name="order",
        summary="Give a floor order",
        description="For the floor, with a reason.",
        answers=shapes.RECEIPT,
        shown=shapes.receipt_told,
        refuses=(409, 422),
    )


class SealedHandResource(APIView):
    """A hand with every card."""

    tags = ("floor",)
    scope = "direct"
    answer_is_secret = True
    description = "View the sealed cards of a hand"

    @extend_schema(
        operation_id="look_at_sealed",
        summary=description,
        description="For an auditor with an open view, and of hands that are over; each look is recorded. Nobody "
        "can view a game in which they had a seat, or take a seat in a game they have viewed in the last twelve hours.",
        request=None,
        responses={200: shapes.Facts} | refusals(409),
    )
    def post(self, request: Request, hand_id: int) -> Response:
        return Response(shapes.facts_data(hand_id, private.look(hand_id=hand_id, by=asker(request)), 0))


api = [
    *addresses([HandsInProgress, MapOfRoom, FloorLog, FloorOfHand]),
    *resource("hands/<id:hand_id>/sealed", SealedHandResource, name="api-sealed"),
]
