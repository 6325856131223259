"""Terms and facts of events: the engine's own JSON, read by the engine, and described off its classes: what is added
there is described here at once."""

from dataclasses import MISSING, fields
from typing import Any, get_type_hints

from django.core.validators import RegexValidator
from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import ResolvedComponent
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from cardroom.services.errors import Invalid
from cardroom.web.api.fields import MOST_CHIPS, Text
from cardroom.web.api.typed import object_of, said_of, schema_of
from tournaments.engine import plain
from tournaments.engine.config import EventConfig, Paid, PayoutTerms
from tournaments.engine.facts import KINDS
from tournaments.engine.structure import Level
from tournaments.models import Payment
from tournaments.services import prices


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
            raise ValidationError(str(error)) from None

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
            return prices.to_json(prices.read(data))
        except Invalid as error:
            raise ValidationError(error.message) from None

    def to_representation(self, value: Any) -> Any:
        return value


class Moment(Text):
    """A moment with its time zone."""

    pattern = r"^\d{4}-(0[1-9]|1[0-2])-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$"
    words = "A moment is such as 2030-01-05T20:00:00Z."
    read: type = serializers.DateTimeField

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"validators": [RegexValidator(self.pattern, self.words)], **options})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        text = super().run_validation(data)
        return self.read().to_internal_value(text) if isinstance(text, str) else text


class Day(Moment):
    """A date."""

    pattern = r"^\d{4}-(0[1-9]|1[0-2])-\d{2}$"
    words = "A day is such as 2030-01-05."
    read = serializers.DateField


class EventFact(serializers.Serializer[Any]):
    """One thing that happened, with the data of its kind."""


def _check_numbers(data: Any, where: str) -> None:
    """Numbers that no event ever has are refused before anything counts with them."""
    if type(data) is int and not 0 <= data <= MOST_CHIPS:
        raise ValueError(f"{where}: a whole number from 0 to {MOST_CHIPS:,} is wanted, not {data}")
    inner = data.items() if isinstance(data, dict) else enumerate(data, 1) if isinstance(data, list) else ()
    for name, value in inner:
        _check_numbers(value, f"{where}.{name}")


# -- OpenAPI ---------------------------------------------------------------------------------------------------------


class _PlainSchema(OpenApiSerializerFieldExtension):
    target_class = Plain
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return _component(auto_schema, self.target.kind)


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
            "data": object_of(cls),
        },
    }
    auto_schema.registry.register_on_missing(component)
    return component
