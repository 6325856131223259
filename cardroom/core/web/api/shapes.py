"""Serializers of answers, read off the dataclass or the model that they show."""

from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

from django.db import models
from rest_framework import serializers

_FIELDS: dict[Any, type[serializers.Field]] = {
    int: serializers.IntegerField,
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
    # No docstring: the schema would tell it of every shape without one.
    # `shows` names the fields in their order; each is of the type that it has in `of`. `name=path` where it is called
    # otherwise there, or lies deeper, such as `name=player.username`. `says` is what the schema tells of a field. A
    # field that is declared beside is as it is declared; it stands where `shows` names it, else at the end.

    of: ClassVar[Any]
    shows: ClassVar[str] = ""
    says: ClassVar[Mapping[str, str]] = {}

    def get_fields(self) -> dict[str, Any]:
        declared = super().get_fields()
        found: dict[str, Any] = {}
        for each in self.shows.split():
            name, _, path = each.partition("=")
            found[name] = declared.pop(name, None) or _field(self.of, path or name, name, self.says.get(name))
        return found | declared


def _field(of: Any, path: str, name: str, said: str | None) -> serializers.Field:
    hint, may_be_none = _type_at(of, path)
    more: dict[str, Any] = {"source": path} if path != name else {}
    more |= {"help_text": said} if said else {}
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
    if isinstance(getattr(of, name, None), property):
        return get_type_hints(getattr(of, name).fget)["return"]
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
