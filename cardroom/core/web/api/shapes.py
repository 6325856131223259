"""Serializers of answers, read off the dataclass or the model that they show."""

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

from django.db import models
from rest_framework import serializers

from cardroom.core.database.other_row import OfRow

_FIELDS: dict[Any, type[serializers.Field]] = {
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    bool: serializers.BooleanField,
    datetime: serializers.DateTimeField,
    date: serializers.DateField,
}
_COLUMNS: tuple[tuple[type[models.Field], type], ...] = (
    (models.BooleanField, bool),
    (models.DateTimeField, datetime),
    (models.DateField, date),
    (models.IntegerField, int),
    (models.AutoField, int),
    (models.CharField, str),
    (models.TextField, str),
)


class Shape(serializers.Serializer[Any]):
    # No docstring: the schema would show it for every shape without one.
    # `field_names` are the fields in their order; each has the type that it has in `of`. `name=path` where it has
    # another name there, or lies deeper, such as `name=player.username`. `help_texts` describe fields in the schema. A
    # field that is declared on the class is as it is declared; it stands where `field_names` has it, else at the end.

    of: ClassVar[Any]
    field_names: ClassVar[str] = ""
    help_texts: ClassVar[Mapping[str, str]] = {}

    def get_fields(self) -> dict[str, Any]:
        declared = super().get_fields()
        members: dict[str, Any] = {}
        for entry in self.field_names.split():
            name, _, path = entry.partition("=")
            members[name] = declared.pop(name, None) or _field(self.of, path or name, name, self.help_texts.get(name))
        return members | declared


def _field(of: Any, path: str, name: str, help_text: str | None) -> serializers.Field:
    hint, may_be_none = _type_at(of, path)
    more: dict[str, Any] = {"source": path} if path != name else {}
    more |= {"help_text": help_text} if help_text else {}
    more |= {"allow_null": True} if may_be_none else {}
    if get_origin(hint) in (list, tuple):
        return serializers.ListField(child=_FIELDS[get_args(hint)[0]](), **more)
    return _FIELDS[hint](**more)


@cache
def _type_at(of: Any, path: str) -> tuple[Any, bool]:
    """The type found at this path, and whether it may be None."""
    first, _, rest = path.partition(".")
    hint = _type_of(of, first)
    kinds = [part for part in get_args(hint) if part is not NoneType]
    if get_origin(hint) not in (Union, UnionType):
        return _type_at(hint, rest) if rest else (hint, False)
    hint = kinds[0]
    return (_type_at(hint, rest)[0], True) if rest else (hint, True)


def _type_of(of: Any, name: str) -> Any:
    if name == "pk":
        return int
    attribute = getattr(of, name, None)
    if isinstance(attribute, property):
        return get_type_hints(attribute.fget)["return"]
    if isinstance(attribute, OfRow):
        return _type_of_column(attribute.model, name)
    if issubclass(of, models.Model):
        return _type_of_column(of, name)
    return get_type_hints(of)[name]


def _type_of_column(of: type[models.Model], name: str) -> Any:
    column: Any = of._meta.get_field(name)
    if column.is_relation:
        kind: Any = int if name == column.attname else column.related_model
    else:
        kind = next(kind for columns, kind in _COLUMNS if isinstance(column, columns))
    return kind | None if column.null else kind


# Python types as JSON schema: results of engines and queries are described where they are declared.


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
    if isinstance(hint, type) and issubclass(hint, str):
        return {"type": "string"}
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
    schema = {"type": "object", "description": docstring_of(cls), "required": sorted(properties)}
    return schema | {"properties": properties, NAMED: cls.__name__}


#: The name under which `schema.with_names` moves this schema to the components.
NAMED = "x-named"


def _rows_as_lists(schema: Schema) -> Schema:
    """The schema with `items` in place of `prefixItems`, which some readers do not understand in a schema that is no
    component."""
    plain = {name: _rows_as_lists(part) if isinstance(part, dict) else part for name, part in schema.items()}
    if "prefixItems" in plain:
        plain["items"] = _any_of([_rows_as_lists(kind) for kind in plain.pop("prefixItems")])
    return plain


def _any_of(kinds: list[Schema]) -> Schema:
    distinct = [kind for at, kind in enumerate(kinds) if kind not in kinds[:at]]
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}


def docstring_of(cls: Any) -> str:
    """The docstring of a class as one line; "" where it is the one that a dataclass makes itself."""
    text = " ".join((cls.__doc__ or "").split())
    return "" if text.startswith(f"{cls.__name__}(") else text


def or_null(schema: Schema) -> Schema:
    """The schema, or null."""
    if {"type": "null"} in schema.get("anyOf", []):
        return schema
    if "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]} if schema else schema
    kind = schema["type"]
    if kind == "null" or "null" in kind:
        return schema
    return schema | {"type": [kind, "null"]}


def _either(schemas: list[Schema], is_nullable: bool) -> Schema:
    schemas = [schema for at, schema in enumerate(schemas) if schema not in schemas[:at]]
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    return or_null(schema) if is_nullable else schema
