"""The shapes of hands and of what is done in them."""

from typing import Any

from django.core.validators import RegexValidator
from rest_framework import serializers

from cardroom.web.api import keys
from cardroom.web.api.fields import Chips, Order, Text, WholeNumber
from games.services.hands import ACTIONS

HIDDEN = "null for a card you may not see."


class HandRow(serializers.Serializer[Any]):
    """A hand that is over, in a list."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Counts from 1 at each table.")
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField()
    pot = serializers.IntegerField()
    players = serializers.ListField(child=serializers.CharField())


class TableName(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()


class Pot(serializers.Serializer[Any]):
    amount = serializers.IntegerField()
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="Who can win it.")


class Choice(serializers.Serializer[Any]):
    """Something the seat to act may do."""

    action = serializers.ChoiceField(ACTIONS)
    chips = serializers.IntegerField(help_text="What a call or the bring-in adds; 0 otherwise.")
    amounts = serializers.ListField(
        child=serializers.IntegerField(), help_text="What `amount` may be: the seat's total for the street."
    )
    is_range = serializers.BooleanField(help_text="Whether `amounts` are the least and the most.")


class Turn(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    choices = Choice(many=True)


class Card(serializers.Serializer[Any]):
    card = serializers.CharField(allow_null=True, help_text=f"Such as As or Td; {HIDDEN}")
    is_up = serializers.BooleanField()


class Shown(serializers.Serializer[Any]):
    five = serializers.ListField(child=serializers.CharField(), help_text="The cards that play.")
    words = serializers.CharField(help_text="Such as: two pair, kings and nines.")


class SeatInHand(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField()
    is_bot = serializers.BooleanField()
    stack_before = serializers.IntegerField()
    stack = serializers.IntegerField()
    bet = serializers.IntegerField(help_text="Chips in this street.")
    put_in = serializers.IntegerField(help_text="Chips in this hand.")
    won = serializers.IntegerField()
    is_live = serializers.BooleanField()
    is_all_in = serializers.BooleanField()
    is_absent = serializers.BooleanField()
    cards = Card(many=True)
    shown = Shown(allow_null=True, help_text="The hand at the showdown, if it was shown.")


class Award(serializers.Serializer[Any]):
    pot = serializers.IntegerField(help_text="Counts from 0, the main pot.")
    seat = serializers.IntegerField()
    amount = serializers.IntegerField()
    share = serializers.CharField(help_text="whole, high or low")
    odd = serializers.IntegerField(help_text="Odd chips within the amount.")


class Drop(serializers.Serializer[Any]):
    """Chips that the house took of the pots."""

    rake = serializers.IntegerField()
    promo = serializers.IntegerField(help_text="For promotions.")
    jackpot = serializers.IntegerField()
    pots = serializers.ListField(child=serializers.IntegerField(), help_text="What each pot gave, main pot first.")
    why = serializers.CharField(help_text="no-call: the hand ended on third street without a call and is free.")


class HandView(serializers.Serializer[Any]):
    """A hand as far as it got, as the one who asks may see it."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Counts from 1 at each table.")
    table = TableName()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    is_over = serializers.BooleanField()
    seq = serializers.IntegerField(help_text="Its last fact so far: what `expected_seq` has to be.")
    street = serializers.IntegerField(help_text="How many cards a full hand has now: 3 to 7.")
    pot = serializers.IntegerField(help_text="All chips in the middle.")
    pots = Pot(many=True, help_text="As the last round of betting left them, main pot first.")
    common = serializers.ListField(child=serializers.CharField(), help_text="Cards that play in every hand.")
    dealer = serializers.IntegerField()
    your_seat = serializers.IntegerField(allow_null=True, help_text="The seat you were dealt into.")
    turn = Turn(allow_null=True, help_text="Whose turn it is, and exactly what is legal.")
    seats = SeatInHand(many=True)
    awards = Award(many=True, help_text="The result: who won what. Empty until the hand is over.")
    drop = Drop(allow_null=True, help_text="What the house took before the awards; null where it takes nothing.")
    previous = serializers.IntegerField(allow_null=True, help_text="The hand before it at this table.")
    next = serializers.IntegerField(allow_null=True)


class Fact(serializers.Serializer[Any]):
    """One thing that happened. See `fact_schema` for the data of each kind."""


class Facts(serializers.Serializer[Any]):
    hand = serializers.IntegerField()
    seq = serializers.IntegerField(help_text="The number of the last one: ask `after` it for more.")
    facts = Fact(many=True)


class Receipt(Facts):
    """What an action came to: all that followed from it, up to the next choice. A repeat is answered alike."""

    facts_from = serializers.IntegerField(help_text="The number of the first one.")


class ActOrder(Order):
    """What to do in one's turn."""

    action = serializers.ChoiceField(ACTIONS)
    amount = Chips(
        required=False,
        allow_null=True,
        help_text="For a wager your total for the street; needed only where more than one size is open.",
    )
    expected_seq = WholeNumber(
        min_value=0, max_value=2**31 - 1, help_text="The last fact you had seen; 409 when the hand has moved on."
    )
    command_id = Text(
        required=False,
        validators=[RegexValidator(f"^{keys.KEY}$")],
        help_text="Your own name for this command: the same one again does nothing and gets the first answer. "
        "The Idempotency-Key may say it instead; one of the two is needed.",
    )
