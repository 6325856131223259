"""The facts of a hand as OpenAPI, read off the engine's own classes: a kind added there is described here at once."""

import types
from dataclasses import fields
from typing import Any, Union, get_args, get_origin, get_type_hints

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent

from games.engine.facts import KINDS, Fact, Sees
from games.web.api import hand_serializers

_PLAIN = {int: "integer", str: "string", bool: "boolean"}


class FactSchema(OpenApiSerializerExtension):
    target_class = hand_serializers.Fact

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
    data = {field.name: _of(hints[field.name]) for field in fields(cls)}
    if cls.sees in (Sees.NOBODY, Sees.OWNER):
        data = {name: schema if name in cls.public else _or_null(schema) for name, schema in data.items()}
    return {
        "type": "object",
        "description": " ".join((cls.__doc__ or "").split()),
        "required": ["seq", "kind", "data"],
        "properties": {
            "seq": {"type": "integer", "description": "Counts from 1 in each hand, without holes."},
            "kind": {"type": "string", "const": cls.kind},
            "data": {"type": "object", "required": sorted(data), "properties": data},
        },
    }


def _of(hint: Any) -> dict[str, Any]:
    """The JSON of a field's type: numbers, words, and tuples of them, which are arrays."""
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (inner,) = [part for part in parts if part is not type(None)]
        return _or_null(_of(inner))
    if origin is tuple and parts[-1] is Ellipsis:
        return {"type": "array", "items": _of(parts[0])}
    if origin is tuple:
        length = len(parts)
        return {
            "type": "array",
            "prefixItems": [_of(part) for part in parts],
            "minItems": length,
            "maxItems": length,
        }
    return {}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if "type" not in schema or "null" in schema["type"]:
        return schema
    return schema | {"type": [schema["type"], "null"]}
