"""Reading what was sent: JSON, of a sane size and depth."""

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
            return super().parse(BytesIO(sent), media_type, parser_context)
        except RecursionError:
            raise ParseError("JSON parse error - nested too deeply", "parse_error") from None
