"""What one process tells the others of a tournament: ids and numbers."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.realtime import layer


@dataclass(frozen=True, slots=True)
class EventMoved:
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


layer.register("tournament-moved", EventMoved)
layer.register("noticed", Noticed)
