"""The messages of a tournament's socket. The room and a viewer exchange JSON, one object a message, named by its
``type``.

The room says, each with ``seq`` (the number of the last fact it speaks of) and ``now`` (the server's clock):

``snapshot``  everything: one field for each of ``PARTS``, and ``you``
``moved``     ``changed``: those of the parts that are new, whole; ``you``, if that is
``notice``    something for this player: ``id``, ``kind``, ``text``, ``data`` (as of its kind) and ``at``
``pong``      to a ``ping``; ``sent`` comes back as it came, for measuring the way
``done``, ``refused``

`tournaments.prizes.board` says what the parts hold; ``you`` is the player's own part, null for anybody else.
Times are milliseconds since the epoch, or so many milliseconds where they say so; chips, money and places are ints.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from cardroom.realtime.messages import CatchUp, Id, Key, Reader, milliseconds, text

#: The parts of an event, each sent again as a whole when something in it has changed.
PARTS = ("event", "clock", "levels", "counts", "payouts", "tables", "moves", "deal")


class TimedPing(msgspec.Struct, tag="ping", frozen=True):
    """Asks for the time. ``sent``: the sender's own mark of the moment, any number."""

    sent: float | None = None


class Seen(msgspec.Struct, tag="seen", frozen=True):
    """A notice was shown: it is not sent again."""

    notice: Id
    command_id: Key | None = None


Message = TimedPing | CatchUp | Seen


parse = Reader(Message)


def snapshot(*, seq: int, now: datetime, parts: Mapping[str, bytes], you: bytes) -> str:
    return text(type="snapshot", seq=seq, now=milliseconds(now), **_raw(parts), you=msgspec.Raw(you))


def moved(*, seq: int, now: datetime, changed: Mapping[str, bytes], you: bytes | None = None) -> str:
    """``you`` None: nothing new about the player themselves."""
    own = {} if you is None else {"you": msgspec.Raw(you)}
    return text(type="moved", seq=seq, now=milliseconds(now), changed=_raw(changed), **own)


def notice(*, seq: int, now: datetime, values: Mapping[str, Any]) -> str:
    return text(type="notice", seq=seq, now=milliseconds(now), **values)


def pong(*, seq: int, now: datetime, sent: float | None) -> str:
    return text(type="pong", seq=seq, now=milliseconds(now), sent=sent)


def _raw(parts: Mapping[str, bytes]) -> dict[str, msgspec.Raw]:
    return {name: msgspec.Raw(part) for name, part in parts.items()}
