"""What is one's own: events entered."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api.access import asker
from tournaments.selectors import tournaments
from tournaments.web.api import serializers


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
