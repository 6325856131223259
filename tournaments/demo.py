"""What the demo room has of tournaments: one about to start online, again and again, one in the room to be run, and the
tournament desk's drawer, which the director has open."""

from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction

from cardroom.cage import books, drawers, vault
from cardroom.cage.models import Drawer, DrawerSession
from cardroom.core import room_time
from cardroom.core.models import User
from cardroom.ledger import ledger
from games import demo
from tournaments import structures
from tournaments.directing import tournaments
from tournaments.engine import config as terms
from tournaments.engine.clock import Structure
from tournaments.engine.config import EventConfig, PayoutTerms
from tournaments.events.models import Tournament
from tournaments.registration import registration

DIRECTOR = ("director", "shuffle-up-and-deal-1", ("director",))
ONLINE, IN_THE_ROOM = "Quarter-Hour Stud", "Guest Night Stud"
MANAGER, DRAWER, _FLOAT = "manager", "Tournament desk", 5_000
_STARTS_IN, _EVERY = timedelta(minutes=3), 15
_BOTS, _MOST = 14, 24
_GUESTS = 12
_ROOM_STARTS_IN = timedelta(hours=1)
#: Levels of three minutes and a third of the usual stack: over in less than half an hour.
_MINUTES, _STACK = 3, 3_000
_PRICE = {"entry": {"pool": 100, "fee": 10}}

State = Tournament.State


def lay_out(*, now: datetime) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Logins (name, password, role) and lines for the operator to read; what is there already stays."""
    new_director, login = demo.person(*DIRECTOR, now=now)
    director = new_director or User.objects.get(username=DIRECTOR[0])
    online = _about_to_start(ONLINE) or _online(director, now=now)
    drawer = _drawer(director, now=now)
    room = _about_to_start(IN_THE_ROOM) or _in_the_room(director, now=now)
    starts = f"starts at {room_time.clock_and_zone(online.starts_at)}" if online.starts_at else "starts soon"
    return [login], [
        f"Tournaments ({_PRICE['entry']['pool']} + {_PRICE['entry']['fee']} play money)",
        f"  {online.name}: {starts}, every {_EVERY} minutes; {_BOTS} bots enter. Enter as player1: /tournaments/",
        f"  {room.name}: {_GUESTS} guests have entered in the room. Run it as {DIRECTOR[0]}: /tournaments/",
        f"  {drawer}: {DIRECTOR[0]} has the drawer open, for cash: /cage/drawers/",
    ]


def _about_to_start(name: str) -> Tournament | None:
    return Tournament.objects.filter(name=name, state__in=[State.ANNOUNCED, State.OPEN]).order_by("-pk").first()


@transaction.atomic
def _drawer(director: User, *, now: datetime) -> Drawer:
    """The drawer of the tournament desk, with a float, and the director at it."""
    open_sessions = DrawerSession.objects.filter(cashier=director).exclude(state=DrawerSession.State.CLOSED)
    if (session := open_sessions.select_related("drawer").first()) is not None:
        return session.drawer
    manager = User.objects.get(username=MANAGER)
    drawer = drawers.make_drawer(name=DRAWER, by=manager, now=now, is_for_events=True)
    if (other := drawer.sessions.exclude(state=DrawerSession.State.CLOSED).first()) is not None:
        drawers.join(session_id=other.pk, by=director, now=now)
        return drawer
    held = ledger.balance(books.drawer_account(drawer))
    session = drawers.open_drawer(drawer_id=drawer.pk, counted=held, by=director, now=now)
    if not held:
        vault.fill(amount=_FLOAT, session_id=session.pk, by=manager, now=now, reason="float")
    return drawer


@transaction.atomic
def _online(director: User, *, now: datetime) -> Tournament:
    config = EventConfig(
        structure=_quick(),
        starting_stack=_STACK,
        max_entrants=_MOST,
        late_level=2,
        payout=PayoutTerms(share_percent=25),
    )
    row = tournaments.create(
        by=director,
        now=now,
        name=ONLINE,
        description=f"House bots and whoever comes: it starts every {_EVERY} minutes, and entry stays open a while.",
        conduct="online",
        config=terms.to_json(config),
        price=_PRICE,
        bots=_BOTS,
        starts_at=now + _STARTS_IN,
        recurs_minutes=_EVERY,
        recurs_times=100_000,
    )
    # No director answers for bots in a hundred thousand events: the demo's operator does.
    return tournaments.open_registration(tournament_id=row.pk, by=None, now=now)


@transaction.atomic
def _in_the_room(director: User, *, now: datetime) -> Tournament:
    preset = structures.load("stud-regular")
    config = EventConfig(structure=preset.structure, starting_stack=preset.stack, conduct="room", late_level=4)
    row = tournaments.create(
        by=director,
        now=now,
        name=IN_THE_ROOM,
        description="An event at physical tables: draw the seats, start the clock, take busts, and pay.",
        conduct="room",
        config=terms.to_json(config),
        price=_PRICE,
        starts_at=now + _ROOM_STARTS_IN,
    )
    tournaments.open_registration(tournament_id=row.pk, by=director, now=now)
    for number in range(1, _GUESTS + 1):
        registration.register(
            tournament_id=row.pk, by=director, guest=f"Guest {number}", method="desk", key=f"demo-{number}", now=now
        )
    return Tournament.objects.get(pk=row.pk)


def _quick() -> Structure:
    """The usual levels, shorter, without their breaks, and no further than the chips go."""
    levels = [level for level in structures.load("stud-turbo").structure.levels if not level.is_break]
    played = [level for level in levels if level.big_bet <= _MOST * _STACK]
    return Structure(tuple(replace(level, minutes=_MINUTES) for level in played))
