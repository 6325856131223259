"""Hands as programs see them: their facts, the turn, and the receipts of commands."""

from dataclasses import dataclass, fields
from typing import Annotated, Any, get_type_hints

from django.core.validators import RegexValidator
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from rest_framework import serializers

from cardroom.core.arguments import Limits
from cardroom.core.errors import Invalid
from cardroom.core.web.api import keys
from cardroom.core.web.api.answers import PlainAnswer
from cardroom.core.web.api.shapes import Shape, docstring_of, or_null, schema_of
from games.engine.facts.base import KINDS, Sees, to_json
from games.engine.facts.base import Fact as EngineFact
from games.engine.facts.play import ActionOn, DropTaken, HandShown, PotAwarded
from games.engine.hand import Hand
from games.play import hands, odds
from games.play.models import HandMark
from games.tables.journal import Receipt
from games.tables.queries import history as hand_queries
from games.tables.queries import tables as table_queries
from games.tables.queries.history import HandStory

HIDDEN = "null for a card you may not see."
COMMAND_ID = (
    "Your own name for this command: the same one again does nothing and gets the first answer. The Idempotency-Key "
    "may say it instead; one of the two is needed."
)


CommandId = Annotated[
    str, Limits(required=False, allow_blank=False, validators=[RegexValidator(f"^{keys.KEY}$")], help_text=COMMAND_ID)
]


class HandSummary(Shape):
    """A hand that is over, in a list."""

    of = hand_queries.HandRow
    field_names = "id number started_at ended_at pot players"
    help_texts = {"number": "Counts from 1 at each table."}


class TableName(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()


class Pot(serializers.Serializer[Any]):
    amount = serializers.IntegerField()
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="Who can win it.")


class ActionChoice(serializers.Serializer[Any]):
    """Something the seat to act may do."""

    action = serializers.ChoiceField(hands.ACTIONS)
    chips = serializers.IntegerField(help_text="What a call or the bring-in adds; 0 otherwise.")
    amounts = serializers.ListField(
        child=serializers.IntegerField(), help_text="What `amount` may be: the seat's total for the street."
    )
    is_range = serializers.BooleanField(help_text="Whether `amounts` are the least and the most.")


