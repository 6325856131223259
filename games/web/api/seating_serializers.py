"""The shapes of seats as staff has them, and of what it does with them."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from cardroom.services import cards
from cardroom.services.errors import NotFound
from cardroom.web.api.fields import MOST_CHIPS, Chips, Order, Person, Text, WholeNumber
from games.models import Seat as SeatRow
from games.models import SeatHold

_WHO = "The number of the player, as in their profile."


def _player() -> Person:
    return Person(max_value=None, help_text=_WHO)


def _seat() -> WholeNumber:
    return WholeNumber(
        required=False, allow_null=True, min_value=1, max_value=8, help_text="None: the one held, or the first free."
    )


def _count() -> WholeNumber:
    return WholeNumber(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_CHIPS,
        help_text="Their chips, as counted: at a table in the room.",
    )


def _reason(*, required: bool = True, **more: Any) -> Text:
    return Text(required=required, max_length=300, help_text="Kept for ever.", **_asks("Say why."), **more)


def _asks(words: str) -> dict[str, Any]:
    """What is said where the field is left out."""
    return {"error_messages": {"required": words}}


class HeldSeat(serializers.Serializer[Any]):
    """A seat that is held for somebody."""

    table = serializers.IntegerField(source="table_id")
    table_name = serializers.CharField(source="table.name")
    number = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id")
    player_name = serializers.CharField(source="player.username")
    why = serializers.ChoiceField(SeatHold.Why.choices)
    until = serializers.DateTimeField(allow_null=True, help_text="None: until it is given up.")


class StaffSeat(serializers.Serializer[Any]):
    """A seat of a table, as staff sees it."""

    number = serializers.IntegerField()
    player = serializers.IntegerField(source="seat.player_id", allow_null=True, default=None)
    name = serializers.CharField(source="seat.player.username", allow_null=True, default=None)
    state = serializers.ChoiceField(SeatRow.State.choices, source="seat.state", allow_null=True, default=None)
    chips = serializers.IntegerField(help_text="At a table in the room as last counted.")
    in_hand = serializers.BooleanField(source="is_in_hand")
    sat_at = serializers.DateTimeField(source="seat.sat_at", allow_null=True, default=None)
    counted_at = serializers.DateTimeField(source="seat.counted_at", allow_null=True, default=None)
    kept_until = serializers.DateTimeField(allow_null=True, help_text="When the seat of who is away is picked up.")
    is_overdue = serializers.BooleanField()
    held = HeldSeat(allow_null=True)


class CountedStacks(serializers.Serializer[Any]):
    """What everybody at the table has, as counted."""

    stacks = serializers.DictField(child=serializers.IntegerField(), help_text="Chips by seat number.")
    total = serializers.IntegerField()


class EmptiedBox(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    amount = serializers.IntegerField()
    time = serializers.IntegerField(help_text="Of it time, which was booked when it was charged.")
    promo = serializers.IntegerField()
    jackpot = serializers.IntegerField()
    rake = serializers.IntegerField()
    over = serializers.IntegerField(help_text="More than was charged; below zero: less. Where time is collected.")
    reason = serializers.CharField(allow_blank=True, help_text="Of the difference.")
    fund = serializers.IntegerField(source="fund_id", allow_null=True, help_text="The jackpot that it went to.")
    at = serializers.DateTimeField()


class TakenBack(serializers.Serializer[Any]):
    """Whether there was anything to take back."""

    was_there = serializers.BooleanField()


class SeatPlayerOrder(Order):
    """Seat a player, with chips of their wallet."""

    player = _player()
    number = _seat()
    buy_in = Chips(**_asks("Say with how much."))


class MoveSeatOrder(Order):
    """Move a player with all they have."""

    player = _player()
    to_table = WholeNumber(min_value=1)
    number = _seat()
    why = _reason()
    count = _count()


class SwapSeatsOrder(Order):
    """Two players of a table change seats."""

    player = _player()
    other = _player()
    why = _reason(required=False)


class UnseatOrder(Order):
    """Take a player off, after their hand."""

    player = _player()
    reason = _reason()
    count = _count()


class SeatedPlayerOrder(Order):
    """Whom it is about."""

    player = _player()


class PickUpSeatOrder(Order):
    """Pick up the seat of somebody who was away too long."""

    player = _player()
    reason = _reason(required=False)
    count = _count()


class HoldSeatOrder(Order):
    """Hold a free seat for somebody."""

    player = _player()
    number = _seat()
    why = serializers.ChoiceField([SeatHold.Why.LOCK_UP, SeatHold.Why.RESERVED])
    minutes = WholeNumber(
        required=False, allow_null=True, min_value=1, max_value=24 * 60, help_text="None: reserved until given up."
    )


class BringChipsOrder(Order):
    """Bring a player chips at a table in the room."""

    player = _player()
    amount = Chips(**_asks("Say how many chips are brought to them."))


class CashOutSeatOrder(Order):
    """A player leaves a table in the room with what was counted."""

    player = _player()
    count = WholeNumber(min_value=0, max_value=MOST_CHIPS, **_asks("Count the chips, and say how many they are."))
    reason = _reason(required=False)


class CountStacksOrder(Order):
    """What was counted, seat by seat."""

    counts = serializers.DictField(
        child=WholeNumber(min_value=0, max_value=MOST_CHIPS), help_text="Chips by seat number, from 1 to 8.",
        **_asks("Enter what you counted, seat by seat."),
    )  # fmt: skip


class DropBoxOrder(Order):
    """The drop boxes were emptied."""

    amount = Chips(help_text="All that they held.", **_asks("Say how many chips the box held."))
    promo = WholeNumber(default=0, min_value=0, max_value=MOST_CHIPS, help_text="Of it, of pots, for promotions.")
    jackpot = WholeNumber(default=0, min_value=0, max_value=MOST_CHIPS, help_text="Of it, of pots, for the jackpot.")
    reason = _reason(required=False)


# -- as the page of a table asks it ------------------------------------------------------------------------------------


class Named(Text):
    """The player whom staff names by screen name, member number or card. `NotFound`, with the names that begin like it:
    who gets a seat is never guessed."""

    def __init__(self) -> None:
        super().__init__(source="player", max_length=80, **_asks("Say who."))

    def run_validation(self, data: Any = empty) -> Any:
        words = super().run_validation(data)
        if (player := cards.exact(words)) is not None:
            return player
        near = ", ".join(player.username for player in cards.find(words, limit=5))
        said = f"Nobody is {words.strip()!r}: a whole screen name, a member number, or the card."
        raise NotFound(f"{said} Do you mean {near}?" if near else said, "no-player")


class SeatForm(SeatPlayerOrder):
    player = None
    who = Named()


class HoldForm(Order):
    """No minutes: the seat is reserved until it is given up."""

    who = Named()
    number = _seat()
    minutes = WholeNumber(required=False, min_value=1, max_value=24 * 60)

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        order = super().typed(form)
        return order | {"why": SeatHold.Why.LOCK_UP if "minutes" in order else SeatHold.Why.RESERVED}


class MoveForm(MoveSeatOrder):
    why = None
    reason = _reason(source="why")


class SwapForm(Order):
    """With whom, is said by their seat."""

    player = _player()
    number = WholeNumber(min_value=1, max_value=8, **_asks("Say in which seat the other one sits."))
    reason = _reason(required=False, source="why")
