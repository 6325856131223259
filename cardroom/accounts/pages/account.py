"""One's own account: who one is, what one likes, one's wallet and its statement, what the room told one."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.accounts import hot_keys, look, people, push, welcome
from cardroom.accounts import people as account_queries
from cardroom.accounts.models import PushSubscription
from cardroom.accounts.pages import navigation
from cardroom.core import access, notices, room_time
from cardroom.core.models import Notice as Told
from cardroom.core.models import User
from cardroom.core.sentences import told
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Change, Flag, Order, Query, Sentence, Text
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Context, Form, Operation, Page, Read
from cardroom.core.web.parts import part_of

STATEMENT_LINES = 50
# -- shapes ------------------------------------------------------------------------------------------------------------


class Wallet(serializers.Serializer[Any]):
    unit = serializers.CharField(help_text="The unit of the chips; `cash` at cash tables.")
    balance = serializers.IntegerField()


class Me(serializers.Serializer[Any]):
    """The one who asks."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="The screen name shown at tables.")
    wants_mail = serializers.BooleanField(help_text="Whether the room may send e-mail about tournaments and calls.")
    time_zone = serializers.CharField(allow_blank=True, help_text="The time zone of your pages; empty: your browser's.")
    language = serializers.CharField(allow_blank=True, help_text="Of your pages; empty: as your browser asks.")
    roles = serializers.ListField(child=serializers.CharField(), help_text="Roles of the room; a player has none.")
    wallet = Wallet()


class MeOrder(Change):
    """What you like: at least one of these."""

    wants_mail = Flag(required=False, help_text="Whether to get e-mail about your tournaments and calls.")
    time_zone = Text(required=False, max_length=60, allow_blank=True, help_text="Such as Europe/Berlin, for pages.")
    language = Text(required=False, max_length=10, allow_blank=True, help_text="en, de, es, fr or pt-br, for pages.")


def _wishes(**options: Any) -> dict[str, Any]:
    """A field for each thing to choose."""
    return {
        name: serializers.ChoiceField(
            [*wish.choices.items()], help_text=f"{wish.title}. {wish.said}".strip(), **options
        )
        for name, wish in look.WISHES.items()
    }


class Look(serializers.Serializer[Any]):
    """How you like a table to look, and which help you want there."""

    def get_fields(self) -> dict[str, Any]:
        return _wishes()


class LookOrder(Change):
    """What to change of it: at least one of these."""

    def get_fields(self) -> dict[str, Any]:
        return _wishes(required=False)


class Keys(serializers.Serializer[Any]):
    """Your keys at the table: what each does, and the key."""

    def get_fields(self) -> dict[str, Any]:
        return {name: serializers.CharField(help_text=f"{key.title}.") for name, key in hot_keys.HOT_KEYS.items()}


class KeysOrder(Change):
    """Which keys to change: at least one of these. No two may be the same, and figures stay with the buttons."""

    def get_fields(self) -> dict[str, Any]:
        return {
            name: Text(required=False, max_length=1, help_text=f"{key.title}. Usually {key.usual}.")
            for name, key in hot_keys.HOT_KEYS.items()
        }


class Browser(Shape):
    """A browser in which you are told by push while no page of the room is in sight."""

    of = PushSubscription
    shows = "id browser at"
    browser = Sentence()


class PushKey(serializers.Serializer[Any]):
    key = serializers.CharField(help_text="The room's public key (VAPID), to ask a push service with.")


class BrowserOrder(Order):
    """What the browser's push service gave: `PushSubscription.toJSON()`, its keys beside the endpoint."""

    endpoint = Text(max_length=500)
    p256dh = Text(max_length=90)
    auth = Text(max_length=30)


class StatementLine(serializers.Serializer[Any]):
    """One movement on the wallet."""

    id = serializers.IntegerField(source="entry")
    at = serializers.DateTimeField()
    reference = serializers.CharField(help_text="Its reference, such as buy-in:7.")
    reason = Sentence()
    amount = serializers.IntegerField(help_text="Chips into the wallet; negative: out of it.")
    balance = serializers.IntegerField(help_text="The wallet balance after it.")


class Notice(Shape):
    """Something you were told."""

    of = Told
    shows = "id=pk tournament=tournament_id kind text data at read_at"
    says = {"tournament": "null: about the room."}
    data = serializers.DictField()


class NoticeQuery(Query):
    about = serializers.ChoiceField(
        notices.ABOUT, required=False, help_text="Only notices of events, or only those of the room."
    )


# -- pages -------------------------------------------------------------------------------------------------------------


def page(request: HttpRequest) -> Context:
    """The wallet, its last movements, and what one likes."""
    statement = account_queries.statement(request.user, limit=STATEMENT_LINES)
    zones = {"zones": room_time.by_region(), "room_zone": settings.TIME_ZONE}
    context = {"statement": statement, "faces": look.faces(request.user)} | zones
    if not push.is_possible():
        return context
    browsers = [(each, told(each.browser)) for each in push.subscriptions_of(request.user)]
    return context | {"browsers": browsers, "push_key": push.public_key()}


@part_of("me")
def wallet_now(request: HttpRequest) -> HttpResponse:
    """The chips in the wallet, for the top of every page to keep up with."""
    return HttpResponse(intcomma(welcome.spendable_by(request.user)))


def _saved(request: HttpRequest, made: None) -> HttpResponse:
    if request.htmx:
        return HttpResponse(status=204)
    messages.success(request, gettext("Saved."))
    return redirect("me")


