"""The API of dealers at a table that a person deals: start a hand, and enter what happens in it."""

from typing import Annotated, Any

from django.core.validators import RegexValidator
from rest_framework import serializers

from cardroom.core.arguments import Limits, RowId
from cardroom.core.models import User
from cardroom.core.web.api import keys
from cardroom.core.web.api.fields import RequestBody, Text, WholeNumber
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.dealing import dealer, entries, procedure
from games.play.pages import hand_shapes as shapes

MOST_SEQ = 2**31 - 1
LAST_SEEN = "The last fact you had seen; 409 when the hand has moved on. Without it, wherever the hand is now."

Seat = Annotated[int, Limits(min_value=1, max_value=9)]
AbsentSeats = Annotated[
    list[Seat] | None, Limits(max_length=9, help_text="Seats that are dealt in without their player.")
]


class StartedHandSummary(Shape):
    of = dealer.StartedHand
    field_names = "hand number seq"
    help_texts = {"number": "Counts from 1 at each table.", "seq": "The last fact before the first card."}


class EnterBody(RequestBody):
    """An action of the dealer, or of a player as the dealer saw it."""

    what = serializers.ChoiceField(entries.WHATS)
    fields_ = serializers.DictField(
        required=False,
        help_text="By `what`: deal {street, cards?: [{seat, card?, exposed?, off_table?, skipped?, place?}], burns?, "
        "common?}; deal-too-soon {street, cards}; notice {card?}; fouled {card?: one there twice, or joker}; "
        "act {seat, action, amount?}; undo {reason?}; {seat} for all the others.",
    )
    expected_seq = WholeNumber(required=False, allow_null=True, min_value=0, max_value=MOST_SEQ, help_text=LAST_SEEN)
    command_id = Text(required=False, validators=[RegexValidator(f"^{keys.KEY}$")], help_text=shapes.COMMAND_ID)

    def get_fields(self) -> dict[str, Any]:
        """`fields` is a name of the framework's own, so it is declared under another."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class ProcedureStepSummary(Shape):
    """The next step of correct procedure."""

    of = procedure.ProcedureStep
    field_names = "what words street seat"
    help_texts = {"what": "deal, act, name-low, show, notice or over"}


class UndoneEntry(Shape):
    """The entry that would be taken back."""

    of = procedure.EntryToUndo
    field_names = "words upto"
    help_texts = {"upto": "The hand goes back to this fact."}


class LowCard(serializers.Serializer[Any]):
    """The wrong seat was named low."""

    named = serializers.IntegerField()
    true = serializers.IntegerField()


class ProcedureSummary(Shape):
    """What the dealer of a hand has to do next."""

    of = procedure.Procedure
    field_names = (
        "hand seq awaits next receivers cards_each burns common_due=is_common_due stub is_typed premature_street"
        " lowcard mistake cards_to_name whats seats choices undo"
    )
    help_texts = {
        "awaits": "deal, action, opener, show; empty when it is over.",
        "receivers": "Seats that get a card, in dealing order.",
        "burns": "Cards to be burned before the next street.",
        "common_due": "The deck is too short: one card for everybody.",
        "stub": "Cards not dealt yet.",
        "is_typed": "Whether the cards are of a physical deck.",
        "premature_street": "The street whose cards could be dealt too soon now.",
        "mistake": "The mistake on which a notice brings a ruling; empty: none.",
        "cards_to_name": "How many exposed cards a notice has to name.",
        "whats": "What can be entered for the hand.",
    }
    next = ProcedureStepSummary()
    lowcard = LowCard(allow_null=True)
    seats = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="What can be entered, by seat."
    )
    choices = shapes.PlayerTurn(allow_null=True, help_text="The seat whose turn it is, and every legal action.")
    undo = UndoneEntry(allow_null=True)


def start_hand(
    *, table_id: RowId, absent: AbsentSeats = None, command_id: shapes.CommandId = "", by: User, key: str = ""
) -> dealer.StartedHand:
    """Begin the next hand of a table that a person deals."""
    name = shapes.sent_command_id(command_id, key)
    return dealer.start_hand(table_id=table_id, by=by, absent=absent or (), command_id=name)


def enter(
    *,
    hand_id: RowId,
    what: str,
    fields: dict[str, Any] | None = None,
    expected_seq: int | None = None,
    command_id: str = "",
    by: User,
    key: str = "",
) -> shapes.HandReceipt:
    """Enter an action at the table."""
    name = shapes.sent_command_id(command_id, key)
    receipt = dealer.command(
        hand_id=hand_id, by=by, what=what, fields=fields or {}, expected_seq=expected_seq, command_id=name
    )
    return shapes.HandReceipt(hand_id, receipt)


def procedure_of_hand(*, hand_id: RowId, by: User) -> dict[str, Any]:
    """What the dealer of a hand has to do next."""
    due = procedure.procedure(hand_id=hand_id)
    low_card = due.lowcard
    return vars(due) | {
        "lowcard": {"named": low_card[0], "true": low_card[1]} if low_card is not None else None,
        "seats": {str(seat): what for seat, what in due.seats.items()},
        "choices": shapes.turn_of(due.turn) if due.turn is not None else None,
    }


class OfDealers(Resource):
    tags, scope = ("dealers",), "direct"


class StartHand(OfDealers):
    path = "tables/<id:table_id>/start-hand"
    post = does(
        start_hand,
        name="start_hand",
        summary="Start a hand",
        description="The next one of a table that a person deals.",
        answers=StartedHandSummary,
        status=201,
        refuses=(409, 422),
    )


class DealerOfHand(OfDealers):
    path = "hands/<id:hand_id>/dealer"
    get = reads(
        procedure_of_hand,
        name="procedure",
        summary="The next step of correct procedure",
        description="For dealers and the floor.",
        answers=ProcedureSummary,
        roles=dealer.ROLES,
    )
    post = does(
        enter,
        name="enter",
        summary="Enter an action at the table",
        description="For dealers and the floor. A mistake is entered as it happened; the ruling is among the facts.",
        body=EnterBody,
        answers=shapes.RECEIPT,
        shown=shapes.receipt_told,
        refuses=(409, 422),
    )


api = addresses([StartHand, DealerOfHand])
