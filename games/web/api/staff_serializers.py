"""The shapes of what dealers and the floor enter, order and look up."""

from typing import Any

from django.core.validators import RegexValidator
from rest_framework import serializers

from cardroom.web.api import keys
from cardroom.web.api.fields import Number, Order, Query, Text, WholeNumber
from games.models import FloorCall, Table
from games.services import entries, floor
from games.web.api.hand_serializers import TableName, Turn
from games.web.api.serializers import EPOCH

MOST_SEQ = 2**31 - 1
_COMMAND_ID = (
    "Your own name for this command: the same one again does nothing and gets the first answer. The Idempotency-Key "
    "may say it instead; one of the two is needed."
)


def command_id() -> Text:
    return Text(required=False, validators=[RegexValidator(f"^{keys.KEY}$")], help_text=_COMMAND_ID)


def expected_seq() -> WholeNumber:
    return WholeNumber(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_SEQ,
        help_text="The last fact you had seen; 409 when the hand has moved on. Without it, wherever the hand is now.",
    )


# -- dealers ---------------------------------------------------------------------------------------------------------


class StartOrder(Order):
    """Begin the next hand."""

    absent = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=9),
        required=False,
        max_length=9,
        help_text="Seats that are dealt in without their player.",
    )
    command_id = command_id()


class Started(serializers.Serializer[Any]):
    hand = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Counts from 1 at each table.")
    seq = serializers.IntegerField(help_text="The last fact before the first card.")


class DealerOrder(Order):
    """Something a dealer did, or somebody did before their eyes."""

    what = serializers.ChoiceField(entries.WHATS)
    fields_ = serializers.DictField(
        required=False,
        help_text="By `what`: deal {street, cards?: [{seat, card?, exposed?, off_table?, skipped?, place?}], burns?, "
        "common?}; deal-too-soon {street, cards}; notice {card?}; act {seat, action, amount?}; undo {reason?}; "
        "{seat} for all the others.",
    )
    expected_seq = expected_seq()
    command_id = command_id()

    def get_fields(self) -> dict[str, Any]:
        """`fields` is a name of the framework's own, so it is declared under another."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class Step(serializers.Serializer[Any]):
    """What correct procedure wants now."""

    what = serializers.CharField(help_text="deal, act, name-low, show, notice or over")
    words = serializers.CharField()
    street = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)


class Undo(serializers.Serializer[Any]):
    """The entry that would be taken back."""

    words = serializers.CharField()
    upto = serializers.IntegerField(help_text="The hand goes back to this fact.")


class LowCard(serializers.Serializer[Any]):
    """The wrong seat was named low."""

    named = serializers.IntegerField()
    true = serializers.IntegerField()


class Procedure(serializers.Serializer[Any]):
    """Where a hand stands for its dealer."""

    hand = serializers.IntegerField()
    seq = serializers.IntegerField()
    awaits = serializers.CharField(allow_blank=True, help_text="deal, action, opener, show; empty when it is over.")
    next = Step()
    receivers = serializers.ListField(child=serializers.IntegerField(), help_text="Who gets a card, in dealing order.")
    cards_each = serializers.IntegerField()
    burns = serializers.IntegerField(help_text="Cards to be burned before the next street.")
    common_due = serializers.BooleanField(help_text="The deck is too short: one card for everybody.")
    stub = serializers.IntegerField(help_text="Cards not dealt yet.")
    is_typed = serializers.BooleanField(help_text="Whether the cards are of a physical deck.")
    premature_street = serializers.IntegerField(allow_null=True, help_text="Whose cards could come too soon now.")
    lowcard = LowCard(allow_null=True)
    mistake = serializers.CharField(
        allow_blank=True, help_text="The point on which a notice brings a ruling; empty: nothing is out of order."
    )
    cards_to_name = serializers.IntegerField(help_text="How many cards come to light, which a notice has to name.")
    whats = serializers.ListField(child=serializers.CharField(), help_text="What can be entered for the hand.")
    seats = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="What can be entered, by seat."
    )
    choices = Turn(allow_null=True, help_text="Whose turn it is, and exactly what is legal.")
    undo = Undo(allow_null=True)


# -- the floor -------------------------------------------------------------------------------------------------------


class CallOrder(Order):
    kind = serializers.ChoiceField(FloorCall.Kind.choices, default=FloorCall.Kind.FLOOR, help_text="What is wanted.")
    note = Text(required=False, allow_blank=True, max_length=200)


class Call(serializers.Serializer[Any]):
    """Somebody at a table wants the floor."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    table_name = serializers.CharField()
    hand = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True, help_text="null for a dealer.")
    who = serializers.CharField()
    kind = serializers.ChoiceField(FloorCall.Kind.choices, help_text="What is wanted.")
    note = serializers.CharField(allow_blank=True)
    at = serializers.IntegerField(help_text=EPOCH)


