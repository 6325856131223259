"""A table: its page, its seats, and what players do with them: sit down, add chips, sit out, come back, leave."""

import json
from collections.abc import Callable
from typing import Any

from csp.decorators import csp_replace, csp_update
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csrf import ensure_csrf_cookie
from rest_framework import serializers

from cardroom.accounts.models import PlayerMark
from cardroom.core.arguments import RowId
from cardroom.core.models import User
from cardroom.core.sentences import filled
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import NextPage, Page
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.play import home_games, seats
from games.play.pages import company, table_chat
from games.tables import stacks
from games.tables.models.tables import Seat, SeatMove, Table
from games.tables.queries import tables as table_queries

EPOCH = "Milliseconds since 1970."


def answer_with_notice(
    words: str | Callable[[Any], str],
    page: str,
    *parts: str,
    news: str = "seats-moved",
    drawn: Callable[..., HttpResponse | None] | None = None,
) -> NextPage:
    """The answer after a form, with a notice in these `words` about the result. With htmx: the event `news`, and the
    HTML of `drawn(request, result, **address)` where it is given. Else a redirect to `page`, whose address takes these
    `parts` of the form's address."""

    def then(request: HttpRequest, result: Any) -> HttpResponse:
        message = words(result) if callable(words) else words.format(result)
        address = request.resolver_match.kwargs if request.resolver_match else {}
        if request.htmx:
            answer = (drawn(request, result, **address) if drawn else None) or HttpResponse(status=204)
            answer["HX-Trigger"] = json.dumps({news: {}, "toast": {"message": message}})
            return answer
        messages.success(request, message)
        return redirect(page, **{name: address[name] for name in parts})

    return then


class BookName(serializers.Serializer[Any]):
    slug = serializers.CharField()
    version = serializers.CharField()
    reference = serializers.CharField(help_text="What names this book in this version wherever one is asked for.")
    title = serializers.CharField()


class StakesSummary(Shape):
    of = Table
    field_names = "name ante bring_in small_bet big_bet smallest_chip"
    help_texts = {"smallest_chip": "Pots are split in it; 0: as each hand's stacks and stakes tell."}


class RaiseCap(serializers.Serializer[Any]):
    """How often may be raised on a street at fixed limit."""

    raises = serializers.IntegerField(help_text="0: no cap.")
    heads_up = serializers.CharField(help_text="How two players lift it: capped, uncapped, uncapped-at-two-left.")


