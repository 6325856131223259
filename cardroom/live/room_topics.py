"""Which topics of news there are (`cardroom.services.news`), who may hear of each, and how often it is told.

News says only that something changed, so that much may be heard by whoever may open the page that shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from cardroom.models import User
from cardroom.services.access import ROLES
from cardroom.services.errors import CardroomError, Forbidden, NotFound

_OPEN = frozenset({"lobby", "lists", "board", "jackpots", "tournaments"})
#: For whoever is logged in.
_PEOPLES = frozenset({"chat"})
_LIST = re.compile(r"list:[0-9]{1,18}")
_PLAYER = re.compile(r"player:([0-9]{1,18})")

_DESK = frozenset({"floor", "cashier", "manager", "auditor"})
_STAFF = {
    "floor": frozenset({"floor", "dealer", "manager", "auditor"}),
    "hands": frozenset({"floor", "dealer", "manager", "auditor"}),
    "shifts": frozenset({"floor", "dealer", "manager", "auditor"}),
    "cage": frozenset({"cashier", "manager", "auditor"}),
    "approvals": _DESK,
    "players": _DESK,
}

#: Seconds between two tellings of a topic; what happens meanwhile is told with the next.
PAUSE_SECONDS = 0.25
_SLOWER = {"lobby": 1.0, "board": 1.0, "floor": 0.5, "chat": 0.5, "hands": 4.0, "tournaments": 3.0}

#: A crowd is told less often, so that what it asks for takes no more than a sixth of a core.
SECONDS_A_LISTENER = 0.1
MOST_PAUSE_SECONDS = 15.0

MOST_TOPICS = 40


@dataclass(frozen=True, slots=True)
class Asker:
    """Who wants to hear: `user` None for somebody who is not logged in."""

    user: int | None
    roles: frozenset[str] = frozenset()


def pause(topic: str, listeners: int = 0) -> float:
    """Seconds between two tellings of this topic to so many: each of them asks again, and those who play come first."""
    return max(_SLOWER.get(topic, PAUSE_SECONDS), min(listeners * SECONDS_A_LISTENER, MOST_PAUSE_SECONDS))


def refusal(topic: str, asker: Asker) -> CardroomError | None:
    """Why this topic is not told to this asker; None: it is."""
    if topic in _OPEN or _LIST.fullmatch(topic):
        return None
    if topic in _PEOPLES:
        return None if asker.user is not None else Forbidden(f"Log in for the news of {topic!r}.", "login-required")
    if own := _PLAYER.fullmatch(topic):
        if asker.user == int(own[1]):
            return None
        return Forbidden(f"The news of {topic!r} is for that player alone.", "not-yours")
    if topic not in _STAFF:
        known = ", ".join([*sorted(_OPEN | _PEOPLES), "list:<offer>", "player:<user>", *sorted(_STAFF)])
        return NotFound(f"There is no news of {topic[:40]!r}; there is of {known}.", "no-such-topic")
    if asker.roles.isdisjoint(_STAFF[topic]):
        return Forbidden(f"The news of {topic!r} is for staff ({', '.join(sorted(_STAFF[topic]))}).", "role-required")
    return None


def is_staffs(topic: str) -> bool:
    """Whether it takes a role to hear of it."""
    return topic in _STAFF


def roles_held(users: Iterable[int]) -> dict[int, frozenset[str]]:
    """The roles these users, by id, hold now. One query."""
    found: dict[int, set[str]] = {user: set() for user in users}
    held = User.objects.filter(pk__in=found, is_active=True, groups__name__in=ROLES).values_list("pk", "groups__name")
    for user, role in held:
        found[user].add(role)
    return {user: frozenset(roles) for user, roles in found.items()}
