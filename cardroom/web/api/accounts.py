"""Accounts, connections and the blacklist, for managers and the floor."""

from functools import partial
from typing import Any
from uuid import uuid4

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import Approval, Blocked, Transfer, User
from cardroom.services import access, accounts, blacklist, messages, roles, selectors, sessions
from cardroom.services.errors import NotFound
from cardroom.web.api import keys
from cardroom.web.api import player_serializers as shapes
from cardroom.web.api.access import asker
from cardroom.web.api.cage_serializers import ApprovalOut
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals


class _Managers(APIView):
    tags = ("accounts",)
    scope = "manage"

    def manager(self, request: Request) -> User:
        return access.require_role(asker(request), "manager")


class AccountsView(_Managers):
    pagination_class = NewestFirst

    @extend_schema(operation_id="accounts", summary="Accounts", responses=shapes.Account(many=True))
    def get(self, request: Request) -> Response:
        self.manager(request)
        return _paged(request, accounts.listed(), shapes.Account)

    @extend_schema(
        operation_id="open_account",
        summary="Open an account",
        request=shapes.AccountOrder,
        responses={201: shapes.Account} | refusals(409),
    )
    def post(self, request: Request) -> Response:
        by, order = self.manager(request), shapes.AccountOrder.read(request)
        made = accounts.open_one(by=by, **order)
        return Response(shapes.Account(made).data, status=status.HTTP_201_CREATED)


class AccountView(_Managers):
    @extend_schema(operation_id="account", summary="One account", responses=shapes.Account)
    def get(self, request: Request, user_id: int) -> Response:
        self.manager(request)
        return _account(user_id)

    @extend_schema(
        operation_id="edit_account",
        summary="Change an account",
        request=shapes.AccountChange,
        responses={200: shapes.Account} | refusals(409),
    )
    def patch(self, request: Request, user_id: int) -> Response:
        by, order = self.manager(request), shapes.AccountChange.read(request)
        if "name" in order:
            order["username"] = order.pop("name")
        accounts.edit(user=accounts.one(user_id), by=by, **order)
        return _account(user_id)


class CloseView(_Managers):
    @extend_schema(
        operation_id="close_account",
        summary="Close an account",
        description="Nothing is lost: chips and history stay, and it can be opened again.",
        request=shapes.AccountReason,
        responses={200: shapes.Account} | refusals(409),
    )
    def post(self, request: Request, user_id: int) -> Response:
        by, order = self.manager(request), shapes.AccountReason.read(request)
        accounts.close(user=accounts.one(user_id), by=by, **order)
        return _account(user_id)


class ReopenView(_Managers):
    @extend_schema(
        operation_id="reopen_account",
        summary="Open a closed account again",
        request=shapes.AccountReason,
        responses=shapes.Account,
    )
    def post(self, request: Request, user_id: int) -> Response:
        by, order = self.manager(request), shapes.AccountReason.read(request)
        accounts.reopen(user=accounts.one(user_id), by=by, **order)
        return _account(user_id)


class PasswordView(_Managers):
    @extend_schema(
        operation_id="set_password",
        summary="Give a new password",
        description="Ends every session and key of the account.",
        request=shapes.NewPasswordOrder,
        responses={204: None},
    )
    def put(self, request: Request, user_id: int) -> Response:
        by, order = self.manager(request), shapes.NewPasswordOrder.read(request)
        accounts.set_password(user=accounts.one(user_id), by=by, **order)
        return Response(status=status.HTTP_204_NO_CONTENT)


class RoleView(_Managers):
    @extend_schema(
        operation_id="give_role",
        summary="Give a role",
        description="`manager`, and `auditor`, to whom sealed cards are opened, once another manager approves (202).",
        request=None,
        responses={200: shapes.Account, 202: ApprovalOut} | refusals(400),
    )
    def put(self, request: Request, user_id: int, role: str) -> Response:
        by = self.manager(request)
        waits = roles.give(user=accounts.one(user_id), role=_role(role), by=by)
        if waits is not None:
            return Response(ApprovalOut(waits).data, status=status.HTTP_202_ACCEPTED)
        return _account(user_id)

    @extend_schema(operation_id="take_role", summary="Take a role", responses={200: shapes.Account} | refusals(409))
    def delete(self, request: Request, user_id: int, role: str) -> Response:
        by = self.manager(request)
        roles.take(user=accounts.one(user_id), role=_role(role), by=by)
        return _account(user_id)


