"""The shapes of events, entries and what comes of them."""

from dataclasses import MISSING, fields
from typing import Any, get_type_hints

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import ResolvedComponent
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from cardroom.core import access
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.sentences import spoken
from cardroom.core.web.api.fields import MOST_CHIPS, Change, Flag, Order, Sentence, Text, WholeNumber
from cardroom.core.web.api.shapes import NAMED, object_of, or_null, said_of, schema_of
from tournaments.engine import plain
from tournaments.engine.clock import Level
from tournaments.engine.config import EventConfig, Paid, PayoutTerms
from tournaments.engine.errors import Said
from tournaments.engine.facts import KINDS
from tournaments.events import journal as event_journal
from tournaments.events import staff, terms
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.playing import OrderReceipt
from tournaments.events.terms import LONGEST, MOST

# Terms and facts of events: the engine's own JSON, read by the engine, and described off its classes: what is added
# there is described here at once.


class Plain(serializers.Field[Any, Any, Any, Any]):
    """A dataclass of the engine as JSON; a field that is left out has its default."""

    kind: type = EventConfig

    def __init__(self, *, kind: type | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.kind = kind or self.kind

    def to_internal_value(self, data: Any) -> Any:
        try:
            _check_numbers(data, self.field_name or "")
            return plain.from_plain(self.kind, data, self.field_name or "")
        except ValueError as error:
            raise ValidationError(spoken(error.args[0])) from None

    def to_representation(self, value: Any) -> Any:
        return value if isinstance(value, dict) else plain.to_plain(value)


class Config(Plain):
    """An `EventConfig`, stored as its JSON."""

    def to_internal_value(self, data: Any) -> Any:
        return plain.to_plain(super().to_internal_value(data))


class Price(serializers.Field[Any, Any, Any, Any]):
    """What each kind of payment costs, in its parts."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return terms.to_json(terms.read(data))
        except Invalid as error:
            raise ValidationError(spoken(error.message)) from None

    def to_representation(self, value: Any) -> Any:
        return value


class _Part(serializers.DictField):
    """Of what has several parts, those that are to be different."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            _check_numbers(data, self.field_name or "")
        except ValueError as error:
            raise ValidationError(spoken(error.args[0])) from None
        return terms.Part(super().to_internal_value(data))


class ConfigPart(_Part):
    """Fields of an `EventConfig`, each whole; null: its default."""


class PricePart(_Part):
    """Prices by what they are for; null: none."""


_DAY, _HOUR, _SIXTY = "[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", "([01][0-9]|2[0-3])", "[0-5][0-9]"


class Moment(Text):
    """A moment with its time zone."""

    pattern = rf"^{_DAY}T{_HOUR}:{_SIXTY}(:{_SIXTY}(\.[0-9]{{1,6}})?)?(Z|[+-]{_HOUR}:{_SIXTY})$"
    #: What the schema calls it.
    format = "date-time"
    words = gettext_lazy("A moment is such as 2030-01-05T20:00:00Z.")
    read: type = serializers.DateTimeField

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"validators": [RegexValidator(self.pattern, self.words)], **options})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        text = super().run_validation(data)
        return self.read().to_internal_value(text) if isinstance(text, str) else text


class Day(Moment):
    """A date."""

    pattern = f"^{_DAY}$"
    format = "date"
    words = gettext_lazy("A day is such as 2030-01-05.")
    read = serializers.DateField


class EventFact(serializers.Serializer[Any]):
    """One thing that happened, with the data of its kind."""


def _check_numbers(data: Any, where: str) -> None:
    """Numbers that no event ever has are refused before anything counts with them."""
    if type(data) is int and not 0 <= data <= MOST_CHIPS:
        raise ValueError(
            Said(
                "{where}: a whole number from 0 to {most:,} is wanted, not {data}",
                where=where,
                most=MOST_CHIPS,
                data=data,
            )
        )
    inner = data.items() if isinstance(data, dict) else enumerate(data, 1) if isinstance(data, list) else ()
    for name, value in inner:
        _check_numbers(value, f"{where}.{name}")


# -- OpenAPI ---------------------------------------------------------------------------------------------------------


class _PlainSchema(OpenApiSerializerFieldExtension):
    target_class = Plain
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return _component(auto_schema, self.target.kind)


