"""The pages of seats: the seats of a table for staff, beside the map of the room, and a player's own seats."""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.views.decorators.csrf import ensure_csrf_cookie
from rest_framework.fields import empty

from cardroom.accounts import members
from cardroom.accounts import people as account_queries
from cardroom.cage import books as cage_books
from cardroom.cage import queries as drawers
from cardroom.core import access, approvals
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import Approval, User
from cardroom.core.sentences import filled
from cardroom.core.web import parts
from cardroom.core.web.api.fields import RequestBody, Text
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page
from cardroom.ledger import counts
from games.engine.games import MOST_SEATS
from games.floor import cash_in, physical
from games.floor.pages.seat_api import ROLES, CountStacksBody, count_stacks
from games.play import moving, seating
from games.play.pages.tables import answer_with_notice
from games.rake.models.drops import BoxCount
from games.tables import holds, reasons
from games.tables.models.offers import SeatHold
from games.tables.models.tables import SeatMove
from games.tables.queries import tables as seat_queries
from games.waitlists import calling

#: The roles, among `ROLES`, that bring chips to seats and take them away.
MONEY = physical.ROLES

OtherSeat = Annotated[
    int,
    Limits(
        min_value=1,
        max_value=MOST_SEATS,
        error_messages={"required": gettext_lazy("Choose the seat of the other player.")},
    ),
]


class PlayerByName(Text):
    """A player whom staff names by screen name, member number or card. `NotFound`, with similar names, where none fits
    exactly: the player who gets a seat is never guessed."""

    def __init__(self) -> None:
        messages = {"required": gettext_lazy("Choose a player.")}
        super().__init__(source="player", max_length=80, error_messages=messages)

    def run_validation(self, data: Any = empty) -> Any:
        words = super().run_validation(data)
        if (player := members.exact(words)) is not None:
            return player
        near = ", ".join(player.username for player in members.find(words, limit=5))
        pattern = gettext_noop(
            "No player found for {words!r}: enter the full screen name, the member number, or scan the card."
        )
        if near:
            pattern = gettext_noop(
                "No player found for {words!r}: enter the full screen name, the member number, or scan the card. "
                "Do you mean {near}?"
            )
        raise NotFound("no-player", pattern, words=words.strip(), near=near)


class NamedPlayerBody(RequestBody):
    """The player named in a form of a free seat."""

    who = PlayerByName()


def plan_of(request: HttpRequest, table_id: int, *, chosen: int | None = None) -> dict[str, Any]:
    """The context of the page of a table's seats; `chosen`: the seat that is shown first."""
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
    """The seats of a table with what staff may do with each: a part of the floor's page, or a page of its own.
    `?seat=`: the chosen seat is first, and open."""
    context = plan_of(request, table_id, chosen=parts.whole_number_or_none(request.GET.get("seat", "")))
    name = "games/floor/seating/_plan.html" if request.htmx else "games/floor/seating/plan.html"
    return render(request, name, context)


@ensure_csrf_cookie
def mine(request: HttpRequest) -> HttpResponse:
    """The player's own seats and the seats held for them."""
    now = timezone.now()
    context = {
        "seats": seat_queries.seats_of(request.user, event=""),
        "events": [seat for seat in seat_queries.seats_of(request.user) if seat.table.event],
        "holds": seat_queries.holds_of(request.user, now=now),
        "wallet": account_queries.wallet_balances([request.user])[request.user.pk],
        "key": secrets.token_urlsafe(9),
    }
    return render(
        request, "games/floor/seating/_mine.html" if request.htmx else "games/floor/seating/mine.html", context
    )


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
    """Let a player change seats with the player in seat `number`."""
    taken = seat_queries.seat_plan(table_id=table_id, now=timezone.now()).taken
    other = next((chair.seat.player for chair in taken if chair.number == number), None)
    if other is None:
        raise Invalid("bad-seat", "Choose the seat of the other player.")
    return moving.swap.once(key, table_id=table_id, player=player, other=other, why=why, by=by)


class OnSeats(PlainPost):
    """A form of the seats of a table; its `words` tell staff what was done."""

    page, path, name = PLAN, "floor/tables/<int:table_id>/seats/do/", "floor_seats_do"

    def words(self, result: Any) -> str:
        raise NotImplementedError

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        return answer_with_notice(self.words, "floor_table_seats", "table_id")(request, result)


class HoldSeatForm(OnSeats):
    """Without minutes the seat is reserved until it is given up."""

    does, button = holds.hold, "hold"

    def typed(self, form: QueryDict) -> QueryDict:
        form["player"] = str(NamedPlayerBody.typed(form)["player"].pk)
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


class ReleaseSeatForm(OnSeats):
    does, button = holds.release, "release"

    def done(self, request: HttpRequest, result: bool) -> HttpResponse:
        player = access.get_user(int(request.POST["player"]))
        pattern = gettext("The seat held for {who} is released.") if result else gettext("No seat was held for {who}.")
        return answer_with_notice(lambda result: pattern.format(who=player), "floor_table_seats", "table_id")(
            request, result
        )


