"""What is sent: JSON, of a sane size and depth. And every resource as a page to click through, where a browser asks."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any

from django.urls import is_valid_path
from django.utils.translation import gettext, gettext_lazy
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BrowsableAPIRenderer, JSONRenderer
from rest_framework.request import override_method

from cardroom.core.errors import CardroomError
from cardroom.core.languages import filled_lazy, of_the_api_or_room

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


@dataclass(frozen=True)
class Verb:
    """What can be done with a resource on its page, and the body to begin with; None where it takes none."""

    method: str
    summary: str
    body: str | None
    is_for_good: bool


class Browsable(BrowsableAPIRenderer):
    """A resource as a page of the room: the answer, and a form for each verb that its reader may use."""

    def get_context(self, data: Any, accepted_media_type: Any, renderer_context: Any) -> dict[str, Any]:
        view, request = renderer_context["view"], renderer_context["request"]
        looks = getattr(view, "verbs", {}).get("get")
        return {
            "request": request,
            "response": renderer_context["response"],
            "content": self.get_content(JSONRenderer(), data, accepted_media_type, renderer_context),
            "description": of_the_api_or_room(looks.summary) if looks else getattr(view, "description", ""),
            "steps": self._steps(request.path),
            "verbs": [verb for method in view.allowed_methods if (verb := self._verb(view, method, request))],
        }

    def _steps(self, path: str) -> list[tuple[str, str]]:
        """The parts of the address below the host, each that is one by itself, and where it leads."""
        parts = path.strip("/").split("/")
        urls = [f"/{'/'.join(parts[: at + 1])}{'/' * (at == 1)}" for at in range(len(parts))]
        return [(part, url) for part, url in zip(parts, urls, strict=True) if is_valid_path(url)]

    def _verb(self, view: Any, method: str, request: Any) -> Verb | None:
        declared = getattr(view, "verbs", {}).get(method.lower())
        if declared is None or method in SAFE_METHODS:
            return None
        try:
            declared.allowed(request.user)
        except CardroomError:
            return None
        with override_method(view, request, method) as asked:
            if not self.show_form_for_method(view, method, asked, None):
                return None
        fields = declared.order().fields if declared.order else {}
        needed = {name: field.get_initial() for name, field in fields.items() if field.required}
        body = json.dumps(needed, indent=2, ensure_ascii=False, default=str) if fields else None
        return Verb(method, of_the_api_or_room(declared.summary), body, is_for_good=method == "DELETE")
