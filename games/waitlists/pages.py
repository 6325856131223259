"""Waiting lists: a game's list, one's own lists and calls, the floor's work with them.

The kiosk and the page behind the link of a call, where nobody is logged in, are in `kiosk`.
"""

import secrets
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST
from rest_framework import serializers

from cardroom.accounts import members
from cardroom.cage.pages import player_of
from cardroom.core import access, notices
from cardroom.core.errors import Invalid
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Chips, Flag, Order, Sentence, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Form, Operation, Page, Read, Then, refused
from cardroom.core.web.parts import part_of
from games.engine.games import MOST_SEATS, SEAT_NUMBERS
from games.play.pages.tables import moved
from games.tables.models.offers import Offer
from games.tables.models.tables import Seat, Table
from games.tables.queries import tables as table_queries
from games.waitlists import calling, choosing, filling, joining
from games.waitlists import queries as waitlist_queries
from games.waitlists.models import ListEntry
from games.waitlists.queries import NameRow

PAST = 30
_KINDS = [kind for kind in ListEntry.Kind.values if kind != ListEntry.Kind.MUST_MOVE]


class ListName(Shape):
    """A name on a list."""

    of = NameRow
    shows = (
        "id place name player offer offer_name kind state source since called_to called_table called_number until"
        " has_had_more_time misses wishes"
    )
    says = {
        "place": "From 1 among those who wait for a seat; 0: a change, or over.",
        "called_to": "The table of the call; empty: no call.",
        "called_number": "The seat that is held for them; 0: none.",
        "until": "Until when it is held; null: the clock stands still.",
        "misses": "Calls that were not answered.",
    }
    kind = serializers.ChoiceField(choices=ListEntry.Kind.choices)
    state = serializers.ChoiceField(choices=ListEntry.State.choices)
    source = serializers.ChoiceField(choices=ListEntry.Source.choices)


class GameList(Shape):
    """The list of a game on offer."""

    of = waitlist_queries.GameList
    shows = "offer=offer.pk name=offer.name stakes=offer.stakes tables open_seats waiting names changes"
    says = {"tables": "That are open. Without any this is an interest list."}
    names = ListName(many=True)
    changes = ListName(many=True, help_text="Who wants to change seats or tables, or has to move.")


def _pairs(**more: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.ListField(child=Sentence()), **more)


class ListMoveRow(Shape):
    """What happened to a name, by which rule and why."""

    of = waitlist_queries.MoveRow
    shows = "verb rule why table number passed_over by at"
    says = {"by": "Who of the staff did it, for the floor; empty: nobody."}
    passed_over = _pairs(help_text="Pairs of a name that came before, and why it was passed over; for the floor.")


class ListStory(serializers.Serializer[Any]):
    """A name with everything that happened to it."""

    row = ListName()
    moves = ListMoveRow(many=True)


class NextName(Shape):
    """Whose a free seat is."""

    of = choosing.Choice
    shows = (
        "player=entry.player_id name=entry.player.username entry kind=entry.kind number rule=rule.slug cite=rule.cite"
        " why passed_over"
    )
    entry = serializers.IntegerField(source="entry.pk", allow_null=True, help_text="Null: must-move, not called yet.")
    cite = serializers.CharField(source="rule.cite")
    why = Sentence()
    passed_over = _pairs(source="passed_names")


class Next(serializers.Serializer[Any]):
    """Whose turn it is at a table; null where no seat is free or nobody waits for one."""

    next = NextName(allow_null=True)


class ListWishes(Order):
    """What somebody who waits wishes for."""

    seats = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=MOST_SEATS), required=False, max_length=MOST_SEATS
    )
    tables = serializers.ListField(child=WholeNumber(min_value=1), required=False, max_length=20)
    accessible = Flag(required=False)
    note = Text(required=False, max_length=120)
    phone = Text(required=False, max_length=30)


class ListJoinOrder(Order):
    kind = serializers.ChoiceField(choices=_KINDS, required=False)
    table = WholeNumber(required=False, source="table_id", min_value=1, help_text="For a change: where you sit.")
    wishes = ListWishes(required=False)


class ListAddOrder(Order):
    """Somebody else's name: a player's number, or a name that was said on the telephone."""

    player = WholeNumber(required=False, min_value=1)
    name = Text(required=False, max_length=60)
    phone = Text(required=False, max_length=30)
    wishes = ListWishes(required=False)


