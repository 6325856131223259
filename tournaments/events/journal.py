"""The journal of tournaments: events replayed from their facts, and moments as the engine counts them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from cardroom.core.errors import NotFound
from cardroom.core.event_store import EventStore, Receipt, Replayed
from tournaments.engine.commands import Command
from tournaments.engine.config import EventConfig
from tournaments.engine.facts import Fact, from_json, to_json
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events.models import TournamentFact

OpenEvent = Replayed[Engine]


class _Store(EventStore[OpenEvent]):
    model, subject, further, most_kept = TournamentFact, "tournament", ("upto", "by_id"), 64

    from_json = staticmethod(from_json)

    def to_json(self, fact: Fact) -> bytes:
        return msgspec.json.encode(to_json(fact))

    def replay(self, pk: int, facts: list[Fact]) -> OpenEvent:
        if not facts:
            raise NotFound("There is no such event, or its registration has not opened.", "no-such-event")
        return OpenEvent(pk, Engine.replay(facts))

    def marks(self, facts: Sequence[Fact], command_id: str, *, last: int, by: int | None) -> list[tuple[Any, ...]]:
        return [(command_id, last, by), *[("", 0, None)] * (len(facts) - 1)]


store = _Store()
load, receipt, facts, looking, forget = store.load, store.receipt, store.facts, store.looking, store.forget


def begin(tournament_id: int, config: EventConfig, *, at: datetime, now_ms: int, by: int | None = None) -> OpenEvent:
    """Start an event and write down its first facts."""
    event = OpenEvent(tournament_id, Engine.start(config, now_ms))
    store.add(event, event.engine.facts, at=at, by=by)
    return event


def play(
    event: OpenEvent, command: Command, *, at: datetime, now_ms: int, command_id: str = "", by: int | None = None
) -> Receipt:
    """Play a command and write down what follows from it.

    Raises the engine's `IllegalAction` with nothing changed. After any other failure the copy in memory is left alone.
    """
    return store.add(event, event.engine.play(command, now_ms), at=at, command_id=command_id, by=by)


def read(tournament_id: int) -> Engine:
    """An event replayed from its facts: a copy of the caller's own."""
    return store.read(tournament_id).engine


def authors(tournament_id: int, *, after: int = 0) -> dict[int, int | None]:
    """Who gave each command: ids of people (None: the house itself) by the number of the command's first fact."""
    return dict(store.of(tournament_id).filter(seq__gt=after, upto__gt=0).values_list("seq", "by"))


# Between the house's moments, which have a time zone, and the engine's: whole milliseconds since the epoch.


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def ms(moment: datetime) -> int:
    return (moment - _EPOCH) // _MILLISECOND


def moment(ms: int) -> datetime:
    return _EPOCH + ms * _MILLISECOND
