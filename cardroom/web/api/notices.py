"""What a person was told, about their events and by the room, and that they have seen it."""

from functools import partial
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import notices
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Query
from cardroom.web.api.paging import NewestFirst


class Notice(serializers.Serializer[Any]):
    """Something you were told."""

    id = serializers.IntegerField(source="pk")
    tournament = serializers.IntegerField(source="tournament_id", allow_null=True, help_text="null: about the room.")
    kind = serializers.CharField()
    text = serializers.CharField()
    data = serializers.DictField()
    at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)


class NoticeQuery(Query):
    about = serializers.ChoiceField(notices.ABOUT, required=False, help_text="Events alone, or the room alone.")


class NoticesView(APIView):
    """What you were told, newest first."""

    tags = ("me",)
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="my_notices",
        summary="What you were told",
        parameters=[NoticeQuery],
        responses=Notice(many=True),
    )
    def get(self, request: Request) -> Response:
        return _page(request, **NoticeQuery.read(request))


class ReadNoticeView(APIView):
    """A notice that you have seen."""

    tags = ("me",)

    @extend_schema(
        operation_id="read_notice",
        summary="You have seen it: do not tell it again",
        request=None,
        parameters=[keys.PARAMETER],
        responses={204: None},
    )
    def post(self, request: Request, notice_id: int) -> Response:
        keys.key_of(request)
        notices.read(player=asker(request), notice_id=notice_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MessagesView(APIView):
    """What the room told you: `me/notices?about=room` by its older address."""

    tags = ("me",)
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="my_messages",
        summary="What the room told you",
        description="Ask `me/notices?about=room` instead.",
        deprecated=True,
        responses=Notice(many=True),
    )
    def get(self, request: Request) -> Response:
        return _page(request, about="room")


class ReadMessageView(APIView):
    """A notice that you have seen, by its older address."""

    tags = ("me",)

    @extend_schema(
        operation_id="read_message",
        summary="Put away what the room told you",
        description="Say it at `me/notices/<id>/read` instead.",
        deprecated=True,
        request=None,
        responses=Notice,
    )
    def post(self, request: Request, notice_id: int) -> Response:
        return Response(Notice(notices.read(player=asker(request), notice_id=notice_id)).data)


def _page(request: Request, *, about: str = "") -> Response:
    rows = partial(_newest, asker(request), about)
    found, later = NewestFirst().page(request, rows, number=lambda told: told.pk)
    return Response({"next": later, "results": Notice(found, many=True).data})


def _newest(player: Any, about: str, before: int | None, limit: int) -> list[Any]:
    return notices.newest(player, about=about, before=before, limit=limit)
