"""The account of the one who asks: profile and wallet, statement, tokens."""

from functools import partial

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import ApiToken, User
from cardroom.services import access, people, selectors, tokens
from cardroom.services.errors import Forbidden
from cardroom.web.api import keys, serializers
from cardroom.web.api.access import asker
from cardroom.web.api.auth import Password, RoomSession, RoomToken
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals


class MeView(APIView):
    """Your profile and your wallet."""

    tags = ("me",)

    @extend_schema(operation_id="me", summary="Who you are", responses=serializers.Me)
    def get(self, request: Request) -> Response:
        return _told(asker(request))

    @extend_schema(
        operation_id="prefer", summary="Say what you like", request=serializers.MeOrder, responses=serializers.Me
    )
    def patch(self, request: Request) -> Response:
        user = asker(request)
        people.prefer(user=user, **serializers.MeOrder.read(request))
        return _told(user)


class TransfersView(APIView):
    """Every movement of your wallet, newest first."""

    tags = ("me",)
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="my_transfers", summary="Your statement", responses=serializers.StatementLine(many=True)
    )
    def get(self, request: Request) -> Response:
        rows = partial(_statement, asker(request))
        lines, later = NewestFirst().page(request, rows, number=lambda line: line.entry)
        return Response({"next": later, "results": serializers.StatementLine(lines, many=True).data})


class _TokensView(APIView):
    """Tokens are made by a person, in a session or by name and password: one that leaks cannot make its successor."""

    tags = ("tokens",)
    authentication_classes = [RoomToken, RoomSession, Password]


class TokensView(_TokensView):
    """Your tokens."""

    @extend_schema(operation_id="tokens", summary="Your tokens", responses=serializers.Token(many=True))
    def get(self, request: Request) -> Response:
        found = selectors.tokens_of(asker(request), now=timezone.now())
        return Response(serializers.Token(found, many=True).data)

    @extend_schema(
        operation_id="make_token",
        summary="Make a token",
        description="By session or by name and password, not by another token. The secret is in the answer, this once.",
        request=serializers.TokenOrder,
        parameters=[keys.PARAMETER],
        responses={201: serializers.NewToken, 200: serializers.NewToken} | refusals(409),
    )
    def post(self, request: Request) -> Response:
        if request.auth is not None:
            raise Forbidden("A token makes no tokens: use your session, or name and password.", "no-token-by-token")
        order = serializers.TokenOrder.read(request)
        token, secret = tokens.issue(user=asker(request), key=keys.key_of(request), **order)
        answer = serializers.Token(token).data | {"token": secret}
        return Response(answer, status=status.HTTP_201_CREATED if secret else status.HTTP_200_OK)


class TokenView(_TokensView):
    """One of your tokens."""

    @extend_schema(
        operation_id="revoke_token",
        summary="Revoke a token",
        description="Good for nothing from now on. A token may revoke itself, and no other.",
        responses={204: None},
    )
    def delete(self, request: Request, token_id: int) -> Response:
        by = request.auth
        if isinstance(by, ApiToken) and by.pk != token_id:
            raise Forbidden("A token revokes itself and no other.", "not-this-token")
        tokens.revoke(user=asker(request), token_id=token_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _told(user: User) -> Response:
    me = {
        "id": user.pk,
        "name": user.username,
        "four_colour": user.four_colour,
        "wants_mail": user.wants_mail,
        "time_zone": user.time_zone,
        "roles": sorted(access.roles_of(user)),
        "wallet": {"unit": "cash", "balance": selectors.wallet_balance(user)},
    }
    return Response(serializers.Me(me).data)


def _statement(user: User, before: int | None, limit: int) -> list[selectors.StatementLine]:
    return selectors.statement(user, limit=limit, before=before)
