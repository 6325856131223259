"""What is sent: JSON, of a sane size and depth. And every resource as a page to click through, where a browser asks."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any

import yaml
from django.urls import is_valid_path
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer, BrowsableAPIRenderer, JSONRenderer
from rest_framework.request import override_method

from cardroom.core.errors import CardroomError
from cardroom.core.languages import of_the_api_or_room
from cardroom.core.sentences import filled_lazy

MOST_BYTES = 64 * 1024


class TooLarge(APIException):
    status_code = 413
    default_detail = filled_lazy(gettext_lazy("A request has at most {most:,} bytes."), most=MOST_BYTES)
    default_code = "too-large"


class JSONBody(JSONParser):
    """The framework's parser, which reads a body of any size and breaks down over one of many brackets."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        sent = stream.read(MOST_BYTES + 1)
        if len(sent) > MOST_BYTES:
            raise TooLarge
        try:
            read = self._read(BytesIO(sent), media_type, parser_context)
            # JSON can spell half a character ("\\ud800"), which no answer could quote and no database keep.
            json.dumps(read, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(gettext("This is not JSON: it is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise ParseError(gettext("This is not JSON: half a character (a lone surrogate).")) from None
        return read

    def _read(self, *given: Any) -> Any:
        try:
            return super().parse(*given)
        except ParseError as error:  # which says in English what was looked for
            words, fault = gettext("This is not JSON."), error.__context__
            if isinstance(fault, json.JSONDecodeError):
                words = gettext("This is not JSON: look at line {line}, column {column}.")
                words = words.format(line=fault.lineno, column=fault.colno)
            raise ParseError(words) from None


#: What a reader of YAML 1.2 takes for a number, and the library, which goes by 1.1, for a text: 08, say.
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+")


class _Dumper(yaml.CSafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else "'" if _NUMBER.fullmatch(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


class YAML(BaseRenderer):
    """The document of the API as YAML, which readers of 1.1 and of 1.2 take alike."""

    media_type = "application/vnd.oai.openapi"
    format = "yaml"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        told = json.loads(JSONRenderer().render(data))
        written: str = yaml.dump(told, default_flow_style=False, sort_keys=False, allow_unicode=True, Dumper=_Dumper)
        return written.encode()


class PlainYAML(YAML):
    """The same by its usual name."""

    media_type = "application/yaml"


#: As the documents of the API mark it.
_CODE, _STRONG = re.compile("`+([^`]+)`+"), re.compile(r"\*\*([^*]+)\*\*")


def as_html(text: str) -> SafeString:
    """A text of the documents of the API with its marks: code, and what is strong."""
    coded = _CODE.sub(r"<code>\1</code>", escape(text))
    return mark_safe(_STRONG.sub(r"<strong>\1</strong>", coded))  # noqa: S308  (escaped; the marks are ours)


@dataclass(frozen=True)
class Verb:
    """What can be done with a resource on its page; `needed` and `other`: the fields of its body, by name."""

    method: str
    summary: str
    description: str
    needed: str
    other: str

    @property
    def has_body(self) -> bool:
        return bool(self.needed or self.other)


class Browsable(BrowsableAPIRenderer):
    """A resource as a page of the room: the answer, and a form for each verb that its reader may use."""

    def get_context(self, data: Any, accepted_media_type: Any, renderer_context: Any) -> dict[str, Any]:
        view, request, response = (renderer_context[name] for name in ("view", "request", "response"))
        looks = getattr(view, "verbs", {}).get("get")
        summary = looks.summary if looks else getattr(view, "description", "")
        return {
            "request": request,
            "response": response,
            # The type is that of this page; a program gets JSON.
            "headers": [(name, value) for name, value in sorted(response.items()) if name != "Content-Type"],
            "content": self.get_content(JSONRenderer(), data, accepted_media_type, renderer_context),
            "summary": of_the_api_or_room(summary) if summary else "",
            "steps": _steps(request.path),
            "verbs": [verb for method in view.allowed_methods if (verb := self._verb(view, method, request))],
        }

    def _verb(self, view: Any, method: str, request: Any) -> Verb | None:
        """None for what the reader may not do; by a token a program asks, which has no use for a form."""
        declared = getattr(view, "verbs", {}).get(method.lower())
        if declared is None or method in SAFE_METHODS or request.auth:
            return None
        try:
            declared.allowed(request.user)
        except CardroomError:
            return None
        with override_method(view, request, method) as asked:
            if not self.show_form_for_method(view, method, asked, None):
                return None
        fields = declared.order().fields.items() if declared.order else ()
        needed = ", ".join(name for name, field in fields if field.required)
        other = ", ".join(name for name, field in fields if not field.required)
        told = of_the_api_or_room(declared.description) if declared.description else ""
        return Verb(method, of_the_api_or_room(declared.summary), as_html(told), needed, other)


def _steps(path: str) -> list[tuple[str, str]]:
    """The way to a resource below /api/: each part of its address that leads somewhere, and whereto. One that leads
    nowhere stands with the next."""
    parts, steps, start = path.strip("/").split("/"), [], 1
    for end in range(1, len(parts) + 1):
        address = f"/{'/'.join(parts[:end])}"
        if url := next(filter(is_valid_path, (address, f"{address}/")), None):
            steps.append(("/".join(parts[start:end]), url))
            start = end
    return steps