class AdjustView(_Managers):
    @extend_schema(
        operation_id="adjust_balance",
        summary="Put chips right",
        description="Into a wallet, or out of it, for a mistake that no slip of the cage explains. 202 where it is "
        "above what you may put right alone, and waits for a second person.",
        request=shapes.AdjustOrder,
        parameters=[keys.PARAMETER],
        responses={200: shapes.Adjustment, 202: shapes.Adjustment} | refusals(409, 422),
    )
    def post(self, request: Request, user_id: int) -> Response:
        by, order = self.manager(request), shapes.AdjustOrder.read(request)
        amount = -order["amount"] if order["takes"] else order["amount"]
        who, key = accounts.one(user_id), keys.key_of(request) or uuid4().hex
        made = accounts.put_right(user=who, amount=amount, reason=order["reason"], by=by, key=key)
        waits = made if isinstance(made, Approval) else None
        moved = made if isinstance(made, Transfer) else None
        told = {
            "transfer": moved.pk if moved else None,
            "reference": moved.reference if moved else "",
            "wallet": selectors.wallet_balance(who),
            "approval": waits,
        }
        return Response(shapes.Adjustment(told).data, status=status.HTTP_202_ACCEPTED if waits else status.HTTP_200_OK)


class BlacklistView(_Managers):
    tags = ("blacklist",)
    pagination_class = NewestFirst

    @extend_schema(operation_id="blacklist", summary="The blacklist", responses=shapes.BlockedLine(many=True))
    def get(self, request: Request) -> Response:
        self.manager(request)
        return _paged(request, blacklist.on_the_list(now=timezone.now()), shapes.BlockedLine)

    @extend_schema(
        operation_id="block",
        summary="Put a line on the blacklist",
        request=shapes.BlockedOrder,
        responses={201: shapes.BlockedLine} | refusals(409),
    )
    def post(self, request: Request) -> Response:
        by, order = self.manager(request), shapes.BlockedOrder.read(request)
        line = blacklist.add(by=by, **order)
        return _line(line, status.HTTP_201_CREATED)


class BlacklistLineView(_Managers):
    tags = ("blacklist",)

    @extend_schema(operation_id="blacklist_line", summary="One line", responses=shapes.BlockedLine)
    def get(self, request: Request, line_id: int) -> Response:
        self.manager(request)
        return _line(blacklist.one(line_id))

    @extend_schema(
        operation_id="edit_blacklist_line",
        summary="Change why, and until when",
        request=shapes.BlockedChange,
        responses=shapes.BlockedLine,
    )
    def patch(self, request: Request, line_id: int) -> Response:
        by, order = self.manager(request), shapes.BlockedChange.read(request)
        return _line(blacklist.edit(line_id=line_id, by=by, **order))

    @extend_schema(operation_id="unblock", summary="Take a line off the blacklist", responses={204: None})
    def delete(self, request: Request, line_id: int) -> Response:
        blacklist.remove(line_id=line_id, by=self.manager(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class _Floor(APIView):
    tags = ("connections",)
    scope = "direct"

    def floor(self, request: Request) -> User:
        return access.require_role(asker(request), *sessions.STAFF)


class ConnectionsView(_Floor):
    @extend_schema(operation_id="connections", summary="Who is connected", responses=shapes.Connection(many=True))
    def get(self, request: Request) -> Response:
        self.floor(request)
        return Response(shapes.Connection(sessions.open_now(now=timezone.now())[:2000], many=True).data)


class ConnectionView(_Floor):
    @extend_schema(operation_id="connection", summary="One connection", responses=shapes.Connection)
    def get(self, request: Request, handle: str) -> Response:
        by = self.floor(request)
        return Response(shapes.Connection(sessions.one(handle=handle, by=by, now=timezone.now())).data)


class MessageView(_Floor):
    @extend_schema(
        operation_id="message_connection",
        summary="Tell somebody something",
        description="On every page they have open.",
        request=shapes.WordOrder,
        parameters=[keys.PARAMETER],
        responses={204: None} | refusals(409),
    )
    def post(self, request: Request, handle: str) -> Response:
        by, order = self.floor(request), shapes.WordOrder.read(request)
        player = sessions.whose(handle=handle, by=by, now=timezone.now())
        messages.say(player=player, by=by, key=keys.key_of(request), **order)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TerminateView(_Floor):
    @extend_schema(
        operation_id="terminate_connection",
        summary="Log somebody out there",
        request=shapes.AccountReason,
        responses={204: None},
    )
    def post(self, request: Request, handle: str) -> Response:
        by, order = self.floor(request), shapes.AccountReason.read(request)
        sessions.terminate(handle=handle, by=by, **order)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _paged(request: Request, found: QuerySet[Any], shape: Any) -> Response:
    rows = partial(_rows, found.order_by("-pk"))
    lines, later = NewestFirst().page(request, rows, number=lambda row: row.pk)
    return Response({"next": later, "results": shape(lines, many=True).data})


def _rows(found: QuerySet[Any], before: int | None, limit: int) -> list[User | Blocked]:
    return list((found.filter(pk__lt=before) if before is not None else found)[:limit])


def _account(user_id: int) -> Response:
    return Response(shapes.Account(accounts.one(user_id)).data)


def _line(line: Blocked, code: int = status.HTTP_200_OK) -> Response:
    return Response(shapes.BlockedLine(line).data, status=code)


def _role(role: str) -> str:
    if role not in access.ROLES:
        raise NotFound(f"There is no role {role!r}. The roles are {', '.join(access.ROLES)}.", "no-such-role")
    return role
