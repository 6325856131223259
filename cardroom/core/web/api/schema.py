"""The API as OpenAPI: what resources declare, and what all have in common, above all their refusals."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import Any

from django.utils.functional import Promise
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS

from cardroom.core.web.api import access, fields, keys, routes
from cardroom.core.web.api.shapes import NAMED
from cardroom.core.web.problems import PROBLEM_JSON

#: What each status of a refusal means.
REFUSALS = {
    400: "Malformed: not JSON, a field missing or of the wrong type, a number out of range.",
    401: "Not logged in, or the token is invalid.",
    403: "Not allowed: a role or scope is missing, or the CSRF token of a session.",
    404: "It does not exist, or you may not see it.",
    409: "It conflicts with a later change: reload and decide again.",
    413: "The body is too large.",
    415: "The body is not application/json.",
    422: "Refused by a rule; `rule` cites it.",
    429: "Too many requests; `Retry-After` says for how many seconds to wait.",
    503: "The room is too busy to answer; try again in a moment.",
}


class ProblemDetails(serializers.Serializer[Any]):
    """A refusal, after RFC 9457. Programs go by `status` and `code`, people by `detail`."""

    type = serializers.CharField(help_text="Always about:blank; use `code` to tell refusals apart.")
    title = serializers.CharField(help_text="The status in words.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What is wrong and how to fix it, for people.")
    code = serializers.CharField(help_text="A stable word, such as seat-taken.")
    instance = serializers.CharField(help_text="The requested path.")
    rule = serializers.CharField(
        required=False, allow_null=True, help_text="The rule behind the refusal, such as Robert's Rules of Poker v4, 3."
    )
    errors = serializers.JSONField(  # type: ignore[assignment]
        required=False, help_text="With 400: the errors by field."
    )


def refusals(*statuses: int) -> dict[Any, Any]:
    """The problems an operation answers with, to be added to its `responses`; the usual ones come by themselves."""
    return {
        (str(status), PROBLEM_JSON): OpenApiResponse(ProblemDetails, description=REFUSALS[status])
        for status in sorted(statuses)
    }


def with_names(result: Any, **more: Any) -> Any:
    """The document with the schema of each dataclass once, under a name: `Event` and that of the class, with `Told`
    behind it where a request body has that name."""
    shapes = result["components"]["schemas"]

    def named(part: Any) -> Any:
        if isinstance(part, list):
            return [named(item) for item in part]
        if not isinstance(part, dict):
            return part
        schema = {key: named(value) for key, value in part.items() if key != NAMED}
        if not isinstance(part.get(NAMED), str):
            return schema
        is_nullable = isinstance(schema["type"], list)
        schema |= {"type": "object"}
        first = "Event" + part[NAMED].removeprefix("Event")
        names = chain([first, f"{first}Told"], (f"{first}{number}" for number in count(2)))
        name = next(item for item in names if shapes.get(item, schema) == schema)
        shapes[name] = schema
        ref = {"$ref": f"#/components/schemas/{name}"}
        return {"anyOf": [ref, {"type": "null"}]} if is_nullable else ref

    for name, shape in list(shapes.items()):
        shapes[name] = named(shape)
    result["paths"] = named(result["paths"])
    result["components"]["schemas"] = dict(sorted(shapes.items()))
    return result


def that_reads_well(result: Any, **more: Any) -> Any:
    """The document with JSON's words (null) in place of Python's (None), and without "anything or null", which null
    would match twice."""
    for part, key in _texts(result):
        part[key] = _NONE.sub("null", str(part[key]).replace("``", "`"))
    _without_either(result)
    return result


def _without_either(part: Any) -> None:
    if isinstance(part, dict) and {} in part.get("oneOf", []):
        del part["oneOf"]
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _without_either(inner)


_NONE = re.compile(r"\bNone\b")
_TOLD, _DATA = ("summary", "description"), ("default", "enum", "example", "examples")


def _texts(part: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Each text of the document: the part that holds it, and its key there."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key in _TOLD and isinstance(value, str | Promise):
                yield part, key
            elif key not in _DATA:
                yield from _texts(value)
    elif isinstance(part, list):
        for inner in part:
            yield from _texts(inner)


_DEPRECATION = {
    "description": "Since when it is deprecated, as a date of RFC 9745: `@` and seconds since 1970.",
    "schema": {"type": "string", "pattern": "^@[0-9]+$"},
}


class RoomSchema(AutoSchema):
    """Adds the refusals every operation has, and what `access` and `fields` enforce."""

    def get_operation(self, *given: Any) -> Any:
        operation = super().get_operation(*given)
        declared = getattr(self.view, "verbs", {}).get(self.method.lower())
        if operation and declared and declared.is_for:
            operation["x-roles"] = list(declared.is_for)
        if operation and declared and declared.deprecated_since:
            for response in operation["responses"].values():
                response.setdefault("headers", {})["Deprecation"] = _DEPRECATION
        return operation

    def get_auth(self) -> list[dict[str, Any]]:
        """A token with its scope, or with any of these; anybody where the resource is public."""
        scopes = access.scope_of(self.view, self.method)
        declared = getattr(self.view, "verbs", {}).get(self.method.lower())
        if declared is not None and not declared.by_token:
            scopes = ()
        tokens = [{"token": [scope]} for scope in ([scopes] if isinstance(scopes, str) else scopes)]
        others = [way for way in super().get_auth() if "token" not in way]
        return [*tokens, *others, *([{}] if access.is_open(self.view, self.method) else [])]

    def get_override_parameters(self) -> list[Any]:
        """Everything that changes something takes a key, and every list that comes in pages its page."""
        declared: list[Any] = super().get_override_parameters()
        if self.method not in SAFE_METHODS:
            return [*declared, keys.PARAMETER]
        verb = getattr(self.view, "verbs", {}).get("get")
        return [*declared, *routes.PAGE] if getattr(verb, "paged", False) else declared

    def get_description(self) -> str:
        """The description of a declared method; the docstring of the class is for developers."""
        return "" if getattr(self.view, "verbs", None) else super().get_description()

    def get_tags(self) -> list[str]:
        return list(getattr(self.view, "tags", super().get_tags()))

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies = super()._get_response_bodies(direction)
        for (status, media), problem in refusals(*self._usual_refusals()).items():
            bodies.setdefault(status, self._get_response_for_code(problem, status, [media], direction))
        return dict(sorted(bodies.items()))

    def _map_serializer_field(self, field: Any, *more: Any, **named: Any) -> Any:
        """With how many there may be, where the framework does not tell: of serializers in a list."""
        schema = super()._map_serializer_field(field, *more, **named)
        if isinstance(field, serializers.ListSerializer) and schema and schema.get("type") == "array":
            least = field.min_length or (0 if field.allow_empty else 1)
            schema |= {"minItems": least} if least else {}
            schema |= {"maxItems": field.max_length} if field.max_length else {}
        return schema

    def _insert_field_validators(self, field: Any, schema: dict[str, Any]) -> None:
        """Besides what the framework tells: of a text whose blanks at the ends go before it is looked at, that
        something, or so much, is left; and what the keys of a `Keyed` are."""
        super()._insert_field_validators(field, schema)
        if isinstance(field, fields.Keyed):
            schema["propertyNames"] = {"pattern": field.key}
        if hasattr(field, "format") and schema.get("type") == "string":
            schema["format"] = field.format
        is_asked = isinstance(field.root, fields.RequestBody | fields.Query)
        if is_asked and isinstance(field, serializers.CharField) and not field.allow_blank:
            schema.setdefault("minLength", 1)
            if field.trim_whitespace and not {"pattern", "format", "enum"} & schema.keys():
                between = (field.min_length or 1) - 2
                schema["pattern"] = r"\S" if between < 0 else rf"\S[\s\S]{{{between},}}\S"

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> dict[str, Any]:
        schema = super()._map_basic_serializer(serializer, direction)
        if isinstance(serializer, fields.RequestBody):
            schema["additionalProperties"] = False
            if isinstance(serializer, fields.Change):
                schema["minProperties"] = 1
            if not type(serializer).__doc__:
                schema.pop("description", None)  # that of its base class, which is for developers
        return schema

    def _usual_refusals(self) -> Iterable[int]:
        yield from (401, 403, 429, 503)
        if "{" in self.path:
            yield 404
        takes_body = self.method in ("POST", "PUT", "PATCH")
        if takes_body or any(parameter["in"] != "path" for parameter in self._get_parameters()):
            yield 400
        if takes_body:
            yield from (413, 415)
