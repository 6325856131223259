"""Seats: what staff does at a table, beside the map of the room, and a player's own."""

import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.views.decorators.csrf import ensure_csrf_cookie
from rest_framework import serializers
from rest_framework.fields import empty

from cardroom.accounts import members
from cardroom.accounts import people as account_queries
from cardroom.cage import books as cage_books
from cardroom.cage import queries as drawers
from cardroom.cage.serializers import ApprovalOut
from cardroom.core import access, approvals
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import Approval, User
from cardroom.core.sentences import filled
from cardroom.core.web import operations as of
from cardroom.core.web import parts
from cardroom.core.web.api.fields import MOST_CHIPS, ChipsField, PersonField, RequestBody, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.operations import Form, Operation, Page, Then, refused
from cardroom.ledger import counts
from games.engine.games import MOST_SEATS, SEAT_NUMBERS
from games.floor import cash_in, physical
from games.play import moving, seating
from games.play.pages.tables import Move, moved
from games.rake.models.drops import BoxCount
from games.tables import holds, reasons
from games.tables.models.offers import SeatHold
from games.tables.models.tables import SeatMove
from games.tables.queries import tables as seat_queries
from games.tables.queries import tables as table_queries
from games.waitlists import calling

ROLES = ("floor", "manager", "cashier", "dealer")
#: Of them, who brings chips to seats and takes them away.
MONEY = physical.ROLES
_WHO = "The number of the player, as in their profile."


def _player() -> PersonField:
    return PersonField(max_value=None, help_text=_WHO)


def _seat() -> WholeNumber:
    return WholeNumber(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_SEATS,
        help_text="None: the one held, or the first free.",
    )


def _reason(*, required: bool = True, **more: Any) -> Text:
    return Text(
        required=required,
        max_length=300,
        help_text="Kept permanently.",
        **_asks(gettext_lazy("Enter a reason.")),
        **more,
    )


def _asks(words: Any) -> dict[str, Any]:
    """What is said where the field is left out."""
    return {"error_messages": {"required": words}}


class CountedStacks(serializers.Serializer[Any]):
    """What everybody at the table has, as counted."""

    stacks = serializers.DictField(child=serializers.IntegerField(), help_text="Chips by seat number.")
    total = serializers.IntegerField()


class EmptiedBox(Shape):
    of = BoxCount
    field_names = "id amount time promo jackpot rake over reason fund=fund_id at"
    help_texts = {
        "time": "Of it time, which was booked when it was charged.",
        "over": "More than was charged; below zero: less. Where time is collected.",
        "reason": "Of the difference.",
        "fund": "The jackpot that it went to.",
    }


class CashInOrder(RequestBody):
    """Money given at a table in the room, and whose chips and seat it becomes."""

    player = PersonField(required=False, allow_null=True, max_value=None, help_text=f"{_WHO} Or a guest.")
    guest = Text(
        required=False, allow_blank=True, max_length=60, help_text="The name of somebody new, who needs no account."
    )
    number = _seat()
    amount = ChipsField(**_asks(gettext_lazy("Enter the amount of cash.")))


class BringChipsOrder(RequestBody):
    """Bring a player chips at a table in the room."""

    player = _player()
    amount = ChipsField(**_asks(gettext_lazy("Enter the number of chips to bring.")))


class CashOutSeatOrder(RequestBody):
    """A player leaves a table in the room with what was counted."""

    player = _player()
    count = WholeNumber(min_value=0, max_value=MOST_CHIPS, **_asks(gettext_lazy("Enter the number of chips counted.")))
    reason = _reason(required=False)


class CountStacksOrder(RequestBody):
    """What was counted, seat by seat."""

    counts = serializers.DictField(
        child=WholeNumber(min_value=0, max_value=MOST_CHIPS),
        help_text=f"Chips by seat number, from 1 to {MOST_SEATS}.",
        **_asks(gettext_lazy("Enter what you counted, seat by seat.")),
    )  # fmt: skip


