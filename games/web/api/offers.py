"""Games on offer, drop schedules and sections: seen by everybody, kept by managers."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.schema import refusals
from games.selectors import offers as select
from games.services import offers, schedules, sections
from games.web.api import offer_serializers as shapes
from games.web.api import schedule_serializers as schedule_shapes


class OffersView(APIView):
    """The games on offer, in the order of the house."""

    tags = ("offers",)
    is_public = True
    scope = "manage"

    @extend_schema(
        operation_id="offers",
        summary="The games on offer",
        parameters=[shapes.OfferQuery],
        responses=shapes.OfferView(many=True),
    )
    def get(self, request: Request) -> Response:
        wanted = shapes.OfferQuery.read(request)
        is_physical = wanted.get("is_physical")
        rows = [row.offer for row in select.offers(is_listed=wanted.get("is_listed"))]
        found = [offer for offer in rows if is_physical in (None, offer.is_physical)]
        return Response(shapes.OfferView(found, many=True).data)

    @extend_schema(
        operation_id="create_offer",
        summary="Put a game on offer",
        description="For managers.",
        request=shapes.OfferOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.OfferView} | refusals(404, 409),
    )
    def post(self, request: Request) -> Response:
        terms = shapes.OfferOrder.read(request)
        made = offers.create(by=asker(request), key=keys.key_of(request), **terms)
        return Response(shapes.OfferView(made).data, status=status.HTTP_201_CREATED)


class OfferView(APIView):
    """A game on offer."""

    tags = ("offers",)
    is_public = True
    scope = "manage"

    @extend_schema(operation_id="offer", summary="A game on offer", responses=shapes.OfferView)
    def get(self, request: Request, offer_id: int) -> Response:
        return Response(shapes.OfferView(select.offer(offer_id)).data)

    @extend_schema(
        operation_id="edit_offer",
        summary="Change a game on offer",
        description="For managers. Open tables keep their settings until they take the new ones up.",
        request=shapes.OfferEdit,
        parameters=[keys.PARAMETER],
        responses={200: shapes.OfferView} | refusals(409, 422),
    )
    def patch(self, request: Request, offer_id: int) -> Response:
        changes = shapes.OfferEdit.read(request)
        key = keys.key_of(request)
        made = offers.edit(offer_id=offer_id, by=asker(request), key=key, **changes)
        return Response(shapes.OfferView(made).data)


def _offer_verb(name: str, verb: Any, summary: str) -> Any:
    @extend_schema(
        operation_id=f"{name}_offer",
        summary=summary,
        description="For managers.",
        request=shapes.StaffReason,
        parameters=[keys.PARAMETER],
        responses={200: shapes.OfferView} | refusals(409, 422),
    )
    def post(self: APIView, request: Request, offer_id: int) -> Response:
        order = shapes.StaffReason.read(request)
        made = verb(offer_id=offer_id, by=asker(request), key=keys.key_of(request), **order)
        return Response(shapes.OfferView(made).data)

    fields = {"__doc__": f"{summary}.", "tags": ("offers",), "scope": "manage", "post": post}
    return type(f"{name.capitalize()}OfferView", (APIView,), fields)


OFFER_VERBS = {
    "withdraw": _offer_verb("withdraw", offers.withdraw, "Withdraw a game; its open tables play on"),
    "relist": _offer_verb("relist", offers.relist, "Put a withdrawn game on offer again"),
}


class OfferOrderView(APIView):
    """In which order the games are shown."""

    tags = ("offers",)
    scope = "manage"

    @extend_schema(
        operation_id="order_offers",
        summary="Put the games in order",
        description="For managers.",
        request=shapes.OrderOfThings,
        responses=shapes.OfferView(many=True),
    )
    def put(self, request: Request) -> Response:
        ids = shapes.OrderOfThings.read(request)["ids"]
        made = offers.reorder(offer_ids=ids, by=asker(request))
        return Response(shapes.OfferView(made, many=True).data)


class SchedulesView(APIView):
    """What the house takes, newest first."""

    tags = ("drop schedules",)
    is_public = True
    scope = "manage"

    @extend_schema(
        operation_id="drop_schedules",
        summary="The drop schedules",
        parameters=[schedule_shapes.ScheduleQuery],
        responses=schedule_shapes.ScheduleView(many=True),
    )
    def get(self, request: Request) -> Response:
        wanted = schedule_shapes.ScheduleQuery.read(request)
        found = select.schedules(is_retired=wanted.get("is_retired"))
        return Response(schedule_shapes.ScheduleView(found, many=True).data)

    @extend_schema(
        operation_id="save_drop_schedule",
        summary="Save a drop schedule",
        description="For managers. One that is saved never changes: to edit is to save another that replaces it.",
        request=schedule_shapes.ScheduleOrder,
        parameters=[keys.PARAMETER],
        responses={201: schedule_shapes.ScheduleView} | refusals(404, 409),
    )
    def post(self, request: Request) -> Response:
        order = schedule_shapes.ScheduleOrder.read(request)
        made = schedules.save(by=asker(request), key=keys.key_of(request), **order)
        return Response(schedule_shapes.ScheduleView(made).data, status=status.HTTP_201_CREATED)


class ScheduleView(APIView):
    """A drop schedule."""

    tags = ("drop schedules",)
    is_public = True

    @extend_schema(operation_id="drop_schedule", summary="A drop schedule", responses=schedule_shapes.ScheduleView)
    def get(self, request: Request, schedule_id: int) -> Response:
        return Response(schedule_shapes.ScheduleView(select.schedule(schedule_id)).data)


class SchedulePreviewView(APIView):
    """What a schedule would take."""

    tags = ("drop schedules",)
    scope = "read"

    @extend_schema(
        operation_id="preview_drop_schedule",
        summary="What a schedule would take",
        description="Of pots of every size, with 2 to 8 players; and of a table by the hour. Nothing is saved.",
        request=schedule_shapes.ScheduleTerms,
        responses=schedule_shapes.SchedulePreview,
    )
    def post(self, request: Request) -> Response:
        fields = schedules.USUAL | {"name": "preview"} | schedule_shapes.ScheduleTerms.read(request)
        schedules.check(fields)
        seen = schedules.preview(fields)
        hours = [{"players": players, "each": each, "an_hour": hour} for players, each, hour in seen.hours]
        return Response(schedule_shapes.SchedulePreview({"rows": seen.rows, "hours": hours}).data)


class RetireScheduleView(APIView):
    """No game takes it up any more."""

    tags = ("drop schedules",)
    scope = "manage"

    @extend_schema(
        operation_id="retire_drop_schedule",
        summary="Retire a drop schedule",
        description="For managers; refused while a game on offer goes by it.",
        request=shapes.StaffReason,
        parameters=[keys.PARAMETER],
        responses={200: schedule_shapes.ScheduleView} | refusals(409),
    )
    def post(self, request: Request, schedule_id: int) -> Response:
        order = shapes.StaffReason.read(request)
        key = keys.key_of(request)
        made = schedules.retire(schedule_id=schedule_id, by=asker(request), key=key, **order)
        return Response(schedule_shapes.ScheduleView(made).data)


class SectionsView(APIView):
    """The sections of the room."""

    tags = ("sections",)
    is_public = True
    scope = "manage"

    @extend_schema(operation_id="sections", summary="The sections", responses=shapes.SectionView(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.SectionView(select.sections(), many=True).data)

    @extend_schema(
        operation_id="create_section",
        summary="Make a section",
        description="For managers.",
        request=shapes.SectionOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.SectionView} | refusals(409),
    )
    def post(self, request: Request) -> Response:
        name = shapes.SectionOrder.read(request)["name"]
        made = sections.create(name=name, by=asker(request), key=keys.key_of(request))
        return Response(shapes.SectionView(made).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        operation_id="order_sections",
        summary="Put the sections in order",
        description="For managers; it names each of them once.",
        request=shapes.OrderOfThings,
        responses=shapes.SectionView(many=True),
    )
    def put(self, request: Request) -> Response:
        ids = shapes.OrderOfThings.read(request)["ids"]
        made = sections.reorder(section_ids=ids, by=asker(request))
        return Response(shapes.SectionView(made, many=True).data)


class SectionView(APIView):
    """A section of the room."""

    tags = ("sections",)
    scope = "manage"

    @extend_schema(
        operation_id="rename_section",
        summary="Name a section",
        description="For managers.",
        request=shapes.SectionOrder,
        responses={200: shapes.SectionView} | refusals(409),
    )
    def patch(self, request: Request, section_id: int) -> Response:
        name = shapes.SectionOrder.read(request)["name"]
        made = sections.rename(section_id=section_id, name=name, by=asker(request))
        return Response(shapes.SectionView(made).data)

    @extend_schema(
        operation_id="remove_section",
        summary="Take a section away",
        description="For managers; one in which no table lies.",
        responses={204: None} | refusals(409),
    )
    def delete(self, request: Request, section_id: int) -> Response:
        sections.remove(section_id=section_id, by=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
