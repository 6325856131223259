"""What a tournament's socket and the room say to each other: JSON, one object a message, named by its ``type``.

The room says, each with ``seq`` (the number of the last fact it speaks of) and ``now`` (the server's clock):

``snapshot``  everything: one field for each of ``PARTS``, and ``you``
``moved``     ``changed``: those of the parts that are new, whole; ``you``, if that is
``notice``    something for this player: ``id``, ``kind``, ``text``, ``data`` (as of its kind) and ``at``
``pong``      to a ``ping``; ``sent`` comes back as it came, for measuring the way
``done``, ``refused``

What the parts hold is said in `tournaments.prizes.board`; ``you`` is the player's own part, null for anybody else.
Times are milliseconds since the epoch, or so many milliseconds where they say so; chips, money and places are ints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from cardroom.realtime import layer
from cardroom.realtime.messages import CatchUp, Id, Key, Reader, milliseconds, text

#: What changes by itself, and is told again, whole, when it has.
PARTS = ("event", "clock", "levels", "counts", "payouts", "tables", "moves", "deal")


class Ping(msgspec.Struct, tag="ping", frozen=True):
    """What time is it? ``sent``: the asker's own mark of the moment, any number."""

    sent: float | None = None


class Seen(msgspec.Struct, tag="seen", frozen=True):
    """This notice was shown to me: do not tell me again."""

    notice: Id
    command_id: Key | None = None


Message = Ping | CatchUp | Seen

parse = Reader(Message)

# -- out -------------------------------------------------------------------------------------------------------------


def snapshot(*, seq: int, now: datetime, parts: Mapping[str, bytes], you: bytes) -> str:
    return text(type="snapshot", seq=seq, now=milliseconds(now), **_raw(parts), you=msgspec.Raw(you))


def moved(*, seq: int, now: datetime, changed: Mapping[str, bytes], you: bytes | None = None) -> str:
    """``you`` None: nothing new about the player themselves."""
    own = {} if you is None else {"you": msgspec.Raw(you)}
    return text(type="moved", seq=seq, now=milliseconds(now), changed=_raw(changed), **own)


def notice(*, seq: int, now: datetime, told: Mapping[str, Any]) -> str:
    return text(type="notice", seq=seq, now=milliseconds(now), **told)


def pong(*, seq: int, now: datetime, sent: float | None) -> str:
    return text(type="pong", seq=seq, now=milliseconds(now), sent=sent)


def _raw(parts: Mapping[str, bytes]) -> dict[str, msgspec.Raw]:
    return {name: msgspec.Raw(part) for name, part in parts.items()}


# What one process tells the others of a tournament: ids and numbers.


@dataclass(frozen=True, slots=True)
class Moved:
    """Something happened in a tournament: facts up to ``seq`` are there, or its row has changed."""

    tournament: int
    seq: int = 0

    @property
    def group(self) -> str:
        return group_of(self.tournament)

    @property
    def slot(self) -> tuple[object, ...]:
        return "tournament", self.tournament


@dataclass(frozen=True, slots=True)
class Noticed:
    """A player has something to read."""

    player: int

    @property
    def group(self) -> str:
        return layer.EVERYBODY

    @property
    def slot(self) -> tuple[object, ...]:
        return "noticed", self.player


def group_of(tournament: int) -> str:
    return f"tournament.{tournament}"


layer.register("tournament-moved", Moved)
layer.register("noticed", Noticed)
