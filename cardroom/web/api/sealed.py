"""An auditor's view of sealed cards: asked for with a reason, opened by a second person, ended by itself."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import sealed_views
from cardroom.services.errors import NotFound
from cardroom.web.api import keys, serializers
from cardroom.web.api.access import asker
from cardroom.web.api.cage_serializers import ApprovalOut
from cardroom.web.api.schema import refusals


class SealedViewView(APIView):
    """Your view of sealed cards, if one is open."""

    tags = ("me",)
    scope = "direct"

    @extend_schema(
        operation_id="sealed_view",
        summary="Your open view",
        responses={200: serializers.SealedView} | refusals(404),
    )
    def get(self, request: Request) -> Response:
        view = sealed_views.opened(user=asker(request), now=timezone.now())
        if view is None:
            raise NotFound("You have no view of sealed cards open.", "no-sealed-view")
        return Response(serializers.SealedView(view).data)

    @extend_schema(
        operation_id="open_sealed_view",
        summary="Ask for a view of sealed cards",
        description="For auditors. A second person, a manager or another auditor, opens it by approving; it shows "
        "hands that are over. The reason is kept, and so is every look.",
        request=serializers.SealedViewOrder,
        parameters=[keys.PARAMETER],
        responses={202: ApprovalOut} | refusals(409),
    )
    def post(self, request: Request) -> Response:
        order = serializers.SealedViewOrder.read(request)
        asked = sealed_views.ask(by=asker(request), key=keys.key_of(request), **order)
        return Response(ApprovalOut(asked).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(operation_id="close_sealed_view", summary="Close every view you have open", responses={204: None})
    def delete(self, request: Request) -> Response:
        sealed_views.close(user=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
