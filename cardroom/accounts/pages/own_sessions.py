"""Where one is logged in: each browser, from where and since when, and to log out there or everywhere else."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from rest_framework import serializers

from cardroom.accounts import push, sessions
from cardroom.accounts.models import RoomSession
from cardroom.core.models import User
from cardroom.core.sentences import told
from cardroom.core.web import operations as of
from cardroom.core.web.operations import Context, Form, Operation, Page, Read


class OwnSession(serializers.Serializer[Any]):
    """A browser in which you are logged in."""

    handle = serializers.CharField(help_text="What the session is called by; it opens nothing.")
    browser = serializers.CharField(help_text="The browser and its system, as far as it says.")
    address = serializers.CharField(allow_null=True, help_text="Where it logged in from.")
    began_at = serializers.DateTimeField(allow_null=True, help_text="When it logged in.")
    seen_at = serializers.DateTimeField(allow_null=True, help_text="When one of its pages was open last.")


class Ended(serializers.Serializer[Any]):
    ended = serializers.IntegerField(help_text="How many sessions were ended.")


def _row(session: RoomSession) -> dict[str, Any]:
    return {
        "handle": session.handle,
        "browser": told(push.browser_of(session.agent)),
        "address": session.address,
        "began_at": session.began_at,
        "seen_at": session.seen_at,
    }


def _own(by: User) -> list[dict[str, Any]]:
    return [_row(session) for session in sessions.open_now(now=timezone.now(), user=by)]


def page(request: HttpRequest) -> Context:
    """Every browser, this one first."""
    here = sessions.handle_of(request.session.session_key or "")
    rows = sorted(_own(request.user), key=lambda row: row["handle"] != here)
    return {"rows": rows, "here": here}


def _this_one(request: Any) -> Mapping[str, Any]:
    """The session that asks goes on; a program that asks with a token has none."""
    is_program = getattr(request, "auth", None) is not None
    return {"but": "" if is_program else sessions.handle_of(request.session.session_key or "")}


def _number_ended(number: int) -> str:
    if not number:
        return gettext("You are logged in nowhere else.")
    message = ngettext("{number} other browser is logged out.", "{number} other browsers are logged out.", number)
    return message.format(number=number)


SESSIONS = Page("me/sessions/", "my_sessions", page, template="cardroom/accounts/sessions.html", says_refusals=True)
_end = partial(Operation, tag="me", actor="user", method="DELETE")

DECLARED = [
    Read(name="my_sessions", summary="Where you are logged in", address="me/sessions", tag="me", out=OwnSession,
         many=True, finds=_own),
    _end(
        name="end_my_session", summary="Log out in one browser", address="me/sessions/<slug:handle>",
        does=sessions.end_one, status=204,
        form=Form("me/sessions/<slug:handle>/end/", "end_my_session", SESSIONS, gettext_lazy("Logged out there."),
                  of.refused, shown=()),
    ),
    _end(
        name="end_my_sessions", summary="Log out everywhere else", address="me/sessions", does=sessions.end_others,
        description="The session that asks goes on; a program that asks with a token ends all of them.",
        tells=_this_one, out=Ended, shows=lambda number, by: {"ended": number},
        form=Form("me/sessions/end/", "end_my_sessions", SESSIONS, SESSIONS.said(_number_ended)),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([SESSIONS], DECLARED)
