"""What a socket and the room say to each other: JSON, one object a message, named by its ``type``.

Knows shapes and words, no tables and no people. What comes in is checked here and nowhere else; what goes out is put
together here from facts that have been redacted already. Every message of the room carries ``seq``, the number of the
last fact of the hand it speaks of. Times are milliseconds since the epoch, chips and seats are ints.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

import msgspec

from cardroom.services.errors import CardroomError
from games.engine.facts import Fact

#: The longest message worth reading, in bytes; an honest one has some two hundred.
MOST_BYTES = 4096

Id = Annotated[int, msgspec.Meta(ge=1, le=2**62)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
Key = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]


class Act(msgspec.Struct, tag="act", frozen=True):
    """Fold, check, call, bring in or wager. ``seq``: the last fact the player had seen; ``amount``: a wager's total."""

    hand: Id
    command_id: Key
    action: Word
    seq: Count | None = None
    amount: Count | None = None


class CatchUp(msgspec.Struct, tag="catch_up", frozen=True):
    """Tell me everything after fact ``after`` of ``hand``; without them, everything."""

    hand: Id | None = None
    after: Count = 0


class SitOut(msgspec.Struct, tag="sit_out", frozen=True):
    """Deal me out from the next hand on."""

    command_id: Key | None = None


class ComeBack(msgspec.Struct, tag="come_back", frozen=True):
    """Deal me in again."""

    command_id: Key | None = None


class Dealt(msgspec.Struct, tag="dealer", frozen=True):
    """A dealer enters something, see ``services.entries``; without a hand he starts the next one (``start-hand``)."""

    command_id: Key
    what: Word
    hand: Id | None = None
    seq: Count | None = None
    fields: dict[str, Any] = {}


class Ordered(msgspec.Struct, tag="floor", frozen=True):
    """The floor orders something, see ``services.floor``."""

    hand: Id
    command_id: Key
    what: Word
    reason: str
    seat: Count = 0
    hands: Count = 0
    seq: Count | None = None


def order_of(said: Ordered) -> dict[str, Any]:
    """What ``services.floor.order`` takes of it."""
    return {
        "hand_id": said.hand,
        "what": said.what,
        "seat": said.seat,
        "reason": said.reason,
        "hands": said.hands,
        "expected_seq": said.seq,
        "command_id": said.command_id,
    }


class CallFloor(msgspec.Struct, tag="call_floor", frozen=True):
    """Floor, please."""

    note: str = ""
    command_id: Key | None = None


class AnswerCall(msgspec.Struct, tag="answer_call", frozen=True):
    """The floor comes to the table that called."""

    call: Id
    command_id: Key | None = None


class Ping(msgspec.Struct, tag="ping", frozen=True):
    """Are you there?"""


Message = Act | CatchUp | SitOut | ComeBack | Dealt | Ordered | CallFloor | AnswerCall | Ping

_TYPES = "act, catch_up, sit_out, come_back, dealer, floor, call_floor, answer_call, ping"
_decode = msgspec.json.Decoder(Message).decode
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


def parse(text: str | None) -> Message:
    """The message in ``text`` (None: it came as bytes). Fields nobody asked for are passed over; types are strict.

    Raises ``Malformed`` with a sentence for the person who wrote the client.
    """
    if text is None:
        raise Malformed("Messages are JSON text; this one was binary.", code="not-text", status=415)
    # A character has at least one byte, so what is too long in characters need not be encoded to be seen.
    if len(text) > MOST_BYTES or len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise Malformed(f"A message has at most {MOST_BYTES} bytes.", code="too-large", status=413)
    try:
        try:
            return _decode(text)
        except msgspec.ValidationError as error:
            fault = error
            said = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Malformed(f"This is not JSON: {str(error).rstrip('.')}.", code="not-json") from None
    raise _explained(said, fault)


def _explained(said: Any, fault: msgspec.ValidationError) -> Malformed:
    """Valid JSON, and not one of our messages: say which field, and which command it would have been."""
    if not isinstance(said, dict):
        return Malformed("A message is one JSON object.")
    kind = said.get("type")
    command_id = said.get("command_id")
    echo = command_id if isinstance(command_id, str) and len(command_id) <= 64 else None
    if not isinstance(kind, str):
        return Malformed(f'A message says its "type": one of {_TYPES}.', command_id=echo)
    if kind not in _TYPES.split(", "):
        return Malformed(
            f"There is no message of type {kind[:24]!r}; there are {_TYPES}.", code="unknown-type", command_id=echo
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


def fact_line(seq: int, fact: Fact) -> bytes:
    """``[seq, kind, {...}]`` of a fact that has been redacted for whoever will read it."""
    return _encode((seq, fact.kind, fact))


def clock_of(seat: int, *, bank_from: datetime, deadline: datetime, now: datetime) -> dict[str, int]:
    """``seat`` is to act until ``deadline``, from ``bank_from`` on out of his time bank; ``now`` to set clocks by."""
    return {
        "seat": seat,
        "deadline": milliseconds(deadline),
        "bank_from": milliseconds(bank_from),
        "now": milliseconds(now),
    }


def snapshot(
    *,
    seq: int,
    you: dict[str, Any],
    table: bytes,
    hand: dict[str, int] | None,
    lines: Sequence[bytes],
    clock: dict[str, int] | None,
) -> str:
    return _text(
        type="snapshot", seq=seq, you=you, table=msgspec.Raw(table), hand=hand, facts=_listed(lines), clock=clock
    )


def facts(*, hand: int, number: int | None, seq: int, lines: Sequence[bytes], clock: dict[str, int] | None) -> str:
    """What happened since, up to ``seq``. ``number`` is the hand's at its table."""
    return _text(type="facts", hand=hand, number=number, seq=seq, facts=_listed(lines), clock=clock)


def table(*, seq: int, you: dict[str, Any], table: bytes) -> str:
    return _text(type="table", seq=seq, you=you, table=msgspec.Raw(table))


def clock(*, seq: int, clock: dict[str, int] | None) -> str:
    """The clock by itself; without one nobody is to act."""
    return _text(type="clock", seq=seq, **(clock or dict.fromkeys(("seat", "deadline", "bank_from", "now"))))


def floor(*, tables: list[dict[str, Any]], calls: list[dict[str, Any]]) -> str:
    """Every table at a glance, and the calls that wait."""
    return _text(type="floor", seq=0, tables=tables, calls=calls)


def refused(error: CardroomError, *, seq: int, command_id: str | None = None) -> str:
    return _text(
        type="refused",
        seq=seq,
        command_id=command_id,
        code=error.code,
        message=error.message,
        rule=error.rule,
        status=error.status,
    )


def done(*, seq: int, command_id: str | None) -> str:
    return _text(type="done", seq=seq, command_id=command_id)


def pong(*, seq: int, now: datetime) -> str:
    return _text(type="pong", seq=seq, now=milliseconds(now))


def _text(**message: Any) -> str:
    return _encode(message).decode()


def _listed(lines: Sequence[bytes]) -> msgspec.Raw:
    return msgspec.Raw(b"[" + b",".join(lines) + b"]")
