"""The messages between a socket and the room: JSON, one object a message, named by its ``type``.

Knows shapes and words, no tables and no people. The room's messages are put together here from facts that have been
redacted already; each has ``seq``, the number of the last fact of the hand that it is about. Times are milliseconds
since the epoch, chips and seats are ints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import msgspec

from cardroom.realtime import layer
from cardroom.realtime.messages import Id, Key, Ping, Reader, encode_part, milliseconds, text
from games.engine.facts.base import Fact
from games.engine.games import GAMES, describe

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]


class ActMessage(msgspec.Struct, tag="act", frozen=True):
    """Fold, check, call, bring in or wager. ``seq``: the last fact the player had seen; ``amount``: a wager's total."""

    hand: Id
    command_id: Key
    action: Word
    seq: Count | None = None
    amount: Count | None = None


class CatchUpMessage(msgspec.Struct, tag="catch_up", frozen=True):
    """Ask for everything after fact ``after`` of ``hand``; without them, for everything."""

    hand: Id | None = None
    after: Count = 0


class SitOutMessage(msgspec.Struct, tag="sit_out", frozen=True):
    """Sit out from the next hand on."""

    command_id: Key | None = None


class ComeBackMessage(msgspec.Struct, tag="come_back", frozen=True):
    """Be dealt in again."""

    command_id: Key | None = None


class CutMessage(msgspec.Struct, tag="cut", frozen=True):
    """Cut the next deck, the one with this ``root``."""

    root: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    words: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    command_id: Key | None = None


class DealerMessage(msgspec.Struct, tag="dealer", frozen=True):
    """A dealer enters something, see ``dealing.entries``; without a hand they start the next one (``start-hand``)."""

    command_id: Key
    what: Word
    hand: Id | None = None
    seq: Count | None = None
    fields: dict[str, Any] = {}


class FloorOrderMessage(msgspec.Struct, tag="floor", frozen=True):
    """An order of the floor, see ``floor.rulings``."""

    hand: Id
    command_id: Key
    what: Word
    reason: str
    seat: Count = 0
    hands: Count = 0
    seq: Count | None = None


def order_of(message: FloorOrderMessage) -> dict[str, Any]:
    """The arguments of ``floor.rulings.order`` in it."""
    return {
        "hand_id": message.hand,
        "what": message.what,
        "seat": message.seat,
        "reason": message.reason,
        "hands": message.hands,
        "expected_seq": message.seq,
        "command_id": message.command_id,
    }


class CallFloorMessage(msgspec.Struct, tag="call_floor", frozen=True):
    """Call the floor to the table. `kind`: floor, decision, chips or drinks."""

    note: str = ""
    kind: str = "floor"
    command_id: Key | None = None


class AnswerCallMessage(msgspec.Struct, tag="answer_call", frozen=True):
    """The floor answers the call of a table."""

    call: Id
    command_id: Key | None = None


Message = (
    ActMessage
    | CatchUpMessage
    | SitOutMessage
    | ComeBackMessage
    | CutMessage
    | DealerMessage
    | FloorOrderMessage
    | CallFloorMessage
    | AnswerCallMessage
    | Ping
)

parse = Reader(Message)


#: The description for clients of every game that a table may deal, by its slug.
_GAMES = msgspec.Raw(encode_part({slug: describe(game) for slug, game in GAMES.items()}))


def fact_line(seq: int, fact: Fact) -> bytes:
    """``[seq, kind, {...}]`` of a fact that has been redacted for its readers."""
    return encode_part((seq, fact.kind, fact))


def clock_of(seat: int, *, bank_from: datetime, deadline: datetime, extra_ms: int = 0, now: datetime) -> dict[str, int]:
    """``seat`` is to act until ``deadline``, from ``bank_from`` on out of their time bank; ``extra``: milliseconds
    before that which they have because they lost touch; ``now`` to set clocks by."""
    return {
        "seat": seat,
        "deadline": milliseconds(deadline),
        "bank_from": milliseconds(bank_from),
        "extra": extra_ms,
        "now": milliseconds(now),
    }


def snapshot(
    *,
    seq: int,
    you: dict[str, Any],
    table: bytes,
    hand: int | None,
    number: int | None,
    lines: Sequence[bytes],
    clock: dict[str, int] | None,
) -> str:
    """Everything that a viewer needs at the beginning. ``hand`` and ``number`` as in ``facts``; None where no hand is
    on the table."""
    hand_fields = {"hand": hand, "number": number, "facts": _json_array(lines), "clock": clock, "games": _GAMES}
    return text(type="snapshot", seq=seq, you=you, table=msgspec.Raw(table), **hand_fields)


def facts(*, hand: int, number: int | None, seq: int, lines: Sequence[bytes], clock: dict[str, int] | None) -> str:
    """New facts, up to ``seq``. ``number`` is the hand's at its table."""
    return text(type="facts", hand=hand, number=number, seq=seq, facts=_json_array(lines), clock=clock)


def table(*, seq: int, you: dict[str, Any], table: bytes) -> str:
    return text(type="table", seq=seq, you=you, table=msgspec.Raw(table))


def clock(*, seq: int, clock: dict[str, int] | None) -> str:
    """The clock alone; without one nobody is to act."""
    return text(type="clock", seq=seq, **(clock or dict.fromkeys(("seat", "deadline", "bank_from", "extra", "now"))))


def floor(*, tables: list[dict[str, Any]], calls: list[dict[str, Any]]) -> str:
    """Every hand in progress, and the open calls."""
    return text(type="floor", seq=0, tables=tables, calls=calls)


def _json_array(lines: Sequence[bytes]) -> msgspec.Raw:
    return msgspec.Raw(b"[" + b",".join(lines) + b"]")


@dataclass(frozen=True, slots=True)
class Nudge:
    """A message between processes, ids and numbers and never a card: something happened at a table, facts up to ``seq``
    of ``hand``, or (``is_table_due``) to the table itself."""

    table: int
    hand: int = 0
    seq: int = 0
    is_table_due: bool = False

    @property
    def group(self) -> str:
        return group_of(self.table)

    @property
    def slot(self) -> tuple[object, ...]:
        return self.table, self.is_table_due


def group_of(table: int) -> str:
    return f"table.{table}"


layer.register("nudge", Nudge)
