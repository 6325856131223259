"""The API of the chat: messages, announcements, reports, mutes and muted words; and its log."""

from datetime import date
from typing import Annotated, Any

from rest_framework import serializers

from cardroom.accounts import chat
from cardroom.accounts.models import ChatLine
from cardroom.core import audit_log
from cardroom.core.arguments import Limits
from cardroom.core.models import User
from cardroom.core.web.api.routes import older
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads


class ChatMessage(Shape):
    """One line of the chat."""

    of = ChatLine
    field_names = "id at author=author.username is_staffs kind text"
    help_texts = {"is_staffs": "Whether the author was staff at that time."}
    kind = serializers.ChoiceField(ChatLine.Kind.choices, help_text="announced: an announcement by the floor.")


class LoggedMessage(ChatMessage):
    """One line with what only the log shows."""

    field_names = f"{ChatMessage.field_names} place said"
    help_texts = ChatMessage.help_texts | {
        "place": "chat: the lobby; chat:12: table 12; club:3: club 3.",
        "said": "As it was written.",
    }
    hidden_at = serializers.DateTimeField(allow_null=True)
    hidden_by = serializers.CharField(source="hidden_by.username", default=None, allow_null=True)
    hidden_why = serializers.CharField()


class Silence(serializers.Serializer[Any]):
    """The player may not speak in any chat."""

    player = serializers.IntegerField(source="player_id")
    since = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True, help_text="null: until it is lifted.")
    reason = serializers.CharField()
    by = serializers.CharField(source="by.username")


class Reported(serializers.Serializer[Any]):
    """The floor looks at the message."""

    line = serializers.IntegerField(source="line_id")
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class MutedWords(serializers.Serializer[Any]):
    """Shown as dots in every chat, however they are written."""

    words = serializers.ListField(child=serializers.CharField())


BY_SCREEN_NAME = Annotated[str, Limits(max_length=60, help_text="A screen name.")]


def newest(*, before: int | None, limit: int, by: User) -> list[ChatLine]:
    """The lines of the lobby."""
    return chat.newest(reader=by, before=before, limit=limit)


def muted_words(*, by: User) -> dict[str, list[str]]:
    """The muted words."""
    return {"words": chat.muted_words()}


def read_log(
    *,
    who: BY_SCREEN_NAME = "",
    words: Annotated[str, Limits(max_length=60)] = "",
    since: date | None = None,
    until: date | None = None,
    before: int | None,
    limit: int,
    by: User,
) -> list[ChatLine]:
    """All lines."""
    return older(chat.log(by=by, who=who, words=words, since=since, until=until), before, limit)


class ChatResource(Resource):
    path, tags = "chat", ("chat",)
    get = reads(newest, name="chat", summary="The lobby chat", answers=ChatMessage, refuses=(404,))
    post = does(
        chat.say,
        name="say",
        summary="Send a message",
        answers=ChatMessage,
        status=201,
        refuses=(404, 409),
        description="At most 5 messages in 10 seconds and 30 in 10 minutes.",
    )


class ReportMessageResource(Resource):
    path, tags = "chat/<id:line_id>/report", ("chat",)
    post = does(
        chat.report,
        name="report_line",
        summary="Report a message",
        answers=Reported,
        refuses=(404, 429),
        description="The floor looks at it. A repeat changes nothing.",
    )


class OfStaff(Resource):
    """Requests of the floor and managers about the chat."""

    tags, scope = ("chat",), "direct"


class DismissMessageResource(OfStaff):
    path = "chat/<id:line_id>/dismiss"
    post = does(
        chat.dismiss,
        name="dismiss_line",
        summary="Let a reported message stand",
        answers=LoggedMessage,
        refuses=(409,),
        description="For the floor and managers.",
    )


class MutedWordsResource(OfStaff):
    path = "chat/words"
    get = reads(muted_words, name="muted_words", summary="Muted words", answers=MutedWords, roles=chat.mute_words.roles)
    put = does(
        chat.mute_words,
        name="mute_words",
        summary="Say which words are muted",
        answers=MutedWords,
        refuses=(409,),
        shown=lambda words, by: {"words": words},
    )


class AnnouncementsResource(OfStaff):
    path = "chat/announcements"
    post = does(
        chat.announce,
        name="announce_to_room",
        summary="Announce to the room",
        answers=ChatMessage,
        status=201,
        description="For the floor and managers. It is shown above the lobby for twelve hours.",
        refuses=(409,),
    )


class HideResource(OfStaff):
    path = "chat/<id:line_id>/hide"
    post = does(
        chat.hide,
        name="hide_line",
        summary="Hide a message",
        answers=LoggedMessage,
        description="For the floor and managers. The log keeps the message. A repeat changes nothing.",
    )


class SilenceResource(OfStaff):
    path = "chat/silences/<id:player_id>"
    put = does(
        chat.silence,
        name="silence",
        summary="Mute a player",
        answers=Silence,
        description="By the floor for at most one day, by a manager for longer. Replaces an earlier mute.",
    )
    delete = does(chat.unsilence, name="unsilence", summary="Unmute a player", status=204)


class ChatLogResource(Resource):
    path, tags = "chat/log", ("chat",)
    get = reads(
        read_log,
        name="chat_log",
        summary="The chat log",
        answers=LoggedMessage,
        roles=audit_log.READERS,
        description="All messages, for managers and auditors.",
    )


api = addresses(
    [
        ChatResource,
        ReportMessageResource,
        DismissMessageResource,
        MutedWordsResource,
        AnnouncementsResource,
        HideResource,
        SilenceResource,
        ChatLogResource,
    ]
)
