"""JSON messages as every socket of the room reads and writes them: one object a message, named by its ``type``.

Which messages there are is each app's own protocol's. What comes in is checked here and nowhere else: types are strict,
fields nobody asked for are passed over.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, get_args

import msgspec

from cardroom.services.errors import CardroomError

#: The longest message worth reading, in bytes; an honest one has some two hundred.
MOST_BYTES = 4096

Key = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]

_encode = msgspec.json.Encoder().encode


class Malformed(CardroomError):
    """Not a message. ``command_id``: of the command it would have been, if that could be made out."""

    code = "malformed"

    def __init__(
        self, message: str, code: str | None = None, *, status: int = 400, command_id: str | None = None
    ) -> None:
        super().__init__(message, code)
        self.status = status
        self.command_id = command_id


class Reader:
    """Reads the messages of one protocol: ``union`` is their union type, each a tagged struct."""

    def __init__(self, union: Any) -> None:
        self._types = [member.__struct_config__.tag for member in get_args(union)]
        self._decode = msgspec.json.Decoder(union).decode

    def __call__(self, text: str | None) -> Any:
        """The message in ``text`` (None: it came as bytes).

        Raises ``Malformed`` with a sentence for the person who wrote the client.
        """
        if text is None:
            raise Malformed("Messages are JSON text; this one was binary.", code="not-text", status=415)
        # A character has at least one byte, so what is too long in characters need not be encoded to be seen.
        if len(text) > MOST_BYTES or len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
            raise Malformed(f"A message has at most {MOST_BYTES} bytes.", code="too-large", status=413)
        try:
            try:
                return self._decode(text)
            except msgspec.ValidationError as error:
                fault = error
                said = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise Malformed(f"This is not JSON: {str(error).rstrip('.')}.", code="not-json") from None
        raise self._explained(said, fault)

    def _explained(self, said: Any, fault: msgspec.ValidationError) -> Malformed:
        """Valid JSON, and not one of our messages: say which field, and which command it would have been."""
        if not isinstance(said, dict):
            return Malformed("A message is one JSON object.")
        kind = said.get("type")
        command_id = said.get("command_id")
        echo = command_id if isinstance(command_id, str) and len(command_id) <= 64 else None
        types = ", ".join(self._types)
        if not isinstance(kind, str):
            return Malformed(f'A message says its "type": one of {types}.', command_id=echo)
        if kind not in self._types:
            return Malformed(
                f"There is no message of type {kind[:24]!r}; there are {types}.", code="unknown-type", command_id=echo
            )
        where = str(fault).replace("`$.", "`").replace(" - at ", ", at ")
        return Malformed(f"The message {kind!r} is malformed: {where}.", command_id=echo)


# -- out -------------------------------------------------------------------------------------------------------------


def milliseconds(moment: datetime) -> int:
    """Since the epoch."""
    return round(moment.timestamp() * 1000)


def encoded(part: Any) -> bytes:
    """A part of a message, put together once to be sent many times."""
    return _encode(part)


def text(**message: Any) -> str:
    """The whole message; parts that are encoded already come as ``msgspec.Raw``."""
    return _encode(message).decode()


def refused(error: CardroomError, *, seq: int, command_id: str | None = None) -> str:
    return text(
        type="refused",
        seq=seq,
        command_id=command_id,
        code=error.code,
        message=error.message,
        rule=error.rule,
        status=error.status,
    )


def done(*, seq: int, command_id: str | None) -> str:
    return text(type="done", seq=seq, command_id=command_id)


def pong(*, seq: int, now: datetime) -> str:
    return text(type="pong", seq=seq, now=milliseconds(now))
