"""The facts of an event as OpenAPI, read off the engine's own classes: a kind added there is described here at once."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent

from cardroom.web.api.typed import object_of, said_of
from tournaments.engine.facts import KINDS
from tournaments.web.api import serializers


class FactSchema(OpenApiSerializerExtension):
    target_class = serializers.EventFact

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        components = {kind: _component(auto_schema, cls) for kind, cls in sorted(KINDS.items())}
        return {
            "description": "One thing that happened in an event.",
            "oneOf": [component.ref for component in components.values()],
            "discriminator": {
                "propertyName": "kind",
                "mapping": {kind: component.ref["$ref"] for kind, component in components.items()},
            },
        }


def _component(auto_schema: Any, cls: Any) -> ResolvedComponent:
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
