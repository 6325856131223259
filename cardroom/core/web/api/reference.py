"""The document of the API as pages to read: its subjects, and of each the addresses, what they take and what they
answer. Types are written as programmers write them, the same in every language: `Seat[]`, `string | null`.
"""

import json
import re
import unicodedata
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
_SEVERAL = ("allOf", "oneOf", "anyOf")


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
class Answer:
    """`fields`: those of an answer whose shape has no name."""

    status: str
    type: SafeString
    description: SafeString
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Operation:
    """A verb at an address. `who`: whom it is for; `words`: what it is found by; `names`: the names of what it takes
    and answers, by which it is found where no operation is found by its words."""

    name: str
    method: str
    path: str
    summary: str
    description: SafeString
    who: str
    scopes: tuple[str, ...]
    parameters: tuple[Field, ...]
    body: SafeString
    needs_body: bool
    answers: tuple[Answer, ...]
    refusals: tuple[str, ...]
    is_deprecated: bool
    words: str
    names: str


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
        told = [one for each in self.addresses for one in self.document["paths"][each.path].values()]
        # How it is refused is said once, for all.
        names = _reached([{**one, "responses": _accepted(one)} for one in told], every)
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
        every = drawn["components"]["schemas"]
        addresses = tuple(Address(path, tuple(_operations(path, item, every))) for path, item in items)
        title = capfirst(of_the_api_or_room(tag["name"]))
        found[slugify(tag["name"])] = Subject(slugify(tag["name"]), title, tag["description"], addresses, drawn)
    return found


def shape(language: str, name: str) -> Shape:
    """What has this name in the document."""
    return _shape(name, document(language)["components"]["schemas"][name])


def found(words: str, within: Iterable[Subject]) -> list[tuple[Subject, list[Operation]]]:
    """The operations that have all these words somewhere, by subject; where there are none, those that take or answer
    something of these names."""
    wanted = _folded(words).split()

    def those(where: str) -> list[tuple[Subject, list[Operation]]]:
        def fit(operation: Operation) -> bool:
            return all(word in getattr(operation, where) for word in wanted)

        return [(subject, there) for subject in within if (there := list(filter(fit, subject.operations)))]

    return those("words") or those("names")


def _folded(text: str) -> str:
    """Without accents and capitals, and with one kind of apostrophe, as people type when they look for something."""
    letters = unicodedata.normalize("NFKD", text.replace("\u2019", "'").casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _reached(part: Any, every: Mapping[str, Part]) -> set[str]:
    """The names of all shapes that it speaks of, and that these speak of."""
    names, waiting = set[str](), list(_named(part))
    while waiting:
        if (name := waiting.pop()) not in names:
            names.add(name)
            waiting += _named(every[name])
    return names


def _first(item: Part) -> Part:
    return next(iter(item.values()))  # type: ignore[no-any-return]


def _accepted(operation: Part) -> dict[str, Part]:
    return {status: answer for status, answer in operation["responses"].items() if int(status) < _REFUSED}


def _operations(path: str, item: Part, every: Mapping[str, Part]) -> Iterator[Operation]:
    for method, told in item.items():
        parameters = [each for each in told.get("parameters", ()) if each["in"] != "header"]
        request, answers = told.get("requestBody", {}), _accepted(told)
        body = request.get("content", {}).get("application/json", {}).get("schema")
        ways, name, summary = told["security"], told["operationId"], told["summary"]
        description = told.get("description", "")
        shapes = _reached([body, answers], every)
        names = [*shapes, *(each["name"] for each in parameters), *_keys([answers, *map(every.__getitem__, shapes)])]
        yield Operation(
            name=name, method=method.upper(), path=path, summary=summary,
            description=as_html(description if description.rstrip(".") != summary else ""),
            who=_who(told.get("x-roles", ()), is_open={} in ways),
            scopes=tuple(scope for way in ways for scope in way.get("token", ())),
            parameters=tuple(_parameter(each) for each in parameters), body=type_of(body) if body else SafeString(),
            needs_body=request.get("required", False), answers=tuple(_answers(answers)),
            refusals=tuple(status for status in told["responses"] if int(status) >= _REFUSED),
            is_deprecated=told.get("deprecated", False),
            words=_folded(" ".join((method, path, name, summary, description))), names=_folded(" ".join(names)),
        )  # fmt: skip


def _who(roles: Iterable[str], *, is_open: bool) -> str:
    if is_open:
        return gettext("For everybody, without a log-in")
    if roles:
        return gettext("For {roles}").format(roles=access.roles_said(list(roles), style="or"))
    return gettext("A log-in is needed")


def _answers(answers: Mapping[str, Part]) -> Iterator[Answer]:
    for status, answer in answers.items():
        for media, content in (answer.get("content") or {"": {}}).items():
            told = content.get("schema", {}) if media == "application/json" else {}
            kind = type_of(told) if media == "application/json" else format_html("{}", media)
            words = answer.get("description") or told.get("description", "")
            yield Answer(status, kind, as_html(words), tuple(_fields(told)))


def _parameter(told: Part) -> Field:
    shown = {**told["schema"], "description": told.get("description", "")}
    return _field(told["name"], shown, is_needed=told.get("required", False), part=told["in"])


def _shape(name: str, told: Part) -> Shape:
    words, choices = _choices(told)
    return Shape(
        name, as_html(words), SafeString() if "properties" in told else type_of(told), choices, tuple(_fields(told))
    )


def _fields(told: Part, within: str = "") -> Iterator[Field]:
    """Its fields, and after each those of what stands in it and has no name: `data.cards[].seat`."""
    if "items" in told and "prefixItems" not in told:
        yield from _fields(told["items"], f"{within}[]")
    if isinstance(told.get("additionalProperties"), dict):
        yield from _fields(told["additionalProperties"], f"{within}.*" if within else "*")
    for each in (one for several in _SEVERAL for one in told.get(several, ())):
        yield from _fields(each, within)
    for name, each in told.get("properties", {}).items():
        place = f"{within}.{name}" if within else name
        yield _field(place, each, is_needed=name in told.get("required", ()))
        yield from _fields(each, place)


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
    for several in _SEVERAL:
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
    entry = told.get("items") or told.get("additionalProperties")
    if isinstance(entry, dict) and "properties" not in entry:
        yield from (format_html("{}", gettext("each: {limit}").format(limit=limit)) for limit in _limits(entry))
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
    for each in _within(part):
        if isinstance(each.get("$ref"), str):
            yield each["$ref"].removeprefix(_SHAPES)


def _keys(part: Any) -> Iterator[str]:
    """The names of all fields in it."""
    for each in _within(part):
        if isinstance(each.get("properties"), Mapping):
            yield from each["properties"]


def _within(part: Any) -> Iterator[Part]:
    """It and all parts in it."""
    if isinstance(part, Mapping):
        yield part
        part = part.values()
    elif not isinstance(part, list):
        return
    for each in part:
        yield from _within(each)