class _ConfigPartSchema(OpenApiSerializerFieldExtension):
    target_class = ConfigPart

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        _component(auto_schema, EventConfig)
        whole = _sent(auto_schema, EventConfig)
        needed = whole.pop("required")
        parts = whole["properties"]
        told = {name: each if name in needed else or_null(each) for name, each in parts.items()}
        return whole | {"properties": told, "description": "Of the terms of an event those that change."}


class _PricePartSchema(OpenApiSerializerFieldExtension):
    target_class = PricePart

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        properties = dict.fromkeys(Payment.What.values, or_null(_component(auto_schema, Paid)))
        return {"type": "object", "additionalProperties": False, "properties": properties}


class _PriceSchema(OpenApiSerializerFieldExtension):
    target_class = Price

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        paid = _component(auto_schema, Paid)
        properties = dict.fromkeys(Payment.What.values, paid)
        return {"type": "object", "additionalProperties": False, "properties": properties}


def _component(auto_schema: Any, cls: Any) -> dict[str, Any]:
    """What may be sent for this class; told to the schema once."""
    names = {Level: "EventLevel", Paid: "EventPrice", PayoutTerms: "EventPayoutTerms"}
    name = names.get(cls, cls.__name__ if cls.__name__.startswith("Event") else f"Event{cls.__name__}")
    component = ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, object=cls)
    if component not in auto_schema.registry:
        auto_schema.registry.register(component)
        component.schema = _sent(auto_schema, cls)
    found: dict[str, Any] = component.ref
    return found


def _sent(auto_schema: Any, cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls)
    properties = {
        field.name: _bounded(schema_of(hints[field.name], lambda inner: _component(auto_schema, inner)))
        for field in fields(cls)
    }
    needed = [each.name for each in fields(cls) if each.default is MISSING and each.default_factory is MISSING]
    told = {"type": "object", "description": said_of(cls), "additionalProperties": False, "properties": properties}
    return told | ({"required": needed} if needed else {})


