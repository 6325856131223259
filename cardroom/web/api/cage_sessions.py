"""Sessions of drawers for programs: open, fill, count, close, and their reports."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.models import Approval, DrawerSession
from cardroom.services import cage
from cardroom.services.cage import looking, receipts
from cardroom.services.prints.files import CSV, PDF
from cardroom.web import files
from cardroom.web.api import cage_serializers as shapes
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.cage import CageView, staff
from cardroom.web.api.fields import Order
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals


class SessionsView(CageView):
    """Who was at which drawer, newest first."""

    pagination_class = NewestFirst

    @extend_schema(
        operation_id="drawer_sessions", summary="Sessions of drawers", responses=shapes.DrawerSessionOut(many=True)
    )
    def get(self, request: Request) -> Response:
        by = staff(request, reads=True)
        rows, later = NewestFirst().page(request, partial(_sessions), number=lambda row: row.pk)
        shown = shapes.DrawerSessionOut(rows, many=True, context={"blind": looking.blind_among(by, rows)})
        return Response({"next": later, "results": shown.data})

    @extend_schema(
        operation_id="open_drawer",
        summary="Open a drawer with a count",
        description="201 with the session; 202 with the approval, where the count differs by too much.",
        request=shapes.DrawerOpenOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.DrawerOpenDone, 202: shapes.DrawerOpenDone} | refusals(404, 409, 422),
    )
    def post(self, request: Request) -> Response:
        by, order = staff(request), shapes.DrawerOpenOrder.read(request)
        order["drawer_id"] = order.pop("drawer")
        done = cage.request(verb="open", by=by, key=keys.key_of(request), **order)
        if isinstance(done, Approval):
            body = {"session": None, "approval": shapes.ApprovalOut(done).data}
            return Response(body, status=status.HTTP_202_ACCEPTED)
        return Response(
            {"session": shapes.DrawerSessionOut(done).data, "approval": None}, status=status.HTTP_201_CREATED
        )


class SessionView(CageView):
    """One session with its counts and sums."""

    @extend_schema(operation_id="drawer_session", summary="A session", responses=shapes.DrawerSessionSheet)
    def get(self, request: Request, session_id: int) -> Response:
        by, row = staff(request, reads=True), looking.session(session_id)
        return Response(shapes.DrawerSessionSheet(row, context={"blind": looking.blind_among(by, [row])}).data)


def _deed(does: Any, operation: str, summary: str, order: type[Order], out: Any, *refused: int) -> type[CageView]:
    """A view of something that is done with the drawer one has open."""

    @extend_schema(
        operation_id=operation,
        summary=summary,
        request=order,
        parameters=[keys.PARAMETER],
        responses={201: out} | refusals(*refused),
    )
    def post(self: CageView, request: Request, session_id: int) -> Response:
        by, asked = staff(request), order.read(request)
        made = does(session_id=session_id, by=by, key=keys.key_of(request), **asked)
        return Response(out(made).data, status=status.HTTP_201_CREATED)

    return type("DrawerDeedView", (CageView,), {"__doc__": f"{summary}.", "post": post})


_MONEY = (shapes.DrawerAmountOrder, shapes.SlipOut, 409, 422)
FillView = _deed(cage.fill, "fill_drawer", "Fill your drawer from the vault", *_MONEY)
TakeView = _deed(cage.take, "take_from_drawer", "Take what is too much to the vault", *_MONEY)
CountView = _deed(cage.count, "count_drawer", "Count your drawer", shapes.DrawerCountOrder, shapes.DrawerCountOut, 409)


class CloseView(CageView):
    """The closing count."""

    @extend_schema(
        operation_id="close_drawer",
        summary="Close a drawer with a count",
        description="Your own or, as a manager with a reason, anybody's. The session is `closing` where the count "
        "differs by more than you may answer for alone.",
        request=shapes.DrawerCloseOrder,
        parameters=[keys.PARAMETER],
        responses={200: shapes.DrawerSessionOut} | refusals(404, 409, 422),
    )
    def post(self, request: Request, session_id: int) -> Response:
        by, order = staff(request), shapes.DrawerCloseOrder.read(request)
        row = cage.close_drawer(session_id=session_id, by=by, key=keys.key_of(request), **order)
        return Response(shapes.DrawerSessionOut(row).data)


class SessionReportView(CageView):
    """The report of a drawer, as a file."""

    @extend_schema(
        operation_id="drawer_report",
        summary="The report of a drawer",
        description="Counts are blind: for managers once the drawer is counted, for cashiers where they counted it.",
        responses={
            (200, PDF): OpenApiResponse(OpenApiTypes.BINARY, description="Counts and sums."),
            (200, CSV): OpenApiResponse(OpenApiTypes.STR, description="Every slip."),
        }
        | refusals(404, 409),
    )
    def get(self, request: Request, session_id: int, form: str) -> HttpResponse:
        now = timezone.now()
        return files.answer(receipts.session_report(session_id=session_id, form=form, by=asker(request), now=now))


def _sessions(before: int | None, limit: int) -> list[DrawerSession]:
    return looking.sessions(before=before, limit=limit)
