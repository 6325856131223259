"""An auditor's view of sealed cards: opened with a reason, ended by itself, and every look in it recorded."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access
from cardroom.services.errors import NotFound
from cardroom.web.api import serializers
from cardroom.web.api.access import asker
from cardroom.web.api.schema import refusals


class SealedViewView(APIView):
    """Your view of sealed cards, if one is open."""

    tags = ("me",)

    @extend_schema(
        operation_id="sealed_view",
        summary="Your open view",
        responses={200: serializers.SealedView} | refusals(404),
    )
    def get(self, request: Request) -> Response:
        view = access.sealed_view(user=asker(request), now=timezone.now())
        if view is None:
            raise NotFound("You have no view of sealed cards open.", "no-sealed-view")
        return Response(serializers.SealedView(view).data)

    @extend_schema(
        operation_id="open_sealed_view",
        summary="Open a view of sealed cards",
        description="For auditors. The reason is kept, and so is every look.",
        request=serializers.SealedViewOrder,
        responses={201: serializers.SealedView},
    )
    def post(self, request: Request) -> Response:
        order = serializers.SealedViewOrder.read(request)
        view = access.open_sealed_view(user=asker(request), **order)
        return Response(serializers.SealedView(view).data, status=status.HTTP_201_CREATED)

    @extend_schema(operation_id="close_sealed_view", summary="Close every view you have open", responses={204: None})
    def delete(self, request: Request) -> Response:
        access.close_sealed_view(user=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
