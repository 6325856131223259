"""One's own account: who one is, what one likes, one's wallet and its statement, and what the room told one."""

from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from rest_framework import serializers

from cardroom import zones
from cardroom.models import Notice as Told
from cardroom.models import User
from cardroom.services import access, notices, people, selectors
from cardroom.services.errors import CardroomError
from cardroom.web import operations as of
from cardroom.web.api import serializers as shapes
from cardroom.web.api.fields import Query
from cardroom.web.operations import Form, Operation, Page, Read, say_refusal

STATEMENT_LINES = 50


class Notice(serializers.Serializer[Any]):
    """Something you were told."""

    id = serializers.IntegerField(source="pk")
    tournament = serializers.IntegerField(source="tournament_id", allow_null=True, help_text="null: about the room.")
    kind = serializers.CharField()
    text = serializers.CharField()
    data = serializers.DictField()
    at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)


class NoticeQuery(Query):
    about = serializers.ChoiceField(notices.ABOUT, required=False, help_text="Events alone, or the room alone.")


def page(request: HttpRequest, *, refusal: CardroomError | None = None, typed: Any = None) -> HttpResponse:
    """The wallet, its last movements, and what one likes."""
    say_refusal(request, refusal)
    statement = selectors.statement(request.user, limit=STATEMENT_LINES)
    context = {"statement": statement, "zones": zones.by_region(), "room_zone": settings.TIME_ZONE}
    return render(request, "cardroom/me.html", context)


def _saved(request: HttpRequest, made: None) -> HttpResponse:
    if request.htmx:
        return HttpResponse(status=204)
    messages.success(request, "Saved.")
    return redirect("me")


ME = Page("me/", "me", page)


def _likes(address: str, name: str, **unsaid: str) -> Form:
    return Form(address, name, ME, _saved, unsaid=unsaid)


def _me(user: User) -> dict[str, Any]:
    return {
        "id": user.pk,
        "name": user.username,
        "four_colour": user.four_colour,
        "wants_mail": user.wants_mail,
        "time_zone": user.time_zone,
        "roles": sorted(access.roles_of(user)),
        "wallet": {"unit": "cash", "balance": selectors.wallet_balance(user)},
    }


def _read(*, player: User, notice_id: int, key: str) -> Told:
    """Once more changes nothing, whatever the key."""
    return notices.read(player=player, notice_id=notice_id)


_my = partial(Read, tag="me")

DECLARED = [
    _my(name="me", summary="Who you are", address="me", out=shapes.Me, finds=_me),
    Operation(
        name="prefer", summary="Say what you like", method="PATCH", tag="me", address="me", actor="user",
        does=people.prefer, order=shapes.MeOrder, out=shapes.Me, shows=lambda made, by: _me(by),
        form=(
            _likes("me/four-colour/", "four_colour", four_colour="no"),
            _likes("me/mail/", "wants_mail", wants_mail="no"), _likes("me/time-zone/", "time_zone", time_zone=""),
        ),
    ),
    _my(
        name="my_transfers", summary="Your statement", address="me/transfers", out=shapes.StatementLine, paged=True,
        description="Every movement of your wallet, newest first.", finds=selectors.statement,
        number=lambda line: line.entry,
    ),
    _my(
        name="my_notices", summary="What you were told", address="me/notices", query=NoticeQuery, out=Notice,
        paged=True, finds=notices.newest,
    ),
    Operation(
        name="read_notice", summary="You have seen it: do not tell it again", address="me/notices/<id:notice_id>/read",
        tag="me", does=_read, actor="player", keyed=True, status=204,
    ),
    _my(
        name="my_messages", summary="What the room told you", address="me/messages", out=Notice, paged=True,
        description="Ask `me/notices?about=room` instead.", is_deprecated=True,
        finds=partial(notices.newest, about="room"),
    ),
    Operation(
        name="read_message", summary="Put away what the room told you", address="me/messages/<id:notice_id>/read",
        description="Say it at `me/notices/<id>/read` instead.", is_deprecated=True, tag="me", does=notices.read,
        actor="player", out=Notice,
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([ME], DECLARED)
