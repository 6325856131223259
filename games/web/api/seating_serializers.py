"""The shapes of seats as staff has them, and of what it does with them."""

from typing import Any

from rest_framework import serializers

from cardroom.web.api.fields import MOST_CHIPS, Chips, Order, Text, WholeNumber
from games.models import Seat as SeatRow
from games.models import SeatHold

_WHO = "The number of the player, as in their profile."


def _player() -> WholeNumber:
    return WholeNumber(min_value=1, help_text=_WHO)


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


def _reason(*, required: bool = True) -> Text:
    return Text(required=required, max_length=300, help_text="Kept for ever.")


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
    buy_in = Chips()


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
    other = WholeNumber(min_value=1, help_text=_WHO)
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
    amount = Chips()


class CashOutSeatOrder(Order):
    """A player leaves a table in the room with what was counted."""

    player = _player()
    count = WholeNumber(min_value=0, max_value=MOST_CHIPS)
    reason = _reason(required=False)


class CountStacksOrder(Order):
    """What was counted, seat by seat."""

    counts = serializers.DictField(
        child=WholeNumber(min_value=0, max_value=MOST_CHIPS), help_text="Chips by seat number, from 1 to 8."
    )


class DropBoxOrder(Order):
    """The drop boxes were emptied."""

    amount = Chips(help_text="All that they held.")
    promo = WholeNumber(default=0, min_value=0, max_value=MOST_CHIPS, help_text="Of it, of pots, for promotions.")
    jackpot = WholeNumber(default=0, min_value=0, max_value=MOST_CHIPS, help_text="Of it, of pots, for the jackpot.")
    reason = _reason(required=False)
