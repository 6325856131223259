"""The document of the API as pages to read: its subjects, and of each the addresses, what they take and what they
answer. Types are written as programmers write them, the same in every language: `Seat[]`, `string | null`.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst, slugify
from django.utils.translation import gettext
from drf_spectacular.generators import SchemaGenerator

from cardroom.core import access
from cardroom.core.languages import of_the_api_or_room
from cardroom.core.web.api.formats import as_html

Document = dict[str, Any]
Part = Mapping[str, Any]

#: A value of a choice and what it means, as the document has it behind a description.
_VALUE = re.compile(r"^\* `(.*?)` - (.*)$", re.MULTILINE)
_SHAPES = "#/components/schemas/"
#: A bound beyond this is that of the number's type, and tells nothing.
_MOST = 10**15
_REFUSED = 400


@dataclass(frozen=True)
class Field:
    """Something named that is sent or answered. `limits`: what its value may be; `choices`: its values, each with what
    it means; `part`: where in a request it stands ("path", "query"), "" in a body."""

    name: str
    type: SafeString
    is_needed: bool
    description: SafeString
    limits: tuple[SafeString, ...]
    choices: tuple[tuple[str, str], ...]
    part: str = ""


@dataclass(frozen=True)
class Shape:
    """What has a name in the document; `type` where it is no object with fields."""

    name: str
    description: SafeString
    type: SafeString
    choices: tuple[tuple[str, str], ...]
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Operation:
    """A verb at an address. `answers`: status, type and what it says of it; `who`: whom it is for."""

    name: str
    method: str
    path: str
    summary: str
    description: SafeString
    who: str
    scopes: tuple[str, ...]
    parameters: tuple[Field, ...]
    body: SafeString
    answers: tuple[tuple[str, SafeString, SafeString], ...]
    refusals: tuple[str, ...]
    is_deprecated: bool

    @cached_property
    def words(self) -> str:
        """All that it is found by."""
        return f"{self.method} {self.path} {self.name} {self.summary} {self.description}".casefold()


@dataclass(frozen=True)
class Address:
    path: str
    operations: tuple[Operation, ...]

    @property
    def asked(self) -> tuple[Field, ...]:
        """What its page in a browser asks for."""
        found = {each.name: each for one in self.operations for each in one.parameters if each.part == "path"}
        looks = (one for one in self.operations if one.method == "GET")
        return (*found.values(), *(each for one in looks for each in one.parameters if each.part == "query"))


@dataclass(frozen=True)
class Subject:
    """Addresses that belong together. `shapes`: those that they speak of, each once, in the order of their names."""

    slug: str
    title: str
    description: str
    addresses: tuple[Address, ...]
    document: Document = field(repr=False)

    @property
    def operations(self) -> list[Operation]:
        return [one for address in self.addresses for one in address.operations]

    @cached_property
    def shapes(self) -> list[Shape]:
        every = self.document["components"]["schemas"]
        items = [
            item for path in (each.path for each in self.addresses) for item in self.document["paths"][path].values()
        ]
        # How it is refused is said once, for all.
        items = [{**item, "responses": _accepted(item)} for item in items]
        names, waiting = set[str](), list(_named(items))
        while waiting:
            if (name := waiting.pop()) not in names:
                names.add(name)
                waiting += _named(every[name])
        return [_shape(name, every[name]) for name in sorted(names)]


@lru_cache(maxsize=8)
def document(language: str) -> Document:
    """The document in this language. To draw it takes a second, so a process keeps it."""
    with translation.override(language):
        drawn: Document = SchemaGenerator().get_schema(public=True)
    return drawn


@lru_cache(maxsize=8)
def subjects(language: str) -> dict[str, Subject]:
    """The subjects of the document in this language, by the name in their address."""
    drawn, found = document(language), dict[str, Subject]()
    for tag in drawn["tags"]:
        items = ((path, item) for path, item in drawn["paths"].items() if tag["name"] in _first(item)["tags"])
        addresses = tuple(Address(path, tuple(_operations(path, item))) for path, item in items)
        title = capfirst(of_the_api_or_room(tag["name"]))
        found[slugify(tag["name"])] = Subject(slugify(tag["name"]), title, tag["description"], addresses, drawn)
    return found


def found(words: str, within: Iterable[Subject]) -> list[tuple[Subject, list[Operation]]]:
    """The operations that have all these words somewhere, by subject."""
    wanted = words.casefold().split()
    each = (
        (subject, [one for one in subject.operations if all(word in one.words for word in wanted)])
        for subject in within
    )
    return [(subject, operations) for subject, operations in each if operations]


def _first(item: Part) -> Part:
    return next(iter(item.values()))  # type: ignore[no-any-return]


def _accepted(operation: Part) -> dict[str, Part]:
    return {status: answer for status, answer in operation["responses"].items() if int(status) < _REFUSED}


def _operations(path: str, item: Part) -> Iterator[Operation]:
    for method, told in item.items():
        parameters = (each for each in told.get("parameters", ()) if each["in"] != "header")
        body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        ways = told["security"]
        description = told.get("description", "")
        yield Operation(
            name=told["operationId"], method=method.upper(), path=path, summary=told["summary"],
            description=as_html(description if description.rstrip(".") != told["summary"] else ""),
            who=_who(told.get("x-roles", ()), is_open={} in ways),
            scopes=tuple(scope for way in ways for scope in way.get("token", ())),
            parameters=tuple(_parameter(each) for each in parameters), body=type_of(body) if body else SafeString(),
            answers=tuple(_answers(_accepted(told))),
            refusals=tuple(status for status in told["responses"] if int(status) >= _REFUSED),
            is_deprecated=told.get("deprecated", False),
        )  # fmt: skip


def _who(roles: Iterable[str], *, is_open: bool) -> str:
    if is_open:
        return gettext("For everybody, without a log-in")
    if roles:
        return gettext("For {roles}").format(roles=access.roles_said(list(roles), style="or"))
    return gettext("For whoever is logged in")


def _answers(answers: Mapping[str, Part]) -> Iterator[tuple[str, SafeString, SafeString]]:
    for status, answer in answers.items():
        for media, content in (answer.get("content") or {"": {}}).items():
            kind = type_of(content["schema"]) if media == "application/json" else format_html("{}", media)
            yield status, kind, as_html(answer.get("description", ""))


def _parameter(told: Part) -> Field:
    shown = {**told["schema"], "description": told.get("description", "")}
    return _field(told["name"], shown, is_needed=told.get("required", False), part=told["in"])


def _shape(name: str, told: Part) -> Shape:
    words, choices = _choices(told)
    return Shape(
        name, as_html(words), SafeString() if "properties" in told else type_of(told), choices, tuple(_fields(told))
    )


def _fields(told: Part, within: str = "") -> Iterator[Field]:
    """Its fields, and after each those of what stands in it and has no name: `data.cards[]`."""
    needed = told.get("required", ())
    for name, each in told.get("properties", {}).items():
        yield _field(f"{within}{name}", each, is_needed=name in needed)
        marks = ""
        while "items" in each and "prefixItems" not in each:
            each, marks = each["items"], f"{marks}[]"
        while isinstance(each.get("additionalProperties"), dict) and "properties" not in each:
            each, marks = each["additionalProperties"], f"{marks}.*"
        yield from _fields(each, f"{within}{name}{marks}.")


def _field(name: str, told: Part, *, is_needed: bool, part: str = "") -> Field:
    words, choices = _choices(told)
    return Field(name, type_of(told), is_needed, as_html(words), tuple(_limits(told)), choices, part)


def _choices(told: Part) -> tuple[str, tuple[tuple[str, str], ...]]:
    """What is said of it, and the values it may have, where the document says what each means."""
    words = told.get("description", "")
    values = tuple(_VALUE.findall(words))
    return _VALUE.sub("", words).strip(), values if any(value != meaning for value, meaning in values) else ()


def type_of(told: Part) -> SafeString:
    """Its type, with links to what has a name."""
    if "$ref" in told:
        return format_html('<a href="#{0}">{0}</a>', told["$ref"].removeprefix(_SHAPES))
    for several in ("allOf", "oneOf", "anyOf"):
        if several in told:
            return _either(type_of(each) for each in told[several])
    if "const" in told or "enum" in told:
        return _either(_json(each) for each in told.get("enum", [told.get("const")]))
    kinds = told.get("type", "any")
    return _either(_plain(kind, told) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _plain(kind: str, told: Part) -> SafeString:
    if kind == "array" and "prefixItems" in told:
        return format_html("[{}]", format_html_join(", ", "{}", ((type_of(each),) for each in told["prefixItems"])))
    if kind == "array":
        each = type_of(told.get("items", {}))
        return format_html("({})[]" if " | " in each and each[0] not in "[{" else "{}[]", each)
    if kind == "object" and "properties" not in told and isinstance(told.get("additionalProperties"), dict):
        return format_html("{{ *: {} }}", type_of(told["additionalProperties"]))
    return format_html("{}", kind)


def _either(types: Iterable[SafeString]) -> SafeString:
    return format_html_join(" | ", "{}", ((each,) for each in dict.fromkeys(types)))


def _json(value: Any) -> SafeString:
    return format_html("{}", json.dumps(value, ensure_ascii=False))


def _limits(told: Part) -> Iterator[SafeString]:
    if "format" in told and told["format"] != "int64":
        yield _code(told["format"])
    if between := _between(told.get("minimum"), told.get("maximum")):
        yield format_html("{}", between)
    if between := _between(told.get("minLength"), told.get("maxLength")):
        yield format_html("{}", gettext("{how_many} characters").format(how_many=between))
    if between := _between(told.get("minItems"), told.get("maxItems")):
        yield format_html("{}", gettext("{how_many} entries").format(how_many=between))
    if "pattern" in told:
        yield _code(told["pattern"])
    if "default" in told:
        yield format_html("{} {}", gettext("default:"), _code(_json(told["default"])))


def _between(low: int | None, high: int | None) -> str:
    least, most = (None if limit is None or abs(limit) > _MOST else limit for limit in (low, high))
    if least is not None and most is not None:
        return str(most) if least == most else f"{least} – {most}"
    return f"≥ {least}" if least is not None else f"≤ {most}" if most is not None else ""


def _code(text: str) -> SafeString:
    return format_html("<code>{}</code>", text)


def _named(part: Any) -> Iterator[str]:
    """The names of shapes that it speaks of."""
    if isinstance(part, Mapping):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"].removeprefix(_SHAPES)
        for each in part.values():
            yield from _named(each)
    elif isinstance(part, list):
        for each in part:
            yield from _named(each)