def _spoken(request: HttpRequest, made: None) -> HttpResponse:
    """Back to the page where they chose it, in that language."""
    there = request.POST.get("next", "")
    is_own = url_has_allowed_host_and_scheme(there, {request.get_host()}, require_https=request.is_secure())
    answer = redirect(there if is_own and there.startswith("/") else "me")
    if not request.user.language:
        answer.delete_cookie(settings.LANGUAGE_COOKIE_NAME)  # what was chosen before anybody logged in there
    return answer


ME = Page("me/", "me", page, template="cardroom/accounts/me.html", says_refusals=True)
WALLET = Page("me/wallet/", "my_wallet", wallet_now)
WAITING = Page("me/approvals/", "approvals_waiting", navigation.waiting)


def _likes(address: str, name: str, **unsaid: str) -> Form:
    return Form(address, name, ME, _saved, unsaid=unsaid)


def _from(request: Any) -> Mapping[str, Any]:
    """The session and the browser that ask."""
    return {"session_key": request.session.session_key, "agent": request.META.get("HTTP_USER_AGENT", "")}


def _me(user: User) -> dict[str, Any]:
    return {
        "id": user.pk,
        "name": user.username,
        "wants_mail": user.wants_mail,
        "time_zone": user.time_zone,
        "language": user.language,
        "roles": sorted(access.roles_of(user)),
        "wallet": {"unit": "cash", "balance": account_queries.wallet_balance(user)},
    }


def _read(*, player: User, notice_id: int, key: str) -> Told:
    """Once more changes nothing, whatever the key."""
    return notices.read(by=player, notice_id=notice_id)


#: Since then all notices are one list.
_ONE_LIST = date(2026, 11, 1)
_my = partial(Read, tag="me")

DECLARED = [
    _my(name="me", summary="Your account", address="me", out=Me, finds=_me),
    Operation(
        name="prefer", summary="Change your settings", method="PATCH", tag="me", address="me", actor="user",
        does=people.prefer, order=MeOrder, out=Me, shows=lambda made, by: _me(by),
        form=(
            _likes("me/mail/", "wants_mail", wants_mail="no"), _likes("me/time-zone/", "time_zone", time_zone=""),
            Form("me/language/", "my_language", ME, _spoken, unsaid={"language": ""}),
        ),
    ),
    _my(name="my_look", summary="Your look of the table", address="me/look", out=Look, finds=look.look_of),
    Operation(
        name="change_look", summary="Change your look of the table", method="PATCH", tag="me", address="me/look",
        actor="user", does=look.change_look, order=LookOrder, out=Look, form=_likes("me/look/", "look"),
    ),
    _my(name="my_keys", summary="Your keys at the table", address="me/keys", out=Keys, finds=hot_keys.keys_of),
    Operation(
        name="change_keys", summary="Change your keys at the table", method="PATCH", tag="me", address="me/keys",
        actor="user", does=hot_keys.change_keys, order=KeysOrder, out=Keys, refuses=(409,),
        form=_likes("me/keys/", "hot_keys"),
    ),
    Operation(
        name="usual_keys", summary="Use the usual keys again", method="DELETE", tag="me", address="me/keys",
        actor="user", does=hot_keys.usual_keys, out=Keys, status=200, form=_likes("me/keys/usual/", "usual_keys"),
    ),
    _my(name="push_key", summary="The room's key for push", address="me/push/key", out=PushKey,
        finds=lambda by: {"key": push.public_key()}),
    _my(name="my_browsers", summary="Your browsers told by push", address="me/push", out=Browser, many=True,
        finds=push.subscriptions_of),
    Operation(
        name="subscribe", summary="Be told by push", method="PUT", tag="me", address="me/push", actor="player",
        description="Your turn, a call from a list, an event that starts: while you have no page of the room in sight.",
        does=push.subscribe, order=BrowserOrder, out=Browser, tells=_from,
        form=Form("me/push/", "push", ME, gettext_lazy("Push is on in this browser.")),
    ),
    Operation(
        name="unsubscribe", summary="End push in a browser", method="DELETE", tag="me",
        address="me/push/<id:subscription_id>", actor="player", does=push.unsubscribe, status=204,
        form=Form(
            "me/push/<int:subscription_id>/remove/", "push_remove", ME, gettext_lazy("Push is off there."), of.refused
        ),
    ),
    _my(
        name="my_transfers", summary="Your statement", address="me/transfers", out=StatementLine, paged=True,
        description="Every movement of your wallet, newest first.", finds=account_queries.statement,
        number=lambda line: line.entry,
    ),
    _my(
        name="my_notices", summary="Your notices", address="me/notices", query=NoticeQuery, out=Notice,
        paged=True, finds=notices.newest,
    ),
    Operation(
        name="read_notice", summary="Mark a notice as read", address="me/notices/<id:notice_id>/read",
        tag="me", does=_read, actor="player", keyed=True, status=204,
    ),
    _my(
        name="my_messages", summary="Notices of the room", address="me/messages", out=Notice, paged=True,
        description="Use `me/notices?about=room` instead.", deprecated_since=_ONE_LIST,
        finds=partial(notices.newest, about="room"),
    ),
    Operation(
        name="read_message", summary="Mark a notice of the room as read", address="me/messages/<id:notice_id>/read",
        description="Use `me/notices/<id>/read` instead.", deprecated_since=_ONE_LIST, tag="me",
        does=notices.read, out=Notice,
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([ME, WALLET, WAITING], DECLARED)
