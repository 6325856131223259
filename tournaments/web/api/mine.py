"""What is one's own: events entered, and what one is told about them."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.paging import NewestFirst
from tournaments.models import Notice
from tournaments.selectors import tournaments
from tournaments.services import notices
from tournaments.web.api import plan_serializers, serializers


class MyTournamentsView(APIView):
    """Events that you have an entry in."""

    tags = ("me",)

    @extend_schema(
        operation_id="my_tournaments",
        summary="Your events that are not over, the next one first",
        responses=serializers.TournamentRow(many=True),
    )
    def get(self, request: Request) -> Response:
        rows = tournaments.of_player(asker(request))
        return Response(serializers.TournamentRow(rows, many=True).data)


class NoticesView(APIView):
    """What you were told, the newest first."""

    tags = ("me",)
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="my_notices",
        summary="What you were told about your events",
        responses=plan_serializers.NoticeRow(many=True),
    )
    def get(self, request: Request) -> Response:
        rows = Notice.objects.filter(player=asker(request)).order_by("-pk")

        def page(before: int | None, limit: int) -> list[Notice]:
            return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])

        found, later = NewestFirst().page(request, page, number=lambda row: row.pk)
        return Response({"next": later, "results": plan_serializers.NoticeRow(found, many=True).data})


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
        notices.read(notice_id=notice_id, player=asker(request), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)
