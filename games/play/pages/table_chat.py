"""The chat of a table, on its page and for programs."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from cardroom.accounts.models import ChatLine
from cardroom.core.models import User
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.parts import part_of
from cardroom.core.web.resources import Resource, addresses, does, reads
from cardroom.office import chat as room_chat
from cardroom.office.chat_api import ChatMessage
from games.play import table_chat
from games.tables.models.tables import Table
from games.tables.queries import tables as table_queries


def chat_of(request: HttpRequest, table: Table) -> dict[str, Any] | None:
    """The chat as the table's page shows it; None where there is none, or for a reader who is not logged in."""
    return _part(request, table) if request.user.is_authenticated and table_chat.has_chat(table) else None


def _part(request: HttpRequest, table: Table) -> dict[str, Any]:
    """The context of the chat. Only those who may watch the table read its lines: without spectators, only seated
    players."""
    may_read = table_queries.may_watch(table, request.user)
    lines = table_chat.lines(table_id=table.pk, reader=request.user) if may_read else []
    address = reverse("table_chat", args=[table.pk])
    return room_chat.part(request, table_chat.place_of(table.pk), lines, gettext("Chat at the table"), address, address)


@part_of("table", "table_id")
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    """The chat of a table as a part of its page, which reloads it."""
    chat = _part(request, table_queries.visible_table(table_id, request.user))
    return render(request, "cardroom/office/chat/_now.html", {"chat": chat})


PAGE = Page("tables/<int:table_id>/chat/", "table_chat", page)


class SayAtTableForm(PlainPost):
    page, does = PAGE, table_chat.say

    def done(self, request: HttpRequest, result: ChatLine) -> HttpResponse:
        if request.htmx:
            return room_chat.field_again(request, result.place)
        return redirect("table", table_id=result.place.partition(":")[2])


def lines(*, table_id: int, before: int | None, limit: int, by: User) -> list[ChatLine]:
    """The lines of the chat of a table."""
    return table_chat.lines(table_id=table_id, reader=by, before=before, limit=limit)


class TableChat(Resource):
    path, tags = "tables/<id:table_id>/chat", ("tables",)
    get = reads(lines, name="table_chat", summary="The chat of a table", answers=ChatMessage, refuses=(404,))
    post = does(
        table_chat.say,
        name="say_at_table",
        summary="Send a message to a table",
        description="From a seat there, or from staff. The chat rests while a player is all-in against others who may"
        " still act.",
        answers=ChatMessage,
        status=201,
        refuses=(404, 409),
    )


api = addresses([TableChat])
urlpatterns = page_urls([PAGE], forms=[SayAtTableForm])
