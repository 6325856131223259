"""A table: its page, who sits there, and what players do with their seats: sit down, add chips, sit out, come back,
leave. See `cardroom.core.web.operations`.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from csp.decorators import csp_replace, csp_update
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csrf import ensure_csrf_cookie
from rest_framework import serializers

from cardroom.accounts.models import PlayerMark
from cardroom.core.sentences import filled
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Chips, Order, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Form, Operation, Page, Read, Then, refused
from games.engine.games import MOST_SEATS
from games.play import home_games, seats
from games.play.pages import company, table_chat
from games.tables import stacks
from games.tables.models.tables import Seat, SeatMove, Table
from games.tables.queries import tables as table_queries

EPOCH = "Milliseconds since 1970."


def moved(
    words: str | Callable[[Any], str],
    page: str,
    *parts: str,
    news: str = "seats-moved",
    drawn: Callable[..., HttpResponse | None] | None = None,
) -> Then:
    """With htmx a notice with these words of what was made, and the parts of the page that `news` is for hear of it;
    what is `drawn(request, made, **address)` comes with it. Else to `page`, which says the words at its top; of the
    form's address it takes these `parts`."""

    def then(request: HttpRequest, made: Any) -> HttpResponse:
        said = words(made) if callable(words) else words.format(made)
        address = request.resolver_match.kwargs if request.resolver_match else {}
        if request.htmx:
            answer = (drawn(request, made, **address) if drawn else None) or HttpResponse(status=204)
            answer["HX-Trigger"] = json.dumps({news: {}, "toast": {"message": said}})
            return answer
        messages.success(request, said)
        return redirect(page, **{name: address[name] for name in parts})

    return then


class BookName(serializers.Serializer[Any]):
    slug = serializers.CharField()
    version = serializers.CharField()
    reference = serializers.CharField(help_text="What names this book in this version wherever one is asked for.")
    title = serializers.CharField()


class Stakes(Shape):
    of = Table
    shows = "name ante bring_in small_bet big_bet smallest_chip"
    says = {"smallest_chip": "Pots are split in it; 0: as each hand's stacks and stakes tell."}


class RaiseCap(serializers.Serializer[Any]):
    """How often may be raised on a street at fixed limit."""

    raises = serializers.IntegerField(help_text="0: no cap.")
    heads_up = serializers.CharField(help_text="How two players lift it: capped, uncapped, uncapped-at-two-left.")


class OpenHand(serializers.Serializer[Any]):
    """The hand being played."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Counts from 1 at each table.")
    seq = serializers.IntegerField(help_text="Its last fact so far: what `expected_seq` has to be.")


class Clock(serializers.Serializer[Any]):
    """Whose time runs."""

    seat = serializers.IntegerField()
    deadline = serializers.IntegerField(help_text=EPOCH)
    bank_from = serializers.IntegerField(help_text=f"When the time bank begins to be used. {EPOCH}")
    extra = serializers.IntegerField(
        help_text="Milliseconds of extra time before that for a player who lost the connection."
    )


class TakenSeat(serializers.Serializer[Any]):
    """A taken seat. `stack` is as the hand being played found it: the facts of the hand tell the rest. At a table in
    the room it is as last counted."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    is_bot = serializers.BooleanField()
    strength = serializers.CharField(help_text="How well a bot plays, such as Regular; empty: a person, or not said.")
    avatar = serializers.CharField(help_text="The address of their picture; empty: none.")
    stack = serializers.IntegerField()
    state = serializers.ChoiceField(Seat.State.choices)
    is_gone = serializers.BooleanField(help_text="Whether nobody hears from them, where there is extra time for it.")
    in_hand = serializers.BooleanField(help_text="Whether it was dealt into the hand being played.")
    you = serializers.BooleanField()


class You(serializers.Serializer[Any]):
    seat = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(Seat.State.choices, allow_null=True)
    top_up_queued = serializers.IntegerField(help_text="Chips that come when the hand is over.")


class Paused(serializers.Serializer[Any]):
    """No new hand is dealt."""

    since = serializers.IntegerField(help_text=EPOCH)
    reason = serializers.CharField(help_text="Empty where none was given.")


class ExtraTime(serializers.Serializer[Any]):
    """What a table, and a game on offer, say of players without a connection."""

    extra_seconds = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="For the first, second, ... turn of a player who lost the connection; empty: none.",
    )


