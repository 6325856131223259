"""Waiting lists for players: a game's list, their own lists and calls.

The kiosk and the page behind the link of a call, where nobody is logged in, are in `games.waitlists.kiosk`.
"""

import secrets
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST

from cardroom.core import access, notices
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page, went_to
from cardroom.core.web.parts import part_of
from games.engine.games import SEAT_NUMBERS
from games.play.pages.tables import answer_with_notice
from games.tables.models.tables import Seat, Table
from games.tables.queries import tables as table_queries
from games.waitlists import calling, choosing, filling, joining
from games.waitlists import queries as waitlist_queries
from games.waitlists.models import ListEntry
from games.waitlists.pages.parts import draw

PAST = 30


def every(request: HttpRequest) -> HttpResponse:
    """The lists of all games."""
    return draw(request, "every", {"lists": waitlist_queries.every(), "mine": _mine_by_offer(request)})


def game_list(request: HttpRequest, offer_id: int) -> HttpResponse:
    """The list of a game as the room shows it, with the rules it goes by, and a form to join it."""
    game = waitlist_queries.of_offer(offer_id)
    context = {
        "list": game,
        "entry": _mine_by_offer(request).get(offer_id),
        "rules": [rule for rule, _ in choosing.RULES],
        "seat_numbers": SEAT_NUMBERS,
        "tables": game.open_tables,
    }
    return draw(request, "list", context)


def mine(request: HttpRequest) -> HttpResponse:
    """The lists a player is on, the calls to answer, the seats they could change, and what became of earlier waits."""
    seats = [seat for seat in table_queries.seats_of(request.user, event="") if seat.table.offer_id]
    tables = waitlist_queries.open_tables({seat.table.offer_id for seat in seats}) if seats else []
    for seat in seats:
        seat.others = [table for table in tables if table.offer == seat.table.offer_id and table.pk != seat.table_id]
    context = {
        "entries": waitlist_queries.mine(request.user),
        "seats": seats,
        "seat_numbers": SEAT_NUMBERS,
        "past": waitlist_queries.past(request.user, limit=PAST),
        "notices": notices.unread(request.user, about="room"),
    }
    return draw(request, "mine", context)


def my_entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    """The history of one of the player's own names."""
    return draw(request, "entry", {"story": waitlist_queries.story(entry_id, request.user, is_staff=False)})


@part_of("my_lists")
def calls(request: HttpRequest) -> HttpResponse:
    """The banner on every page: the player's open tables of events, calls to answer and other notices; and the bar with
    all their seats online. Empty where nobody is logged in."""
    if not request.user.is_authenticated:
        return HttpResponse("")
    user = access.require_login(request.user)
    rows = waitlist_queries.calls_of(user)
    # The notice of a call is left out: the call itself is shown, with its buttons.
    called, unread = {row.id for row in rows}, notices.unread(user, about="room", limit=5)
    seats = [seat for seat in table_queries.seats_of(user) if not seat.table.is_physical]
    current_path = _path_of(request.htmx.current_url or "") if request.htmx else ""
    context = {
        "calls": rows,
        "notices": [notice for notice in unread if notice.data.get("entry") not in called],
        "opened": [seat for seat in seats if _is_open(seat)],
        "seats": seats,
        "here": current_path,
        "is_side": current_path == reverse("my_tables"),
        "key": secrets.token_urlsafe(9),
    }
    return render(request, "games/waitlists/_calls.html", context)


@login_required
@require_POST
def read_notice(request: HttpRequest, notice_id: int) -> HttpResponse:
    notices.read(by=access.require_login(request.user), notice_id=notice_id)
    return calls(request) if request.htmx else redirect("my_lists")


def _is_open(seat: Seat) -> bool:
    """Whether the page opens this seat for its player: at a table of an event, in play, with chips."""
    return bool(seat.table.event and seat.table.state == Table.State.OPEN and seat.account.balance)


def _path_of(address: str) -> str:
    """The path of an address that a browser sent; "" for one that cannot be read."""
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def _mine_by_offer(request: HttpRequest) -> dict[int, waitlist_queries.NameRow]:
    if not request.user.is_authenticated:
        return {}
    return {row.offer: row for row in waitlist_queries.mine(request.user) if not row.is_move}


LIST = Page("lists/<int:offer_id>/", "list", game_list, is_public=True)
MINE = Page("me/lists/", "my_lists", mine)
PAGES = [
    Page("lists/", "lists", every, is_public=True),
    LIST,
    MINE,
    Page("me/lists/<int:entry_id>/", "my_list_entry", my_entry),
    Page("me/calls/", "my_calls", calls, is_public=True),
]


class JoinListForm(PlainPost):
    page, does, path, name = LIST, joining.join, "lists/<int:offer_id>/join/", "list_join"

    def done(self, request: HttpRequest, result: ListEntry) -> HttpResponse:
        patterns = {
            ListEntry.Kind.LIST: gettext("You are on the waiting list of {game}."),
            ListEntry.Kind.INTEREST: gettext("You are on the interest list of {game}."),
        }
        pattern = patterns.get(result.kind) or gettext("You are on the {kind} of {game}.")
        words = pattern.format(kind=result.get_kind_display(), game=result.offer.name)
        return went_to(request, words, "my_lists")


class OnMine(PlainPost):
    """A form about the player's own name. The parts of a page that show it are told when it is done."""

    page, path, name = MINE, "me/lists/<int:entry_id>/<slug:verb>/", "my_list_do"

    def words(self, result: ListEntry) -> str:
        """What was done, for the player."""
        is_seated = result.state == ListEntry.State.SEATED
        return gettext("You already have this seat.") if is_seated else str(self.then)

    def done(self, request: HttpRequest, result: ListEntry) -> HttpResponse:
        return answer_with_notice(self.words, "my_lists", news="room:player")(request, result)


class AnswerCallForm(OnMine):
    does = calling.answer

    def typed(self, form: QueryDict) -> QueryDict:
        """The button is the reply."""
        form["reply"] = self.button
        return form


class ConfirmCallForm(AnswerCallForm):
    button, then = "coming", gettext_lazy("The seat is held for you.")


class AskMoreTimeForm(AnswerCallForm):
    button, then = "more-time", gettext_lazy("You have more time.")


class CancelCallForm(AnswerCallForm):
    button, then = "cancel", gettext_lazy("The seat goes to the next player.")


class TakeSeatForm(OnMine):
    does, button = filling.take_seat, "seat"

    def done(self, request: HttpRequest, result: ListEntry) -> HttpResponse:
        words = gettext("You are in seat {number}. Good luck.").format(number=result.called_number)
        messages.success(request, words)
        address = f"/tables/{result.called_to_id}/"
        return HttpResponse(status=204, headers={"HX-Redirect": address}) if request.htmx else redirect(address)


class LeaveListForm(OnMine):
    does, button, then = joining.leave, "leave", gettext_lazy("You are off the list.")


urlpatterns = [
    *page_urls(
        PAGES, forms=[JoinListForm, ConfirmCallForm, AskMoreTimeForm, CancelCallForm, TakeSeatForm, LeaveListForm]
    ),
    path("me/notices/<int:notice_id>/read/", read_notice, name="notice_read"),
]