class DropBoxOrder(RequestBody):
    """The drop boxes were emptied."""

    amount = ChipsField(
        help_text="The total of the box.", **_asks(gettext_lazy("Enter the number of chips in the box."))
    )
    promo = WholeNumber(default=0, min_value=0, max_value=MOST_CHIPS, help_text="Of it, of pots, for promotions.")
    jackpot = WholeNumber(default=0, min_value=0, max_value=MOST_CHIPS, help_text="Of it, of pots, for the jackpot.")
    reason = _reason(required=False)


# -- as the page of a table asks it ------------------------------------------------------------------------------------


OtherSeat = Annotated[
    int,
    Limits(
        min_value=1,
        max_value=MOST_SEATS,
        error_messages={"required": gettext_lazy("Choose the seat of the other player.")},
    ),
]


class Named(Text):
    """The player whom staff names by screen name, member number or card. `NotFound`, with the names that begin like it:
    who gets a seat is never guessed."""

    def __init__(self, *, required: bool = True) -> None:
        asks = _asks(gettext_lazy("Choose a player."))
        super().__init__(source="player", max_length=80, required=required, **asks)

    def run_validation(self, data: Any = empty) -> Any:
        words = super().run_validation(data)
        if (player := members.exact(words)) is not None:
            return player
        near = ", ".join(player.username for player in members.find(words, limit=5))
        said = gettext_noop(
            "No player found for {words!r}: enter the full screen name, the member number, or scan the card."
        )
        if near:
            said = gettext_noop(
                "No player found for {words!r}: enter the full screen name, the member number, or scan the card. "
                "Do you mean {near}?"
            )
        raise NotFound("no-player", said, words=words.strip(), near=near)


class Who(RequestBody):
    """Whom a form of a free seat names."""

    who = Named()


class CashInForm(CashInOrder):
    """Somebody who sits there already, or whom the form of a free seat names, as a guest where that is ticked."""

    who = Named(required=False)

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        said = {name: form[name] for name in form} | {"amount": form.get("amount") or form.get("buy_in", "")}
        if form.get("is_guest"):
            said["guest"] = said.pop("who", "")
        return super().typed(said)


def plan_of(request: HttpRequest, table_id: int, *, chosen: int | None = None) -> dict[str, Any]:
    """What the seats of a table are drawn from; `chosen`: the seat that stands first."""
    now = timezone.now()
    return {
        "plan": seat_queries.seat_plan(table_id=table_id, now=now, first=chosen),
        "drawer": drawers.own_session(request.user),
        "move_reasons": reasons.OF_THE_FLOOR,
        "key": secrets.token_urlsafe(9),
        "now": now,
        "may_seat": access.has_role(request.user, "floor", "manager"),
        "may_pay": access.has_role(request.user, *MONEY),
        "is_cashier": access.has_role(request.user, *cage_books.STAFF),
    }


def plan(request: HttpRequest, table_id: int) -> HttpResponse:
    """The seats of a table with what may be done to each: a part of the floor's page, or a page of its own. `?seat=`:
    the one that was chosen stands first, and is open."""
    context = plan_of(request, table_id, chosen=parts.whole_or_none(request.GET.get("seat", "")))
    name = "games/floor/seating/_plan.html" if request.htmx else "games/floor/seating/plan.html"
    return render(request, name, context)


@ensure_csrf_cookie
def mine(request: HttpRequest) -> HttpResponse:
    """Where I sit, which seats are held for me, and what I can do about it."""
    now = timezone.now()
    context = {
        "seats": table_queries.seats_of(request.user, event=""),
        "events": [seat for seat in table_queries.seats_of(request.user) if seat.table.event],
        "holds": seat_queries.holds_of(request.user, now=now),
        "wallet": account_queries.wallet_balances([request.user])[request.user.pk],
        "key": secrets.token_urlsafe(9),
    }
    return render(
        request, "games/floor/seating/_mine.html" if request.htmx else "games/floor/seating/mine.html", context
    )


def _cash_taken(made: SeatMove | Approval) -> str:
    if isinstance(made, Approval):
        return gettext("{words}: a cashier is asked (no. {id}).").format(words=made.said, id=made.pk)
    return filled(
        gettext("{amount:,} taken: {player} has them in seat {number}."), amount=made.amount, player=made.player,
        number=made.number,
    )  # fmt: skip