class TableView(ExtraTime, Shape):
    """A table as the one who asks may see it: everything but the cards, which are facts of the hand."""

    of = Table
    shows = (
        f"id name event unit state game structure setting stakes rulebook next_rulebook raise_cap {Table.SHOWN}"
        " is_hand_shown is_physical is_private paused notice is_shown floor_called version dealer hand last_hand clock"
        " bots_wait_for_people next_deal_at seats you wallet"
    )
    says = {
        "act_seconds": "0: nobody is on a clock.",
        "is_hand_shown": "Whether hands are shown one by one at the showdown.",
        "is_physical": "In the room: staff seats you, and brings and counts chips.",
        "is_private": "Whether only those sit who are invited, or know the password.",
        "notice": "A message of the staff to spectators; empty: none.",
        "version": "Grows with every change of the table.",
    }
    state = serializers.ChoiceField(Table.State.choices)
    stakes = Stakes()
    rulebook = BookName(help_text="Of the hand on the table, before the first one of the next.")
    next_rulebook = BookName(allow_null=True, help_text="Of the next hand, where it is another.")
    raise_cap = RaiseCap(help_text="By the book of the hand on the table.")
    dealt_by = serializers.ChoiceField(Table.DealtBy.choices)
    deck = serializers.ChoiceField(Table.Deck.choices, help_text="Whose cards, where a person deals.")
    paused = Paused(allow_null=True, help_text="Null while hands are dealt.")
    is_shown = serializers.BooleanField(
        help_text="Whether you may see its hands: false where spectators are not allowed."
    )
    floor_called = serializers.BooleanField(help_text="Whether somebody here waits for the floor.")
    hand = OpenHand(allow_null=True)
    last_hand = serializers.IntegerField(allow_null=True, help_text="The hand that was over last.")
    clock = Clock(allow_null=True)
    next_deal_at = serializers.IntegerField(allow_null=True, help_text=EPOCH)
    seats = TakenSeat(many=True)
    you = You()
    wallet = serializers.IntegerField(allow_null=True, help_text="Your chips in the house; null for the rail.")


class Seats(serializers.Serializer[Any]):
    """Who sits at a table, and where one can sit down."""

    taken = TakenSeat(many=True)
    free = serializers.ListField(child=serializers.IntegerField(), help_text="The numbers of the free seats.")


class MySeat(Shape):
    """A seat of yours."""

    of = Seat
    shows = "table=table_id table_name=table.name number state stack is_physical=table.is_physical"
    says = {"is_physical": "Whether it is a table in the room."}
    state = serializers.ChoiceField(Seat.State.choices)
    stack = serializers.SerializerMethodField(help_text="At a table in the room as last counted.")

    def get_stack(self, seat: Seat) -> int:
        return stacks.chips_of(seat, seat.table)


class SitOrder(Order):
    """Where to sit down, and with how much."""

    seat = WholeNumber(
        required=False, source="number", allow_null=True, min_value=1, max_value=MOST_SEATS,
        help_text="None: the first free one.",
    )  # fmt: skip
    buy_in = Chips(help_text="Out of your wallet, within the table's range.")


class BuyIn(serializers.Serializer[Any]):
    """What you may sit down with."""

    least = serializers.IntegerField()
    most = serializers.IntegerField()
    rule = serializers.CharField(help_text="Why the least is above the table's: what you left with a while ago.")
    last = serializers.IntegerField(allow_null=True, help_text="What you sat down with last in this game.")


class SitForm(Order):
    number = WholeNumber(required=False, min_value=1, max_value=MOST_SEATS)
    buy_in = Chips()


class TopUpOrder(Order):
    amount = Chips(help_text="Out of your wallet. During a hand they come when it is over.")


class Move(Shape):
    """What came of it. The same answer comes for the same Idempotency-Key."""

    of = SeatMove
    shows = "id table=table_id seat=number kind amount at"
    says = {"amount": "Chips moved, or asked for."}
    kind = serializers.ChoiceField(SeatMove.Kind.choices)


@ensure_csrf_cookie
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    """The table; with `?tile` as one of several in a window of ours. What is dealt there comes over its socket: this
    page holds no card."""
    return _tile(request, table_id) if "tile" in request.GET else _drawn(request, table_id)


@csp_replace({"frame-ancestors": ["'self'"]})
@xframe_options_sameorigin
def _tile(request: HttpRequest, table_id: int) -> HttpResponse:
    return _drawn(request, table_id)


def _drawn(request: HttpRequest, table_id: int) -> HttpResponse:
    table = table_queries.seen(table_id, request.user)
    told = {"table": table, "chat": table_chat.chat_of(request, table), "marks": company.marks_for_page(request.user)}
    told |= {"colours": PlayerMark.Colour.choices, "is_tile": "tile" in request.GET}
    told["is_host"] = request.user.is_authenticated and home_games.is_host(table, request.user)
    return render(request, "games/play/table.html", told)


