"""The floor's work with the waiting lists."""

import secrets
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts import members
from cardroom.core import access, topics
from cardroom.core.errors import Invalid
from cardroom.core.web import shared
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.core.web.parts import part_of
from games.engine.games import SEAT_NUMBERS
from games.play.pages.tables import answer_with_notice
from games.tables.models.offers import Offer
from games.tables.models.tables import Table
from games.waitlists import adding, calling, filling, joining
from games.waitlists import queries as waitlist_queries
from games.waitlists.filling import StaffList
from games.waitlists.models import ListEntry
from games.waitlists.pages.parts import draw

#: What changes them.
_OF_LISTS = ("floor", "lists", "lobby")


def staff(request: HttpRequest) -> HttpResponse:
    """All lists, live: every game with its names, and whose turn it is at each free seat and why. A name that is
    clicked opens beside them."""
    version = topics.version(*_OF_LISTS)
    games = cache(lambda: filling.for_staff(now=timezone.now()))
    lists = shared.once("staff-lists", version=version, render=lambda: _lists(games()))
    if request.htmx:
        return shared.answer(request, lists)
    add = shared.once("add-name", version=version, render=lambda: _add_name(games()))
    beside = {"lists": lists.mark, "add": add.mark, "key": secrets.token_urlsafe(9)}
    page = render_to_string("games/waitlists/staff.html", beside, request)
    return shared.answer(request, shared.PagePart(page, [lists, add]))


def _lists(games: list[StaffList]) -> shared.PagePart:
    shown = {"lists": games, "key": shared.KEY, "csrf_token": shared.TOKEN}
    return shared.PagePart(render_to_string("games/waitlists/_staff.html", shown))


def _add_name(games: list[StaffList]) -> shared.PagePart:
    """The fields of the form that adds a name."""
    shown = {"lists": [game.list for game in games], "seat_numbers": SEAT_NUMBERS}
    return shared.PagePart(render_to_string("games/waitlists/_add_name.html", shown))


@part_of("staff_lists")
def side(request: HttpRequest) -> HttpResponse:
    """The lists beside the map of the room: names, players who move or change seats, and the next to call."""
    return shared.answer(request, shared.once("side-lists", version=topics.version(*_OF_LISTS), render=_side))


def _side() -> shared.PagePart:
    games = filling.for_staff(now=timezone.now())
    busy = [game for game in games if game.list.names or game.list.changes or game.suggestions]
    shown = {"lists": busy, "key": shared.KEY, "csrf_token": shared.TOKEN}
    return shared.PagePart(render_to_string("games/waitlists/_side.html", shown))


@part_of("staff_lists")
def find(request: HttpRequest) -> HttpResponse:
    """Players by card, barcode or name, to be put on a list (`?name=`)."""
    words = request.GET.get("name", "")[:60]
    players = members.find(words, limit=8) if len(words.strip()) > 1 else []
    context = {"players": players, "words": words, "exact": members.exact(words) if players else None}
    return render(request, "games/waitlists/_found.html", context)


#: Reasons to tap for calling a name out of turn, or skipping it; programs may give any other.
TURN_REASONS = gettext_lazy("Balancing tables"), gettext_lazy("Promised by the floor"), gettext_lazy("Floor decision")
SKIP_REASONS = gettext_lazy("Not here"), gettext_lazy("Player's request"), gettext_lazy("Floor decision")


def entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    """One name: its history, and what the floor can do with it."""
    story = waitlist_queries.story(entry_id, access.require_login(request.user), is_staff=True)
    tables = Table.objects.filter(offer=story.row.offer, state=Table.State.OPEN).order_by("name")
    offers = Offer.objects.filter(is_listed=True)
    context = {
        "story": story,
        "row": story.row,
        "tables": tables,
        "offers": offers,
        "seat_numbers": SEAT_NUMBERS,
        "turn_reasons": TURN_REASONS,
        "skip_reasons": SKIP_REASONS,
    }
    return draw(request, "entry_staff", context)


