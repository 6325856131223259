"""The forms of requests and answers: JSON bodies of a sane size and depth, and the document of the API as YAML."""

import json
import re
from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

import yaml
from django.utils.translation import gettext, gettext_lazy
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer, JSONRenderer

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
        plain = json.loads(JSONRenderer().render(data))
        written: str = yaml.dump(plain, default_flow_style=False, sort_keys=False, allow_unicode=True, Dumper=_Dumper)
        return written.encode()


class PlainYAML(YAML):
    """The same by its usual name."""

    media_type = "application/yaml"
