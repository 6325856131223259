"""The body of a request, the form of a page and the query of an address, read off the signature of a service.

A parameter is a field of its name, but `table_id: RowId` is the field `table`. What has a default may be left out;
where that is "" it may be empty too. `Limits` say the rest. A frozen dataclass is an object of its fields, which stand
among the others in the form of a page.
"""

import dataclasses
import re
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from functools import cache
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from django.db.models import TextChoices
from rest_framework import serializers

from cardroom.core import access
from cardroom.core.arguments import Internal, Limits, Unchanged, plain
from cardroom.core.models import User
from cardroom.core.verb import Verb
from cardroom.core.web.api import fields

#: What code gives to a service: neither a body nor a query says it.
_OF_CODE = frozenset({"by", "key", "now", "before", "limit"})
_PARTS = re.compile(r"<\w+:(\w+)>")
_IN_BODY: dict[Any, type[serializers.Field]] = {
    int: fields.WholeNumber,
    str: fields.Text,
    bool: fields.FlagField,
    datetime: serializers.DateTimeField,
    date: serializers.DateField,
    User: fields.PersonField,
}
_IN_QUERY: dict[Any, type[serializers.Field]] = {
    int: fields.Number,
    str: serializers.CharField,
    bool: serializers.BooleanField,
    datetime: serializers.DateTimeField,
    date: serializers.DateField,
}


def body_of(
    service: Callable[..., Any], name: str, *, path: str = "", is_change: bool = False
) -> type[fields.RequestBody] | None:
    """The serializer of what a service is asked beside what stands in the address; None where that is nothing.

    `is_change`: at least one of the fields is sent, and what is left out stays as it is.
    """
    members = {
        field_name: field
        for parameter, hint in _parameters(service, without=parts_of(path))
        for field_name, field in [_field(parameter, hint, _IN_BODY)]
    }
    base = fields.Change if is_change else fields.RequestBody
    return type(f"{name}Body", (base,), {"__module__": service.__module__, **members}) if members else None


def query_of(service: Callable[..., Any], name: str, *, path: str = "") -> type[fields.Query] | None:
    """The serializer of what may stand after the `?` of an address."""
    members = {
        parameter.name: _field(parameter, hint, _IN_QUERY, with_default=False)[1]
        for parameter, hint in _parameters(service, without=parts_of(path))
    }
    return type(f"{name}Query", (fields.Query,), {"__module__": service.__module__, **members}) if members else None


def parts_of(path: str) -> tuple[str, ...]:
    """The names of the parameters in an address."""
    return tuple(_PARTS.findall(path))


def arguments_of(service: Callable[..., Any], address: dict[str, Any]) -> dict[str, Any]:
    """What the address says to a service. `player_id` is the account `player` where the service takes that; what the
    service takes in no way is for the page alone. Refuses: `NotFound` (no such player)."""
    taken, arguments = signature(service).parameters, {}
    for name, value in address.items():
        if name in taken:
            arguments[name] = value
        elif (row := name.removesuffix("_id")) in taken:
            arguments[row] = access.get_user(value)
    return arguments


