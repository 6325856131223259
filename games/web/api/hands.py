"""Hands: what happened in them as you may see it, and your turn."""

from functools import partial
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services.errors import Invalid
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Number, Query
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals
from games import selectors
from games.engine.facts import Fact, to_json
from games.journal import Receipt
from games.services import hands
from games.web.api import hand_serializers as shapes
from games.web.api.hand_view import view_of


class HandsView(APIView):
    """The hands of a table that are over, newest first."""

    tags = ("hands",)
    is_public = True
    pagination_class = NewestFirst

    @extend_schema(operation_id="hands", summary="The hands of a table", responses=shapes.HandRow(many=True))
    def get(self, request: Request, table_id: int) -> Response:
        selectors.check_may_look_on(selectors.table(table_id), request.user)
        rows = partial(_hands, table_id)
        found, later = NewestFirst().page(request, rows, number=lambda row: row.number)
        return Response({"next": later, "results": shapes.HandRow(found, many=True).data})


class HandView(APIView):
    """A hand as far as it got, and its result when it is over."""

    tags = ("hands",)
    is_public = True

    @extend_schema(operation_id="hand", summary="A hand", responses=shapes.HandView)
    def get(self, request: Request, hand_id: int) -> Response:
        story = selectors.hand_story(hand_id=hand_id, viewer=request.user)
        return Response(shapes.HandView(view_of(story)).data)


class FactsQuery(Query):
    after = Number(default=0, max_value=2**31 - 1, help_text="The number of the last fact you have.")


class FactsView(APIView):
    """What happened in a hand, fact by fact; what you may not see of one is null in it."""

    tags = ("hands",)
    is_public = True

    @extend_schema(operation_id="facts", summary="The facts of a hand", parameters=[FactsQuery], responses=shapes.Facts)
    def get(self, request: Request, hand_id: int) -> Response:
        after = FactsQuery.read(request)["after"]
        found = selectors.facts_for(hand_id=hand_id, viewer=request.user, after=after)
        return Response(told(hand_id, found, after))


class ActView(APIView):
    """Your turn."""

    tags = ("hands",)

    @extend_schema(
        operation_id="act",
        summary="Act on your turn",
        description="The `choices` of a hand's `turn` are what is legal. A command repeated under its name is safe.",
        request=shapes.ActOrder,
        parameters=[keys.PARAMETER],
        responses={200: shapes.Receipt} | refusals(409, 422),
    )
    def post(self, request: Request, hand_id: int) -> Response:
        order = shapes.ActOrder.read(request)
        order["command_id"] = named(order.get("command_id", ""), keys.key_of(request))
        receipt = hands.act(hand_id=hand_id, player=asker(request), **order)
        return Response(receipt_told(hand_id, receipt, viewer=request.user))


def _hands(table_id: int, before: int | None, limit: int) -> list[selectors.HandRow]:
    return selectors.hands_of(table_id=table_id, before=before, limit=limit)


def named(in_body: str, in_header: str) -> str:
    """The command's name: in the body, in the header, or in both alike."""
    if in_body and in_header and in_body != in_header:
        raise Invalid(f"command_id and {keys.HEADER} name two different commands.", "two-keys")
    if not (in_body or in_header):
        raise Invalid(f"Name the command: send a command_id, or an {keys.HEADER}.", "no-command-id")
    return in_body or in_header


def receipt_told(hand_id: int, receipt: Receipt, *, viewer: selectors.Viewer) -> dict[str, Any]:
    """What a command came to as its sender may see it, in the shape of `hand_serializers.Receipt`."""
    after = receipt.facts_from - 1
    facts = selectors.facts_for(hand_id=hand_id, viewer=viewer, after=after)[: receipt.seq - after]
    return told(hand_id, facts, after) | {"facts_from": receipt.facts_from}


def told(hand_id: int, facts: list[tuple[int, Fact]], after: int) -> dict[str, Any]:
    """Facts that came redacted, in the shape of `hand_serializers.Facts`."""
    return {
        "hand": hand_id,
        "seq": facts[-1][0] if facts else after,
        "facts": [{"seq": seq, "kind": fact.kind, "data": to_json(fact)} for seq, fact in facts],
    }
