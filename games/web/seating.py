"""Pages of seats: what staff does at a table, beside the map of the room, and a player's own seats."""

import json
import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from cardroom.models import Approval, User
from cardroom.services import access, accounts, cards, selectors
from cardroom.services.errors import Invalid, NotFound
from games import selectors as tables
from games.selectors import seating as chairs
from games.services import holds, lists, physical, seating
from games.web import forms
from games.web.seating_forms import HoldForm, PlaceForm, SeatedForm, TableForm

ROLES = ("floor", "manager", "cashier", "dealer")
#: Of them, who brings chips to seats and takes them away.
MONEY = physical.ROLES


@never_cache
@login_required
@require_safe
def plan(request: HttpRequest, table_id: int) -> HttpResponse:
    """The seats of a table with what may be done to each: a part of the floor's page, or a page of its own."""
    access.require_role(request.user, *ROLES)
    now = timezone.now()
    context = {"plan": chairs.seat_plan(table_id=table_id, now=now), "key": secrets.token_urlsafe(9), "now": now}
    context["may_seat"] = access.has_role(request.user, "floor", "manager")
    context["may_pay"] = access.has_role(request.user, *MONEY)
    name = "games/seating/_plan.html" if request.htmx else "games/seating/plan.html"
    return render(request, name, context)


@ensure_csrf_cookie
@never_cache
@login_required
@require_safe
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


@login_required
@require_POST
def give_up(request: HttpRequest, table_id: int) -> HttpResponse:
    """I do not want the seat that is held for me."""
    if not lists.give_up(table_id=table_id, player=request.user):
        raise NotFound("No seat is held for you at this table.", "no-such-hold")
    return _done(request, "The seat is free for others.", "my_seats")


@login_required
@require_POST
def do(request: HttpRequest, table_id: int) -> HttpResponse:
    """One act of staff at a seat of this table: `verb` says which."""
    verb = request.POST.get("verb", "")
    if verb not in _VERBS:
        raise Invalid("There is no such thing to be done with a seat.", "no-such-verb")
    words = _VERBS[verb](request, {"table_id": table_id, "by": request.user})
    return _done(request, words, "floor_table_seats", table_id)


