"""JSON messages as every socket of the room reads and writes them: one object a message, named by its ``type``.

The messages themselves are listed in each app's own protocol. What comes in is checked here: types are strict, unknown
fields are ignored. A socket may send so many messages a second. What goes out waits in a queue of limited length: a
socket that reads too slowly loses what was queued for it; once it has read the rest, ``on_room`` says how far it got,
and its feed goes on from there.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, get_args

import msgspec
from django.utils.translation import gettext

from cardroom.core.errors import Refusal, Verbatim
from cardroom.core.malformed import fault_of
from cardroom.realtime import frames

# The rate limit


PER_SECOND = 20.0
AT_ONCE = 20.0


@dataclass(slots=True)
class Pace:
    """A bucket of ``AT_ONCE`` messages that fills again at ``per_second``. Times are seconds of any steady clock."""

    at: float
    left: float = AT_ONCE
    per_second: float = PER_SECOND

    def allows(self, now: float) -> bool:
        """Take one message out, if there is one left."""
        self.left = min(AT_ONCE, self.left + (now - self.at) * self.per_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


#: The longest message worth reading, in bytes; an honest one has some two hundred.
MOST_BYTES = 4096

Key = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]

Id = Annotated[int, msgspec.Meta(ge=1, le=2**62)]


class Ping(msgspec.Struct, tag="ping", frozen=True):
    """Are you there? ``hidden``: whether nobody looks at the page that asks; a program shows none."""

    hidden: bool | None = None


class CatchUp(msgspec.Struct, tag="catch_up", frozen=True):
    """Tell me everything again."""


_encode = msgspec.json.Encoder().encode


#: Of messages that are refused for more than what they say.
_STATUS = {"not-text": 415, "too-large": 413}


class Malformed(Refusal):
    """Not a message. ``command_id``: of the command it would have been, if that could be made out."""

    code = "malformed"

    def __init__(self, code: str, pattern: str, /, *, command_id: str | None = None, **values: Any) -> None:
        super().__init__(code, pattern, **values)
        self.status = _STATUS.get(code, 400)
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
            raise Malformed("not-text", "Messages are JSON text; this one was binary.")
        # A character has at least one byte, so what is too long in characters need not be encoded to be seen.
        if len(text) > MOST_BYTES or len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
            raise Malformed("too-large", "A message has at most {most:,} bytes.", most=MOST_BYTES)
        try:
            try:
                return self._decode(text)
            except msgspec.ValidationError as error:
                fault = error
                sent = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise Malformed("not-json", Verbatim(_no_json(error))) from None
        raise self._explained(sent, fault)

    def _explained(self, sent: Any, fault: msgspec.ValidationError) -> Malformed:
        """Valid JSON, and not one of our messages: say which field, and which command it would have been."""
        if not isinstance(sent, dict):
            return Malformed("malformed", "A message is one JSON object.")
        kind = sent.get("type")
        command_id = sent.get("command_id")
        echo = command_id if isinstance(command_id, str) and len(command_id) <= 64 else None
        types = ", ".join(self._types)
        if not isinstance(kind, str):
            return Malformed("malformed", 'A message says its "type": one of {types}.', types=types, command_id=echo)
        if kind not in self._types:
            return Malformed(
                "unknown-type",
                "There is no message of type {kind!r}; there are {types}.",
                kind=kind[:24],
                types=types,
                command_id=echo,
            )
        return Malformed(
            "malformed",
            "The message {kind!r} is malformed: {where}.",
            kind=kind,
            where=fault_of(fault),
            command_id=echo,
        )


def _no_json(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return gettext("This is not JSON: it is nested too deeply.")
    if isinstance(error, UnicodeError):
        return gettext("This is not JSON: half a character (a lone surrogate).")
    if match := re.search(r"\(byte (\d+)\)$", str(error)):
        return gettext("This is not JSON: look at byte {n}.").format(n=match[1])
    if "truncated" in str(error):
        return gettext("This is not JSON: it ends too soon.")
    return gettext("This is not JSON: a number is out of range.")


def milliseconds(moment: datetime) -> int:
    """Since the epoch."""
    return round(moment.timestamp() * 1000)


def encode_part(part: Any) -> bytes:
    """A part of a message, put together once to be sent many times."""
    return _encode(part)


def text(**message: Any) -> str:
    """The whole message; parts that are encoded already come as ``msgspec.Raw``."""
    return _encode(message).decode()


def refusal_message(error: Refusal, *, seq: int, command_id: str | None = None) -> str:
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


# The queue of one socket


#: Messages that may wait for one socket: several hands' worth, some ten kilobytes.
MOST_QUEUED = 64
#: A socket that has taken nothing for so many seconds is given up.
PATIENCE = 30.0

#: How far a message brings its reader; the feed's own, passed through.
Mark = tuple[int, int] | None


class Outbox:
    """What one socket is sent, in order; ``send`` is the ASGI send. A message is written at once where nothing waits
    before it and the socket takes it; else it is queued, and a task writes the queue while there is one."""

    __slots__ = (
        "_busy_since",
        "_line",
        "_loop",
        "_on_room",
        "_queue",
        "_send",
        "_task",
        "_written",
        "is_behind",
        "is_ending",
    )

    def __init__(self, send: Callable[[dict[str, Any]], Awaitable[None]], *, on_room: Callable[[Mark], None]) -> None:
        self._send = send
        self._line = frames.line_to(send)
        self._on_room = on_room
        self._queue: list[tuple[dict[str, Any], Mark]] = []
        self._task: asyncio.Task[None] | None = None
        self._written: Mark = None
        self._loop = asyncio.get_running_loop()
        self._busy_since: float | None = None
        #: The socket is being closed.
        self.is_ending = False
        #: Something was dropped: there is no point in queueing more before the reader has caught up.
        self.is_behind = False

    def put(self, text: str, mark: Mark = None, frame: bytes | None = None) -> None:
        """Write a message or queue it; ``frame``: the same, from ``frame_of``, where it is sent to many. If there is no
        room for it, everything in the queue is dropped."""
        if self.is_behind or self.is_ending:
            return
        if self._task is None and self._line is not None and self._line.write(frame or frames.frame_of(text)):
            self._written = mark or self._written
            return
        if len(self._queue) >= MOST_QUEUED:
            self._queue.clear()
            self.is_behind = True
        else:
            self._queue.append(({"type": "websocket.send", "text": text}, mark))
        self._begin()

    def end(self, code: int, reason: str) -> None:
        """Close the socket when what is queued has been written; nothing is queued after this."""
        if not self.is_ending:
            self.is_ending = True
            self._queue.append(({"type": "websocket.close", "code": code, "reason": reason}, None))
            self._begin()

    def stop(self) -> None:
        """Stop writing: the socket is closed."""
        self.is_ending = True
        if self._task is not None:
            self._task.cancel()

    @property
    def is_stuck(self) -> bool:
        """Whether the other end has read nothing for too long."""
        return self._busy_since is not None and self._loop.time() - self._busy_since > PATIENCE

    def _begin(self) -> None:
        if self._task is None:
            # It has nothing of the task that it begins in, such as the language.
            self._task = self._loop.create_task(self._write(), context=Context())

    async def _write(self) -> None:
        while self._queue or self.is_behind:
            while self._queue:
                message, mark = self._queue.pop(0)
                self._busy_since = self._loop.time()
                try:
                    await self._send(message)
                except Exception:
                    self.is_ending = True
                    return  # the other end went away, and its disconnect comes in by its own way
                self._written = mark or self._written
            self._busy_since = None
            if self.is_behind:
                self.is_behind = False
                self._on_room(self._written)
        self._task = None