def _said(words: Callable[[Any], str]) -> Then:
    """To the seats of the table, with these words of what was made."""
    return moved(words, "floor_table_seats", "table_id")


def _emptied(made: Any) -> str:
    if isinstance(made, Approval):
        return approvals.sent(made)
    told = []
    if made.time:
        told.append(filled(gettext("{amount:,} time, on the books since it was charged"), amount=made.time))
    if made.promo:
        told.append(filled(gettext("{amount:,} for promotions"), amount=made.promo))
    if made.jackpot:
        told.append(filled(gettext("{amount:,} for {fund}"), amount=made.jackpot, fund=made.fund))
    if made.over:
        told.append(counts.words(made.over))
    said = gettext("{amount:,} from the drop box: {parts}.") if told else gettext("{amount:,} from the drop box.")
    return filled(said, amount=made.amount, parts=", ".join(told))


# -- what is done, and what can be looked at ---------------------------------------------------------------------------


def _count(*, counts: dict[str, int], **asked: Any) -> dict[str, Any]:
    if not counts or not set(counts) <= set(map(str, SEAT_NUMBERS)):
        raise Invalid("no-such-seat", "Name the seats that were counted, by their numbers 1 to 8.")
    held = physical.count(counts={int(number): chips for number, chips in counts.items()}, **asked)
    return {"stacks": held, "total": sum(held.values())}


PLAN = Page("floor/tables/<int:table_id>/seats/", "floor_table_seats", plan, ROLES)
MINE = Page("me/seats/", "my_seats", mine)


def swap_with_seat(
    *,
    table_id: RowId,
    player: holds.NamedPlayer,
    number: OtherSeat,
    why: seating.MaybeReasonKept = "",
    by: User,
    key: str = "",
) -> SeatMove:
    """A player changes seats with the one who sits in this seat."""
    taken = seat_queries.seat_plan(table_id=table_id, now=timezone.now()).taken
    other = next((chair.seat.player for chair in taken if chair.number == number), None)
    if other is None:
        raise Invalid("bad-seat", "Choose the seat of the other player.")
    return moving.swap.once(key, table_id=table_id, player=player, other=other, why=why, by=by)


class OnSeats(PlainPost):
    """A form of the seats of a table, which tells what was done in its `words`."""

    page, path, name = PLAN, "floor/tables/<int:table_id>/seats/do/", "floor_seats_do"

    def words(self, result: Any) -> str:
        raise NotImplementedError

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        return moved(self.words, "floor_table_seats", "table_id")(request, result)


class HoldForm(OnSeats):
    """No minutes: the seat is reserved until it is given up."""

    does, button = holds.hold, "hold"

    def typed(self, form: QueryDict) -> QueryDict:
        form["player"] = str(Who.typed(form)["player"].pk)
        has_end = form.get("minutes", "").strip()
        form["why"] = SeatHold.Why.LOCK_UP if has_end else SeatHold.Why.RESERVED
        return form

    def words(self, result: SeatHold) -> str:
        if result.until is None:
            return gettext("Seat {number} is held for {player}.").format(number=result.number, player=result.player)
        minutes = round((result.until - result.at) / timedelta(minutes=1))
        return gettext("Seat {number} is held for {player} for {minutes} minutes.").format(
            number=result.number, player=result.player, minutes=minutes
        )


class ReleaseForm(OnSeats):
    does, button = holds.release, "release"

    def done(self, request: HttpRequest, result: bool) -> HttpResponse:
        player = access.get_user(int(request.POST["player"]))
        pattern = gettext("The seat held for {who} is released.") if result else gettext("No seat was held for {who}.")
        return moved(lambda result: pattern.format(who=player), "floor_table_seats", "table_id")(request, result)


class SeatForm(OnSeats):
    does, button = seating.seat, "seat"

    def typed(self, form: QueryDict) -> QueryDict:
        form["player"] = str(Who.typed(form)["player"].pk)
        return form

    def words(self, result: SeatMove) -> str:
        pattern = gettext("{player} is in seat {number} with {amount:,}.")
        return filled(pattern, player=result.player, number=result.number, amount=result.amount)