@csp_update({"frame-src": ["'self'"]})
def side_by_side(request: HttpRequest) -> HttpResponse:
    """All tables online at which one sits, in one window."""
    seats = [seat for seat in table_queries.seats_of(request.user) if not seat.table.is_physical]
    return render(request, "games/play/side_by_side.html", {"tables": [seat.table for seat in seats]})


def _said(words: Callable[[SeatMove], str]) -> Then:
    """The page that is open hears the rest over its socket."""
    return moved(words, "table", "table_id", news="moved")


def _sat(move: SeatMove) -> str:
    return gettext("You are in seat {number}. Good luck.").format(number=move.number)


def _topped_up(move: SeatMove) -> str:
    is_later = move.kind == SeatMove.Kind.TOP_UP_ASKED
    said = gettext("{n:,} chips come after this hand.") if is_later else gettext("{n:,} chips added.")
    return filled(said, n=move.amount)


def _sat_out(move: SeatMove) -> str:
    if move.table.event:
        return gettext("You are away: your hands are dealt, anted and folded.")
    return gettext("You sit out from the next hand.")


def _came_back(move: SeatMove) -> str:
    return gettext("You are back.") if move.table.event else gettext("You are dealt in from the next hand.")


def _left(move: SeatMove) -> str:
    if move.kind == SeatMove.Kind.LEAVING:
        return gettext("You leave when this hand is over.")
    return filled(gettext("You left with {amount:,} chips."), amount=move.amount)


def _view(by: Any, table_id: int) -> dict[str, Any]:
    return table_queries.table_view(table_id=table_id, viewer=by)


def _seats(by: Any, table_id: int) -> dict[str, Any]:
    view = _view(by, table_id)
    taken = {seat["number"] for seat in view["seats"]}
    free = [number for number in range(1, view["seat_count"] + 1) if number not in taken]
    return {"taken": view["seats"], "free": free}


def _buy_in(by: Any, table_id: int) -> seats.BuyIn:
    table_queries.seen(table_id, by)
    return seats.buy_in(table_id=table_id, player=by, now=timezone.now())


TABLE = Page("tables/<int:table_id>/", "table", page, is_public=True)
SIDE_BY_SIDE = Page("me/tables/", "my_tables", side_by_side)
_verb = partial(Operation, tag="seats", actor="player", keyed=True, out=Move, refuses=(409, 422))


def _move(name: str, does: Callable[..., SeatMove], summary: str, words: Callable[[SeatMove], str], **more: Any) -> Any:
    """What a player does with the seat they have: the move is the answer."""
    form = Form(f"tables/<int:table_id>/{name}/", name.replace("-", "_"), TABLE, _said(words), refused)
    address = f"tables/<id:table_id>/seats/{name}"
    return _verb(name=form.name, summary=summary, address=address, does=does, form=form, **more)


DECLARED = [
    Read(name="my_seats", summary="Your seats", address="me/seats", tag="me", out=MySeat, many=True,
         finds=table_queries.seats_of),
    Read(name="table", summary="A table", description="As you may see it.", address="tables/<id:table_id>",
         tag="tables", is_public=True, out=TableView, finds=_view),
    Read(name="seats", summary="List seats", address="tables/<id:table_id>/seats", tag="seats", is_public=True,
         out=Seats, finds=_seats),
    Read(name="buy_in", summary="Your buy-in", description="What you may sit down with at a table.",
         address="tables/<id:table_id>/buy-in", tag="seats", out=BuyIn, finds=_buy_in),
    _verb(
        name="sit", summary="Sit down", address="tables/<id:table_id>/seats", does=seats.sit, order=SitOrder,
        status=201,
        form=Form("tables/<int:table_id>/sit/", "sit", TABLE,
                  _said(_sat), refused, order=SitForm),
    ),
    _verb(
        name="leave_seat", summary="Leave", description="The same as a POST to `leave`.", method="DELETE",
        address="tables/<id:table_id>/seats", does=seats.leave,
    ),
    _move("leave", seats.leave, "Leave: at once, or when the current hand is over", _left),
    _move("top-up", seats.top_up, "Add chips, at once or after the hand", _topped_up, order=TopUpOrder),
    _move("sit-out", seats.sit_out, "Sit out from the next hand", _sat_out),
    _move("come-back", seats.come_back, "Come back; cancels a leave as well", _came_back),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([TABLE, SIDE_BY_SIDE], DECLARED)
