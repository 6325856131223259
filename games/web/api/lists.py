"""Waiting lists: what is on them, one's own names, and the floor's work with them."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import Invalid, NotFound
from cardroom.web.api import keys
from cardroom.web.api.access import asker, require_scope
from cardroom.web.api.fields import Order
from cardroom.web.api.schema import refusals
from games import selectors
from games.models import ListEntry
from games.selectors import lists as shown
from games.services import lists
from games.web.api import lists_serializers as shapes


class ListsView(APIView):
    """The lists of all games on offer."""

    tags = ("lists",)
    is_public = True

    @extend_schema(operation_id="lists", summary="Waiting lists", responses=shapes.GameList(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.GameList(shown.every(), many=True).data)


class ListView(APIView):
    """The list of a game."""

    tags = ("lists",)
    is_public = True

    @extend_schema(operation_id="list", summary="The list of a game", responses=shapes.GameList)
    def get(self, request: Request, offer_id: int) -> Response:
        return Response(shapes.GameList(shown.of_offer(offer_id)).data)

    @extend_schema(
        operation_id="join_list",
        summary="Put your name on it, or ask to change seats or tables",
        request=shapes.ListJoinOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.ListStory} | refusals(409, 422),
    )
    def post(self, request: Request, offer_id: int) -> Response:
        order = shapes.ListJoinOrder.read(request)
        entry = lists.join(
            offer_id=offer_id,
            player=asker(request),
            source=ListEntry.Source.WEB,
            kind=order.get("kind", ListEntry.Kind.LIST),
            table_id=order.get("table"),
            wishes=order.get("wishes"),
            key=keys.key_of(request),
        )
        return _story(request, entry, code=status.HTTP_201_CREATED)


class ListNamesView(APIView):
    """Names that the floor puts on a list."""

    tags = ("lists",)
    scope = "direct"

    @extend_schema(
        operation_id="add_to_list",
        summary="Put somebody's name on it",
        description="For the floor: a player, or a name that was said on the telephone.",
        request=shapes.ListAddOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.ListStory} | refusals(409, 422),
    )
    def post(self, request: Request, offer_id: int) -> Response:
        staff = access.require_role(asker(request), *lists.ROLES)
        order = shapes.ListAddOrder.read(request)
        wishes = {**(order.get("wishes") or {}), **({"phone": order["phone"]} if order.get("phone") else {})}
        source = ListEntry.Source.PHONE if wishes.get("phone") else ListEntry.Source.DESK
        said = {"offer_id": offer_id, "by": staff, "wishes": wishes, "source": source, "key": keys.key_of(request)}
        if "player" in order:
            player = User.objects.filter(pk=order["player"], is_bot=False).first()
            if player is None:
                raise NotFound("There is no such player.", "no-such-player")
            entry = lists.join(player=player, **said)
        elif "name" in order:
            entry = lists.phone_in(name=order["name"], **said)
        else:
            raise Invalid("Say who it is: `player` or `name`.", "no-name")
        return _story(request, entry, code=status.HTTP_201_CREATED)


class MyListsView(APIView):
    """Where your name is."""

    tags = ("me", "lists")

    @extend_schema(operation_id="my_lists", summary="Your lists", responses=shapes.ListName(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.ListName(shown.mine(asker(request)), many=True).data)


class ListEntryView(APIView):
    """A name on a list, with what happened to it."""

    tags = ("lists",)

    @extend_schema(
        operation_id="list_entry",
        summary="A name, move by move",
        description="Your own; for the floor everybody's, with who was passed over and why.",
        responses=shapes.ListStory,
    )
    def get(self, request: Request, entry_id: int) -> Response:
        user = asker(request)
        is_staff = access.has_role(user, *lists.ROLES)
        return Response(shapes.ListStory(shown.story(entry_id, user, is_staff=is_staff)).data)


class NextView(APIView):
    """Whose turn it is at a table."""

    tags = ("lists",)
    scope = "direct"

    @extend_schema(
        operation_id="next_for_table",
        summary="Whose a free seat is, and why",
        description="For the floor.",
        responses=shapes.Next,
    )
    def get(self, request: Request, table_id: int) -> Response:
        access.require_role(asker(request), *lists.ROLES)
        choice = lists.next_for(selectors.table(table_id), now=timezone.now())
        return Response(shapes.Next({"next": choice}).data)

    @extend_schema(
        operation_id="call_next",
        summary="Call, or move, the one whose turn it is",
        description="For the floor.",
        request=shapes.ListNextOrder,
        parameters=[keys.PARAMETER],
        responses={200: shapes.ListStory} | refusals(409, 422),
    )
    def post(self, request: Request, table_id: int) -> Response:
        staff = access.require_role(asker(request), *lists.ROLES)
        order = shapes.ListNextOrder.read(request)
        entry = lists.call_next(
            table_id=table_id, by=staff, player_id=order.get("player"), number=order.get("number"),
            key=keys.key_of(request),
        )  # fmt: skip
        return _story(request, entry)


def _answer(request: Request, order: dict[str, Any]) -> dict[str, Any]:
    return {"player": asker(request), "reply": order["reply"]}


def _take(request: Request, order: dict[str, Any]) -> dict[str, Any]:
    return {"player": asker(request), "buy_in": order["buy_in"]}


def _leave(request: Request, order: dict[str, Any]) -> dict[str, Any]:
    return {"by": asker(request), "reason": order.get("reason", "")}


def _called(request: Request, order: dict[str, Any]) -> dict[str, Any]:
    return _by_staff(request) | {
        "table_id": order.get("table"), "number": order.get("number"), "reason": order.get("reason", ""),
    }  # fmt: skip


def _seated(request: Request, order: dict[str, Any]) -> dict[str, Any]:
    return _called(request, order) | {"buy_in": order.get("buy_in", 0), "count": order.get("count")}


def _passed(request: Request, order: dict[str, Any]) -> dict[str, Any]:
    return _by_staff(request) | {"reason": order["reason"], "to": order.get("to", "bottom")}


def _transferred(request: Request, order: dict[str, Any]) -> dict[str, Any]:
    return {"by": asker(request), "offer_id": order["offer"]}


def _is_own(request: Request, entry_id: int) -> bool:
    return ListEntry.objects.filter(pk=entry_id, player=asker(request)).exists()


def _by_staff(request: Request) -> dict[str, Any]:
    return {"by": access.require_role(asker(request), *lists.ROLES)}


def _verb(
    name: str,
    verb: Callable[..., ListEntry],
    summary: str,
    order: type[Order],
    said: Callable[[Request, dict[str, Any]], dict[str, Any]],
    *,
    scope: str = "play",
) -> Any:
    """A view for something that is done with a name: POST, and the name with its moves is the answer."""

    @extend_schema(
        operation_id=f"list_{name.replace('-', '_')}",
        summary=summary,
        request=order,
        parameters=[keys.PARAMETER],
        responses={200: shapes.ListStory} | refusals(409, 422),
    )
    def post(self: APIView, request: Request, entry_id: int) -> Response:
        what = said(request, order.read(request))
        if access.has_role(asker(request), *lists.ROLES) and not _is_own(request, entry_id):
            require_scope(request, "direct")  # the floor's work, whatever they may do with their own name
        return _story(request, verb(entry_id=entry_id, key=keys.key_of(request), **what))

    title = "".join(word.capitalize() for word in name.split("-"))
    return type(
        f"List{title}View", (APIView,), {"__doc__": f"{summary}.", "tags": ("lists",), "scope": scope, "post": post}
    )


VERBS = {
    "answer": _verb("answer", lists.answer, "Answer a call", shapes.ListAnswerOrder, _answer),
    "take-seat": _verb("take-seat", lists.take_seat, "Sit down where you are called", shapes.ListTakeOrder, _take),
    "leave": _verb("leave", lists.leave, "Take a name off: yours, or as the floor", shapes.ListOffOrder, _leave),
    "transfer": _verb("transfer", lists.transfer, "To another game's list", shapes.ListTransferOrder, _transferred),
    "call": _verb("call", lists.call, "Call this name (the floor)", shapes.ListCallOrder, _called, scope="direct"),
    "seat": _verb("seat", lists.seat, "Seat a player (the floor)", shapes.ListSeatOrder, _seated, scope="direct"),
    "pass-over": _verb(
        "pass-over", lists.pass_over, "Pass a name over (the floor)", shapes.ListPassOrder, _passed, scope="direct"
    ),
}


def _story(request: Request, entry: ListEntry, *, code: int = status.HTTP_200_OK) -> Response:
    user = asker(request)
    is_staff = access.has_role(user, *lists.ROLES)
    return Response(shapes.ListStory(shown.story(entry.pk, user, is_staff=is_staff)).data, status=code)
