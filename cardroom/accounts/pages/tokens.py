"""One's tokens, by which programs act for one. A token makes no other, so that one that leaks cannot make its own
successor."""

from collections.abc import Mapping
from typing import Annotated, Any

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from rest_framework import serializers

from cardroom.accounts import tokens
from cardroom.accounts.models import ApiToken
from cardroom.accounts.pages import factors
from cardroom.accounts.pages.api_auth import Password, RoomToken, SessionLogin
from cardroom.core.arguments import RowId, internal
from cardroom.core.errors import Forbidden, Refusal
from cardroom.core.models import User
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page, asks_factor
from cardroom.core.web.resources import Resource, addresses, does, reads

_SCOPES = {
    "read": gettext_lazy("Read what I can read"),
    "play": gettext_lazy("Play for me: take seats, enter tournaments, act and leave"),
    "direct": gettext_lazy("Deal, rule, and run tournaments, lists and tables, within my roles"),
    "cage": gettext_lazy("Move players' chips and manage their cards, within my roles"),
    "manage": gettext_lazy("Offer games, set limits, ban, within my roles"),
}


class Token(serializers.Serializer[Any]):
    """A key of a program, without its secret."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    scopes = serializers.ListField(source="scope_names", child=serializers.ChoiceField(tokens.SCOPES))
    begins_with = serializers.CharField(source="token_key", help_text="The first letters of the secret.")
    created = serializers.DateTimeField()
    expires = serializers.DateTimeField(source="expiry")


class NewToken(Token):
    """A key that was just made."""

    token = serializers.CharField(
        allow_null=True, help_text="The secret, shown this once; null when the request is a repeat."
    )


class TokenForm(forms.Form):
    """A new token, on the page."""

    name = forms.CharField(
        max_length=tokens.LONGEST_NAME,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("The program that uses it, such as “my notebook”."),
    )
    scopes = forms.MultipleChoiceField(
        choices=[(scope, _SCOPES[scope]) for scope in tokens.SCOPES],
        widget=forms.CheckboxSelectMultiple,
        initial=["read"],
        label=gettext_lazy("Scopes"),
    )
    days = forms.IntegerField(
        min_value=1, max_value=tokens.MOST_DAYS, initial=tokens.DAYS, label=gettext_lazy("Valid for, days")
    )


@asks_factor
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """The person's tokens; the secret of a new one is in the answer to the form and nowhere else. Its bearer is asked
    for no second factor, so making it asks for one."""
    form = TokenForm(request.POST or None)
    secret = None
    if request.method == "POST" and not factors.is_sure(request):
        raise_if_reauthentication_required(request, app="allauth.account")
    if request.method == "POST" and form.is_valid():
        try:
            order = form.cleaned_data
            _, secret = tokens.issue(name=order["name"], scopes=order["scopes"], days=order["days"], by=request.user)
            form = TokenForm()
        except Refusal as refusal:
            form.add_error(None, refusal.message)
    rows = ApiToken.objects.filter(user=request.user).order_by("-pk")
    held = [(token, [_SCOPES.get(scope, scope) for scope in token.scope_names]) for token in rows]
    return render(request, "cardroom/accounts/tokens.html", {"form": form, "tokens": held, "secret": secret})


TOKENS = Page("me/tokens/", "tokens", page)


def token_list(*, by: User) -> list[ApiToken]:
    """The user's tokens that are still valid, the newest first."""
    return tokens.tokens_of(by, now=timezone.now())


def make_token(
    *,
    name: tokens.Name,
    scopes: tokens.Scopes,
    days: tokens.Days = tokens.DAYS,
    auth: Annotated[Any, internal],
    is_sure: Annotated[bool, internal],
    by: User,
    key: str = "",
) -> tuple[ApiToken, str | None]:
    """A token, and its secret. `auth`: what the request was authenticated with; `is_sure`: see `factors.is_sure`.

    Refuses: `Forbidden` (not confirmed lately, or asked by a token), and as `tokens.issue`.
    """
    if not is_sure:
        raise Forbidden(
            "reauthenticate", "Confirm your password in your browser first, or send name and password with the request."
        )
    if auth is not None:
        raise Forbidden(
            "no-token-by-token", "A token cannot create tokens: use your session, or your name and password."
        )
    return tokens.issue(name=name, scopes=scopes, days=days, request_key=key, by=by)


def revoke_token(*, token_id: RowId, auth: Annotated[Any, internal] = None, by: User) -> None:
    """Refuses: `Forbidden` (a token of another), `NotFound`."""
    if isinstance(auth, ApiToken) and auth.pk != token_id:
        raise Forbidden("not-this-token", "A token can revoke only itself.")
    tokens.revoke(token_id=token_id, by=by)


def _auth(request: Any) -> Mapping[str, Any]:
    return {"auth": getattr(request, "auth", None)}


def _auth_and_whether_sure(request: Any) -> Mapping[str, Any]:
    """A session that is only borrowed makes no token, which would outlast it."""
    is_session = isinstance(getattr(request, "successful_authenticator", None), SessionLogin)
    return {**_auth(request), "is_sure": not is_session or factors.is_sure(request)}


def _with_secret(result: tuple[ApiToken, str | None], by: User) -> ApiToken:
    token, token.token = result
    return token


class RevokeForm(PlainPost):
    page, does, then = TOKENS, revoke_token, gettext_lazy("The token is revoked.")
    path, name = "me/tokens/<int:token_id>/revoke/", "revoke_token"


class OfTokens(Resource):
    """Requests about one's own tokens: also allowed by name and password."""

    tags, authentication_classes = ("tokens",), (RoomToken, SessionLogin, Password)


class TokensResource(OfTokens):
    path, asks_factor = "tokens", True
    get = reads(token_list, name="tokens", summary="Your tokens", description="Your tokens.", answers=Token, many=True)
    post = does(
        make_token,
        name="make_token",
        summary="Create a token",
        description="By session, or by name and password; not by a token. The answer contains the secret once.",
        by_token=False,
        of_request=_auth_and_whether_sure,
        answers=NewToken,
        status=201,
        shown=_with_secret,
        waiting=NewToken,
        waiting_status=200,
        is_waiting=lambda result: result[1] is None,
        refuses=(409,),
    )


class TokenResource(OfTokens):
    path, scope = "tokens/<id:token_id>", tokens.SCOPES
    delete = does(
        revoke_token,
        name="revoke_token",
        summary="Revoke a token",
        description="The token stops working at once. A token can revoke only itself, whatever its scopes.",
        of_request=_auth,
        status=204,
    )


api = addresses([TokensResource, TokenResource])
urlpatterns = [*page_urls([], forms=[RevokeForm]), path(TOKENS.address, page, name=TOKENS.name)]
