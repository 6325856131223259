"""Python types as JSON schema: what an engine or a selector answers with is described where it is declared."""

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from typing import Any, Union, get_args, get_origin, get_type_hints

Schema = dict[str, Any]

_PLAIN: dict[Any, Schema] = {
    int: {"type": "integer"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    Any: {},
}


def schema_of(hint: Any, nested: Callable[[Any], Schema] | None = None) -> Schema:
    """The schema of a value of this type as JSON: numbers, words, moments, and tuples, lists, dicts and dataclasses of
    them. `nested` describes a dataclass that is met on the way (None: in its place)."""
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    if is_dataclass(hint):
        return (nested or object_of)(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _either([schema_of(part, nested) for part in parts if part is not type(None)], type(None) in parts)
    if origin is tuple and parts[-1] is not Ellipsis:
        items = [schema_of(part, nested) for part in parts]
        # `items` says nothing new, but many readers of a schema look for it.
        either = {"prefixItems": items, "items": _any_of(items)}
        return {"type": "array", **either, "minItems": len(items), "maxItems": len(items)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(parts[1], nested)}
    return {"type": "array", "items": schema_of(parts[0], nested)}


def object_of(cls: Any, nested: Callable[[Any], Schema] | None = None) -> Schema:
    """A dataclass, with every field there."""
    hints = get_type_hints(cls)
    properties = {field.name: _rows_as_lists(schema_of(hints[field.name], nested)) for field in fields(cls)}
    return {"type": "object", "description": said_of(cls), "required": sorted(properties), "properties": properties}


def _rows_as_lists(schema: Schema) -> Schema:
    """A row of fixed length as a list of so many: readers of a schema that stands in its place, and is no component of
    its own, trip over `prefixItems`."""
    told = {name: _rows_as_lists(part) if isinstance(part, dict) else part for name, part in schema.items()}
    if "prefixItems" in told:
        told["items"] = _any_of([_rows_as_lists(kind) for kind in told.pop("prefixItems")])
    return told


def _any_of(kinds: list[Schema]) -> Schema:
    distinct = [kind for at, kind in enumerate(kinds) if kind not in kinds[:at]]
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}


def said_of(cls: Any) -> str:
    """The docstring of a class as one line."""
    return " ".join((cls.__doc__ or "").split())


def or_null(schema: Schema) -> Schema:
    """The same, or null."""
    if "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]} if schema else schema
    kind = schema["type"]
    if kind == "null" or "null" in kind:
        return schema
    return schema | {"type": [kind, "null"]}


def _either(schemas: list[Schema], is_nullable: bool) -> Schema:
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    return or_null(schema) if is_nullable else schema
