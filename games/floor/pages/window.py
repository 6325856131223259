"""The cage's window for tables: money for a seat with chips, and a seat's chips for money. For cashiers and managers.

`?q=` finds a player, `?player=` chooses them, `?slip=` shows a slip that was just written.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from rest_framework import serializers

from cardroom.cage import books as cage_books
from cardroom.cage.pages.counter import at_the_counter, is_only_one
from cardroom.cage.pages.shared import go_on_to
from cardroom.cage.serializers import ApprovalOut, SlipOut
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from cardroom.core.web.resources import Resource, addresses, does
from games.engine.games import SEAT_NUMBERS
from games.floor import cage_window
from games.floor.cage_window import WindowResult
from games.tables.queries import tables as seat_queries


class WindowDone(serializers.Serializer[WindowResult]):
    """The seat, and the slip; or the approval that the payment waits for."""

    seat = serializers.IntegerField(source="move.number")
    amount = serializers.IntegerField(source="move.amount")
    slip = SlipOut(allow_null=True)
    approval = ApprovalOut(allow_null=True)


def _address(player_id: int | None) -> str:
    return f"{reverse('cage_window')}?player={player_id}"


def page(request: HttpRequest) -> HttpResponse | Context:
    """A player at the window, with their seats and the tables that have a free seat for them."""
    player, head = at_the_counter(request)
    if is_only_one(request, head["found"]):
        return redirect(_address(head["found"][0].pk))
    return head | {
        "seats": seat_queries.seats_to_cash(player) if player else [],
        "tables": seat_queries.tables_to_sit(player, now=timezone.now()) if player else [],
        "seat_numbers": [str(number) for number in SEAT_NUMBERS],
    }


WINDOW = Page("cage/window/", "cage_window", page, cage_books.STAFF, template="games/floor/window.html")


class AtWindow(PagePost):
    """A form of the window, after which the player stands there with the slip or the approval."""

    page = WINDOW

    def done(self, request: HttpRequest, result: WindowResult) -> HttpResponse:
        return go_on_to(request, result.slip or result.approval, _address(result.move.player_id))


class WindowBuyInForm(AtWindow):
    does, path, name = cage_window.buy_in, "cage/window/buy-in/", "cage_window_buy_in"


class WindowCashOutForm(AtWindow):
    does, path, name = cage_window.pay_out, "cage/window/tables/<id:table_id>/cash-out/", "cage_window_cash_out"


class WindowBuyInResource(Resource):
    path, tags, scope = "tables/<id:table_id>/window/buy-in", ("cage",), "cage"
    post = does(
        cage_window.buy_in,
        name="buy_in_at_the_cage",
        summary="Buy a player in",
        answers=WindowDone,
        status=201,
        refuses=(409, 422),
    )


class WindowCashOutResource(Resource):
    path, tags, scope = "tables/<id:table_id>/window/cash-out", ("cage",), "cage"
    post = does(
        cage_window.pay_out,
        name="cash_out_at_the_cage",
        summary="Cash a player out",
        description="202 where the payment waits for approval; the chips are then in the wallet.",
        answers=WindowDone,
        status=201,
        waiting=WindowDone,
        is_waiting=lambda result: result.approval is not None,
        refuses=(409, 422),
    )


api = addresses([WindowBuyInResource, WindowCashOutResource])
urlpatterns = page_urls([WINDOW], forms=[WindowBuyInForm, WindowCashOutForm])
