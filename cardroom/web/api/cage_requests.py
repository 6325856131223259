"""Approvals, and what players ask the cage for, for programs."""

from functools import partial

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import Approval, CashierRequest
from cardroom.services import access, approvals
from cardroom.services.cage import looking, requests
from cardroom.web.api import cage_serializers as shapes
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.cage import CageView, staff
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals


class _ApprovalsView(APIView):
    tags = ("approvals",)
    scope = "manage"


class ApprovalsView(_ApprovalsView):
    """What second persons decide, newest first."""

    pagination_class = NewestFirst

    @extend_schema(operation_id="approvals", summary="Approvals", responses=shapes.ApprovalOut(many=True))
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), "cashier", "floor", "manager", "auditor")
        rows, later = NewestFirst().page(request, partial(_approvals), number=lambda row: row.pk)
        return Response({"next": later, "results": shapes.ApprovalOut(rows, many=True).data})


class DecisionView(_ApprovalsView):
    """The decision of a second person."""

    @extend_schema(
        operation_id="decide",
        summary="Approve or refuse",
        description="What is approved is done at once. Refusing needs a reason.",
        request=shapes.DecisionOrder,
        responses={200: shapes.ApprovalOut} | refusals(409, 422),
    )
    def post(self, request: Request, approval_id: int) -> Response:
        order = shapes.DecisionOrder.read(request)
        row = approvals.decide(approval_id=approval_id, by=asker(request), **order)
        return Response(shapes.ApprovalOut(row).data)


class ApprovalView(_ApprovalsView):
    """One approval."""

    scope = "cage"

    @extend_schema(
        operation_id="take_back_approval",
        summary="Take back what you asked for",
        responses={204: None} | refusals(409),
    )
    def delete(self, request: Request, approval_id: int) -> Response:
        access.require_role(asker(request), "cashier", "floor", "manager")
        approvals.take_back(approval_id=approval_id, by=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class WaitingRequestsView(CageView):
    """What players wait for."""

    @extend_schema(
        operation_id="cashier_requests", summary="What players ask for", responses=shapes.CashierRequestOut(many=True)
    )
    def get(self, request: Request) -> Response:
        staff(request, reads=True)
        return Response(shapes.CashierRequestOut(requests.waiting(), many=True).data)


class FulfilView(CageView):
    """Do what a player asks for."""

    @extend_schema(
        operation_id="fulfil_request",
        summary="Do it",
        request=shapes.FulfilOrder,
        responses={200: shapes.CashierRequestDone, 202: shapes.CashierRequestDone} | refusals(409, 422),
    )
    def post(self, request: Request, request_id: int) -> Response:
        by, order = staff(request), shapes.FulfilOrder.read(request)
        made = requests.fulfil(request_id=request_id, by=by, **order)
        if isinstance(made, Approval):
            row = CashierRequest.objects.select_related("player").get(pk=request_id)
            body = {"request": shapes.CashierRequestOut(row).data, "approval": shapes.ApprovalOut(made).data}
            return Response(body, status=status.HTTP_202_ACCEPTED)
        return Response({"request": shapes.CashierRequestOut(made).data, "approval": None})


class RefuseView(CageView):
    """Say why not."""

    @extend_schema(
        operation_id="refuse_request",
        summary="Refuse it",
        request=shapes.CageReasonOrder,
        responses={200: shapes.CashierRequestOut} | refusals(409),
    )
    def post(self, request: Request, request_id: int) -> Response:
        by, order = staff(request), shapes.CageReasonOrder.read(request)
        row = requests.refuse(request_id=request_id, by=by, **order)
        return Response(shapes.CashierRequestOut(row).data)


class MyCashierView(APIView):
    """You and the cage: what you have, owe, and asked for."""

    tags = ("me",)

    @extend_schema(operation_id="my_cashier", summary="What you have and owe", responses=shapes.StandingOut)
    def get(self, request: Request) -> Response:
        return Response(shapes.StandingOut(looking.of_player(asker(request), now=timezone.now())).data)


class MyRequestsView(APIView):
    """What you asked the cage for."""

    tags = ("me",)

    @extend_schema(
        operation_id="my_cashier_requests", summary="Your requests", responses=shapes.CashierRequestOut(many=True)
    )
    def get(self, request: Request) -> Response:
        return Response(shapes.CashierRequestOut(looking.requests_of(asker(request)), many=True).data)

    @extend_schema(
        operation_id="ask_cashier",
        summary="Ask for a deposit or a withdrawal",
        request=shapes.CashierRequestOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.CashierRequestOut} | refusals(409, 422),
    )
    def post(self, request: Request) -> Response:
        order = shapes.CashierRequestOrder.read(request)
        row = requests.make(player=asker(request), key=keys.key_of(request), **order)
        return Response(shapes.CashierRequestOut(row).data, status=status.HTTP_201_CREATED)


class MyRequestView(APIView):
    """One of them."""

    tags = ("me",)

    @extend_schema(operation_id="take_back_request", summary="Take it back", responses={204: None} | refusals(409))
    def delete(self, request: Request, request_id: int) -> Response:
        requests.take_back(request_id=request_id, player=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _approvals(before: int | None, limit: int) -> list[Approval]:
    rows = Approval.objects.select_related("asked_by", "decided_by", "player").order_by("-pk")
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])
