"""The facts of a hand as OpenAPI, read off the engine's own classes: a kind added there is described here at once."""

from dataclasses import fields
from typing import Any, get_type_hints

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent

from cardroom.core.web.api.typed import or_null, said_of, schema_of
from games.engine.facts.base import KINDS, Fact, Sees
from games.play.pages import hands


class FactSchema(OpenApiSerializerExtension):
    target_class = hands.Fact

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


def _component(auto_schema: Any, cls: type[Fact]) -> ResolvedComponent:
    component = ResolvedComponent(
        name=f"{cls.__name__}Fact", type=ResolvedComponent.SCHEMA, object=cls, schema=_schema(cls)
    )
    auto_schema.registry.register_on_missing(component)
    return component


def _schema(cls: type[Fact]) -> dict[str, Any]:
    hints = get_type_hints(cls)
    data = {field.name: schema_of(hints[field.name]) for field in fields(cls)}
    if cls.sees in (Sees.NOBODY, Sees.OWNER):
        data = {name: schema if name in cls.public else or_null(schema) for name, schema in data.items()}
    return {
        "type": "object",
        "description": said_of(cls),
        "required": ["seq", "kind", "data"],
        "properties": {
            "seq": {"type": "integer", "description": "Counts from 1 in each hand, without holes."},
            "kind": {"type": "string", "const": cls.kind},
            "data": {"type": "object", "required": sorted(data), "properties": data},
        },
    }