class ListAnswerOrder(Order):
    reply = serializers.ChoiceField(choices=[(reply, reply) for reply in calling.REPLIES])


class ListTakeOrder(Order):
    buy_in = Chips()


class ListCallOrder(Order):
    table = WholeNumber(required=False, source="table_id", min_value=1)
    number = WholeNumber(required=False, min_value=1, max_value=MOST_SEATS)
    reason = Text(required=False, max_length=300, help_text="Where it is another's turn.")


class ListSeatOrder(ListCallOrder):
    buy_in = Chips(required=False, help_text="For who has no seat yet.")
    count = Chips(required=False, min_value=0, help_text="Of who moves from a table in the room: their chips.")


class ListPassOrder(Order):
    reason = Text(max_length=300, error_messages={"required": gettext_lazy("Enter a reason to skip this player.")})
    to = serializers.ChoiceField(choices=[(way, way) for way in ("bottom", "stay", "off")], required=False)


class ListOffOrder(Order):
    reason = Text(required=False, max_length=300, help_text="For the floor.")


class ListTransferOrder(Order):
    offer = WholeNumber(source="offer_id", min_value=1, error_messages={"required": gettext_lazy("Choose a list.")})


class ListNextOrder(Order):
    player = WholeNumber(
        required=False, source="player_id", min_value=1, help_text="The name you saw there; 409 if it has changed."
    )
    number = WholeNumber(required=False, min_value=1, max_value=MOST_SEATS)