class SeatPlayerForm(OnSeats):
    does, button = seating.seat, "seat"

    def typed(self, form: QueryDict) -> QueryDict:
        form["player"] = str(NamedPlayerBody.typed(form)["player"].pk)
        return form

    def words(self, result: SeatMove) -> str:
        pattern = gettext("{player} is in seat {number} with {amount:,}.")
        return filled(pattern, player=result.player, number=result.number, amount=result.amount)


class MovePlayerForm(OnSeats):
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


class SwapPlayersForm(OnSeats):
    """The other player is chosen by their seat."""

    does, button = swap_with_seat, "swap"

    def words(self, result: SeatMove) -> str:
        pattern = gettext("The two have changed seats: {player} is in seat {number}.")
        return pattern.format(player=result.player, number=result.number)


class UnseatPlayerForm(OnSeats):
    does, button = seating.unseat, "unseat"

    def words(self, result: SeatMove) -> str:
        if result.kind == SeatMove.Kind.REMOVED:
            return gettext("{player} is removed when this hand is over.").format(player=result.player)
        pattern = gettext("{player} is removed; {amount:,} are in their wallet.")
        return filled(pattern, player=result.player, amount=result.amount)


class MarkAbsentForm(OnSeats):
    does, button = seating.mark_absent, "absent"

    def words(self, result: SeatMove) -> str:
        return gettext("{player} is away; their seat is kept.").format(player=result.player)


class MarkBackForm(OnSeats):
    does, button = seating.mark_back, "back"

    def words(self, result: SeatMove) -> str:
        return gettext("{player} is back.").format(player=result.player)


class PickUpSeatForm(OnSeats):
    does, button = seating.pick_up, "pick-up"

    def words(self, result: SeatMove) -> str:
        pattern = gettext("The seat of {player} is free; {amount:,} are in their wallet.")
        return filled(pattern, player=result.player, amount=result.amount)


class GiveUpSeatForm(PlainPost):
    page, does, path, name = MINE, calling.give_up, "me/seats/<int:table_id>/give-up/", "give_up_seat"

    def done(self, request: HttpRequest, result: bool) -> HttpResponse:
        if not result:
            raise NotFound("no-such-hold", "No seat is held for you at this table.")
        return answer_with_notice(lambda result: gettext("The seat is released."), "my_seats")(request, result)


class BringChipsForm(OnSeats):
    does, button = physical.top_up, "top-up"

    def words(self, result: SeatMove) -> str:
        return filled(gettext("{amount:,} brought to {player}."), amount=result.amount, player=result.player)


class CashInForm(OnSeats):
    """Cash for a player who sits there already, or who is named in the form of a free seat, as a guest where that is
    ticked."""

    does, button = cash_in.cash_in, "cash-in"

    def typed(self, form: QueryDict) -> QueryDict:
        form["amount"] = form.get("amount") or form.get("buy_in", "")
        if form.get("is_guest"):
            form["guest"] = form.get("who", "")
        elif form.get("who", "").strip():
            form["player"] = str(NamedPlayerBody.typed(form)["player"].pk)
        return form

    def words(self, result: SeatMove | Approval) -> str:
        if isinstance(result, Approval):
            return gettext("{words}: a cashier is asked (no. {id}).").format(words=result.said, id=result.pk)
        return filled(
            gettext("{amount:,} taken: {player} has them in seat {number}."),
            amount=result.amount,
            player=result.player,
            number=result.number,
        )


class CashOutForm(OnSeats):
    does, button = physical.cash_out, "cash-out"

    def words(self, result: SeatMove) -> str:
        pattern = gettext("{player} leaves; {amount:,} are in their wallet.")
        return filled(pattern, player=result.player, amount=result.amount)


class CountStacksForm(OnSeats):
    does, button, body, roles = count_stacks, "count", CountStacksBody, ROLES

    def words(self, result: Mapping[str, Any]) -> str:
        return filled(gettext("Counted: {total:,} on the table."), total=result["total"])


class EmptyBoxForm(OnSeats):
    does, button = physical.empty_box, "box"

    def words(self, result: BoxCount | Approval) -> str:
        if isinstance(result, Approval):
            return approvals.request_message(result)
        amounts = []
        if result.time:
            amounts.append(filled(gettext("{amount:,} time, on the books since it was charged"), amount=result.time))
        if result.promo:
            amounts.append(filled(gettext("{amount:,} for promotions"), amount=result.promo))
        if result.jackpot:
            amounts.append(filled(gettext("{amount:,} for {fund}"), amount=result.jackpot, fund=result.fund))
        if result.over:
            amounts.append(counts.words(result.over))
        pattern = gettext("{amount:,} from the drop box.")
        if amounts:
            pattern = gettext("{amount:,} from the drop box: {parts}.")
        return filled(pattern, amount=result.amount, parts=", ".join(amounts))


urlpatterns = page_urls(
    [PLAN, MINE],
    forms=[
        HoldSeatForm,
        ReleaseSeatForm,
        SeatPlayerForm,
        MovePlayerForm,
        SwapPlayersForm,
        UnseatPlayerForm,
        MarkAbsentForm,
        MarkBackForm,
        PickUpSeatForm,
        BringChipsForm,
        CashInForm,
        CashOutForm,
        CountStacksForm,
        EmptyBoxForm,
        GiveUpSeatForm,
    ],
)