def _seat(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(PlaceForm, request)
    player = _who(request.user, asked.pop("who"))
    move = seating.seat(player=player, **asked, **given)
    return f"{player} is in seat {move.number} with {move.amount:,}."


def _hold(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(HoldForm, request)
    player, minutes = _who(request.user, asked["who"]), asked["minutes"]
    until = timezone.now() + timedelta(minutes=minutes) if minutes else None
    why = "lock-up" if minutes else "reserved"
    held = holds.hold(player=player, number=asked["number"], why=why, until=until, **given)
    return f"Seat {held.number} is held for {player}{f' for {minutes} minutes' if minutes else ''}."


def _release(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(SeatedForm, request)
    player = _player(asked)
    is_done = holds.release(player=player, reason=asked["reason"], **given)
    return f"No seat is held for {player} any more." if is_done else f"No seat was held for {player}."


def _move(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(SeatedForm, request)
    player = _player(asked)
    said = {"why": asked["reason"], "number": asked["number"], "count": asked["count"], "key": asked["key"]}
    from_table = given.pop("table_id")
    move = seating.move(player=player, from_table=from_table, to_table=asked["to"] or from_table, **said, **given)
    if move.kind == move.Kind.MOVING:
        return f"{player} moves when this hand is over; their seat is held."
    return f"{player} is in seat {move.number} of {move.table} with {move.amount:,}."


def _swap(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(SeatedForm, request)
    player = _player(asked)
    plan = chairs.seat_plan(table_id=given["table_id"], now=timezone.now())
    other = next((chair.seat.player for chair in plan.taken if chair.number == asked["number"]), None)
    if other is None:
        raise Invalid("Say in which seat the other one sits.", "bad-seat")
    seating.swap(player=player, other=other, why=asked["reason"], key=asked["key"], **given)
    return f"{player} and {other} have changed seats."


def _unseat(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(SeatedForm, request)
    player = _player(asked)
    said = {"reason": asked["reason"], "count": asked["count"], "key": asked["key"]}
    move = seating.unseat(player=player, **said, **given)
    if move.kind == move.Kind.REMOVED:
        return f"{player} is taken off when this hand is over."
    return f"{player} is off with {move.amount:,}, which are in their wallet."


def _absent(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(SeatedForm, request)
    seating.mark_absent(player=(player := _player(asked)), key=asked["key"], **given)
    return f"{player} is away; their seat is kept."


def _back(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(SeatedForm, request)
    seating.mark_back(player=(player := _player(asked)), key=asked["key"], **given)
    return f"{player} is back."


def _pick_up(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(SeatedForm, request)
    said = {"reason": asked["reason"], "count": asked["count"], "key": asked["key"]}
    move = seating.pick_up(player=(player := _player(asked)), **said, **given)
    return f"The seat of {player} is free; {move.amount:,} are in their wallet."


def _top_up(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(SeatedForm, request)
    if asked["amount"] is None:
        raise Invalid("Say how many chips are brought to them.", "bad-amount")
    move = physical.top_up(player=(player := _player(asked)), amount=asked["amount"], key=asked["key"], **given)
    return f"{move.amount:,} brought to {player}."


def _cash_out(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(SeatedForm, request)
    if asked["count"] is None:
        raise Invalid("Count the chips, and say how many they are.", "bad-amount")
    said = {"reason": asked["reason"], "count": asked["count"], "key": asked["key"]}
    move = physical.cash_out(player=(player := _player(asked)), **said, **given)
    return f"{player} leaves with {move.amount:,}, which are in their wallet."


def _count(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(TableForm, request)
    counts = {}
    for number in range(1, 9):
        typed = request.POST.get(f"seat-{number}", "").strip().replace(",", "")
        if typed:
            if not (typed.isascii() and typed.isdigit() and len(typed) < 16):
                raise Invalid(f"Seat {number}: chips are counted in whole numbers.", "bad-amount")
            counts[number] = int(typed)
    if not counts:
        raise Invalid("Enter what you counted, seat by seat.", "bad-amount")
    held = physical.count(counts=counts, key=asked["key"], **given)
    return f"Counted: {sum(held.values()):,} on the table."


def _box(request: HttpRequest, given: dict[str, Any]) -> str:
    asked = forms.sent(TableForm, request)
    if asked["amount"] is None:
        raise Invalid("Say how many chips the box held.", "bad-amount")
    parts = {part: asked[part] or 0 for part in ("promo", "jackpot")}
    made = physical.empty_box(amount=asked["amount"], reason=asked["reason"], key=asked["key"], **parts, **given)
    if isinstance(made, Approval):
        return f"{made.words}: a second person has been asked (no. {made.pk})."
    told = [f"{made.time:,} time, on the books since it was charged"] if made.time else []
    told += [
        f"{chips:,} for {what}" for what, chips in (("promotions", made.promo), (made.fund, made.jackpot)) if chips
    ]
    told += [f"{abs(made.over):,} {'over' if made.over > 0 else 'short'}"] if made.over else []
    return f"{made.amount:,} from the drop box{': ' if told else ''}{', '.join(told)}."


_VERBS: dict[str, Callable[[HttpRequest, dict[str, Any]], str]] = {
    "seat": _seat,
    "hold": _hold,
    "release": _release,
    "move": _move,
    "swap": _swap,
    "unseat": _unseat,
    "absent": _absent,
    "back": _back,
    "pick-up": _pick_up,
    "top-up": _top_up,
    "cash-out": _cash_out,
    "count": _count,
    "box": _box,
}


def _who(by: User, words: str) -> User:
    """The player whom staff named by screen name, member number or card. `NotFound`, with the names that begin like it:
    who gets a seat is never guessed."""
    access.require_role(by, *ROLES)
    if (player := cards.exact(words)) is not None:
        return player
    near = ", ".join(player.username for player in cards.find(words, limit=5))
    said = f"Nobody is {words.strip()!r}: a whole screen name, a member number, or the card."
    raise NotFound(f"{said} Do you mean {near}?" if near else said, "no-player")


def _player(asked: dict[str, Any]) -> User:
    return accounts.one(asked["player"])


def _done(request: HttpRequest, words: str, page: str, *where: int) -> HttpResponse:
    """It is done: a notice for the page at hand, which hears the rest as news, or the page itself."""
    if request.htmx:
        said = {"seats-moved": {}, "toast": {"message": words}}
        return HttpResponse(status=204, headers={"HX-Trigger": json.dumps(said)})
    messages.success(request, words)
    return redirect(page, *where)
