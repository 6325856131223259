"""The shapes of tables, seats and rulebooks, and of what is asked of them."""

from typing import Any

from rest_framework import serializers

from cardroom.web.api.fields import Chips, Number, Order, Query, WholeNumber, Word
from games.models import Seat, SeatMove, Table
from games.services import stacks

EPOCH = "Milliseconds since 1970."


class TableRow(serializers.Serializer[Any]):
    """A table in the lobby."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    game = serializers.CharField()
    structure = serializers.CharField()
    stakes = serializers.CharField(help_text="As players say them: small and big bet.")
    ante = serializers.IntegerField()
    bring_in = serializers.IntegerField()
    small_bet = serializers.IntegerField()
    big_bet = serializers.IntegerField()
    min_buy_in = serializers.IntegerField()
    max_buy_in = serializers.IntegerField()
    seat_count = serializers.IntegerField()
    people = serializers.IntegerField(help_text="Seats taken by people.")
    bots = serializers.IntegerField(help_text="Seats taken by bots of the house.")
    is_full = serializers.BooleanField()
    is_playing = serializers.BooleanField(help_text="Whether a hand is being played.")
    hand_count = serializers.IntegerField()
    average_pot = serializers.IntegerField(allow_null=True, help_text="Of the last hands; null while there are none.")
    hands_per_hour = serializers.IntegerField(allow_null=True)


class TableQuery(Query):
    """Which tables to list."""

    game = Word(required=False, help_text="Such as seven-card-stud.")
    structure = Word(required=False, help_text="Such as fixed-limit.")
    least_small_bet = Number(required=False)
    most_small_bet = Number(required=False)
    buy_in = Number(required=False, help_text="Only where you can sit down with so many chips.")
    has_free_seat = serializers.BooleanField(required=False)
    has_people = serializers.BooleanField(required=False, help_text="Whether a person sits there, and not bots alone.")


class Stakes(serializers.Serializer[Any]):
    name = serializers.CharField()
    ante = serializers.IntegerField()
    bring_in = serializers.IntegerField()
    small_bet = serializers.IntegerField()
    big_bet = serializers.IntegerField()
    smallest_chip = serializers.IntegerField(
        help_text="Pots are split in it; 0: as each hand's stacks and stakes tell."
    )


class BookName(serializers.Serializer[Any]):
    slug = serializers.CharField()
    version = serializers.CharField()
    reference = serializers.CharField(help_text="What names this book in this version wherever one is asked for.")
    title = serializers.CharField()


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
    extra = serializers.IntegerField(help_text="Milliseconds before that which a player has who lost touch.")


class TakenSeat(serializers.Serializer[Any]):
    """A taken seat. `stack` is as the hand being played found it: the facts of the hand tell the rest. At a table in
    the room it is as last counted."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    is_bot = serializers.BooleanField()
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


class TableView(serializers.Serializer[Any]):
    """A table as the one who asks may see it: everything but the cards, which are facts of the hand."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    event = serializers.CharField(
        help_text='What its seats are drawn for, such as "tournament:7"; empty: anybody sits.'
    )
    unit = serializers.CharField(help_text="Of the chips in its seats.")
    state = serializers.ChoiceField(Table.State.choices)
    game = serializers.CharField()
    structure = serializers.CharField()
    setting = serializers.CharField()
    stakes = Stakes()
    rulebook = BookName(help_text="Of the hand on the table, before the first one of the next.")
    next_rulebook = BookName(allow_null=True, help_text="Of the next hand, where it is another.")
    min_buy_in = serializers.IntegerField()
    max_buy_in = serializers.IntegerField()
    seat_count = serializers.IntegerField()
    act_seconds = serializers.IntegerField(help_text="0: nobody is on a clock.")
    extra_seconds = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="For the first, second, ... turn of a player who lost the connection; empty: none.",
    )
    extra_cap_seconds = serializers.IntegerField(
        help_text="The most of it that a player gets in a visit to the table, or in the whole event."
    )
    dealt_by = serializers.ChoiceField(Table.DealtBy.choices)
    deck = serializers.ChoiceField(Table.Deck.choices, help_text="Whose cards, where a person deals.")
    is_spoken = serializers.BooleanField(help_text="Whether browsers say what the dealer announces.")
    is_hand_shown = serializers.BooleanField(help_text="Whether hands are shown one by one at the showdown.")
    is_physical = serializers.BooleanField(help_text="In the room: staff seats you, and brings and counts chips.")
    is_private = serializers.BooleanField(help_text="Whether only those sit who are invited, or know the password.")
    paused = Paused(allow_null=True, help_text="Null while hands are dealt.")
    notice = serializers.CharField(help_text="A line of the staff to all who look on; empty: none.")
    is_shown = serializers.BooleanField(help_text="Whether you are shown its hands: false where you may not look on.")
    floor_called = serializers.BooleanField(help_text="Whether somebody here waits for the floor.")
    version = serializers.IntegerField(help_text="Grows with every change of the table.")
    dealer = serializers.IntegerField(help_text="The seat that deals, or dealt last; 0 before that.")
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


class MySeat(serializers.Serializer[Any]):
    """A seat of yours."""

    table = serializers.IntegerField(source="table_id")
    table_name = serializers.CharField(source="table.name")
    number = serializers.IntegerField()
    state = serializers.ChoiceField(Seat.State.choices)
    stack = serializers.SerializerMethodField(help_text="At a table in the room as last counted.")
    is_physical = serializers.BooleanField(source="table.is_physical", help_text="Whether it is a table in the room.")

    def get_stack(self, seat: Seat) -> int:
        return stacks.chips_of(seat, seat.table)


class SitOrder(Order):
    """Where to sit down, and with how much."""

    seat = WholeNumber(required=False, allow_null=True, min_value=1, max_value=8, help_text="None: the first free one.")
    buy_in = Chips(help_text="Out of your wallet, within the table's range.")


class TopUpOrder(Order):
    amount = Chips(help_text="Out of your wallet. During a hand they come when it is over.")


class NoOrder(Order):
    """Nothing needs to be said."""


class Move(serializers.Serializer[Any]):
    """What came of it. The same answer comes for the same Idempotency-Key."""

    id = serializers.IntegerField()
    table = serializers.IntegerField(source="table_id")
    seat = serializers.IntegerField(source="number")
    kind = serializers.ChoiceField(SeatMove.Kind.choices)
    amount = serializers.IntegerField(help_text="Chips moved, or asked for.")
    at = serializers.DateTimeField()
