"""What follows from facts outside the engine, whoever brought them about: notices to players, prizes to be paid.

Who has something to do then registers here, in `AppConfig.ready`; `playing.holding` calls it once, on the way out.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from tournaments.engine.facts import Fact
from tournaments.services.locking import Locked


class Follower(Protocol):
    """Called with the event locked, in the transaction that wrote these facts; nothing more is played by it. The same
    facts may come twice where one transaction holds an event more than once."""

    def __call__(self, locked: Locked, facts: Sequence[Fact], *, now: datetime) -> None: ...


_followers: list[Follower] = []


def register(follower: Follower) -> None:
    if follower not in _followers:
        _followers.append(follower)


def follow(locked: Locked, *, now: datetime) -> None:
    """Tell everybody registered what is new in an event that is held."""
    if locked.event is None:
        return
    facts = locked.state.facts[locked.event.seq :]
    if facts:
        for follower in _followers:
            follower(locked, facts, now=now)