STAFF = Page("floor/lists/", "staff_lists", staff, joining.ROLES)
PAGES = [
    STAFF,
    Page("floor/lists/side/", "floor_lists", side, joining.ROLES),
    Page("floor/lists/find/", "list_find", find, joining.ROLES),
    Page("floor/lists/<int:entry_id>/", "staff_list_entry", entry, joining.ROLES),
]


def _open_name(request: HttpRequest, result: ListEntry, **address: Any) -> HttpResponse | None:
    """The name that is open beside the lists, drawn anew."""
    return entry(request, result.pk) if request.headers.get("HX-Target") == "list-panel" else None


class OnLists(PlainPost):
    """A form of the floor, after which the lists are shown; with htmx they reload, and the name that is open beside
    them is drawn again."""

    page, path, name = STAFF, "floor/lists/<int:entry_id>/<slug:verb>/", "staff_list_do"

    def words(self, result: ListEntry) -> str:
        """What was done; `then` is a pattern for the player and the state of the name."""
        return str(self.then).format(result.player, result.get_state_display())

    def done(self, request: HttpRequest, result: ListEntry) -> HttpResponse:
        return answer_with_notice(self.words, "staff_lists", news="room:lists", drawn=_open_name)(request, result)


class AddNameForm(OnLists):
    does, path, name = adding.add, "floor/lists/add/", "list_add"

    def typed(self, form: QueryDict) -> QueryDict:
        if not form.get("offer_id", "").strip():
            raise Invalid("bad-form", "Choose a game.")
        return form

    def words(self, result: ListEntry) -> str:
        pattern = gettext("{player} is on the {kind} of {game}.")
        return pattern.format(player=result.player, kind=result.get_kind_display(), game=result.offer.name)

    def done(self, request: HttpRequest, result: ListEntry) -> HttpResponse:
        answer = super().done(request, result)
        if request.htmx:  # the form stays on the page, and the next name needs a key of its own
            answer.status_code = 200
            fresh = {"key": secrets.token_urlsafe(9), "is_new": True}
            answer.content = render_to_string("games/waitlists/_add_key.html", fresh)
        return answer


class CallNextForm(OnLists):
    does, path, name = calling.call_next, "floor/lists/tables/<int:table_id>/call-next/", "list_call_next"

    def words(self, result: ListEntry) -> str:
        pattern = gettext("{player} is called to {table}, seat {number}.")
        if result.is_move:
            pattern = gettext("{player} moves to {table}, seat {number}.")
        return pattern.format(player=result.player, table=result.called_to, number=result.called_number)


class AnswerForPlayerForm(OnLists):
    """The floor answers for a player."""

    does = calling.answer

    def typed(self, form: QueryDict) -> QueryDict:
        """The button is the reply."""
        form["reply"] = self.button
        return form


class ConfirmForPlayerForm(AnswerForPlayerForm):
    button, then = "coming", gettext_lazy("{} is coming.")


class GiveMoreTimeForm(AnswerForPlayerForm):
    button, then = "more-time", gettext_lazy("{} has more time.")


class TakeNameOffForm(OnLists):
    does, button, then = joining.leave, "off", gettext_lazy("{} is removed from the list.")


class TransferNameForm(OnLists):
    does, button, then = joining.transfer, "transfer", gettext_lazy("{} is moved to the other list.")


class CallNameForm(OnLists):
    does, button, then = calling.call, "call", gettext_lazy("{} is {}.")


class SeatNameForm(OnLists):
    does, button, then = filling.seat, "seat", gettext_lazy("{} is {}.")


class PassOverNameForm(OnLists):
    does, button, then = calling.pass_over, "pass", gettext_lazy("{} is skipped.")


urlpatterns = page_urls(
    PAGES,
    forms=[
        AddNameForm,
        CallNextForm,
        ConfirmForPlayerForm,
        GiveMoreTimeForm,
        TakeNameOffForm,
        TransferNameForm,
        CallNameForm,
        SeatNameForm,
        PassOverNameForm,
    ],
)
