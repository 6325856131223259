"""The cage's window onto the tables: money becomes a seat, and a seat becomes money. For cashiers and managers.

`?q=` finds a player, `?player=` has them before the window, `?slip=` tells of a slip that was just written.
"""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from cardroom.cage import books as cage_books
from cardroom.cage.models import Slip
from cardroom.cage.pages.counter import at_the_counter, is_only_one
from cardroom.cage.pages.shared import go_on_to
from cardroom.cage.serializers import ApprovalOut, SlipOut
from cardroom.core.models import Approval, User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Chips, Flag, Order, Person, Text, WholeNumber
from cardroom.core.web.operations import Form, Operation, Page
from games.engine.games import MOST_SEATS, SEAT_NUMBERS
from games.floor import physical
from games.tables.models.tables import SeatMove
from games.tables.queries import tables as seat_queries

Done = tuple[SeatMove, Slip | Approval]


class WindowBuyInOrder(Order):
    """Who gets a seat for how much money."""

    player = Person(help_text="The player's id.")
    amount = Chips()
    seat = WholeNumber(
        required=False, source="number", min_value=1, max_value=MOST_SEATS,
        help_text="Without it: the one held, or the first free.",
    )  # fmt: skip
    reason = Text(max_length=300, default="", allow_blank=True)


class WindowCashOutOrder(Order):
    """Who gives up their seat."""

    player = Person(help_text="The player's id.")
    count = WholeNumber(required=False, min_value=0, max_value=cage_books.MOST, help_text="At a table in the room.")
    settles = Flag(required=False, help_text="Whether to repay the debt first. Required where the player owes.")
    reason = Text(max_length=300, default="", allow_blank=True)


class WindowDone(serializers.Serializer[Any]):
    """The seat, and the slip; or the approval that the payment waits for."""

    seat = serializers.IntegerField()
    amount = serializers.IntegerField()
    slip = SlipOut(allow_null=True)
    approval = ApprovalOut(allow_null=True)


def _bought_in(**order: Any) -> Done:
    slip, move = physical.buy_in(**order)
    return move, slip


def _shown(made: Done, by: User) -> dict[str, Any]:
    move, done = made
    waits = isinstance(done, Approval)
    slip, approval = (None, done) if waits else (done, None)
    return {"seat": move.number, "amount": move.amount, "slip": slip, "approval": approval}


def _told(request: HttpRequest, made: Done) -> HttpResponse:
    return go_on_to(request, made[1], _address(made[1].player_id))


def _address(player_id: int | None) -> str:
    return f"{reverse('cage_window')}?player={player_id}"


def page(request: HttpRequest) -> HttpResponse | dict[str, Any]:
    player, head = at_the_counter(request)
    if is_only_one(request, head["found"]):
        return redirect(_address(head["found"][0].pk))
    return head | {
        "seats": seat_queries.seats_to_cash(player) if player else [],
        "tables": seat_queries.tables_to_sit(player, now=timezone.now()) if player else [],
        "seat_numbers": [str(number) for number in SEAT_NUMBERS],
    }


WINDOW = Page("cage/window/", "cage_window", page, cage_books.STAFF, template="games/floor/window.html")
_TABLE = {"table_id": gettext_lazy("Say at which table.")}
_verb = partial(
    Operation, tag="cage", scope="cage", roles=cage_books.STAFF, keyed=True, status=201,
    out=WindowDone, shows=_shown,
    asks=lambda made: isinstance(made[1], Approval), refuses=(409, 422),
)  # fmt: skip

DECLARED = [
    _verb(
        name="buy_in_at_the_cage", summary="Buy a player in", does=_bought_in, order=WindowBuyInOrder,
        address="tables/<id:table_id>/window/buy-in",
        form=Form("cage/window/buy-in/", "cage_window_buy_in", WINDOW, _told, hidden=_TABLE),
    ),
    _verb(
        name="cash_out_at_the_cage", summary="Cash a player out", does=physical.pay_out,
        address="tables/<id:table_id>/window/cash-out", order=WindowCashOutOrder, waiting=WindowDone,
        description="202 where the payment waits for approval; the chips are then in the wallet.",
        form=Form("cage/window/tables/<id:table_id>/cash-out/", "cage_window_cash_out", WINDOW, _told),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([WINDOW], DECLARED)
