"""Where one is logged in: each browser, from where and since when, and to log out there or everywhere else."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from rest_framework import serializers

from cardroom.accounts import push, sessions
from cardroom.accounts.models import RoomSession
from cardroom.core.models import User
from cardroom.core.sentences import to_text
from cardroom.core.web.forms import PagePost, PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page, went_to
from cardroom.core.web.resources import Resource, addresses, does, reads


class OwnSession(serializers.Serializer[Any]):
    """A browser in which you are logged in."""

    handle = serializers.CharField(help_text="What the session is called by; it opens nothing.")
    browser = serializers.CharField(help_text="The browser and its system, as far as it says.")
    address = serializers.CharField(allow_null=True, help_text="Where it logged in from.")
    began_at = serializers.DateTimeField(allow_null=True, help_text="When it logged in.")
    seen_at = serializers.DateTimeField(allow_null=True, help_text="When one of its pages was open last.")


class SessionsEnded(serializers.Serializer[Any]):
    ended = serializers.IntegerField(help_text="How many sessions were ended.")


def _row(session: RoomSession) -> dict[str, Any]:
    return {
        "handle": session.handle,
        "browser": to_text(push.browser_of(session.agent)),
        "address": session.address,
        "began_at": session.began_at,
        "seen_at": session.seen_at,
    }


def own(*, by: User) -> list[dict[str, Any]]:
    return [_row(session) for session in sessions.open_now(now=timezone.now(), user=by)]


def page(request: HttpRequest) -> Context:
    """Every browser, this one first."""
    current_handle = sessions.handle_of(request.session.session_key or "")
    rows = sorted(own(by=request.user), key=lambda row: row["handle"] != current_handle)
    return {"rows": rows, "here": current_handle}


def this_session(request: Any) -> Mapping[str, Any]:
    """The session of this request, which goes on; "" for a program with a token."""
    is_program = getattr(request, "auth", None) is not None
    return {"but": "" if is_program else sessions.handle_of(request.session.session_key or "")}


def _number_ended(number: int) -> str:
    if not number:
        return gettext("You are logged in nowhere else.")
    message = ngettext("{number} other browser is logged out.", "{number} other browsers are logged out.", number)
    return message.format(number=number)


SESSIONS = Page("me/sessions/", "my_sessions", page, template="cardroom/accounts/sessions.html", says_refusals=True)


class EndForm(PlainPost):
    page, does, then = SESSIONS, sessions.end_one, gettext_lazy("Logged out there.")
    path, name = "me/sessions/<slug:handle>/end/", "end_my_session"


class EndOthersForm(PagePost):
    page, does, path, name = SESSIONS, sessions.end_others, "me/sessions/end/", "end_my_sessions"

    def of_request(self, request: HttpRequest) -> Mapping[str, Any]:
        return this_session(request)

    def done(self, request: HttpRequest, result: int) -> HttpResponse:
        return went_to(request, _number_ended(result), SESSIONS.name)


class OwnSessionsResource(Resource):
    path, tags = "me/sessions", ("me",)
    get = reads(own, name="my_sessions", summary="Where you are logged in", answers=OwnSession, many=True)
    delete = does(
        sessions.end_others,
        name="end_my_sessions",
        summary="Log out everywhere else",
        description="The session that asks goes on; a program that asks with a token ends all of them.",
        of_request=this_session,
        answers=SessionsEnded,
        shown=lambda number, by: {"ended": number},
    )


class OwnSessionResource(Resource):
    path, tags = "me/sessions/<slug:handle>", ("me",)
    delete = does(sessions.end_one, name="end_my_session", summary="Log out in one browser", status=204)


api = addresses([OwnSessionsResource, OwnSessionResource])
urlpatterns = page_urls([SESSIONS], forms=[EndForm, EndOthersForm])
