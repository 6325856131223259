"""How fields and facts of events are described in the OpenAPI document: off the engine's dataclasses."""

from dataclasses import MISSING, fields
from typing import Any, get_type_hints

from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import ResolvedComponent

from cardroom.core.web.api.fields import MOST_CHIPS
from cardroom.core.web.api.shapes import NAMED, docstring_of, object_of, or_null, schema_of
from tournaments.engine.clock import Level
from tournaments.engine.config import EventConfig, Paid, PayoutTerms
from tournaments.engine.facts import KINDS
from tournaments.events.models import Payment
from tournaments.events.pages.fact_serializers import FactOfEvent
from tournaments.events.pages.fields import ConfigPartField, PlainField, PriceField, PricePartField


class _PlainSchema(OpenApiSerializerFieldExtension):
    target_class = PlainField
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return _component(auto_schema, self.target.kind)


class _ConfigPartSchema(OpenApiSerializerFieldExtension):
    target_class = ConfigPartField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        _component(auto_schema, EventConfig)  # the document has it under its own name as well
        whole = _body_schema(auto_schema, EventConfig)
        needed = whole.pop("required")
        parts = whole["properties"]
        properties = {name: schema if name in needed else or_null(schema) for name, schema in parts.items()}
        return whole | {"properties": properties, "description": "Those terms of an event that are to change."}


class _PricePartSchema(OpenApiSerializerFieldExtension):
    target_class = PricePartField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        properties = dict.fromkeys(Payment.Kind.values, or_null(_component(auto_schema, Paid)))
        return {"type": "object", "additionalProperties": False, "properties": properties}


class _PriceSchema(OpenApiSerializerFieldExtension):
    target_class = PriceField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        paid = _component(auto_schema, Paid)
        properties = dict.fromkeys(Payment.Kind.values, paid)
        return {"type": "object", "additionalProperties": False, "properties": properties}


def _component(auto_schema: Any, cls: Any) -> dict[str, Any]:
    """A reference to what may be sent for this class, which is described in the document once."""
    names = {Level: "EventLevel", Paid: "EventPrice", PayoutTerms: "EventPayoutTerms"}
    name = names.get(cls, cls.__name__ if cls.__name__.startswith("Event") else f"Event{cls.__name__}")
    component = ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, object=cls)
    if component not in auto_schema.registry:
        auto_schema.registry.register(component)
        component.schema = _body_schema(auto_schema, cls)
    reference: dict[str, Any] = component.ref
    return reference


def _body_schema(auto_schema: Any, cls: Any) -> dict[str, Any]:
    """What may be sent for this class: a field is required where the class has no default for it."""
    hints = get_type_hints(cls)
    properties = {
        field.name: _with_bounds(schema_of(hints[field.name], lambda inner: _component(auto_schema, inner)))
        for field in fields(cls)
    }
    needed = [
        attribute.name
        for attribute in fields(cls)
        if attribute.default is MISSING and attribute.default_factory is MISSING
    ]
    schema = {
        "type": "object",
        "description": docstring_of(cls),
        "additionalProperties": False,
        "properties": properties,
    }
    return schema | ({"required": needed} if needed else {})


def _with_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("type") == "integer":
        return schema | {"minimum": 0, "maximum": MOST_CHIPS}
    if "items" in schema:
        return schema | {"items": _with_bounds(schema["items"])}
    return schema


class _FactSchema(OpenApiSerializerExtension):
    target_class = FactOfEvent

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
    component = ResolvedComponent(
        name=f"EventFact{cls.__name__.removeprefix('Event')}", type=ResolvedComponent.SCHEMA, object=cls
    )
    component.schema = {
        "type": "object",
        "description": docstring_of(cls),
        "required": ["seq", "kind", "data"],
        "properties": {
            "seq": {"type": "integer", "description": "Counts from 1 in each event, without holes."},
            "kind": {"type": "string", "const": cls.kind},
            # The data is described in the fact's own component, so it needs no name of its own.
            "data": {key: value for key, value in object_of(cls).items() if key != NAMED},
        },
    }
    auto_schema.registry.register_on_missing(component)
    return component
