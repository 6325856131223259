"""Private tables: who is invited, and the password that invites."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access
from cardroom.web.api.access import asker
from cardroom.web.api.schema import refusals
from games.selectors import offers as select
from games.services import private
from games.web.api import offer_serializers as shapes
from games.web.api import offer_tables


class PrivacyView(APIView):
    """Who may sit at a table."""

    tags = ("private tables",)
    scope = "direct"

    @extend_schema(
        operation_id="make_private",
        summary="Make a table private, or open to everybody",
        description="For the floor and managers. Who sits there stays, and is invited.",
        request=shapes.PrivacyOrder,
        responses={200: shapes.RoomTable} | refusals(422),
    )
    def put(self, request: Request, table_id: int) -> Response:
        order = shapes.PrivacyOrder.read(request)
        private.make_private(table_id=table_id, by=asker(request), **order)
        return Response(offer_tables.told(table_id))


class InvitationsView(APIView):
    """Who may sit at a private table."""

    tags = ("private tables",)
    scope = "direct"

    @extend_schema(
        operation_id="invitations",
        summary="Who is invited",
        description="For the floor and managers.",
        responses=shapes.InvitationView(many=True),
    )
    def get(self, request: Request, table_id: int) -> Response:
        access.require_role(asker(request), *private.ROLES)
        select.room_table(table_id)
        return Response(shapes.InvitationView(select.invitations(table_id), many=True).data)

    @extend_schema(
        operation_id="invite",
        summary="Invite somebody",
        description="For the floor and managers.",
        request=shapes.InviteOrder,
        responses={201: shapes.InvitationView} | refusals(422),
    )
    def post(self, request: Request, table_id: int) -> Response:
        order = shapes.InviteOrder.read(request)
        made = private.invite_named(
            table_id=table_id,
            name=order["player"],
            reason=order.get("reason", ""),
            by=asker(request),
        )
        return Response(shapes.InvitationView(made).data, status=status.HTTP_201_CREATED)


class InvitationView(APIView):
    """One invitation."""

    tags = ("private tables",)
    scope = "direct"

    @extend_schema(
        operation_id="uninvite",
        summary="Take an invitation back",
        description="For the floor and managers. Who sits stays seated.",
        responses={204: None},
    )
    def delete(self, request: Request, table_id: int, player_id: int) -> Response:
        private.uninvite(table_id=table_id, player_id=player_id, by=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class UnlockView(APIView):
    """The password of a private table."""

    tags = ("private tables",)

    @extend_schema(
        operation_id="unlock_table",
        summary="Give the password of a private table",
        description="From then on you are invited. After five wrong ones within fifteen minutes it takes none: 429.",
        request=shapes.PasswordOrder,
        responses={200: shapes.InvitationView} | refusals(422),
    )
    def post(self, request: Request, table_id: int) -> Response:
        password = shapes.PasswordOrder.read(request)["password"]
        made = private.unlock(table_id=table_id, player=asker(request), password=password)
        return Response(shapes.InvitationView(made).data)
