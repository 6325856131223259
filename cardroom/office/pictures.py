"""Pictures that players bring: each one's own, and what the floor does about those that are reported."""

import json
from base64 import b64decode
from collections.abc import Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from rest_framework import serializers

from cardroom.accounts import pictures
from cardroom.accounts.models import Picture
from cardroom.accounts.pages.account import ME
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import NothingOrder, Order, Reason, Text
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Form, Operation, Read, refused
from cardroom.office.chat import CHAT

_YEAR = 365 * 24 * 60 * 60


@require_safe
@cache_control(public=True, max_age=_YEAR, immutable=True)
def picture(request: HttpRequest, digest: str) -> HttpResponse:
    """The picture of this content."""
    found = Picture.objects.filter(digest=digest).first()
    if found is None:
        raise Http404("There is no such picture.")
    return HttpResponse(bytes(found.body), content_type="image/webp")


class PictureOut(Shape):
    of = Picture
    shows = "address at"
    address = serializers.CharField(help_text="Where everybody sees it.")


class ReportedPicture(PictureOut):
    """A picture that a player reported to the floor."""

    shows = "player=player_id name=player.username address at reported_by=reported_by.username reported_at reported_why"


class PictureOrder(Order):
    picture = Text(
        max_length=60_000, help_text="A JPEG, PNG or WebP in base64, 45 kB at most; a page takes 2 MB.",
        error_messages={
            "max_length": gettext_lazy("A program sends 45 kB at most; the page of your account takes 2 MB.")
        },
    )  # fmt: skip


class ReportOrder(Order):
    player = Text(max_length=150, help_text="A screen name.")
    reason = Reason()


class RemoveOrder(Order):
    reason = Reason()


def _bring(*, player: Any, picture: str = "", body: bytes = b"") -> Picture:
    try:
        return pictures.bring(player=player, body=body or b64decode(picture))
    except ValueError:  # no base64: no picture either
        return pictures.bring(player=player, body=b"?")


def _file(request: Any) -> Mapping[str, Any]:
    """The file that a page sends; no more of it is read than a picture may have, and one byte."""
    sent = request.FILES.get("picture")
    return {"body": sent.read(pictures.MOST_BYTES + 1)} if sent else {}


def _reported(request: HttpRequest, made: Picture) -> HttpResponse:
    said = gettext("The floor looks at the picture.")
    if not request.htmx:
        messages.success(request, said)
        return redirect("lobby")
    answer = HttpResponse(status=204)
    answer["HX-Trigger"] = json.dumps({"picture-reported": {}, "toast": {"message": said}})
    return answer


_mine = partial(Operation, tag="me", address="me/picture", actor="player")
_staffs = partial(Operation, tag="players", scope="direct", roles=pictures.STAFF, status=204)
_on_chat = partial(Form, page=CHAT, again=refused)

DECLARED = [
    _mine(
        name="bring_picture", summary="Bring a picture of your own", method="PUT", does=_bring, order=PictureOrder,
        is_heavy=True,
        description="It is drawn anew as a square, and nothing else of the file is kept.", out=PictureOut, tells=_file,
        form=Form("me/picture/", "picture_bring", ME, gettext_lazy("Your picture is shown from now on."),
            order=NothingOrder),
    ),
    _mine(
        name="drop_picture", summary="Delete your own picture", method="DELETE", does=pictures.drop, status=204,
        form=Form("me/picture/drop/", "picture_drop", ME, gettext_lazy("Your picture is deleted.")),
    ),
    Operation(
        name="report_picture", summary="Report a picture", tag="players", address="pictures/reports", status=204,
        description="The floor looks at it. A repeat changes nothing.", does=pictures.report, order=ReportOrder,
        refuses=(404,), form=Form("pictures/report/", "picture_report", ME, _reported, refused),
    ),
    Read(
        name="reported_pictures", summary="Reported pictures", tag="players", address="pictures/reports",
        roles=pictures.STAFF, out=ReportedPicture, many=True, finds=pictures.reported,
    ),
    _staffs(
        name="remove_picture", summary="Remove a picture", address="pictures/<id:player_id>/remove",
        description="For the floor and managers. The player is told why.", does=pictures.remove, order=RemoveOrder,
        form=_on_chat(
            "pictures/<int:player_id>/remove/", "picture_remove",
            then=of.said(gettext_lazy("The picture is removed."), "player", "player_id"),
        ),
    ),
    _staffs(
        name="dismiss_picture", summary="Let a reported picture stand", address="pictures/<id:player_id>/dismiss",
        description="For the floor and managers.", does=pictures.dismiss,
        form=_on_chat(
            "pictures/<int:player_id>/dismiss/", "picture_dismiss", then=of.said(gettext_lazy("The picture stands."),
            "chat")
        ),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = [path("pictures/<slug:digest>.webp", picture, name="picture"), *of.pages([], DECLARED)]
