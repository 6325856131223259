"""Seats: what staff does at a table, beside the map of the room, and a player's own. See `cardroom.web.operations`."""

import json
import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie

from cardroom.models import Approval, User
from cardroom.services import access, selectors
from cardroom.services.errors import Invalid, NotFound
from cardroom.web import operations as of
from cardroom.web.api.cage_serializers import ApprovalOut
from cardroom.web.operations import Form, Operation, Page, Read, Then, refused
from games import selectors as tables
from games.models import SeatHold, SeatMove
from games.selectors import seating as chairs
from games.services import holds, lists, physical, seating
from games.web.api import seating_serializers as shapes
from games.web.api.serializers import Move

ROLES = ("floor", "manager", "cashier", "dealer")
#: Of them, who brings chips to seats and takes them away.
MONEY = physical.ROLES


def plan(request: HttpRequest, table_id: int) -> HttpResponse:
    """The seats of a table with what may be done to each: a part of the floor's page, or a page of its own."""
    now = timezone.now()
    context = {
        "plan": chairs.seat_plan(table_id=table_id, now=now),
        "key": secrets.token_urlsafe(9),
        "now": now,
        "may_seat": access.has_role(request.user, "floor", "manager"),
        "may_pay": access.has_role(request.user, *MONEY),
    }
    name = "games/seating/_plan.html" if request.htmx else "games/seating/plan.html"
    return render(request, name, context)


@ensure_csrf_cookie
def mine(request: HttpRequest) -> HttpResponse:
    """Where I sit, which seats are held for me, and what I can do about it."""
    now = timezone.now()
    context = {
        "seats": tables.seats_of(request.user, event=""),
        "events": [seat for seat in tables.seats_of(request.user) if seat.table.event],
        "holds": chairs.holds_of(request.user, now=now),
        "wallet": selectors.wallet_balances([request.user])[request.user.pk],
        "key": secrets.token_urlsafe(9),
    }
    return render(request, "games/seating/_mine.html" if request.htmx else "games/seating/mine.html", context)


def _done(request: HttpRequest, words: str, page: str, *where: int) -> HttpResponse:
    """It is done: a notice for the page at hand, which hears the rest as news, or the page itself."""
    if request.htmx:
        said = {"seats-moved": {}, "toast": {"message": words}}
        return HttpResponse(status=204, headers={"HX-Trigger": json.dumps(said)})
    messages.success(request, words)
    return redirect(page, *where)


def _said(words: Callable[[Any], str]) -> Then:
    """To the seats of the table, with these words of what was made."""

    def then(request: HttpRequest, made: Any) -> HttpResponse:
        assert request.resolver_match is not None
        return _done(request, words(made), "floor_table_seats", request.resolver_match.kwargs["table_id"])

    return then


def _given_up(request: HttpRequest, was_there: bool) -> HttpResponse:
    if not was_there:
        raise NotFound("No seat is held for you at this table.", "no-such-hold")
    return _done(request, "The seat is free for others.", "my_seats")


def _held(hold: SeatHold) -> str:
    if hold.until is None:
        return f"Seat {hold.number} is held for {hold.player}."
    minutes = round((hold.until - timezone.now()) / timedelta(minutes=1))
    return f"Seat {hold.number} is held for {hold.player} for {minutes} minutes."


def _released(done: dict[str, Any]) -> str:
    who = done["player"]
    return f"No seat is held for {who} any more." if done["was_there"] else f"No seat was held for {who}."


def _moved(move: SeatMove) -> str:
    if move.kind == move.Kind.MOVING:
        return f"{move.player} moves when this hand is over; their seat is held."
    return f"{move.player} is in seat {move.number} of {move.table} with {move.amount:,}."


def _taken_off(move: SeatMove) -> str:
    if move.kind == move.Kind.REMOVED:
        return f"{move.player} is taken off when this hand is over."
    return f"{move.player} is off with {move.amount:,}, which are in their wallet."


def _emptied(made: Any) -> str:
    if isinstance(made, Approval):
        return f"{made.words}: a second person has been asked (no. {made.pk})."
    told = [f"{made.time:,} time, on the books since it was charged"] if made.time else []
    told += [
        f"{chips:,} for {what}" for what, chips in (("promotions", made.promo), (made.fund, made.jackpot)) if chips
    ]
    told += [f"{abs(made.over):,} {'over' if made.over > 0 else 'short'}"] if made.over else []
    return f"{made.amount:,} from the drop box{': ' if told else ''}{', '.join(told)}."


# -- what is done, and what can be looked at ---------------------------------------------------------------------------


def _move(*, table_id: int, **asked: Any) -> SeatMove:
    return seating.move(from_table=table_id, **asked)


def _cancel_move(*, table_id: int, **asked: Any) -> dict[str, Any]:
    return {"was_there": seating.cancel_move(from_table=table_id, **asked)}


def _swap(*, table_id: int, other: User | None = None, number: int | None = None, **asked: Any) -> SeatMove:
    """With somebody, or with whoever sits in this seat."""
    if other is None:
        taken = chairs.seat_plan(table_id=table_id, now=timezone.now()).taken
        other = next((chair.seat.player for chair in taken if chair.number == number), None)
    if other is None:
        raise Invalid("Say in which seat the other one sits.", "bad-seat")
    return seating.swap(table_id=table_id, other=other, **asked)


def _hold(*, minutes: int | None = None, **asked: Any) -> SeatHold:
    return holds.hold(until=timezone.now() + timedelta(minutes=minutes) if minutes else None, **asked)


