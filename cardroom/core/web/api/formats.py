"""What is sent: JSON, of a sane size and depth. And every resource as a page to click through, where a browser asks."""

import json
import re
from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from django.utils.translation import gettext, gettext_lazy
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BrowsableAPIRenderer, JSONRenderer

from cardroom.core.languages import filled_lazy

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


# In the framework's own markup; what people wrote is escaped and holds no quotation mark.
_INLINE_STYLE = re.compile(r' style="[^"]*"')


class Browsable(BrowsableAPIRenderer):
    """The framework's pages without styles of their own, which our Content-Security-Policy refuses."""

    def get_default_renderer(self, view: Any) -> JSONRenderer:
        return JSONRenderer()

    def get_breadcrumbs(self, request: Any) -> list[tuple[str, str]]:
        """Breadcrumbs without repeats: an address answers with a slash at its end too."""
        steps = dict.fromkeys((name, url.rstrip("/")) for name, url in super().get_breadcrumbs(request))
        return list(steps)

    def get_context(self, data: Any, accepted_media_type: Any, renderer_context: Any) -> dict[str, Any]:
        return super().get_context(data, accepted_media_type, renderer_context) | {"code_style": None}

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> str:
        return _INLINE_STYLE.sub("", super().render(data, accepted_media_type, renderer_context))
