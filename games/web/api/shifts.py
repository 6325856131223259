"""Shifts and dealers for programs."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access, accounts
from cardroom.services.errors import NotFound
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Order, Text, WholeNumber
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals
from games.models import Down, Shift
from games.selectors import dealers as selected
from games.services import downs, shifts

READERS = ("dealer", "floor", "manager", "auditor")


class ShiftOut(serializers.Serializer[Any]):
    """A shift of the room."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    is_open = serializers.BooleanField()
    opened_at = serializers.DateTimeField()
    opened_by = serializers.CharField(source="opened_by.username")
    closed_at = serializers.DateTimeField(allow_null=True)
    closed_by = serializers.CharField(source="closed_by.username", allow_null=True, default=None)
    found = serializers.DictField(child=serializers.IntegerField(), help_text="What was open when it was closed.")
    remark = serializers.CharField()
    handed_to = serializers.CharField(
        source="handed_to.username", allow_null=True, default=None, help_text="Who took over what was open."
    )


class ShiftOrder(Order):
    name = Text(max_length=60)


class CloseOrder(Order):
    remark = Text(max_length=300, required=False, default="", allow_blank=True)
    handed_to = WholeNumber(
        min_value=1, max_value=10**12, required=False, help_text="Who takes over what is open still: of the floor."
    )


class DutyOut(serializers.Serializer[Any]):
    """A dealer on duty."""

    dealer = serializers.IntegerField(source="dealer_id")
    name = serializers.CharField(source="dealer.username")
    since = serializers.DateTimeField()
    free_at = serializers.DateTimeField(help_text="Since when they wait: their place in the rotation.")
    break_until = serializers.DateTimeField(allow_null=True)


class DownOut(serializers.Serializer[Any]):
    """A dealer's time at one table."""

    id = serializers.IntegerField()
    dealer = serializers.IntegerField(source="dealer_id")
    name = serializers.CharField(source="dealer.username")
    table = serializers.IntegerField(source="table_id", allow_null=True, help_text="null: a table of an event.")
    where = serializers.CharField()
    since = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(help_text="When they are to be pushed out.")
    minutes = serializers.IntegerField(allow_null=True)


class PushOut(serializers.Serializer[Any]):
    """A table that has a dealer, or wants one; `next`: whose turn it is."""

    where = serializers.CharField()
    table = serializers.IntegerField(allow_null=True)
    down = DownOut(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True, help_text="null: it has no dealer.")
    is_due = serializers.BooleanField()
    next = DutyOut(allow_null=True)


class RotationOut(serializers.Serializer[Any]):
    """Who deals where, who is next, and who has a break."""

    pushes = PushOut(many=True)
    waiting = DutyOut(many=True)
    breaks = DutyOut(many=True)


class DealerClockOrder(Order):
    table = WholeNumber(min_value=1, max_value=10**12, required=False, help_text="clock-in: at this table.")
    place = Text(max_length=80, required=False, default="", allow_blank=True, help_text="Or at a table of an event.")
    minutes = WholeNumber(min_value=1, max_value=240, required=False, help_text="Of the down, or of the break.")


class ShiftsView(APIView):
    """Shifts, newest first."""

    tags = ("shifts",)
    scope = "direct"
    pagination_class = NewestFirst

    @extend_schema(operation_id="shifts", summary="Shifts", responses=ShiftOut(many=True))
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), *READERS)

        def page(before: int | None, limit: int) -> list[Shift]:
            return list(selected.shifts(before=before)[:limit])

        rows, later = NewestFirst().page(request, page, number=lambda row: row.pk)
        return Response({"next": later, "results": ShiftOut(rows, many=True).data})

    @extend_schema(
        operation_id="open_shift",
        summary="Open a shift",
        request=ShiftOrder,
        parameters=[keys.PARAMETER],
        responses={201: ShiftOut} | refusals(409, 422),
    )
    def post(self, request: Request) -> Response:
        by = access.require_role(asker(request), *shifts.ROLES)
        order = ShiftOrder.read(request)
        made = shifts.open_(by=by, key=keys.key_of(request), **order)
        return Response(ShiftOut(made).data, status=status.HTTP_201_CREATED)


class ShiftCloseView(APIView):
    """The end of a shift."""

    tags = ("shifts",)
    scope = "direct"

    @extend_schema(
        operation_id="close_shift",
        summary="Close a shift",
        request=CloseOrder,
        parameters=[keys.PARAMETER],
        responses={200: ShiftOut} | refusals(404, 409, 422),
    )
    def post(self, request: Request, shift_id: int) -> Response:
        by = access.require_role(asker(request), *shifts.ROLES)
        order = CloseOrder.read(request)
        if "handed_to" in order:
            order["handed_to"] = accounts.one(order["handed_to"])
        closed = shifts.close(shift_id=shift_id, by=by, key=keys.key_of(request), **order)
        return Response(ShiftOut(closed).data)


class DealersView(APIView):
    """The dealers' rotation."""

    tags = ("shifts",)
    scope = "direct"

    @extend_schema(operation_id="dealers", summary="Who deals where, and who is next", responses=RotationOut)
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), *READERS)
        return Response(RotationOut(selected.rotation(now=timezone.now())).data)


class DownsView(APIView):
    """Downs, newest first."""

    tags = ("shifts",)
    scope = "direct"
    pagination_class = NewestFirst

    @extend_schema(operation_id="downs", summary="Downs", responses=DownOut(many=True))
    def get(self, request: Request) -> Response:
        access.require_role(asker(request), *READERS)

        def page(before: int | None, limit: int) -> list[Down]:
            return list(selected.downs(before=before)[:limit])

        rows, later = NewestFirst().page(request, page, number=lambda row: row.pk)
        return Response({"next": later, "results": DownOut(rows, many=True).data})


class ClockView(APIView):
    """What is done with a dealer's clock."""

    tags = ("shifts",)
    scope = "direct"

    @extend_schema(
        operation_id="dealer_clock",
        summary="A dealer's clock: clock-in, start, clock-out, break, back, home",
        description="A dealer does it for themselves, the floor and managers for all. Answers with the rotation.",
        request=DealerClockOrder,
        parameters=[keys.PARAMETER],
        responses={200: RotationOut} | refusals(404, 409, 422),
    )
    def post(self, request: Request, dealer_id: int, verb: str) -> Response:
        by = access.require_role(asker(request), "dealer", *downs.STAFF)
        order = DealerClockOrder.read(request)
        common: dict[str, Any] = {
            "dealer": by if by.pk == dealer_id else downs.dealer(dealer_id),
            "by": by,
            "key": keys.key_of(request),
        }
        more = {"minutes": order["minutes"]} if "minutes" in order else {}
        if verb == "clock-in":
            downs.clock_in(table_id=order.get("table"), place=order["place"], **more, **common)
        elif verb == "break":
            downs.take_break(**more, **common)
        elif verb in _PLAIN:
            _PLAIN[verb](**common)
        else:
            raise NotFound("There is no such thing to do with a dealer's clock.", "no-such-verb")
        return Response(RotationOut(selected.rotation(now=timezone.now())).data)


_PLAIN = {"start": downs.start, "clock-out": downs.clock_out, "back": downs.back, "home": downs.home}
