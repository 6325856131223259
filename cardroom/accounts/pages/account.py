"""One's own account: who one is, what one likes, one's wallet and its statement."""

from typing import Any

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from rest_framework import serializers

from cardroom.accounts import look, people, push, welcome
from cardroom.accounts.pages import navigation
from cardroom.core import access, room_time
from cardroom.core.models import User
from cardroom.core.sentences import to_text
from cardroom.core.web.api.fields import Sentence
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page, went_to
from cardroom.core.web.parts import part_of
from cardroom.core.web.resources import Resource, addresses, does, reads

STATEMENT_LINES = 50


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


class WalletMovement(serializers.Serializer[Any]):
    """One movement on the wallet."""

    id = serializers.IntegerField(source="entry")
    at = serializers.DateTimeField()
    reference = serializers.CharField(help_text="Its reference, such as buy-in:7.")
    reason = Sentence()
    amount = serializers.IntegerField(help_text="Chips into the wallet; negative: out of it.")
    balance = serializers.IntegerField(help_text="The wallet balance after it.")


def page(request: HttpRequest) -> Context:
    """The wallet, its last movements, and the player's settings."""
    lines = people.statement(request.user, limit=STATEMENT_LINES)
    zones = {"zones": room_time.by_region(), "room_zone": settings.TIME_ZONE}
    context = {"statement": lines, "faces": look.faces(request.user)} | zones
    if not push.is_possible():
        return context
    browsers = [(subscription, to_text(subscription.browser)) for subscription in push.subscriptions_of(request.user)]
    return context | {"browsers": browsers, "push_key": push.public_key()}


@part_of("me")
def wallet_now(request: HttpRequest) -> HttpResponse:
    """The chips in the wallet, for the top of every page, which asks again when they change."""
    return HttpResponse(intcomma(welcome.spendable_by(request.user)))


ME = Page("me/", "me", page, template="cardroom/accounts/me.html", says_refusals=True)
WALLET = Page("me/wallet/", "my_wallet", wallet_now)
WAITING = Page("me/approvals/", "approvals_waiting", navigation.waiting)


class LikeForm(PagePost):
    """A form with settings of the account."""

    page = ME

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        if request.htmx:
            return HttpResponse(status=204)
        return went_to(request, gettext("Saved."), ME.name)


class MailForm(LikeForm):
    does, path, name = people.set_preferences, "me/mail/", "wants_mail"

    def typed(self, form: QueryDict) -> QueryDict:
        """An unticked box sends nothing, and means no."""
        form.setdefault("wants_mail", "no")
        return form


class TimeZoneForm(LikeForm):
    does, path, name = people.set_preferences, "me/time-zone/", "time_zone"

    def typed(self, form: QueryDict) -> QueryDict:
        form.setdefault("time_zone", "")
        return form


class LanguageForm(PagePost):
    page, does, path, name = ME, people.set_preferences, "me/language/", "my_language"

    def typed(self, form: QueryDict) -> QueryDict:
        form.setdefault("language", "")
        return form

    def done(self, request: HttpRequest, result: User) -> HttpResponse:
        """Back to the page of the form, in the chosen language."""
        there = request.POST.get("next", "")
        is_own = url_has_allowed_host_and_scheme(there, {request.get_host()}, require_https=request.is_secure())
        answer = redirect(there if is_own and there.startswith("/") else "me")
        if not result.language:
            answer.delete_cookie(settings.LANGUAGE_COOKIE_NAME)  # what was chosen before anybody logged in there
        return answer


def me(*, by: User) -> dict[str, Any]:
    """The account that asks, as `Me` draws it."""
    return {
        "id": by.pk,
        "name": by.username,
        "wants_mail": by.wants_mail,
        "time_zone": by.time_zone,
        "language": by.language,
        "roles": sorted(access.roles_of(by)),
        "wallet": {"unit": "cash", "balance": people.wallet_balance(by)},
    }


def statement(*, before: int | None, limit: int, by: User) -> list[people.StatementLine]:
    """Every movement of the wallet, the newest first."""
    return people.statement(by, before=before, limit=limit)


class MeResource(Resource):
    path, tags = "me", ("me",)
    get = reads(me, name="me", summary="Your account", answers=Me)
    patch = does(
        people.set_preferences,
        name="prefer",
        summary="Change your settings",
        answers=Me,
        shown=lambda user, by: me(by=user),
    )


class StatementResource(Resource):
    path, tags = "me/transfers", ("me",)
    get = reads(
        statement,
        name="my_transfers",
        summary="Your statement",
        description="Every movement of your wallet, newest first.",
        answers=WalletMovement,
        number=lambda line: line.entry,
    )


api = addresses([MeResource, StatementResource])
urlpatterns = page_urls([ME, WALLET, WAITING], forms=[MailForm, TimeZoneForm, LanguageForm])
