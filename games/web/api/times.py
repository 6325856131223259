"""Time at a table: looked at, refused and paid by players, paused, waived and collected by the floor."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access, accounts
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Order, Text, WholeNumber
from cardroom.web.api.schema import refusals
from games.selectors.collection import time_at
from games.services import collection
from games.web.times import READERS


class TimeSitter(serializers.Serializer[Any]):
    player = serializers.IntegerField()
    name = serializers.CharField()
    seat = serializers.IntegerField(help_text="0: they would not pay, and have left.")
    standing = serializers.CharField(help_text="pause, refusal, or empty: the time runs.")
    why = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True)
    owed = serializers.IntegerField()
    courtesy = serializers.IntegerField(help_text="Hands they are dealt though they did not pay.")


class TableTime(serializers.Serializer[Any]):
    """How time stands at a table."""

    period_minutes = serializers.IntegerField(
        source="schedule.period_minutes", allow_null=True, default=None, help_text="null: no time is collected here."
    )
    due_at = serializers.DateTimeField(allow_null=True, help_text="The next collection.")
    is_paused = serializers.BooleanField()
    each = serializers.IntegerField(help_text="What everybody would pay now.")
    sitters = TimeSitter(many=True)


class TimeCharge(serializers.Serializer[Any]):
    """A period's time of one player."""

    id = serializers.IntegerField()
    table = serializers.IntegerField(source="table_id")
    player = serializers.IntegerField(source="player_id")
    period_start = serializers.DateTimeField()
    state = serializers.CharField(help_text="due, charged, owed, paused, courtesy, refused or waived.")
    amount = serializers.IntegerField()
    paid = serializers.IntegerField()
    owed = serializers.IntegerField()
    why = serializers.CharField()


class PlayerOrder(Order):
    player = WholeNumber(min_value=1, max_value=2**31, help_text="Whose time.")


class PauseOrder(PlayerOrder):
    reason = Text(required=False, min_length=3, max_length=300, help_text="Why; absent with leave if not said.")


class WaiveOrder(Order):
    reason = Text(min_length=3, max_length=300)


class NothingOrder(Order):
    """Nothing needs to be said."""


class TableTimeView(APIView):
    """The time of a table, for those who sit there and for the staff."""

    tags = ("time",)

    @extend_schema(
        operation_id="table_time",
        summary="Time at a table where one sits, or of which one is the staff",
        responses={200: TableTime} | refusals(403),
    )
    def get(self, request: Request, table_id: int) -> Response:
        time, by = time_at(table_id), asker(request)
        if time.of(by.pk) is None:
            access.require_role(by, *READERS)
        return Response(TableTime(time).data)


def _standing(verb: str, summary: str, scope: str) -> Any:
    """A view for one thing to be done with somebody's time at a table; the answer is how time stands there then."""
    order = {"pause": PauseOrder, "resume": PlayerOrder}.get(verb, NothingOrder)

    @extend_schema(
        operation_id=f"{verb}_time",
        summary=summary,
        request=order if order is not NothingOrder else None,
        parameters=[keys.PARAMETER] if order is not NothingOrder else [],
        responses={200: TableTime} | refusals(409, 422),
    )
    def post(self: APIView, request: Request, table_id: int) -> Response:
        asked = order.read(request)
        by = asker(request)
        if order is NothingOrder:
            mine: Callable[..., Any] = {"refuse": collection.refuse, "pay": collection.pay}[verb]
            mine(table_id=table_id, player=by)
        else:
            player = accounts.one(asked.pop("player"))
            does: Callable[..., Any] = {"pause": collection.pause, "resume": collection.resume}[verb]
            does(table_id=table_id, player=player, by=by, key=keys.key_of(request), **asked)
        return Response(TableTime(time_at(table_id)).data)

    name = f"{verb.capitalize()}TimeView"
    return type(name, (APIView,), {"__doc__": f"{summary}.", "tags": ("time",), "scope": scope, "post": post})


VERBS = {
    "pause": _standing("pause", "Let a player's time stand still, absent with leave of the floor", "direct"),
    "resume": _standing("resume", "Let a player's time go on", "direct"),
    "refuse": _standing("refuse", "Not pay the next time", "play"),
    "pay": _standing("pay", "Pay the time after all", "play"),
}


class EndCourtesyView(APIView):
    """The courtesy hand of a player in the room."""

    tags = ("time",)
    scope = "direct"

    @extend_schema(
        operation_id="end_courtesy",
        summary="Say that a player's courtesy hand is over, in the room",
        request=PlayerOrder,
        responses={200: TableTime} | refusals(409, 422),
    )
    def post(self, request: Request, table_id: int) -> Response:
        player = accounts.one(PlayerOrder.read(request)["player"])
        collection.end_courtesy(table_id=table_id, player=player, by=asker(request))
        return Response(TableTime(time_at(table_id)).data)


class WaiveView(APIView):
    """A charge that a player is let off."""

    tags = ("time",)
    scope = "direct"

    @extend_schema(
        operation_id="waive_time",
        summary="Waive a charge; what was paid is given back",
        request=WaiveOrder,
        parameters=[keys.PARAMETER],
        responses={200: TimeCharge} | refusals(409),
    )
    def post(self, request: Request, charge_id: int) -> Response:
        reason = WaiveOrder.read(request)["reason"]
        by, key = asker(request), keys.key_of(request)
        charge = collection.waive(charge_id=charge_id, by=by, reason=reason, key=key)
        return Response(TimeCharge(charge).data)


class CollectView(APIView):
    """What is still owed of a charge."""

    tags = ("time",)
    scope = "direct"

    @extend_schema(
        operation_id="collect_time",
        summary="Collect what is owed of a charge",
        request=None,
        parameters=[keys.PARAMETER],
        responses={200: TimeCharge} | refusals(409, 422),
    )
    def post(self, request: Request, charge_id: int) -> Response:
        NothingOrder.read(request)
        by, key = asker(request), keys.key_of(request)
        charge = collection.collect(charge_id=charge_id, by=by, key=key)
        return Response(TimeCharge(charge).data)
