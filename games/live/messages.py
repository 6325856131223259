"""What a socket and the room say to each other: JSON, one object a message, named by its ``type``.

Knows shapes and words, no tables and no people. What goes out is put together here from facts that have been
redacted already. Every message of the room carries ``seq``, the number of the last fact of the hand it speaks of. Times
are milliseconds since the epoch, chips and seats are ints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import msgspec

from cardroom.realtime import layer
from cardroom.realtime.messages import Id, Key, Ping, Reader, encoded, milliseconds, text
from games.engine.facts.base import Fact
from games.engine.games import GAMES, describe

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]


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


class Cut(msgspec.Struct, tag="cut", frozen=True):
    """Cut the next deck, the one with this ``root``."""

    root: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    words: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    command_id: Key | None = None


class Dealt(msgspec.Struct, tag="dealer", frozen=True):
    """A dealer enters something, see ``dealing.entries``; without a hand they start the next one (``start-hand``)."""

    command_id: Key
    what: Word
    hand: Id | None = None
    seq: Count | None = None
    fields: dict[str, Any] = {}


class Ordered(msgspec.Struct, tag="floor", frozen=True):
    """The floor orders something, see ``floor.rulings``."""

    hand: Id
    command_id: Key
    what: Word
    reason: str
    seat: Count = 0
    hands: Count = 0
    seq: Count | None = None


def order_of(said: Ordered) -> dict[str, Any]:
    """What ``floor.rulings.order`` takes of it."""
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
    """Floor, please: `kind` floor, decision, chips or drinks."""

    note: str = ""
    kind: str = "floor"
    command_id: Key | None = None


class AnswerCall(msgspec.Struct, tag="answer_call", frozen=True):
    """The floor comes to the table that called."""

    call: Id
    command_id: Key | None = None


Message = Act | CatchUp | SitOut | ComeBack | Cut | Dealt | Ordered | CallFloor | AnswerCall | Ping

parse = Reader(Message)


#: Every game a table may deal, by its slug: what a client has to know of it.
_GAMES = msgspec.Raw(encoded({slug: describe(game) for slug, game in GAMES.items()}))


def fact_line(seq: int, fact: Fact) -> bytes:
    """``[seq, kind, {...}]`` of a fact that has been redacted for whoever will read it."""
    return encoded((seq, fact.kind, fact))


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
    """Everything to begin with. ``hand`` and ``number`` as in ``facts``; None where none is on the table."""
    told = {"hand": hand, "number": number, "facts": _listed(lines), "clock": clock, "games": _GAMES}
    return text(type="snapshot", seq=seq, you=you, table=msgspec.Raw(table), **told)


def facts(*, hand: int, number: int | None, seq: int, lines: Sequence[bytes], clock: dict[str, int] | None) -> str:
    """What happened since, up to ``seq``. ``number`` is the hand's at its table."""
    return text(type="facts", hand=hand, number=number, seq=seq, facts=_listed(lines), clock=clock)


def table(*, seq: int, you: dict[str, Any], table: bytes) -> str:
    return text(type="table", seq=seq, you=you, table=msgspec.Raw(table))


def clock(*, seq: int, clock: dict[str, int] | None) -> str:
    """The clock by itself; without one nobody is to act."""
    return text(type="clock", seq=seq, **(clock or dict.fromkeys(("seat", "deadline", "bank_from", "extra", "now"))))


def floor(*, tables: list[dict[str, Any]], calls: list[dict[str, Any]]) -> str:
    """List every hand in progress, and the calls that wait."""
    return text(type="floor", seq=0, tables=tables, calls=calls)


def _listed(lines: Sequence[bytes]) -> msgspec.Raw:
    return msgspec.Raw(b"[" + b",".join(lines) + b"]")


# Messages between processes: ids and numbers, never a card


@dataclass(frozen=True, slots=True)
class Nudge:
    """Something happened at a table: facts up to ``seq`` of ``hand``, or (``is_table_due``) to the table itself."""

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
