"""What the room told people."""

from datetime import date
from typing import Annotated

from rest_framework import serializers

from cardroom.core import notices
from cardroom.core.arguments import Limits
from cardroom.core.models import Notice, User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads

#: Since then all notices are one list.
_ONE_LIST = date(2026, 11, 1)


class NoticeSummary(Shape):
    """Something you were told."""

    of = Notice
    field_names = "id=pk tournament=tournament_id kind text data at read_at"
    help_texts = {"tournament": "null: about the room."}
    data = serializers.DictField()


def newest(
    *,
    about: Annotated[
        str, Limits(choices=notices.ABOUT, help_text="Only notices of events, or only those of the room.")
    ] = "",
    before: int | None,
    limit: int,
    by: User,
) -> list[Notice]:
    """The newest first."""
    return notices.newest(by, about=about, before=before, limit=limit)


def newest_of_room(*, before: int | None, limit: int, by: User) -> list[Notice]:
    """The notices about the room, and not about a tournament, the newest first."""
    return notices.newest(by, about="room", before=before, limit=limit)


class NoticesResource(Resource):
    path, tags = "me/notices", ("me",)
    get = reads(newest, name="my_notices", summary="Your notices", answers=NoticeSummary)


class ReadResource(Resource):
    path, tags = "me/notices/<id:notice_id>/read", ("me",)
    post = does(notices.read, name="read_notice", summary="Mark a notice as read", status=204)


class RoomNoticesResource(Resource):
    path, tags = "me/messages", ("me",)
    get = reads(
        newest_of_room,
        name="my_messages",
        summary="Notices of the room",
        description="Use `me/notices?about=room` instead.",
        deprecated_since=_ONE_LIST,
        answers=NoticeSummary,
    )


class ReadMessageResource(Resource):
    path, tags = "me/messages/<id:notice_id>/read", ("me",)
    post = does(
        notices.read,
        name="read_message",
        summary="Mark a notice of the room as read",
        description="Use `me/notices/<id>/read` instead.",
        deprecated_since=_ONE_LIST,
        answers=NoticeSummary,
    )


api = addresses([NoticesResource, ReadResource, RoomNoticesResource, ReadMessageResource])