class PlayerTurn(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    choices = ActionChoice(many=True)


class Card(serializers.Serializer[Any]):
    card = serializers.CharField(allow_null=True, help_text=f"Such as As or Td; {HIDDEN}")
    is_up = serializers.BooleanField()


class Shown(Shape):
    of = HandShown
    field_names = "five words"
    help_texts = {"words": "Such as: two pair, kings and nines."}
    five = serializers.ListField(child=serializers.CharField(), help_text="The cards that play.")


class SeatInHand(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField()
    is_bot = serializers.BooleanField()
    stack_before = serializers.IntegerField()
    stack = serializers.IntegerField()
    bet = serializers.IntegerField(help_text="Chips in this street.")
    put_in = serializers.IntegerField(source="total", help_text="Chips in this hand.")
    won = serializers.IntegerField()
    is_live = serializers.BooleanField()
    is_all_in = serializers.BooleanField()
    is_absent = serializers.BooleanField()
    cards = Card(many=True)
    shown = Shown(allow_null=True, help_text="The hand at the showdown, if it was shown.")


class Award(Shape):
    of = PotAwarded
    field_names = "pot seat amount share odd"
    help_texts = {
        "pot": "Counts from 0, the main pot.",
        "share": "whole, high or low",
        "odd": "Odd chips within the amount.",
    }


class Drop(Shape):
    """Chips that the house took of the pots."""

    of = DropTaken
    field_names = "rake promo jackpot pots why"
    help_texts = {
        "promo": "For promotions.",
        "pots": "What each pot gave, main pot first.",
        "why": "no-call: the hand ended on third street without a call and is free.",
    }


class HandView(Shape):
    """A hand up to now, as you may see it."""

    of = HandStory
    field_names = (
        "id number table started_at ended_at is_over seq street pot pots common dealer your_seat=viewer_seat turn seats"
        " awards drop previous=previous_id next=next_id"
    )
    help_texts = {
        "number": "Counts from 1 at each table.",
        "your_seat": "The seat you were dealt into.",
        "previous": "The hand before it at this table.",
    }
    table = TableName()
    seq = serializers.IntegerField(help_text="Its last fact so far: what `expected_seq` has to be.")
    street = serializers.IntegerField(help_text="How many cards a full hand has now: 3 to 7.")
    pot = serializers.IntegerField(help_text="All chips in the middle.")
    pots = Pot(many=True, help_text="As the last round of betting left them, main pot first.")
    common = serializers.ListField(child=serializers.CharField(), help_text="Cards that play in every hand.")
    dealer = serializers.IntegerField()
    turn = PlayerTurn(allow_null=True, help_text="Whose turn it is, and exactly what is legal.")
    seats = SeatInHand(many=True)
    awards = Award(many=True, help_text="The result: who won what. Empty until the hand is over.")
    drop = Drop(allow_null=True, help_text="What the house took before the awards; null where it takes nothing.")


class SeatOdds(Shape):
    of = odds.SeatEquity
    field_names = "seat share"
    share = serializers.FloatField(help_text="Of the pot, 0 to 1.")


class StreetOdds(Shape):
    """The share of the pot that each live hand could expect after the deal of a street, by all cards that you may see
    of the hand."""

    of = odds.StreetEquity
    field_names = "street is_exact seats"
    help_texts = {
        "is_exact": "Every way the cards can fall was counted; else many were drawn by chance, which is good to "
        "about 0.03."
    }
    seats = SeatOdds(many=True)


class Links(serializers.Serializer[Any]):
    """Secret addresses in the room by which anybody sees a hand as you do. With .png in place of the last slash each is
    the address of a picture of it."""

    with_names = serializers.CharField()
    without_names = serializers.CharField(help_text="Players are called by their seats.")


class FactShape(serializers.Serializer[Any]):
    """One thing that happened. See `FactSchema` for the data of each kind."""


class Facts(serializers.Serializer[Any]):
    hand = serializers.IntegerField()
    seq = serializers.IntegerField(help_text="The number of the last one: pass it as `after` for more.")
    facts = FactShape(many=True)


class ReceiptDetails(Facts):
    """The facts that followed from a command, up to the next choice. A repeated command gets the same answer."""

    facts_from = serializers.IntegerField(help_text="The number of the first one.")


class Mark(Shape):
    """Your tags and note about a hand; nobody else sees them."""

    of = HandMark
    field_names = "hand=hand_id tags note at"
    tags = serializers.SerializerMethodField()

    def get_tags(self, row: HandMark) -> list[str]:
        return row.tags.split()


_ACTIONS = {"bet": "bet", "complete-to": "complete", "raise-to": "raise"}


def view_of(story: HandStory) -> dict[str, Any]:
    """The hand in the shape of `HandView`."""
    facts = [fact for _, _, fact in story.facts]
    hand = Hand.replay(facts)
    shown = {fact.seat: fact for fact in facts if isinstance(fact, HandShown)}
    before = dict(hand.started.stacks)
    return vars(story) | {
        "table": {"id": story.table.pk, "name": story.table.name},
        "is_over": story.is_over,
        "seq": len(facts),
        **{name: getattr(hand, name) for name in ("street", "pot", "common", "dealer", "drop")},
        "pots": [{"amount": amount, "seats": seats} for amount, seats in hand.pots],
        "turn": turn_of(hand.turn) if hand.turn and hand.to_act else None,
        "seats": [
            {
                "number": number,
                "name": sitter.name,
                "is_bot": sitter.is_bot,
                "stack_before": before[number],
                **{name: getattr(hand.seats[number], name) for name in ("stack", "bet", "total", "won")},
                **{name: getattr(hand.seats[number], name) for name in ("is_live", "is_all_in", "is_absent")},
                "cards": _cards(hand, number),
                "shown": shown.get(number),
            }
            for number, sitter in sorted(story.sitters.items())
        ],
        "awards": [fact for fact in facts if isinstance(fact, PotAwarded)],
    }


def _cards(hand: Hand, seat: int) -> list[dict[str, Any]]:
    player = hand.seats[seat]
    return [{"card": card, "is_up": is_up} for card, is_up in zip(player.cards, player.ups, strict=True)]


def turn_of(turn: ActionOn) -> dict[str, Any]:
    """The seat to act, and the actions that `act` takes from it."""
    choices = []
    if turn.can_fold:
        choices.append(_choice("fold"))
    if turn.can_check:
        choices.append(_choice("check"))
    if turn.call:
        choices.append(_choice("call", chips=turn.call))
    if turn.bring_in:
        choices.append(_choice("bring-in", chips=turn.bring_in))
    if turn.verb:
        choices.append(_choice(_ACTIONS[turn.verb], amounts=turn.sizes, is_range=turn.is_range))
    if turn.can_declare_all_in:
        choices.append(_choice("declare-all-in"))
    return {"seat": turn.seat, "choices": choices}


def _choice(action: str, *, chips: int = 0, amounts: tuple[int, ...] = (), is_range: bool = False) -> dict[str, Any]:
    return {"action": action, "chips": chips, "amounts": amounts, "is_range": is_range}


def sent_command_id(in_body: str, in_header: str) -> str:
    """The command's name: in the body, in the header, or in both alike."""
    if in_body and in_header and in_body != in_header:
        raise Invalid("two-keys", "command_id and {header} name two different commands.", header=keys.HEADER)
    if not (in_body or in_header):
        raise Invalid("no-command-id", "Name the command: send a command_id, or an {header}.", header=keys.HEADER)
    return in_body or in_header


@dataclass(frozen=True)
class HandReceipt:
    """The result of a command in a hand."""

    hand_id: int
    receipt: Receipt


def receipt_told(result: HandReceipt, by: table_queries.Viewer) -> dict[str, Any]:
    """The receipt of a command as its sender may see it, in the shape of `ReceiptDetails`."""
    hand_id, receipt = result.hand_id, result.receipt
    after = receipt.facts_from - 1
    facts = hand_queries.facts_for(hand_id=hand_id, viewer=by, after=after)[: receipt.seq - after]
    return facts_data(hand_id, facts, after) | {"facts_from": receipt.facts_from}


def facts_data(hand_id: int, facts: list[tuple[int, EngineFact]], after: int) -> dict[str, Any]:
    """Redacted facts in the shape of `Facts`."""
    return {
        "hand": hand_id,
        "seq": facts[-1][0] if facts else after,
        "facts": [{"seq": seq, "kind": fact.kind, "data": to_json(fact)} for seq, fact in facts],
    }


#: These are JSON as they come.
FACTS, RECEIPT = (PlainAnswer(shape, lambda answer: answer) for shape in (Facts, ReceiptDetails))


class FactSchema(OpenApiSerializerExtension):
    """The schema of facts, made from the engine's own classes, so that a new kind of fact is described at once."""

    target_class = FactShape

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        components = {kind: _component(auto_schema, cls) for kind, cls in sorted(KINDS.items())}
        return {
            "description": "One thing that happened. What you may not see of it is null.",
            "oneOf": [component.ref for component in components.values()],
            "discriminator": {
                "propertyName": "kind",
                "mapping": {kind: component.ref["$ref"] for kind, component in components.items()},
            },
        }


def _component(auto_schema: Any, cls: type[EngineFact]) -> ResolvedComponent:
    component = ResolvedComponent(
        name=f"{cls.__name__}Fact", type=ResolvedComponent.SCHEMA, object=cls, schema=_schema(cls)
    )
    auto_schema.registry.register_on_missing(component)
    return component


def _schema(cls: type[EngineFact]) -> dict[str, Any]:
    hints = get_type_hints(cls)
    data = {field.name: schema_of(hints[field.name]) for field in fields(cls)}
    if cls.sees in (Sees.NOBODY, Sees.OWNER):
        data = {name: schema if name in cls.public else or_null(schema) for name, schema in data.items()}
    return {
        "type": "object",
        "description": docstring_of(cls),
        "required": ["seq", "kind", "data"],
        "properties": {
            "seq": {"type": "integer", "description": "Counts from 1 in each hand, without holes."},
            "kind": {"type": "string", "const": cls.kind},
            "data": {"type": "object", "required": sorted(data), "properties": data},
        },
    }
