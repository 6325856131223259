"""The chat of the lobby: said, told to the whole room, hidden, silenced; and its log."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import ChatLine
from cardroom.services import accounts, chat
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Order, Query, Text
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals

_REASON = {"min_length": 3, "max_length": 300}


class Line(serializers.Serializer[Any]):
    """One line of the chat."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    author = serializers.CharField(source="author.username")
    is_staffs = serializers.BooleanField(help_text="Whether its author was staff when they said it.")
    kind = serializers.ChoiceField(ChatLine.Kind.choices, help_text="announced: told to the whole room by the floor.")
    text = serializers.CharField()


class LoggedLine(Line):
    """One line as the log has it."""

    hidden_at = serializers.DateTimeField(allow_null=True)
    hidden_by = serializers.CharField(source="hidden_by.username", default=None, allow_null=True)
    hidden_why = serializers.CharField()


class Silence(serializers.Serializer[Any]):
    """The player may not speak in the lobby."""

    player = serializers.IntegerField(source="player_id")
    since = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True, help_text="null: until it is lifted.")
    reason = serializers.CharField()
    by = serializers.CharField(source="by.username")


class ChatOrder(Order):
    text = Text(min_length=1, max_length=chat.LONGEST)


class HideOrder(Order):
    reason = Text(**_REASON)


class SilenceOrder(Order):
    reason = Text(**_REASON)
    until = serializers.DateTimeField(required=False, allow_null=True, help_text="By the floor a day at most.")


class LogQuery(Query):
    who = serializers.CharField(required=False, max_length=60, help_text="A screen name.")
    words = serializers.CharField(required=False, max_length=60)
    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)


class ChatView(APIView):
    """What is said in the lobby."""

    tags = ("chat",)
    pagination_class = NewestFirst

    @extend_schema(operation_id="chat", summary="The chat", responses={200: Line(many=True)} | refusals(404))
    def get(self, request: Request) -> Response:
        asker(request)

        def rows(before: int | None, limit: int) -> list[ChatLine]:
            return chat.newest(before=before, limit=limit)

        found, later = NewestFirst().page(request, rows, number=lambda line: line.pk)
        return Response({"next": later, "results": Line(found, many=True).data})

    @extend_schema(
        operation_id="say",
        summary="Say something",
        description="At most 5 lines in 10 seconds and 30 in 10 minutes.",
        request=ChatOrder,
        parameters=[keys.PARAMETER],
        responses={201: Line} | refusals(404, 409),
    )
    def post(self, request: Request) -> Response:
        order, key = ChatOrder.read(request), keys.key_of(request)
        line = chat.say(by=asker(request), key=key, **order)
        return Response(Line(line).data, status=status.HTTP_201_CREATED)


class AnnouncementsView(APIView):
    tags = ("chat",)
    scope = "direct"

    @extend_schema(
        operation_id="announce_to_room",
        summary="Tell the whole room",
        description="By the floor or a manager; it stands above the lobby for twelve hours.",
        request=ChatOrder,
        parameters=[keys.PARAMETER],
        responses={201: Line} | refusals(409),
    )
    def post(self, request: Request) -> Response:
        order, key = ChatOrder.read(request), keys.key_of(request)
        line = chat.announce(by=asker(request), key=key, **order)
        return Response(Line(line).data, status=status.HTTP_201_CREATED)


class HideView(APIView):
    tags = ("chat",)
    scope = "direct"

    @extend_schema(
        operation_id="hide_line",
        summary="Hide a line",
        description="By the floor or a manager; the log keeps it. Once more changes nothing.",
        request=HideOrder,
        responses=LoggedLine,
    )
    def post(self, request: Request, line_id: int) -> Response:
        line = chat.hide(line_id=line_id, by=asker(request), **HideOrder.read(request))
        return Response(LoggedLine(line).data)


class SilenceView(APIView):
    tags = ("chat",)
    scope = "direct"

    @extend_schema(
        operation_id="silence",
        summary="Silence a player",
        description="By the floor for a day at most, by a manager. In place of what was said before.",
        request=SilenceOrder,
        responses=Silence,
    )
    def put(self, request: Request, player_id: int) -> Response:
        by, order = asker(request), SilenceOrder.read(request)
        made = chat.silence(player=accounts.one(player_id), by=by, **order)
        return Response(Silence(made).data)

    @extend_schema(operation_id="unsilence", summary="Let a player speak again", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        chat.unsilence(player=accounts.one(player_id), by=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ChatLogView(APIView):
    """All that was said, for managers and auditors."""

    tags = ("chat",)
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="chat_log", summary="The log of the chat", parameters=[LogQuery], responses=LoggedLine(many=True)
    )
    def get(self, request: Request) -> Response:
        found = chat.log(by=asker(request), **LogQuery.read(request))

        def rows(before: int | None, limit: int) -> list[ChatLine]:
            return list((found.filter(pk__lt=before) if before is not None else found)[:limit])

        lines, later = NewestFirst().page(request, rows, number=lambda line: line.pk)
        return Response({"next": later, "results": LoggedLine(lines, many=True).data})
