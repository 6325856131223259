"""Who is connected, for the floor: browsers that people are logged in with, and kiosks."""

from typing import Annotated, Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.accounts import sessions
from cardroom.accounts.models import RoomSession
from cardroom.core import notices
from cardroom.core.arguments import Limits
from cardroom.core.models import User
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page, went_to
from cardroom.core.web.resources import Resource, addresses, does, reads

A_PAGE = 50
MOST = 2000


class OpenConnection(serializers.Serializer[Any]):
    """A browser in which a person is logged in, or a kiosk, where nobody is."""

    handle = serializers.CharField()
    player = serializers.IntegerField(source="user_id", allow_null=True, help_text="null: a kiosk.")
    name = serializers.CharField(source="user.username", default=None, allow_null=True)
    kiosk_by = serializers.CharField(
        source="kiosk_by.username", default=None, allow_null=True, help_text="Who opened the kiosk."
    )
    address = serializers.CharField(allow_null=True)
    agent = serializers.CharField()
    since = serializers.DateTimeField(source="began_at", allow_null=True)
    seen_at = serializers.DateTimeField(allow_null=True, help_text="When one of its sockets was last open.")


def page(request: HttpRequest) -> Context:
    """Who is logged in, from where, and whose sockets are open."""
    now = timezone.now()
    shown = Paginator(sessions.open_now(now=now), A_PAGE).get_page(request.GET.get("page"))
    return {"page": shown, "rows": [(session, sessions.is_connected(session, now=now)) for session in shown]}


CONNECTIONS = Page(
    "staff/connections/",
    "connections",
    page,
    sessions.STAFF,
    template="cardroom/office/connections.html",
    says_refusals=True,
)


def listing(*, by: User) -> QuerySet[RoomSession]:
    """The connections there are now."""
    return sessions.open_now(now=timezone.now())[:MOST]


def connection(*, handle: str, by: User) -> RoomSession:
    """One of them. Refuses: `NotFound`."""
    return sessions.get_session(handle=handle, by=by, now=timezone.now())


def send_message(*, handle: str, text: Annotated[str, Limits(max_length=300)], by: User, key: str = "") -> User:
    """Send a message to the person who is logged in there. Refuses: `NotFound`, `Invalid` (a kiosk; no text)."""
    player = sessions.session_user(handle=handle, by=by, now=timezone.now())
    notices.send_message(player=player, text=text, by=by, key=key)
    return player


class OnConnection(PagePost):
    """A form of one line of the page."""

    page, path, name, asks_factor = CONNECTIONS, "staff/connections/<slug:handle>/", "connection", True


class MessagePlayerForm(OnConnection):
    does, button, then = send_message, "message", gettext_lazy("The message to {} is sent.")


class TerminateForm(OnConnection):
    does, button = sessions.terminate, "terminate"

    def done(self, request: HttpRequest, result: User | None) -> HttpResponse:
        words = gettext("{who} is logged out.").format(who=result) if result else gettext("The kiosk is closed.")
        return went_to(request, words, CONNECTIONS.name)


class FloorConnectionResource(Resource):
    """Requests of the floor about connections."""

    tags, scope, asks_factor = ("connections",), "direct", True


class ConnectionsResource(FloorConnectionResource):
    path = "connections"
    get = reads(
        listing, name="connections", summary="List connections", answers=OpenConnection, many=True, roles=sessions.STAFF
    )


class ConnectionResource(FloorConnectionResource):
    path = "connections/<slug:handle>"
    get = reads(connection, name="connection", summary="A connection", answers=OpenConnection, roles=sessions.STAFF)


class MessageResource(FloorConnectionResource):
    path = "connections/<slug:handle>/message"
    post = does(
        send_message,
        name="message_connection",
        summary="Send a message",
        description="Shown on every page they have open.",
        roles=sessions.STAFF,
        status=204,
        refuses=(409,),
    )


class TerminateResource(FloorConnectionResource):
    path = "connections/<slug:handle>/terminate"
    post = does(sessions.terminate, name="terminate_connection", summary="End a connection", status=204)


api = addresses([ConnectionsResource, ConnectionResource, MessageResource, TerminateResource])
urlpatterns = page_urls([CONNECTIONS], forms=[MessagePlayerForm, TerminateForm])