class CallMade(serializers.Serializer[Any]):
    """A call, answered or not."""

    id = serializers.IntegerField()
    table = serializers.IntegerField(source="table_id")
    seat = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(FloorCall.Kind.choices)
    note = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)


class FloorOrder(Order):
    """What the rules leave to the floor."""

    what = serializers.ChoiceField(floor.WHATS)
    seat = WholeNumber(required=False, min_value=0, max_value=9, help_text="0: the whole hand.")
    hands = WholeNumber(
        required=False, min_value=0, max_value=100, help_text="Hands a penalty keeps the player out of."
    )
    reason = Text(min_length=3, max_length=300)
    expected_seq = expected_seq()
    command_id = command_id()


class Ordered(serializers.Serializer[Any]):
    """Something that was ordered or taken back."""

    id = serializers.IntegerField()
    table = TableName()
    hand = serializers.IntegerField(source="hand_id")
    number = serializers.IntegerField(source="hand.number", help_text="Of the hand at its table.")
    seq = serializers.IntegerField(help_text="The fact it led to.")
    what = serializers.CharField()
    seat = serializers.IntegerField()
    hands = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()


class OpenOrder(serializers.Serializer[Any]):
    what = serializers.ChoiceField(floor.WHATS)
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="Empty: it concerns the whole hand.")


class FloorHand(serializers.Serializer[Any]):
    """What can be ordered in a hand now, and what was."""

    orders = OpenOrder(many=True)
    log = Ordered(many=True)


class LogQuery(Query):
    table = Number(required=False)


class LastRuling(serializers.Serializer[Any]):
    key = serializers.CharField()
    verdict = serializers.CharField()
    words = serializers.CharField()
    rule = serializers.CharField()
    citation = serializers.CharField(help_text="Where the rule is from, for people.")
    seats = serializers.ListField(child=serializers.IntegerField())
    seq = serializers.IntegerField(allow_null=True)


class GlanceHand(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    seq = serializers.IntegerField()
    street = serializers.IntegerField()
    pot = serializers.IntegerField()
    to_act = serializers.IntegerField(help_text="0: nobody.")
    awaits = serializers.CharField(allow_blank=True)
    since = serializers.IntegerField(help_text=f"When the turn began, or the hand. {EPOCH}")
    deadline = serializers.IntegerField(allow_null=True, help_text=EPOCH)
    last_ruling = LastRuling(allow_null=True)


class GlanceSeat(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField()
    is_bot = serializers.BooleanField()
    stack = serializers.IntegerField()
    state = serializers.CharField()


class GlanceBook(serializers.Serializer[Any]):
    slug = serializers.CharField()
    title = serializers.CharField()


class Glance(serializers.Serializer[Any]):
    """A table at a glance."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(Table.State.choices)
    game = serializers.CharField()
    structure = serializers.CharField()
    stakes = serializers.CharField()
    rulebook = GlanceBook()
    dealt_by = serializers.ChoiceField(Table.DealtBy.choices)
    deck = serializers.ChoiceField(Table.Deck.choices)
    seat_count = serializers.IntegerField()
    seats = GlanceSeat(many=True)
    last_hand = serializers.IntegerField(allow_null=True)
    hand = GlanceHand(allow_null=True)
    calls = serializers.IntegerField(help_text="How many calls wait there.")


class FloorView(serializers.Serializer[Any]):
    tables = Glance(many=True)
    calls = Call(many=True)
