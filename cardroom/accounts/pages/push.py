"""The browsers in which people are told by push."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from cardroom.accounts import push
from cardroom.accounts.models import PushSubscription
from cardroom.accounts.pages.account import ME
from cardroom.core.models import User
from cardroom.core.web.api.fields import Sentence
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PagePost, PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.resources import Resource, addresses, does, reads


class Browser(Shape):
    """A browser that gets push messages while no page of the room is in sight."""

    of = PushSubscription
    field_names = "id browser at"
    browser = Sentence()


class PushKey(serializers.Serializer[Any]):
    key = serializers.CharField(help_text="The room's public key (VAPID), to ask a push service with.")


def browser_of(request: Any) -> Mapping[str, Any]:
    """The session and the browser of this request."""
    return {"session_key": request.session.session_key, "agent": request.META.get("HTTP_USER_AGENT", "")}


def key(*, by: User) -> dict[str, str]:
    """As `PushKey` draws it."""
    return {"key": push.public_key()}


def browsers(*, by: User) -> list[PushSubscription]:
    """The first one first."""
    return push.subscriptions_of(by)


class SubscribeForm(PagePost):
    page, does, path, name = ME, push.subscribe, "me/push/", "push"
    then = gettext_lazy("Push is on in this browser.")

    def of_request(self, request: HttpRequest) -> Mapping[str, Any]:
        return browser_of(request)


class UnsubscribeForm(PlainPost):
    page, does, then = ME, push.unsubscribe, gettext_lazy("Push is off there.")
    path, name = "me/push/<int:subscription_id>/remove/", "push_remove"


class KeyResource(Resource):
    path, tags = "me/push/key", ("me",)
    get = reads(key, name="push_key", summary="The room's key for push", answers=PushKey)


class BrowsersResource(Resource):
    path, tags = "me/push", ("me",)
    get = reads(browsers, name="my_browsers", summary="Your browsers told by push", answers=Browser, many=True)
    put = does(
        push.subscribe,
        name="subscribe",
        summary="Be told by push",
        description="Your turn, a call from a list, an event that starts: while you have no page of the room in sight.",
        of_request=browser_of,
        answers=Browser,
    )


class BrowserResource(Resource):
    path, tags = "me/push/<id:subscription_id>", ("me",)
    delete = does(push.unsubscribe, name="unsubscribe", summary="End push in a browser", status=204)


api = addresses([KeyResource, BrowsersResource, BrowserResource])
urlpatterns = page_urls([], forms=[SubscribeForm, UnsubscribeForm])