class OpenHandSummary(serializers.Serializer[Any]):
    """The hand being played."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Counts from 1 at each table.")
    seq = serializers.IntegerField(help_text="Its last fact so far: what `expected_seq` has to be.")


class TurnClock(serializers.Serializer[Any]):
    """The clock of the player to act."""

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
    """The extra time of a table, or a game on offer, for players without a connection."""

    extra_seconds = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="For the first, second, ... turn of a player who lost the connection; empty: none.",
    )


class TableDetails(ExtraTime, Shape):
    """A table as you may see it: everything but the cards, which are facts of the hand."""

    of = Table
    field_names = (
        f"id name event unit state game structure setting stakes rulebook next_rulebook raise_cap {Table.SHOWN}"
        " is_hand_shown is_physical is_private paused notice is_shown floor_called version dealer hand last_hand clock"
        " bots_wait_for_people next_deal_at seats you wallet"
    )
    help_texts = {
        "act_seconds": "0: nobody is on a clock.",
        "is_hand_shown": "Whether hands are shown one by one at the showdown.",
        "is_physical": "In the room: staff seats you, and brings and counts chips.",
        "is_private": "Whether only those sit who are invited, or know the password.",
        "notice": "A message of the staff to spectators; empty: none.",
        "version": "Grows with every change of the table.",
    }
    state = serializers.ChoiceField(Table.State.choices)
    stakes = StakesSummary()
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
    hand = OpenHandSummary(allow_null=True)
    last_hand = serializers.IntegerField(allow_null=True, help_text="The hand that was over last.")
    clock = TurnClock(allow_null=True)
    next_deal_at = serializers.IntegerField(allow_null=True, help_text=EPOCH)
    seats = TakenSeat(many=True)
    you = You()
    wallet = serializers.IntegerField(allow_null=True, help_text="Your chips in the house; null for the rail.")


class Seats(serializers.Serializer[Any]):
    """The taken and the free seats of a table."""

    taken = TakenSeat(many=True)
    free = serializers.ListField(child=serializers.IntegerField(), help_text="The numbers of the free seats.")


class MySeat(Shape):
    """A seat of yours."""

    of = Seat
    field_names = "table=table_id table_name=table.name number state stack is_physical=table.is_physical"
    help_texts = {"is_physical": "Whether it is a table in the room."}
    state = serializers.ChoiceField(Seat.State.choices)
    stack = serializers.SerializerMethodField(help_text="At a table in the room as last counted.")

    def get_stack(self, seat: Seat) -> int:
        return stacks.chips_of(seat, seat.table)


class BuyIn(serializers.Serializer[Any]):
    """The range of your buy-in."""

    least = serializers.IntegerField()
    most = serializers.IntegerField()
    rule = serializers.CharField(help_text="Why the least is above the table's: what you left with a while ago.")
    last = serializers.IntegerField(allow_null=True, help_text="What you sat down with last in this game.")


class SeatMoveResult(Shape):
    """What was done with the seat. The same Idempotency-Key gets the same answer."""

    of = SeatMove
    field_names = "id table=table_id seat=number kind amount at"
    help_texts = {"amount": "Chips moved, or asked for."}
    kind = serializers.ChoiceField(SeatMove.Kind.choices)


@ensure_csrf_cookie
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    """The page of a table; with `?tile` as one of several in a window of ours. Cards come over its socket: this page
    holds none."""
    return _tile(request, table_id) if "tile" in request.GET else _table_page(request, table_id)


@csp_replace({"frame-ancestors": ["'self'"]})
@xframe_options_sameorigin
def _tile(request: HttpRequest, table_id: int) -> HttpResponse:
    return _table_page(request, table_id)


def _table_page(request: HttpRequest, table_id: int) -> HttpResponse:
    table = table_queries.visible_table(table_id, request.user)
    context = {
        "table": table,
        "chat": table_chat.chat_of(request, table),
        "marks": company.marks_for_page(request.user),
    }
    context |= {"colours": PlayerMark.Colour.choices, "is_tile": "tile" in request.GET}
    context["is_host"] = request.user.is_authenticated and home_games.is_host(table, request.user)
    return render(request, "games/play/table.html", context)


@csp_update({"frame-src": ["'self'"]})
def side_by_side(request: HttpRequest) -> HttpResponse:
    """All tables online where the user sits, in one window."""
    seats = [seat for seat in table_queries.seats_of(request.user) if not seat.table.is_physical]
    return render(request, "games/play/side_by_side.html", {"tables": [seat.table for seat in seats]})


TABLE = Page("tables/<int:table_id>/", "table", page, is_public=True)
SIDE_BY_SIDE = Page("me/tables/", "my_tables", side_by_side)


class SeatActionForm(PlainPost):
    """A form of the table's page. The notice is in its `words`; the rest comes over the table's socket."""

    page = TABLE

    def words(self, result: SeatMove) -> str:
        raise NotImplementedError

    def done(self, request: HttpRequest, result: SeatMove) -> HttpResponse:
        return answer_with_notice(self.words, "table", "table_id", news="moved")(request, result)


class SitForm(SeatActionForm):
    does, path, name = seats.sit, "tables/<int:table_id>/sit/", "sit"

    def typed(self, form: QueryDict) -> QueryDict:
        if form.get("number", "").strip():
            form["seat"] = form["number"]
        return form

    def words(self, result: SeatMove) -> str:
        return gettext("You are in seat {number}. Good luck.").format(number=result.number)


class LeaveTableForm(SeatActionForm):
    does, path, name = seats.leave, "tables/<int:table_id>/leave/", "leave"

    def words(self, result: SeatMove) -> str:
        if result.kind == SeatMove.Kind.LEAVING:
            return gettext("You leave when this hand is over.")
        return filled(gettext("You left with {amount:,} chips."), amount=result.amount)


class TopUpForm(SeatActionForm):
    does, path, name = seats.top_up, "tables/<int:table_id>/top-up/", "top_up"

    def words(self, result: SeatMove) -> str:
        is_later = result.kind == SeatMove.Kind.TOP_UP_ASKED
        pattern = gettext("{n:,} chips come after this hand.") if is_later else gettext("{n:,} chips added.")
        return filled(pattern, n=result.amount)


class SitOutForm(SeatActionForm):
    does, path, name = seats.sit_out, "tables/<int:table_id>/sit-out/", "sit_out"

    def words(self, result: SeatMove) -> str:
        if result.table.event:
            return gettext("You are away: your hands are dealt, anted and folded.")
        return gettext("You sit out from the next hand.")


class ComeBackForm(SeatActionForm):
    does, path, name = seats.come_back, "tables/<int:table_id>/come-back/", "come_back"

    def words(self, result: SeatMove) -> str:
        if result.table.event:
            return gettext("You are back.")
        return gettext("You are dealt in from the next hand.")


def own_seats(*, by: User) -> list[Seat]:
    """The seats of the user."""
    return table_queries.seats_of(by)


def view(*, table_id: RowId, by: Any) -> dict[str, Any]:
    """A table as the user may see it."""
    return table_queries.table_view(table_id=table_id, viewer=by)


def seats_at(*, table_id: RowId, by: Any) -> dict[str, Any]:
    """The taken and the free seats of a table."""
    table = view(table_id=table_id, by=by)
    taken = {seat["number"] for seat in table["seats"]}
    free = [number for number in range(1, table["seat_count"] + 1) if number not in taken]
    return {"taken": table["seats"], "free": free}


def own_buy_in(*, table_id: RowId, by: User) -> seats.BuyInRange:
    """The buy-in of the user at a table."""
    table_queries.visible_table(table_id, by)
    return seats.buy_in(table_id=table_id, player=by, now=timezone.now())


class OwnSeats(Resource):
    path, tags = "me/seats", ("me",)
    get = reads(own_seats, name="my_seats", summary="Your seats", answers=MySeat, many=True)


class TableDetailsResource(Resource):
    path, tags = "tables/<id:table_id>", ("tables",)
    get = reads(
        view, name="table", summary="A table", description="As you may see it.", answers=TableDetails, is_public=True
    )


class SeatsAtTable(Resource):
    path, tags = "tables/<id:table_id>/seats", ("seats",)
    get = reads(seats_at, name="seats", summary="List seats", answers=Seats, is_public=True)
    post = does(seats.sit, name="sit", summary="Sit down", answers=SeatMoveResult, status=201, refuses=(409, 422))
    delete = does(
        seats.leave,
        name="leave_seat",
        summary="Leave",
        description="The same as a POST to `leave`.",
        answers=SeatMoveResult,
        refuses=(409, 422),
    )


class OwnBuyIn(Resource):
    path, tags = "tables/<id:table_id>/buy-in", ("seats",)
    get = reads(
        own_buy_in,
        name="buy_in",
        summary="Your buy-in",
        description="What you may sit down with at a table.",
        answers=BuyIn,
    )


class LeaveTableResource(Resource):
    path, tags = "tables/<id:table_id>/seats/leave", ("seats",)
    post = does(
        seats.leave,
        name="leave",
        summary="Leave: at once, or when the current hand is over",
        answers=SeatMoveResult,
        refuses=(409, 422),
    )


class TopUpResource(Resource):
    path, tags = "tables/<id:table_id>/seats/top-up", ("seats",)
    post = does(
        seats.top_up,
        name="top_up",
        summary="Add chips, at once or after the hand",
        answers=SeatMoveResult,
        refuses=(409, 422),
    )


class SitOutResource(Resource):
    path, tags = "tables/<id:table_id>/seats/sit-out", ("seats",)
    post = does(
        seats.sit_out, name="sit_out", summary="Sit out from the next hand", answers=SeatMoveResult, refuses=(409, 422)
    )


class ComeBackResource(Resource):
    path, tags = "tables/<id:table_id>/seats/come-back", ("seats",)
    post = does(
        seats.come_back,
        name="come_back",
        summary="Come back; cancels a leave as well",
        answers=SeatMoveResult,
        refuses=(409, 422),
    )


api = addresses(
    [
        OwnSeats,
        TableDetailsResource,
        SeatsAtTable,
        OwnBuyIn,
        LeaveTableResource,
        TopUpResource,
        SitOutResource,
        ComeBackResource,
    ]
)
urlpatterns = page_urls([TABLE, SIDE_BY_SIDE], forms=[SitForm, LeaveTableForm, TopUpForm, SitOutForm, ComeBackForm])
