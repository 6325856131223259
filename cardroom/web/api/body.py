"""Reading what was sent: JSON, of a sane size and depth."""

import json
from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

MOST_BYTES = 64 * 1024


class TooLarge(APIException):
    status_code = 413
    default_detail = f"A request has at most {MOST_BYTES:,} bytes."
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
            read = super().parse(BytesIO(sent), media_type, parser_context)
            # JSON can spell half a character ("\\ud800"), which no answer could quote and no database keep.
            json.dumps(read, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError("JSON parse error - nested too deeply") from None
        except UnicodeEncodeError:
            raise ParseError("JSON parse error - half a character (a lone surrogate)") from None
        return read