def _release(**asked: Any) -> dict[str, Any]:
    return {"was_there": holds.release(**asked), "player": asked["player"]}


def _count(*, counts: dict[str, int], **asked: Any) -> dict[str, Any]:
    if not counts or not set(counts) <= set("12345678"):
        raise Invalid("Name the seats that were counted, by their numbers 1 to 8.", "no-such-seat")
    held = physical.count(counts={int(number): chips for number, chips in counts.items()}, **asked)
    return {"stacks": {str(number): chips for number, chips in held.items()}, "total": sum(held.values())}


PLAN = Page("floor/tables/<int:table_id>/seats/", "floor_table_seats", plan, ROLES)
MINE = Page("me/seats/", "my_seats", mine)


def _verb(
    verb: str, does: Callable[..., Any], summary: str, order: type[shapes.Order], words: Callable[[Any], str] | None,
    form: type[shapes.Order] | None = None, **more: Any,
) -> Operation:  # fmt: skip
    """One act of staff. What moves chips between a wallet, or the house, and the table is the cage's (its `scope`).
    `words` tells of it on the page of the table, whose forms all have one address."""
    address = "floor/tables/<int:table_id>/seats/do/"
    said: dict[str, Any] = {"tag": "seating", "scope": "direct", "out": Move} | more
    if words is not None:
        then = _said(words)
        said["form"] = Form(address, "floor_seats_do", PLAN, then, refused, verbs={verb: {}}, order=form)
    return Operation(
        name=f"staff_{verb.replace('-', '_')}", summary=summary, address=f"tables/<id:table_id>/seating/{verb}",
        description="For staff; it is written on the trail.", roles=ROLES, does=does, keyed=True, order=order,
        refuses=(409, 422), **said,
    )  # fmt: skip


DECLARED = [
    Read(
        name="staff_seats", summary="Every seat of a table", description="For staff.", tag="seating", roles=ROLES,
        address="tables/<id:table_id>/seating", out=shapes.StaffSeat, many=True,
        finds=lambda by, table_id: chairs.seat_plan(table_id=table_id, now=timezone.now()).chairs,
    ),
    Read(
        name="my_holds", summary="Seats held for you", address="me/holds", tag="me", out=shapes.HeldSeat, many=True,
        finds=lambda by: chairs.holds_of(by, now=timezone.now()),
    ),
    Operation(
        name="give_up_seat", summary="Give up a seat held for you", address="me/holds/<id:table_id>", tag="me",
        method="DELETE", does=lists.give_up, actor="player", out=shapes.TakenBack, refuses=(409,),
        shows=lambda made, by: {"was_there": made},
        form=Form("me/seats/<int:table_id>/give-up/", "give_up_seat", MINE, _given_up, refused),
    ),
    _verb(
        "seat", seating.seat, "Seat a player", shapes.SeatPlayerOrder,
        lambda move: f"{move.player} is in seat {move.number} with {move.amount:,}.", shapes.SeatForm,
    ),
    _verb(
        "move", _move, "Move a player with their stack, after their hand", shapes.MoveSeatOrder, _moved,
        shapes.MoveForm,
    ),
    _verb(
        "cancel-move", _cancel_move, "Take back a move that waits", shapes.SeatedPlayerOrder, None,
        out=shapes.TakenBack,
    ),
    _verb(
        "swap", _swap, "Have two players change seats", shapes.SwapSeatsOrder,
        lambda move: f"The two have changed seats: {move.player} is in seat {move.number}.", shapes.SwapForm,
    ),
    _verb("unseat", seating.unseat, "Take a player off, after their hand", shapes.UnseatOrder, _taken_off),
    _verb(
        "absent", seating.mark_absent, "Mark a player away", shapes.SeatedPlayerOrder,
        lambda move: f"{move.player} is away; their seat is kept.",
    ),
    _verb(
        "back", seating.mark_back, "Mark a player back", shapes.SeatedPlayerOrder,
        lambda move: f"{move.player} is back.",
    ),
    _verb(
        "pick-up", seating.pick_up, "Pick up a seat kept too long", shapes.PickUpSeatOrder,
        lambda move: f"The seat of {move.player} is free; {move.amount:,} are in their wallet.",
    ),
    _verb("hold", _hold, "Hold a free seat", shapes.HoldSeatOrder, _held, shapes.HoldForm, out=shapes.HeldSeat),
    _verb(
        "release", _release, "Release a held seat", shapes.SeatedPlayerOrder, _released, out=shapes.TakenBack,
    ),
    _verb(
        "top-up", physical.top_up, "Bring a player chips in the room", shapes.BringChipsOrder,
        lambda move: f"{move.amount:,} brought to {move.player}.", scope="cage",
    ),
    _verb(
        "cash-out", physical.cash_out, "Cash a player out in the room", shapes.CashOutSeatOrder,
        lambda move: f"{move.player} leaves with {move.amount:,}, which are in their wallet.", scope="cage",
    ),
    _verb(
        "count", _count, "Write down counted stacks", shapes.CountStacksOrder,
        lambda made: f"Counted: {made['total']:,} on the table.", out=shapes.CountedStacks,
    ),
    _verb(
        "box", physical.empty_box, "Empty the drop box", shapes.DropBoxOrder, _emptied, scope="cage",
        out=shapes.EmptiedBox, waiting=ApprovalOut,
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([PLAN, MINE], DECLARED)
