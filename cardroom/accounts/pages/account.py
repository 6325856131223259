"""One's own account: who one is, what one likes, one's wallet and its statement, what the room told one; and one's keys
for programs. A key makes no other, so that one that leaks cannot make its successor.
"""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.validators import RegexValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from rest_framework import serializers

from cardroom.accounts import hot_keys, look, people, push, sessions, welcome
from cardroom.accounts import people as account_queries
from cardroom.accounts.models import ApiToken, PushSubscription
from cardroom.accounts.pages import factors, navigation
from cardroom.accounts.pages.api_auth import Password, RoomSession, RoomToken
from cardroom.core import access, notices, room_time
from cardroom.core.errors import Forbidden, Refusal
from cardroom.core.models import Notice as Told
from cardroom.core.models import User
from cardroom.core.sentences import told
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Change, Flag, Order, Query, Sentence, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Context, Form, Operation, Page, Read
from cardroom.core.web.parts import part_of

STATEMENT_LINES = 50
_NAME = r"^\w[\w .:()'-]{0,59}$"
_SCOPES = {
    "read": gettext_lazy("Read what I can read"),
    "play": gettext_lazy("Play for me: take seats, enter tournaments, act and leave"),
    "direct": gettext_lazy("Deal, rule, and run tournaments, lists and tables, within my roles"),
    "cage": gettext_lazy("Move players' chips and manage their cards, within my roles"),
    "manage": gettext_lazy("Offer games, set limits, ban, within my roles"),
}


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


class Token(serializers.Serializer[Any]):
    """A key of a program, without its secret."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    scopes = serializers.ListField(source="scope_names", child=serializers.ChoiceField(sessions.SCOPES))
    begins_with = serializers.CharField(source="token_key", help_text="The first letters of the secret.")
    created = serializers.DateTimeField()
    expires = serializers.DateTimeField(source="expiry")


class NewToken(Token):
    """A key that was just made."""

    token = serializers.CharField(
        allow_null=True, help_text="The secret, shown this once; null when the request is a repeat."
    )


class TokenOrder(Order):
    """What the new key is for."""

    name = Text(
        validators=[
            RegexValidator(
                _NAME, gettext_lazy("A name is 1 to 60 letters, digits, spaces and . : ( ) ' - after a letter.")
            )
        ],
        help_text="For yourself: the program that uses it.",
    )
    scopes = serializers.ListField(
        child=serializers.ChoiceField(sessions.SCOPES),
        min_length=1,
        max_length=len(sessions.SCOPES),
        help_text="`read`: read what you can read. `play`: take seats, enter events, act and leave for you. "
        "`direct`: what your roles allow you to do for others.",
    )
    days = WholeNumber(
        default=sessions.DAYS, min_value=1, max_value=sessions.MOST_DAYS, help_text="How long it is valid."
    )


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


class TokenForm(forms.Form):
    """A new key, on the page."""

    name = forms.CharField(
        max_length=sessions.LONGEST_NAME,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("The program that uses it, such as “my notebook”."),
    )
    scopes = forms.MultipleChoiceField(
        choices=[(scope, _SCOPES[scope]) for scope in sessions.SCOPES],
        widget=forms.CheckboxSelectMultiple,
        initial=["read"],
        label=gettext_lazy("Scopes"),
    )
    days = forms.IntegerField(
        min_value=1, max_value=sessions.MOST_DAYS, initial=sessions.DAYS, label=gettext_lazy("Valid for, days")
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


@of.asks_factor
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keys(request: HttpRequest) -> HttpResponse:
    """One's keys; a new one's secret is on the answer to the form and nowhere else. Whoever bears one is asked for no
    factor any more, so that making it asks again."""
    form = TokenForm(request.POST or None)
    secret = None
    if request.method == "POST" and not factors.is_sure(request):
        raise_if_reauthentication_required(request, app="allauth.account")
    if request.method == "POST" and form.is_valid():
        try:
            _, secret = sessions.issue(user=request.user, **form.cleaned_data)
            form = TokenForm()
        except Refusal as refusal:
            form.add_error(None, refusal.message)
    tokens = ApiToken.objects.filter(user=request.user).order_by("-pk")
    held = [(token, [_SCOPES.get(scope, scope) for scope in token.scope_names]) for token in tokens]
    return render(request, "cardroom/accounts/tokens.html", {"form": form, "tokens": held, "secret": secret})


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
KEYS = Page("me/tokens/", "tokens", keys)


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
    return notices.read(player=player, notice_id=notice_id)


def _issue(*, user: User, auth: Any, is_sure: bool, **asked: Any) -> Any:
    if not is_sure:
        message = gettext_noop(
            "Confirm your password in your browser first, or send name and password with the request."
        )
        raise Forbidden("reauthenticate", message)
    if auth is not None:
        raise Forbidden(
            "no-token-by-token", "A token cannot create tokens: use your session, or your name and password."
        )
    return sessions.issue(user=user, **asked)


def _revoke(*, user: User, auth: Any, token_id: int) -> None:
    if isinstance(auth, ApiToken) and auth.pk != token_id:
        raise Forbidden("not-this-token", "A token can revoke only itself.")
    sessions.revoke(user=user, token_id=token_id)


def _secret(made: Any, by: User) -> ApiToken:
    key, key.token = made
    return key


def _auth(request: Any) -> Mapping[str, Any]:
    return {"auth": getattr(request, "auth", None)}


def _auth_and_whether_sure(request: Any) -> Mapping[str, Any]:
    """A session that is only borrowed makes no token, which would outlast it."""
    is_session = isinstance(getattr(request, "successful_authenticator", None), RoomSession)
    return {**_auth(request), "is_sure": not is_session or factors.is_sure(request)}


#: Since then all notices are one list.
_ONE_LIST = date(2026, 11, 1)
_my = partial(Read, tag="me")
_keys: dict[str, Any] = {"tag": "tokens", "known_by": (RoomToken, RoomSession, Password)}
_key = partial(Operation, **_keys, actor="user", tells=_auth)

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
        does=notices.read, actor="player", out=Notice,
    ),
    # API tokens
    Read(
        name="tokens", summary="Your tokens", description="Your tokens.", address="tokens", out=Token, many=True,
        finds=lambda by: account_queries.tokens_of(by, now=timezone.now()), **_keys,
    ),
    _key(
        name="make_token", summary="Create a token", address="tokens", does=_issue, order=TokenOrder, keyed=True,
        description="By session, or by name and password; not by a token. The answer contains the secret once.",
        by_token=False,
        tells=_auth_and_whether_sure, asks_factor=True, status=201, out=NewToken,
        shows=_secret, asks=lambda made: made[1] is None, waiting=NewToken,
        waiting_status=200, refuses=(409,),
    ),
    _key(
        name="revoke_token", summary="Revoke a token", method="DELETE", address="tokens/<id:token_id>", does=_revoke,
        description="The token stops working at once. A token can revoke only itself, whatever its scopes.", status=204,
        scope=sessions.SCOPES,
        form=Form(
            "me/tokens/<int:token_id>/revoke/", "revoke_token", KEYS, gettext_lazy("The token is revoked."), of.refused
        ),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = [*of.pages([ME, WALLET, WAITING], DECLARED), path(KEYS.address, keys, name=KEYS.name)]
