"""An event in the room, ready to be watched: made, entered and started through the services."""

from datetime import timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from cardroom.core import access
from tests.support.events import act
from tests.support.models import Tournament, User
from tests.support.parts.event_rules import EventConfig, Level, Structure, terms
from tests.support.parts.tournaments import registration, starting, tournaments

_numbers = count(1)


def levels(*minutes: int) -> tuple[Level, ...]:
    """Levels of so many minutes each, of rising stakes; a number below 0 is a break."""
    structure: list[Level] = []
    for length in minutes:
        if length < 0:
            structure.append(Level(kind="break", minutes=-length))
            continue
        step = 10 * (1 + sum(level.kind == "level" for level in structure))
        structure.append(Level(minutes=length, ante=step // 5, bring_in=step // 2, small_bet=step, big_bet=2 * step))
    return tuple(structure)


def draft(*, minutes: tuple[int, ...] = (20, 20, -10, 20), starts_in: int = 0, **options: Any) -> Tournament:
    """An event that nobody has been told of. `starts_in`: seconds; `options`: of `EventConfig`."""
    config = EventConfig(Structure(levels(*minutes)), 1000, conduct="room", **options)
    name = f"Event {next(_numbers)}"
    now = timezone.now()
    starts_at = now + timedelta(seconds=starts_in) if starts_in else None
    given = {"name": name, "conduct": "room", "config": terms.to_json(config), "starts_at": starts_at}
    return tournaments.create(by=None, now=now, **given)


def announced_event(**options: Any) -> Tournament:
    """An event whose registration has not opened."""
    return tournaments.announce(tournament_id=draft(**options).pk, by=None, now=timezone.now())


def open_event(*, entrants: int = 0, **options: Any) -> Tournament:
    """An event that takes entries, and `entrants` guests who have entered."""
    now = timezone.now()
    event = tournaments.open_registration(tournament_id=draft(**options).pk, by=None, now=now)
    for number in range(1, entrants + 1):
        registration.register(tournament_id=event.pk, now=now, by=director(), guest=f"Guest {event.pk}.{number}")
    return event


def director() -> User:
    """Somebody who may run events."""
    user, is_new = User.objects.get_or_create(username="director")
    if is_new:
        access.grant_role(user=user, role="director", by=None)
    return user


def start(event: Tournament) -> None:
    starting.start(tournament_id=event.pk, by=None, now=timezone.now())


def enter(event: Tournament, player: User) -> None:
    registration.register(tournament_id=event.pk, now=timezone.now(), by=player, player=player)


def play(event: Tournament, command: Any) -> None:
    """Give a command as the house itself would."""
    act(tournament_id=event.pk, command=command, now=timezone.now())