class MoveForm(OnSeats):
    does, button = moving.move, "move"

    def words(self, result: SeatMove) -> str:
        if result.kind == SeatMove.Kind.MOVING:
            pattern = gettext("{player} moves when this hand is over; the new seat is held.")
            return pattern.format(player=result.player)
        return filled(
            gettext("{player} is in seat {number} of {table} with {amount:,}."),
            player=result.player,
            number=result.number,
            table=result.table,
            amount=result.amount,
        )


class SwapForm(OnSeats):
    """With whom, is said by their seat."""

    does, button = swap_with_seat, "swap"

    def words(self, result: SeatMove) -> str:
        pattern = gettext("The two have changed seats: {player} is in seat {number}.")
        return pattern.format(player=result.player, number=result.number)


class UnseatForm(OnSeats):
    does, button = seating.unseat, "unseat"

    def words(self, result: SeatMove) -> str:
        if result.kind == SeatMove.Kind.REMOVED:
            return gettext("{player} is removed when this hand is over.").format(player=result.player)
        pattern = gettext("{player} is removed; {amount:,} are in their wallet.")
        return filled(pattern, player=result.player, amount=result.amount)


class AbsentForm(OnSeats):
    does, button = seating.mark_absent, "absent"

    def words(self, result: SeatMove) -> str:
        return gettext("{player} is away; their seat is kept.").format(player=result.player)


class BackForm(OnSeats):
    does, button = seating.mark_back, "back"

    def words(self, result: SeatMove) -> str:
        return gettext("{player} is back.").format(player=result.player)


class PickUpForm(OnSeats):
    does, button = seating.pick_up, "pick-up"

    def words(self, result: SeatMove) -> str:
        pattern = gettext("The seat of {player} is free; {amount:,} are in their wallet.")
        return filled(pattern, player=result.player, amount=result.amount)


class GiveUpForm(PlainPost):
    page, does, path, name = MINE, calling.give_up, "me/seats/<int:table_id>/give-up/", "give_up_seat"

    def done(self, request: HttpRequest, result: bool) -> HttpResponse:
        if not result:
            raise NotFound("no-such-hold", "No seat is held for you at this table.")
        return moved(lambda result: gettext("The seat is released."), "my_seats")(request, result)


def _verb(
    verb: str, does: Callable[..., Any], summary: str, order: type[RequestBody], words: Callable[[Any], str] | None,
    form: type[RequestBody] | None = None, **more: Any,
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
        description="For staff; it is recorded in the audit log.", does=does, keyed=True, order=order,
        roles=() if getattr(does, "roles", ()) else ROLES, refuses=(409, 422), **said,
    )  # fmt: skip


DECLARED = [
    _verb(
        "top-up", physical.top_up, "Bring chips to a player in the room", BringChipsOrder,
        lambda move: filled(gettext("{amount:,} brought to {player}."), amount=move.amount, player=move.player),
        scope="cage",
    ),
    _verb(
        "cash-in", cash_in.cash_in, "Take cash at a table in the room", CashInOrder, _cash_taken, CashInForm,
        scope="cage", waiting=ApprovalOut,
    ),
    _verb(
        "cash-out", physical.cash_out, "Cash a player out in the room", CashOutSeatOrder,
        lambda move: filled(gettext("{player} leaves; {amount:,} are in their wallet."), player=move.player,
        amount=move.amount), scope="cage",
    ),
    _verb(
        "count", _count, "Record counted stacks", CountStacksOrder,
        lambda made: filled(gettext("Counted: {total:,} on the table."), total=made["total"]), out=CountedStacks,
    ),
    _verb(
        "box", physical.empty_box, "Empty the drop box", DropBoxOrder, _emptied, scope="cage",
        out=EmptiedBox, waiting=ApprovalOut,
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages(
    [PLAN, MINE],
    DECLARED,
    posts=[
        HoldForm,
        ReleaseForm,
        SeatForm,
        MoveForm,
        SwapForm,
        UnseatForm,
        AbsentForm,
        BackForm,
        PickUpForm,
        GiveUpForm,
    ],
)
