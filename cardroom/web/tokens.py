"""One's tokens, as a page and for programs. How the one who asks has logged in decides here, so these verbs are no
`operations`: a token makes no other, so that one that leaks cannot make its successor."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import ApiToken
from cardroom.services import selectors, tokens
from cardroom.services.errors import Forbidden
from cardroom.web.api import keys, serializers
from cardroom.web.api.access import Password, RoomSession, RoomToken, asker
from cardroom.web.api.routes import resource
from cardroom.web.api.schema import refusals

_SCOPES = {
    "read": "See what I see",
    "play": "Sit down, enter events, act and leave in my name",
    "direct": "Deal, rule, run events, lists and tables, as far as my roles go",
    "cage": "Move players' chips and keep their cards, as far as my roles go",
    "manage": "Put games on offer, set limits, ban, as far as my roles go",
}


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(max_length=tokens.LONGEST_NAME, help_text="What it is for, such as “my notebook”.")
    scopes = forms.MultipleChoiceField(
        choices=[(scope, _SCOPES[scope]) for scope in tokens.SCOPES],
        widget=forms.CheckboxSelectMultiple,
        initial=["read"],
        label="It may",
    )
    days = forms.IntegerField(min_value=1, max_value=tokens.MOST_DAYS, initial=tokens.DAYS, label="Days it is good for")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """One's tokens; a new one's secret is on the answer to the form and nowhere else."""
    form = TokenForm(request.POST or None)
    secret = None
    if request.method == "POST" and form.is_valid():
        _, secret = tokens.issue(user=request.user, **form.cleaned_data)
        form = TokenForm()
    held = ApiToken.objects.filter(user=request.user).order_by("-pk")
    return render(request, "cardroom/tokens.html", {"form": form, "tokens": held, "secret": secret})


@login_required
@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    tokens.revoke(user=request.user, token_id=token_id)
    messages.success(request, "The key is revoked.")
    return redirect("tokens")


class _TokensView(APIView):
    tags = ("tokens",)
    authentication_classes = [RoomToken, RoomSession, Password]


class TokensView(_TokensView):
    """Your tokens."""

    @extend_schema(operation_id="tokens", summary="Your tokens", responses=serializers.Token(many=True))
    def get(self, request: Request) -> Response:
        found = selectors.tokens_of(asker(request), now=timezone.now())
        return Response(serializers.Token(found, many=True).data)

    @extend_schema(
        operation_id="make_token",
        summary="Make a token",
        description="By session or by name and password, not by another token. The secret is in the answer, this once.",
        request=serializers.TokenOrder,
        parameters=[keys.PARAMETER],
        responses={201: serializers.NewToken, 200: serializers.NewToken} | refusals(409),
    )
    def post(self, request: Request) -> Response:
        if request.auth is not None:
            raise Forbidden("A token makes no tokens: use your session, or name and password.", "no-token-by-token")
        order = serializers.TokenOrder.read(request)
        token, secret = tokens.issue(user=asker(request), key=keys.key_of(request), **order)
        answer = serializers.Token(token).data | {"token": secret}
        return Response(answer, status=status.HTTP_201_CREATED if secret else status.HTTP_200_OK)


class TokenView(_TokensView):
    """One of your tokens."""

    @extend_schema(
        operation_id="revoke_token",
        summary="Revoke a token",
        description="Good for nothing from now on. A token may revoke itself, and no other.",
        responses={204: None},
    )
    def delete(self, request: Request, token_id: int) -> Response:
        by = request.auth
        if isinstance(by, ApiToken) and by.pk != token_id:
            raise Forbidden("A token revokes itself and no other.", "not-this-token")
        tokens.revoke(user=asker(request), token_id=token_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


api = [
    *resource("tokens", TokensView, name="api-tokens"),
    *resource("tokens/<id:token_id>", TokenView, name="api-token"),
]
urlpatterns = [
    path("me/tokens/", page, name="tokens"),
    path("me/tokens/<int:token_id>/revoke/", revoke, name="revoke_token"),
]
