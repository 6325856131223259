"""Pictures that players bring: each one's own, and what the floor does about those that are reported."""

import json
from base64 import b64decode
from collections.abc import Mapping
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from rest_framework import serializers

from cardroom.accounts import pictures
from cardroom.accounts.models import Picture
from cardroom.accounts.pages.account import ME
from cardroom.core.arguments import Limits
from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost, PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import went_to
from cardroom.core.web.resources import Resource, addresses, does, reads
from cardroom.office.chat import CHAT

_YEAR = 365 * 24 * 60 * 60


@require_safe
@cache_control(public=True, max_age=_YEAR, immutable=True)
def picture(request: HttpRequest, digest: str) -> HttpResponse:
    """The picture with this digest."""
    row = Picture.objects.filter(digest=digest).first()
    if row is None:
        raise Http404("There is no such picture.")
    return HttpResponse(bytes(row.body), content_type="image/webp")


class PictureOut(Shape):
    of = Picture
    field_names = "address at"
    address = serializers.CharField(help_text="Where everybody sees it.")


class ReportedPicture(PictureOut):
    """A picture that a player reported to the floor."""

    field_names = (
        "player=player_id name=player.username address at reported_by=reported_by.username reported_at reported_why"
    )


def bring_as_text(
    *,
    picture: Annotated[
        str,
        Limits(
            max_length=60_000,
            help_text="A JPEG, PNG or WebP in base64, 45 kB at most; a page takes 2 MB.",
            error_messages={
                "max_length": gettext_lazy("A program sends 45 kB at most; the page of your account takes 2 MB.")
            },
        ),
    ],
    by: User,
) -> Picture:
    """Refuses as `pictures.upload`."""
    try:
        body = b64decode(picture)
    except ValueError:  # no base64: no picture either
        body = b"?"
    return pictures.upload(body=body, by=by)


class BringForm(PagePost):
    page, does, path, name = ME, pictures.upload, "me/picture/", "picture_bring"
    then = gettext_lazy("Your picture is shown from now on.")

    def of_request(self, request: HttpRequest) -> Mapping[str, Any]:
        """The file; no more of it is read than a picture may have, and one byte."""
        file = request.FILES.get("picture")
        return {"body": file.read(pictures.MOST_BYTES + 1) if file else b""}


class DropForm(PagePost):
    page, does, path, name = ME, pictures.drop, "me/picture/drop/", "picture_drop"
    then = gettext_lazy("Your picture is deleted.")


class ReportPictureForm(PlainPost):
    page, does, path, name = ME, pictures.report, "pictures/report/", "picture_report"

    def done(self, request: HttpRequest, result: None) -> HttpResponse:
        words = gettext("The floor looks at the picture.")
        if not request.htmx:
            return went_to(request, words, "lobby")
        answer = HttpResponse(status=204)
        answer["HX-Trigger"] = json.dumps({"picture-reported": {}, "toast": {"message": words}})
        return answer


class RemovePictureForm(PlainPost):
    page, does, path, name = CHAT, pictures.remove, "pictures/<int:player_id>/remove/", "picture_remove"

    def done(self, request: HttpRequest, result: User) -> HttpResponse:
        return went_to(request, gettext("The picture is removed."), "player", result.pk)


class DismissPictureForm(PlainPost):
    page, does, path, name = CHAT, pictures.dismiss, "pictures/<int:player_id>/dismiss/", "picture_dismiss"
    then = gettext_lazy("The picture stands.")


def reported(*, by: User) -> QuerySet[Picture]:
    """The oldest report first."""
    return pictures.reported(by)


class MyPictureResource(Resource):
    path, tags, is_heavy = "me/picture", ("me",), True
    put = does(
        bring_as_text,
        name="bring_picture",
        summary="Bring a picture of your own",
        description="It is drawn anew as a square, and nothing else of the file is kept.",
        answers=PictureOut,
    )
    delete = does(pictures.drop, name="drop_picture", summary="Delete your own picture", status=204)


class ReportsResource(Resource):
    path, tags = "pictures/reports", ("players",)
    get = reads(
        reported,
        name="reported_pictures",
        summary="Reported pictures",
        answers=ReportedPicture,
        many=True,
        roles=pictures.STAFF,
    )
    post = does(
        pictures.report,
        name="report_picture",
        summary="Report a picture",
        description="The floor looks at it. A repeat changes nothing.",
        status=204,
        refuses=(404,),
    )


class RemoveResource(Resource):
    path, tags, scope = "pictures/<id:player_id>/remove", ("players",), "direct"
    post = does(
        pictures.remove,
        name="remove_picture",
        summary="Remove a picture",
        description="For the floor and managers. The player is told why.",
        status=204,
    )


class DismissPictureResource(Resource):
    path, tags, scope = "pictures/<id:player_id>/dismiss", ("players",), "direct"
    post = does(
        pictures.dismiss,
        name="dismiss_picture",
        summary="Let a reported picture stand",
        description="For the floor and managers.",
        status=204,
    )


api = addresses([MyPictureResource, ReportsResource, RemoveResource, DismissPictureResource])
urlpatterns = [
    path("pictures/<slug:digest>.webp", picture, name="picture"),
    *page_urls([], forms=[BringForm, DropForm, ReportPictureForm, RemovePictureForm, DismissPictureForm]),
]
