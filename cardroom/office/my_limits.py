"""What players allow themselves: the limits they set, and for how long they exclude themselves."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.accounts import bans
from cardroom.accounts.models import Ban, Where
from cardroom.core import room_time
from cardroom.core.errors import Invalid
from cardroom.core.models import User
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from cardroom.core.web.resources import Resource, addresses, does, reads
from cardroom.ledger import limits
from cardroom.ledger.models import LimitChange
from cardroom.office.players import BanLine

#: For how many days players may exclude themselves, as the form offers it; "": for good.
EXCLUSIONS = {
    "1": gettext_lazy("a day"),
    "7": gettext_lazy("a week"),
    "30": gettext_lazy("a month"),
    "182": gettext_lazy("six months"),
    "365": gettext_lazy("a year"),
    "1826": gettext_lazy("five years"),
    "": gettext_lazy("permanently"),
}


class LimitRequest(Shape):
    """A limit that was asked for."""

    of = LimitChange
    field_names = "id kind amount counts_from cancelled_at"
    kind = serializers.ChoiceField(LimitChange.Kind.choices)


class LimitLine(serializers.Serializer[Any]):
    """How you stand with one kind of limit."""

    kind = serializers.ChoiceField(LimitChange.Kind.choices)
    label = serializers.CharField()
    amount = serializers.IntegerField(allow_null=True, help_text="Chips or minutes; null: no limit.")
    used = serializers.IntegerField(allow_null=True)
    left = serializers.IntegerField(allow_null=True)
    coming = serializers.SerializerMethodField(help_text="A change that is not in force yet.")

    def get_coming(self, limit: limits.Limit) -> dict[str, Any] | None:
        return LimitRequest(limit.coming).data if limit.coming else None


def page(request: HttpRequest) -> Context:
    """The player's own limits."""
    now = timezone.now()
    return {
        "limits": limits.all_of(request.user, now=now),
        "ranges": limits.RANGES,
        "exclusions": EXCLUSIONS.items(),
        "places": Where.choices,
        "bans": list(bans.in_force(request.user, now=now)),
    }


MY_LIMITS = Page("me/limits/", "my_limits", page, template="cardroom/office/my_limits.html", says_refusals=True)


class SetForm(PagePost):
    page, does = MY_LIMITS, limits.request_limit

    def done(self, request: HttpRequest, result: LimitChange) -> HttpResponse:
        return MY_LIMITS.say(request, _limit_set, result)


class CancelLimitForm(PagePost):
    page, does, button = MY_LIMITS, limits.cancel, "cancel"
    then = gettext_lazy("Change cancelled: the limit stays as it is.")


class ExcludeForm(PagePost):
    page, does, path, name = MY_LIMITS, bans.exclude_oneself, "me/limits/exclude/", "exclude_me"

    def typed(self, form: QueryDict) -> QueryDict:
        """The form has a number of days; its box, that it cannot be taken back, has to be ticked."""
        days = form.get("days", "no")
        if days not in EXCLUSIONS or "sure" not in form:
            raise Invalid("not-sure", "Choose a duration, and confirm that this cannot be undone.")
        form["until"] = (timezone.now() + timedelta(days=int(days))).isoformat() if days else ""
        return form

    def done(self, request: HttpRequest, result: Ban) -> HttpResponse:
        return redirect("lobby")


def _limit_set(change: LimitChange) -> str:
    if change.counts_from <= timezone.now():
        return gettext("It is in force now.")
    return gettext("It is in force from {time}; until then you can cancel the change.").format(
        time=room_time.format_moment(change.counts_from)
    )


def my_limits(*, by: User) -> list[limits.Limit]:
    """One of each kind."""
    return limits.all_of(by, now=timezone.now())


def my_bans(*, by: User) -> QuerySet[Ban]:
    """The user's own bans that are in force."""
    return bans.in_force(by, now=timezone.now()).select_related("by")


class OwnLimitsResource(Resource):
    path, tags = "me/limits", ("me",)
    get = reads(my_limits, name="my_limits", summary="Your limits", answers=LimitLine, many=True)
    post = does(
        limits.request_limit,
        name="set_my_limit",
        summary="Set a limit",
        description="A stricter limit is in force at once, a looser one after a day.",
        answers=LimitRequest,
        status=201,
        refuses=(409,),
    )


class LimitResource(Resource):
    path, tags = "me/limits/<id:change_id>", ("me",)
    delete = does(
        limits.cancel,
        name="cancel_my_limit",
        summary="Cancel a change of a limit",
        answers=LimitRequest,
        refuses=(409,),
    )


class MyBansResource(Resource):
    path, tags = "me/bans", ("me",)
    get = reads(my_bans, name="my_bans", summary="Your bans", answers=BanLine, many=True)
    post = does(
        bans.exclude_oneself,
        name="exclude_me",
        summary="Exclude yourself",
        description="For at least one day. Nobody can undo it.",
        answers=BanLine,
        status=201,
        refuses=(409,),
    )


api = addresses([OwnLimitsResource, LimitResource, MyBansResource])
urlpatterns = page_urls([MY_LIMITS], forms=[SetForm, CancelLimitForm, ExcludeForm])