def to_store(service: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """These arguments of a service as JSON, by the names of its body, for `stored` to read again: without what is None,
    and those that are given again each time (`by`)."""
    body, named = _stored_body(service), {}
    for name, field in body().fields.items() if body else ():
        named[field.source or name] = name
    internal = {name: name for name in _internal(service)}
    return {
        called: plain(arguments[name]) for name, called in (named | internal).items() if arguments.get(name) is not None
    }


def stored(service: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a service that `to_store` made JSON of. Refuses: `NotFound` (no such player any more)."""
    internal = {name: arguments[name] for name in _internal(service) if name in arguments}
    body = _stored_body(service)
    if body is None:
        return internal
    sent = body(data={name: value for name, value in arguments.items() if name not in internal})
    sent.is_valid(raise_exception=True)
    return sent.validated_data | internal


def _stored_body(service: Callable[..., Any]) -> type[fields.RequestBody] | None:
    return body_of(service, "Stored")


def _internal(service: Callable[..., Any]) -> list[str]:
    """The parameters that code alone sets, and that are kept: not the approval itself."""
    hints = get_type_hints(getattr(service, "service", service), include_extras=True)
    return [
        name
        for name in signature(service).parameters
        if name != "approval" and any(isinstance(mark, Internal) for mark in _marks(hints.get(name)))
    ]


def call(service: Callable[..., Any], key: str, **arguments: Any) -> Any:
    """The service, once under this key where it takes one."""
    if isinstance(service, Verb):
        return service.once(key, **arguments)
    return service(**arguments, **({"key": key} if "key" in signature(service).parameters else {}))


def takes_key(service: Callable[..., Any]) -> bool:
    """Whether a service keeps its result under the key of a request."""
    return service.keeps_result if isinstance(service, Verb) else "key" in signature(service).parameters


def _parameters(service: Callable[..., Any], *, without: Collection[str]) -> list[tuple[Parameter, Any]]:
    function = service.service if isinstance(service, Verb) else service
    hints = get_type_hints(function, include_extras=True)
    absent = {*without, *(name.removesuffix("_id") for name in without), *_OF_CODE}
    return [
        (parameter, hints[name])
        for name, parameter in signature(function).parameters.items()
        if name not in absent and not any(isinstance(mark, Internal) for mark in _marks(hints[name]))
    ]


def _marks(hint: Any) -> tuple[Any, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _field(
    parameter: Parameter, hint: Any, kinds: dict[Any, type[serializers.Field]], *, with_default: bool = True
) -> tuple[str, serializers.Field]:
    hint, limits = _plain(hint)
    options: dict[str, Any] = {}
    called = parameter.name.removesuffix("_id") if hint is int else parameter.name
    for limit in limits:
        options |= limit.options
        called = limit.called or called
        if limit.message:
            whenever = ("required", "blank", "min_length", "max_length")
            options["error_messages"] = dict.fromkeys(whenever, limit.message)
    if parameter.default is not parameter.empty:
        is_shown = options.get("required", with_default)
        options["required"] = False
        if is_shown and parameter.default is not None and not isinstance(parameter.default, Unchanged):
            options["default"] = parameter.default
        if with_default and parameter.default == "":
            options.setdefault("allow_blank", True)
    if called != parameter.name:
        options["source"] = parameter.name
    return called, _of_kind(hint, options, kinds)


def _plain(hint: Any) -> tuple[Any, list[Limits]]:
    """The type without its limits, without None and without `Unchanged`."""
    limits: list[Limits] = []
    while True:
        if get_origin(hint) is Annotated:
            limits = [*(mark for mark in get_args(hint)[1:] if isinstance(mark, Limits)), *limits]
            hint = get_args(hint)[0]
        elif get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint):
            (hint,) = (part for part in get_args(hint) if part not in (NoneType, Unchanged))
        elif get_origin(hint) in (Union, UnionType) and str in get_args(hint):
            hint = str  # a sentence of the house (`StoredText`) is said by code alone
        else:
            return hint, limits


def _of_kind(hint: Any, options: dict[str, Any], kinds: dict[Any, type[serializers.Field]]) -> serializers.Field:
    if options.pop("is_email", False):
        return serializers.EmailField(**options)
    if options.pop("is_lenient", False):
        return serializers.BooleanField(**options)
    if "choices" in options:
        return serializers.ChoiceField(**options)
    if get_origin(hint) is Literal:
        return serializers.ChoiceField(choices=list(get_args(hint)), **options)
    if isinstance(hint, type) and issubclass(hint, TextChoices):
        return serializers.ChoiceField(choices=hint.choices, **options)
    if dataclasses.is_dataclass(hint):
        return _object_of(hint)(**options)
    if get_origin(hint) is list:
        child, limits = _plain(get_args(hint)[0])
        inner = {name: value for limit in limits for name, value in limit.options.items()}
        return serializers.ListField(child=_of_kind(child, inner, kinds), **options)
    return kinds[hint](**options)


@cache
def _object_of(kind: Any) -> type[fields.RequestBody]:
    """The serializer of a value object in a body, which it makes of what was sent."""
    hints = get_type_hints(kind, include_extras=True)
    members = [_field(_parameter_of(member), hints[member.name], _IN_BODY) for member in dataclasses.fields(kind)]

    def to_internal_value(order: fields.RequestBody, data: Any) -> Any:
        return kind(**super(serializer, order).to_internal_value(data))

    own = {"__module__": kind.__module__, "__doc__": kind.__doc__, "to_internal_value": to_internal_value}
    serializer: Any = type(kind.__name__, (fields.RequestBody,), own | dict(members))
    return serializer


def _parameter_of(member: dataclasses.Field[Any]) -> Parameter:
    default: Any = Parameter.empty
    if member.default is not dataclasses.MISSING:
        default = member.default
    elif member.default_factory is not dataclasses.MISSING:
        default = member.default_factory()
    return Parameter(member.name, Parameter.KEYWORD_ONLY, default=default)