def _bounded(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("type") == "integer":
        return schema | {"minimum": 0, "maximum": MOST_CHIPS}
    if "items" in schema:
        return schema | {"items": _bounded(schema["items"])}
    return schema


class _FactSchema(OpenApiSerializerExtension):
    target_class = EventFact

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        components = {kind: _fact(auto_schema, cls) for kind, cls in sorted(KINDS.items())}
        return {
            "description": "One thing that happened in an event.",
            "oneOf": [component.ref for component in components.values()],
            "discriminator": {
                "propertyName": "kind",
                "mapping": {kind: component.ref["$ref"] for kind, component in components.items()},
            },
        }


def _fact(auto_schema: Any, cls: Any) -> ResolvedComponent:
    component = ResolvedComponent(name=f"EventFact{cls.__name__}", type=ResolvedComponent.SCHEMA, object=cls)
    component.schema = {
        "type": "object",
        "description": said_of(cls),
        "required": ["seq", "kind", "data"],
        "properties": {
            "seq": {"type": "integer", "description": "Counts from 1 in each event, without holes."},
            "kind": {"type": "string", "const": cls.kind},
            # It has no name of its own: it is the fact's.
            "data": {key: told for key, told in object_of(cls).items() if key != NAMED},
        },
    }
    auto_schema.registry.register_on_missing(component)
    return component


DIRECTORS = "For directors."
TABLES = "For directors, and for the floor and the dealers at the tables."
EPOCH = "Milliseconds since 1970."
MOST_SEQ = 2**31 - 1
MOST_ID = 2**62
#: How an entry can be paid for by whoever says so; a ticket is named by its number.
PAYING = [each for each in Payment.Method.choices if each[0] in ("wallet", "desk", "house")]
_OWN = "Told to directors; null for everybody else."


def seq() -> WholeNumber:
    return WholeNumber(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_SEQ,
        help_text="The event's `seq` as you saw it; 409, and what was done meanwhile, when it has moved on.",
    )


def some_id(**options: Any) -> WholeNumber:
    return WholeNumber(min_value=1, max_value=MOST_ID, **options)


class Member(Text):
    """Somebody with an account, by their screen name: the account. Refuses (`NotFound`) where there is none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": 150, **options})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return member_called(super().run_validation(data))


def member_called(name: str) -> User:
    player = User.objects.filter(username__iexact=name, is_bot=False, is_active=True).first()
    if player is None:
        raise NotFound("no-such-player", "There is no member called {name}.", name=name)
    return player


# -- events ----------------------------------------------------------------------------------------------------------


class TournamentRow(serializers.ModelSerializer[Tournament]):
    """An event in a list."""

    series = serializers.IntegerField(source="series_id", allow_null=True)
    season = serializers.IntegerField(source="season_id", allow_null=True)
    final = serializers.IntegerField(source="parent_id", allow_null=True, help_text="Of a flight.")
    satellite_to = serializers.IntegerField(
        source="satellite_to_id", allow_null=True, help_text="The event that it wins entries to."
    )
    entries = serializers.IntegerField(source="entries_count", help_text="Entries that stand, re-entries among them.")
    alternates = serializers.IntegerField(source="alternates_count")
    left = serializers.IntegerField(source="players_left")
    tables = serializers.IntegerField(source="tables_count")
    pool = serializers.IntegerField(help_text="What was paid for prizes.")
    level = serializers.IntegerField(help_text="The entry of the structure last noted, from 0.")
    version = serializers.IntegerField(help_text="Grows with every change of the event.")
    seq = serializers.IntegerField(help_text="Its last fact so far: what `expected_seq` has to be.")

    class Meta:
        model = Tournament
        fields = (
            *("id", "name", "conduct", "state", "starts_at", "registration_opens_at", "is_entry_open"),
            *("entries", "alternates", "left", "tables", "pool", "places_paid", "level", "is_hand_for_hand"),
            *("series", "season", "final", "flight", "satellite_to", "seq", "version"),
        )


class TournamentView(TournamentRow):
    """An event."""

    end_reason = Sentence(required=False, allow_blank=True, max_length=200, help_text="Why it was cancelled.")
    price = Price()
    config = Config(help_text="The terms it is played under; those of the start, where levels were edited since.")
    asks_code = serializers.SerializerMethodField(help_text="Whether players who enter by themselves need a code.")
    entry_code = serializers.SerializerMethodField(help_text=_OWN)
    options = serializers.SerializerMethodField(help_text=_OWN)

    class Meta:
        model = Tournament
        fields = (
            *TournamentRow.Meta.fields,
            *("description", "config", "price", "asks_code", "entry_code", "options", "starts_when_full"),
            *("when_short", "bots", "recurs_minutes", "recurs_times", "recurs_when_full", "announced_at"),
            *("opened_at", "started_at", "ended_at", "end_reason", "paid_at"),
        )

    def get_asks_code(self, row: Tournament) -> bool:
        return bool(row.entry_code)

    def get_entry_code(self, row: Tournament) -> str | None:
        return row.entry_code if self._is_for_director() else None

    def get_options(self, row: Tournament) -> dict[str, Any] | None:
        return row.options if self._is_for_director() else None

    def _is_for_director(self) -> bool:
        return access.has_role(self.context["viewer"], *staff.DIRECTORS)


class TermsOrder(Order):
    """The terms of an event or a template; what is left out stays as it is."""

    name = Text(max_length=LONGEST["name"], required=False)
    conduct = serializers.ChoiceField(Tournament.Conduct.choices, required=False)
    description = Text(max_length=LONGEST["description"], required=False, allow_blank=True)
    config = Config(required=False)
    price = Price(required=False)
    options = serializers.DictField(
        required=False,
        help_text="By name: starts_by_itself, seats_late_by_hand, auto_arrange, pays_by_itself, "
        "pause_seconds, rebuy_seconds, bots_rebuy.",
    )
    starts_when_full = Flag(required=False)
    when_short = serializers.ChoiceField(Tournament.WhenShort.choices, required=False)
    entry_code = Text(max_length=LONGEST["entry_code"], required=False, allow_blank=True)
    bots = WholeNumber(required=False, min_value=0, max_value=MOST["bots"])
    recurs_minutes = WholeNumber(required=False, min_value=0, max_value=MOST["recurs_minutes"])
    recurs_times = WholeNumber(required=False, min_value=0, max_value=MOST["recurs_times"])
    recurs_when_full = Flag(required=False)


class PlacedOrder(TermsOrder):
    """With when it is, and what it belongs to."""

    starts_at = Moment(required=False, allow_null=True)
    registration_opens_at = Moment(required=False, allow_null=True)
    series = some_id(source="series_id", required=False, allow_null=True)
    season = some_id(source="season_id", required=False, allow_null=True)
    final = some_id(
        source="parent_id",
        required=False,
        allow_null=True,
        help_text="Makes it a flight to this event; name the `flight`.",
    )
    flight = Text(required=False, allow_blank=True, max_length=10)
    satellite_to = some_id(source="satellite_to_id", required=False, allow_null=True)


class TournamentOrder(PlacedOrder):
    """A new event; with a `template`, what is left out comes from it."""

    template = some_id(source="template_id", required=False, allow_null=True)


class TermsChange(Change, TermsOrder):
    """Terms that are to be different; of the parts of `config`, `price` and `options` those that are named."""

    config = ConfigPart(required=False, help_text="The fields that change, each whole; null: its default.")
    price = PricePart(required=False, help_text="The prices that change, each whole; null: none.")
    options = _Part(required=False, help_text="The options that change, by name; null: as usual.")


class TournamentChange(TermsChange, PlacedOrder):
    """What is to be different; of the parts of `config`, `price` and `options` those that are named."""

    version = WholeNumber(
        required=False, min_value=0, max_value=MOST_ID, help_text="The event's as you saw it; 409 when it is another."
    )


class EventFacts(serializers.Serializer[Any]):
    tournament = serializers.IntegerField()
    seq = serializers.IntegerField(help_text="The number of the last one told: pass it as `after` for more.")
    last = serializers.IntegerField(help_text="The number of the last one there is.")
    facts = EventFact(many=True)


class EventReceipt(serializers.Serializer[Any]):
    """What an order came to. A repeat under the same Idempotency-Key is answered alike."""

    tournament = serializers.IntegerField()
    seq = serializers.IntegerField(help_text="The event's last fact after it.")
    facts_from = serializers.IntegerField(help_text="The number of the first of these facts.")
    facts = EventFact(many=True)


def receipt_told(receipt: OrderReceipt) -> dict[str, Any]:
    """In the shape of `EventReceipt`."""
    told, after = {"tournament": receipt.tournament, "seq": receipt.seq}, receipt.facts_from - 1
    facts = event_journal.facts(receipt.tournament, after=after, upto=receipt.seq) if receipt.seq > after else []
    return told | {"facts_from": receipt.facts_from, "facts": facts_told(facts, after)}


def facts_told(facts: Any, after: int) -> list[dict[str, Any]]:
    return [{"seq": seq, "kind": fact.kind, "data": _told(fact)} for seq, fact in enumerate(facts, after + 1)]


def _told(fact: Any) -> dict[str, Any]:
    """A fact as it stands in the journal, its label and its reason in the reader's language."""
    values = plain.to_plain(fact)
    return {name: spoken(value) if isinstance(value, str) else value for name, value in values.items()}


#: What `BoardView` tells, beside `you`.
BOARD = ("seq", "now", "you", "event", "clock", "levels", "counts", "payouts", "tables", "moves", "deal")


class Told(serializers.Serializer[Any]):
    told = serializers.IntegerField(help_text="How many were told.")


# -- entries ---------------------------------------------------------------------------------------------------------


class EntryRow(serializers.ModelSerializer[TournamentEntry]):
    """An entry. `place` is there once the event is over; `pending` are chips that wait for the end of a hand."""

    place = serializers.IntegerField(allow_null=True)
    pending = serializers.SerializerMethodField()

    class Meta:
        model = TournamentEntry
        fields = (
            *("number", "name", "state", "how", "at", "re_entry_of", "table", "seat", "chips", "place", "tied"),
            *("prize", "bounty", "bounties_won", "rebuys", "add_ons", "out_at", "arrived_at", "pending"),
        )

    def get_pending(self, row: TournamentEntry) -> int:
        return sum(int(each["chips"]) for each in row.pending)


class OwnReEnterOrder(Order):
    """What a player may say who buys for themselves on a page: it comes out of their wallet, or is a ticket."""

    ticket = some_id(source="ticket_id", required=False, allow_null=True)


class OwnEnterOrder(OwnReEnterOrder):
    entry_code = Text(required=False, allow_blank=True, max_length=40)


class Automatic(serializers.Serializer[Any]):
    on = serializers.BooleanField()


# -- receipts --------------------------------------------------------------------------------------------------------


class PaymentRow(serializers.ModelSerializer[Payment]):
    """A receipt for what was paid."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    total = serializers.IntegerField()
    refund_reason = Sentence(required=False, allow_blank=True, max_length=200)

    class Meta:
        model = Payment
        fields = (
            *("number", "entry", "name", "what", "method", "total", "pool", "fee", "bounty", "staff", "chips", "at"),
            *("refunded_at", "refund_reason"),
        )
