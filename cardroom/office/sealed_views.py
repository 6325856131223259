"""An auditor's view of sealed cards: asked for with a reason, opened by a second person, ended by itself."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers

from cardroom.accounts import sealed_views
from cardroom.accounts.models import SealedView
from cardroom.cage.serializers import ApprovalOut
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.web.resources import Resource, addresses, does, reads


class SealedViewSummary(serializers.Serializer[Any]):
    """A view of sealed cards."""

    id = serializers.IntegerField()
    reason = serializers.CharField()
    opened_at = serializers.DateTimeField()
    until = serializers.DateTimeField(help_text="When it ends by itself.")


def opened(*, by: User) -> SealedView:
    """The one that is open now. Refuses: `NotFound`."""
    view = sealed_views.opened(user=by, now=timezone.now())
    if view is None:
        raise NotFound("no-sealed-view", "You have no view of sealed cards open.")
    return view


class SealedViewResource(Resource):
    path, tags, scope, asks_factor = "me/sealed-view", ("me",), "direct", True
    get = reads(opened, name="sealed_view", summary="Your open view", answers=SealedViewSummary, refuses=(404,))
    post = does(
        sealed_views.ask,
        name="open_sealed_view",
        summary="Request a view of sealed cards",
        description="For auditors. A manager or another auditor opens it by approval. It shows hands that are over. "
        "The reason and every look are recorded.",
        answers=ApprovalOut,
        status=202,
        refuses=(409,),
    )
    delete = does(sealed_views.close, name="close_sealed_view", summary="Close every view you have open", status=204)


api = addresses([SealedViewResource])