def _draw(request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    """The page, with htmx its part alone; its forms are sent under a key, so that twice the same is done once."""
    part = f"games/waitlists/_{name}.html" if request.htmx else f"games/waitlists/{name}.html"
    return render(request, part, {"key": secrets.token_urlsafe(9)} | context)


# -- for players -------------------------------------------------------------------------------------------------------


def every(request: HttpRequest) -> HttpResponse:
    """The lists of all games."""
    return _draw(request, "every", {"lists": waitlist_queries.every(), "mine": _mine_by_offer(request)})


def game_list(request: HttpRequest, offer_id: int) -> HttpResponse:
    """The list of a game as the room shows it, with the rules it goes by, and a form to join it."""
    found = waitlist_queries.of_offer(offer_id)
    context = {
        "list": found,
        "entry": _mine_by_offer(request).get(offer_id),
        "rules": [rule for rule, _ in choosing.RULES],
        "seat_numbers": SEAT_NUMBERS,
        "tables": found.open_tables,
    }
    return _draw(request, "list", context)


def mine(request: HttpRequest) -> HttpResponse:
    """Where one's name is, the calls to answer, the seats one could change, and what became of earlier waits."""
    seats = [seat for seat in table_queries.seats_of(request.user, event="") if seat.table.offer_id]
    tables = waitlist_queries.open_tables({seat.table.offer_id for seat in seats}) if seats else []
    for seat in seats:
        seat.others = [each for each in tables if each.offer == seat.table.offer_id and each.pk != seat.table_id]
    context = {
        "entries": waitlist_queries.mine(request.user),
        "seats": seats,
        "seat_numbers": SEAT_NUMBERS,
        "past": waitlist_queries.past(request.user, limit=PAST),
        "notices": notices.unread(request.user, about="room"),
    }
    return _draw(request, "mine", context)


def my_entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    """One wait of one's own, move by move."""
    return _draw(request, "entry", {"story": waitlist_queries.story(entry_id, request.user, is_staff=False)})


@part_of("my_lists")
def calls(request: HttpRequest) -> HttpResponse:
    """The banner on every page: the tables of events that one sits at, calls to be answered, and what else one was
    told; and the bar with every seat online that one has elsewhere. Nothing for who is not logged in."""
    if not request.user.is_authenticated:
        return HttpResponse("")
    user = access.require_login(request.user)
    rows = waitlist_queries.called(user)
    # What was told of a call is said by the call itself, with its buttons.
    said, unread = {row.id for row in rows}, notices.unread(user, about="room", limit=5)
    seats = [seat for seat in table_queries.seats_of(user) if not seat.table.is_physical]
    here = _path_of(request.htmx.current_url or "") if request.htmx else ""
    context = {
        "calls": rows,
        "told": [each for each in unread if each.data.get("entry") not in said],
        "opened": [seat for seat in seats if _is_open(seat)],
        "seats": seats,
        "here": here,
        "is_side": here == reverse("my_tables"),
        "key": secrets.token_urlsafe(9),
    }
    return render(request, "games/waitlists/_calls.html", context)


@login_required
@require_POST
def read_notice(request: HttpRequest, notice_id: int) -> HttpResponse:
    notices.read(by=access.require_login(request.user), notice_id=notice_id)
    return calls(request) if request.htmx else redirect("my_lists")


def _is_open(seat: Seat) -> bool:
    """Whether its player is to be brought to it: at a table of an event, in play, with chips."""
    return bool(seat.table.event and seat.table.state == Table.State.OPEN and seat.account.balance)


def _path_of(address: str) -> str:
    """As a browser says it, or whoever says they are one."""
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def _mine_by_offer(request: HttpRequest) -> dict[int, waitlist_queries.NameRow]:
    if not request.user.is_authenticated:
        return {}
    return {row.offer: row for row in waitlist_queries.mine(request.user) if not row.is_move}


def _joined(entry: ListEntry) -> str:
    said = {
        ListEntry.Kind.LIST: gettext("You are on the waiting list of {game}."),
        ListEntry.Kind.INTEREST: gettext("You are on the interest list of {game}."),
    }.get(entry.kind) or gettext("You are on the {kind} of {game}.")
    return said.format(kind=entry.get_kind_display(), game=entry.offer.name)


def _taken(request: HttpRequest, entry: ListEntry) -> HttpResponse:
    messages.success(request, gettext("You are in seat {number}. Good luck.").format(number=entry.called_number))
    address = f"/tables/{entry.called_to_id}/"
    return HttpResponse(status=204, headers={"HX-Redirect": address}) if request.htmx else redirect(address)


def _said(words: str) -> Then:
    """The parts that show it hear that it is done, or the page is loaded anew."""

    def told(entry: ListEntry) -> str:
        return gettext("You already have this seat.") if entry.state == ListEntry.State.SEATED else str(words)

    return moved(told, "my_lists", news="room:player")


# -- for the floor -----------------------------------------------------------------------------------------------------


def staff(request: HttpRequest) -> HttpResponse:
    """All lists, live: every game with its names, whose turn it is at each free seat and why. A name opens beside
    them."""
    found = filling.for_staff(now=timezone.now())
    return _draw(
        request, "staff", {"lists": found, "offers": [each.list.offer for each in found], "seat_numbers": SEAT_NUMBERS}
    )


@part_of("staff_lists")
def side(request: HttpRequest) -> HttpResponse:
    """The lists beside the map of the room: names, who is to move or change, and whom to call."""
    found = filling.for_staff(now=timezone.now())
    busy = [each for each in found if each.list.names or each.list.changes or each.suggestions]
    return render(request, "games/waitlists/_side.html", {"lists": busy, "key": secrets.token_urlsafe(9)})


@part_of("staff_lists")
def find(request: HttpRequest) -> HttpResponse:
    """Players by card, barcode or name, to be put on a list (`?name=`)."""
    words = request.GET.get("name", "")[:60]
    found = members.find(words, limit=8) if len(words.strip()) > 1 else []
    context = {"found": found, "words": words, "exact": members.exact(words) if found else None}
    return render(request, "games/waitlists/_found.html", context)


#: Why somebody comes before their turn, or not at it, to be tapped; any other reason is given by a program.
TURN_REASONS = gettext_lazy("Balancing tables"), gettext_lazy("Promised by the floor"), gettext_lazy("Floor decision")
SKIP_REASONS = gettext_lazy("Not here"), gettext_lazy("Player's request"), gettext_lazy("Floor decision")


def entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    """One name: what happened to it and why, and what can be done."""
    story = waitlist_queries.story(entry_id, access.require_login(request.user), is_staff=True)
    tables = Table.objects.filter(offer=story.row.offer, state=Table.State.OPEN).order_by("name")
    offers = Offer.objects.filter(is_listed=True)
    context = {
        "story": story, "row": story.row, "tables": tables, "offers": offers, "seat_numbers": SEAT_NUMBERS,
        "turn_reasons": TURN_REASONS, "skip_reasons": SKIP_REASONS,
    }  # fmt: skip
    return _draw(request, "entry_staff", context)


def _told(words: Any) -> Then:
    """To the lists; with htmx these hear of it, and the name that is open beside them is drawn anew."""

    def said(made: ListEntry) -> str:
        return words(made) if callable(words) else str(words).format(made.player, made.get_state_display())

    return moved(said, "staff_lists", news="room:lists", drawn=_open_name)


def _open_name(request: HttpRequest, made: ListEntry, **address: Any) -> HttpResponse | None:
    return entry(request, made.pk) if request.headers.get("HX-Target") == "list-panel" else None


def _is_on(row: ListEntry) -> str:
    said = gettext("{player} is on the {kind} of {game}.")
    return said.format(player=row.player, kind=row.get_kind_display(), game=row.offer.name)


def _added(request: HttpRequest, made: ListEntry) -> HttpResponse:
    done = _told(_is_on)(request, made)
    if request.htmx:  # the form stays on the page, and the next name needs a word of its own
        done.status_code = 200
        fresh = {"key": secrets.token_urlsafe(9), "is_new": True}
        done.content = render_to_string("games/waitlists/_add_key.html", fresh)
    return done


def _called(made: ListEntry) -> str:
    said = (
        gettext("{player} moves to {table}, seat {number}.")
        if made.is_move
        else gettext("{player} is called to {table}, seat {number}.")
    )
    return said.format(player=made.player, table=made.called_to, number=made.called_number)


# -- what is done, and what can be looked at ---------------------------------------------------------------------------


def _add(
    *, player: int | None = None, name: str = "", phone: str = "", wishes: Mapping[str, Any] | None = None, **more: Any
) -> ListEntry:
    """Put a name on a list: of a player who was found, or as it was said on the telephone."""
    more["wishes"] = {**(wishes or {}), **({"phone": phone} if phone else {})}
    more["source"] = ListEntry.Source.PHONE if more["wishes"].get("phone") else ListEntry.Source.DESK
    if player is not None:
        return joining.join(player=player_of(player), **more)
    if not name:
        raise Invalid("no-name", "Choose a player, or enter a name.")
    return joining.phone_in(name=name, **more)


def _story(made: ListEntry, by: User) -> waitlist_queries.EntryStory:
    return _story_of(by, made.pk)


def _story_of(by: User, entry_id: int) -> waitlist_queries.EntryStory:
    return waitlist_queries.story(entry_id, by, is_staff=access.has_role(by, *joining.ROLES))


def _scope(by: User, address: Mapping[str, Any]) -> str:
    """The floor's work needs its own scope, whatever they may do with their own name."""
    is_own = ListEntry.objects.filter(pk=address["entry_id"], player=by).exists()
    return "direct" if access.has_role(by, *joining.ROLES) and not is_own else "play"


LIST = Page("lists/<int:offer_id>/", "list", game_list, is_public=True)
MINE = Page("me/lists/", "my_lists", mine)
STAFF = Page("floor/lists/", "staff_lists", staff, joining.ROLES)
PAGES = [
    Page("lists/", "lists", every, is_public=True),
    LIST,
    MINE,
    Page("me/lists/<int:entry_id>/", "my_list_entry", my_entry),
    Page("me/calls/", "my_calls", calls, is_public=True),
    STAFF,
    Page("floor/lists/side/", "floor_lists", side, joining.ROLES),
    Page("floor/lists/find/", "list_find", find, joining.ROLES),
    Page("floor/lists/<int:entry_id>/", "staff_list_entry", entry, joining.ROLES),
]


def _mine(verb: str, then: Then, **says: str) -> Form:
    return Form("me/lists/<int:entry_id>/<slug:verb>/", "my_list_do", MINE, then, refused, verbs={verb: says})


def _floor(verb: str, words: str, **says: str) -> Form:
    address = "floor/lists/<int:entry_id>/<slug:verb>/"
    return Form(address, "staff_list_do", STAFF, _told(words), refused, verbs={verb: says})


_verb = partial(Operation, tag="lists", keyed=True, out=ListStory, shows=_story, refuses=(409, 422))
_staff_verb = partial(_verb, scope="direct", roles=joining.ROLES)

DECLARED = [
    Read(
        name="lists", summary="Waiting lists", address="lists", tag="lists", is_public=True, many=True,
        out=GameList, finds=lambda by: waitlist_queries.every(),
    ),
    Read(
        name="list", summary="The waiting list of a game", address="lists/<id:offer_id>", tag="lists", is_public=True,
        out=GameList, finds=lambda by, offer_id: waitlist_queries.of_offer(offer_id),
    ),
    _verb(
        name="join_list", summary="Join a list, or ask for a seat or table change", status=201,
        address="lists/<id:offer_id>", does=partial(joining.join, source=ListEntry.Source.WEB), actor="player",
        order=ListJoinOrder,
        form=Form("lists/<int:offer_id>/join/", "list_join", LIST, of.said(_joined, "my_lists"), refused),
    ),
    _staff_verb(
        name="add_to_list", summary="Add a name to a list", address="lists/<id:offer_id>/names", status=201,
        description="For the floor: a player, or a name given by phone.", does=_add,
        order=ListAddOrder,
        form=Form("floor/lists/add/", "list_add", STAFF, _added, refused,
                  hidden={"offer_id": gettext_lazy("Choose a game.")}),
    ),
    Read(
        name="my_lists", summary="Your lists", address="me/lists", tag=("me", "lists"), many=True,
        out=ListName, finds=waitlist_queries.mine,
    ),
    Read(
        name="list_entry", summary="The history of a name", address="list-entries/<id:entry_id>", tag="lists",
        description="Your own; for the floor every name, with skipped names and reasons.",
        out=ListStory, finds=_story_of,
    ),
    Read(
        name="next_for_table", summary="Suggest names for free seats", address="tables/<id:table_id>/next",
        tag="lists", description="For the floor.", roles=joining.ROLES, out=Next,
        finds=lambda by, table_id: {"next": choosing.next_for(table_queries.table(table_id), now=timezone.now())},
    ),
    _staff_verb(
        name="call_next", summary="Call or move the next name", address="tables/<id:table_id>/next",
        description="For the floor.", does=calling.call_next, order=ListNextOrder,
        form=Form("floor/lists/tables/<int:table_id>/call-next/", "list_call_next", STAFF, _told(_called), refused),
    ),
    # A name: by who waits, or by the floor
    _verb(
        name="list_answer", summary="Answer a call", address="list-entries/<id:entry_id>/answer",
        does=calling.answer, actor="player", needs=_scope, order=ListAnswerOrder,
        form=(
            _mine("coming", _said(gettext_lazy("The seat is held for you.")), reply="coming"),
            _mine("more-time", _said(gettext_lazy("You have more time.")), reply="more-time"),
            _mine("cancel", _said(gettext_lazy("The seat goes to the next player.")), reply="cancel"),
            _floor("coming", gettext_lazy("{} is coming."), reply="coming"),
            _floor("more-time", gettext_lazy("{} has more time."), reply="more-time"),
        ),
    ),
    _verb(
        name="list_take_seat", summary="Take the seat of your call",
        address="list-entries/<id:entry_id>/take-seat", does=filling.take_seat, actor="player", needs=_scope,
        order=ListTakeOrder, form=_mine("seat", _taken),
    ),
    _verb(
        name="list_leave", summary="Remove a name: yours, or as the floor",
        address="list-entries/<id:entry_id>/leave", does=joining.leave, needs=_scope, order=ListOffOrder,
        form=(_mine("leave", _said(gettext_lazy("You are off the list."))),
              _floor("off", gettext_lazy("{} is removed from the list."))),
    ),
    _verb(
        name="list_transfer", summary="Move a name to another list", address="list-entries/<id:entry_id>/transfer",
        does=joining.transfer, needs=_scope, order=ListTransferOrder,
        form=_floor("transfer", gettext_lazy("{} is moved to the other list.")),
    ),
    _staff_verb(
        name="list_call", summary="Call a name (the floor)", address="list-entries/<id:entry_id>/call",
        does=calling.call, order=ListCallOrder, form=_floor("call", gettext_lazy("{} is {}.")),
    ),
    _staff_verb(
        name="list_seat", summary="Seat a player (the floor)", address="list-entries/<id:entry_id>/seat",
        does=filling.seat, order=ListSeatOrder, form=_floor("seat", gettext_lazy("{} is {}.")),
    ),
    _staff_verb(
        name="list_pass_over", summary="Skip a name (the floor)", does=calling.pass_over,
        address="list-entries/<id:entry_id>/pass-over", order=ListPassOrder,
        form=_floor("pass", gettext_lazy("{} is skipped.")),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = [*of.pages(PAGES, DECLARED), path("me/notices/<int:notice_id>/read/", read_notice, name="notice_read")]
