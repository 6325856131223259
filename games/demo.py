"""The cash room of the demo: sections, games on offer with rake and with time, tables online and in the room, a
must-move pair, lists with names on them, and the staff who run it."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from cardroom.accounts import people
from cardroom.cage import drawers, vault
from cardroom.core import access, approvals, room_time
from cardroom.core.errors import Conflict
from cardroom.core.models import User
from cardroom.core.sentences import Wording
from games.dealers import downs
from games.floor import sections, shifts
from games.play import opening, seating, tables
from games.rake import drop_schedules, jackpots
from games.tables import offers
from games.tables.models.offers import DropSchedule, Offer, Section
from games.tables.models.tables import Table
from games.training.problems import making as problems
from games.waitlists import joining

STAFF = (
    ("cashier", "count-it-twice-1", ("cashier",)),
    ("manager", "house-rules-1", ("manager",)),
    ("owner", "two-pairs-of-eyes-1", ("manager",)),
    ("auditor", "follow-the-chips-1", ("auditor",)),
)
SECTIONS = ("Main room", "Window", "Online")
RAKED, TIMED, ROOM, NEW = "Stud 15/30", "Razz 30/60", "Stud 20/40 live", "Stud-8 10/20 live"
DRAWER, JACKPOT = "Cage 1", "Regent bad beat"
VAULT = 200_000
FOR_THE_DEMO = Wording("demo.chips", "chips for the demo")
_CHIPS = 5_000
_BUY_IN = 800

#: Seated at the two tables in the room, waiting for a seat there, and interested in a game that does not go yet.
_FIRST = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel")
_SECOND = ("Juniper", "Larch", "Maple", "Oak", "Poplar", "Rowan", "Spruce")
_WAITING = ("Acacia", "Bramble", "Cypress")
_INTERESTED = ("Willow", "Yew")
#: Dealers: at the two tables, and the one who is next.
_DEALERS = ("Quince", "Sorrel", "Teasel")

Login = tuple[str, str, str]


@dataclass(frozen=True)
class _DemoRoom:
    manager: User
    owner: User
    now: datetime

    def offer(self, name: str, drop: DropSchedule, **terms: object) -> Offer:
        return offers.create(by=self.manager, now=self.now, name=name, drop_id=drop.pk, **terms)

    def open(self, offer: Offer, section: Section, **more: object) -> Table:
        return opening.open_for(offer_id=offer.pk, by=self.manager, now=self.now, section_id=section.pk, **more)

    def guests(self, names: tuple[str, ...]) -> list[User]:
        guests = [people.make_guest(name=name, now=self.now) for name in names]
        for guest in guests:
            people.issue_play_money(
                user=guest, amount=_CHIPS, reference=f"demo-guest:{guest.pk}", reason=FOR_THE_DEMO(), now=self.now
            )
        return guests


def lay_out(*, now: datetime) -> tuple[list[Login], list[str]]:
    """Lay out what is not there yet. Returns logins (name, password, role), and lines that describe the room."""
    staff = [person(*row, now=now)[1] for row in STAFF]
    manager, owner = (User.objects.get(username=name) for name in ("manager", "owner"))
    if not Offer.objects.exists() and all(user.groups.filter(name="manager").exists() for user in (manager, owner)):
        _lay_out(_DemoRoom(manager, owner, now))
    problems.make(room_time.today(now), now=now)
    return staff, [
        "The cash room",
        f"  online: {RAKED} (rake, with a must-move table) and {TIMED} (time); join, or take the list: /",
        f"  in the room: {ROOM}, two tables and a list; {NEW} with names who would play",
        f"  jackpot: {JACKPOT}, grown by {RAKED}: /jackpots/; what manager asks for, owner approves: /cage/approvals/",
        "  Run it as floor: /floor/. The wall's board: /board/. The cage as cashier: /cage/.",
        "  Dealers and the shift as floor: /shifts/. Reports as manager: /reports/.",
    ]


@transaction.atomic
def _lay_out(room: _DemoRoom) -> None:
    main, window, online = (sections.create(name=name, by=room.manager, now=room.now) for name in SECTIONS)
    drawers.make_drawer(name=DRAWER, by=room.manager, now=room.now)
    request = {"reason": "for the demo: opening balance", "by": room.manager, "now": room.now}
    approval = vault.vault(amount=VAULT, **request)
    approvals.decide(approval_id=approval.pk, by=room.owner, approve=True, now=room.now)
    _jackpot(room)
    drop = {"promo": 1, "jackpot": 1, "promo_from": 100, "jackpot_name": JACKPOT}
    rake = drop_schedules.save(by=room.manager, now=room.now, name="Rake 5 %, at most 5, and a jackpot", **drop)
    time = drop_schedules.save(
        by=room.manager, now=room.now, name="Time 6 per half hour", kind="time", time_charges=[[2, 4], [5, 6]]
    )
    _online(room, online, rake, time)
    _in_the_room(room, main, window, time)


def _jackpot(room: _DemoRoom) -> None:
    """A jackpot that one manager asks for and another one approves."""
    approval = jackpots.ask(
        name=JACKPOT,
        least_hand="AsAhAdTsTh",
        least_downcards=1,
        least_players=3,
        seed=2_500,
        by=room.manager,
        reason="for the demo",
        now=room.now,
    )
    approvals.decide(approval_id=approval.pk, by=room.owner, approve=True, now=room.now)


def _online(room: _DemoRoom, section: Section, rake: DropSchedule, time: DropSchedule) -> None:
    stakes = {"ante": 2, "bring_in": 5, "small_bet": 15, "big_bet": 30, "min_buy_in": 300, "max_buy_in": 1_500}
    stud = room.offer(RAKED, rake, **stakes, opens_with=4, comp_per_hour=10)
    first = room.open(stud, section, name="Regent", bots=6)
    room.open(stud, section, name="Regent Two", bots=3, must_move_to_id=first.pk)
    stakes = {"ante": 5, "bring_in": 10, "small_bet": 30, "big_bet": 60, "min_buy_in": 600, "max_buy_in": 3_000}
    razz = room.offer(TIMED, time, **stakes, game="razz", comp_per_hour=20)
    room.open(razz, section, name="Causeway", bots=4)


def _in_the_room(room: _DemoRoom, main: Section, window: Section, time: DropSchedule) -> None:
    stakes = {"ante": 3, "bring_in": 5, "small_bet": 20, "big_bet": 40, "min_buy_in": 400, "max_buy_in": 2_000}
    stud = room.offer(ROOM, time, **stakes, is_physical=True, comp_per_hour=15)
    stakes = {"ante": 1, "bring_in": 3, "small_bet": 10, "big_bet": 20, "min_buy_in": 200, "max_buy_in": 1_000}
    eight = room.offer(NEW, time, **stakes, game="stud-eight", is_physical=True, opens_with=2)
    free = [
        tables.add(name=f"Table {number}", by=room.manager, now=room.now, section_id=section.pk)
        for number, section in ((1, main), (2, main), (3, window))
    ]
    first = room.open(stud, main, table_id=free[0].pk)
    second = room.open(stud, main, table_id=free[1].pk, must_move_to_id=first.pk)
    for table, names in ((first, _FIRST), (second, _SECOND)):
        for number, guest in enumerate(room.guests(names), 1):
            seating.seat(table_id=table.pk, player=guest, number=number, buy_in=_BUY_IN, by=room.manager, now=room.now)
    _dealers(room, [first, second])
    for offer, names in ((stud, _WAITING), (eight, _INTERESTED)):
        for guest in room.guests(names):
            joining.join(offer_id=offer.pk, player=guest, source="desk", by=room.manager, now=room.now)


def _dealers(room: _DemoRoom, tables_: list[Table]) -> None:
    """Open a shift; clock a dealer in at each of these tables, and one more who waits for the push."""
    if shifts.current() is None:
        shifts.open_(name="Evening", by=room.manager, now=room.now)
    dealers = [people.make_guest(name=name, now=room.now) for name in _DEALERS]
    for dealer in dealers:
        access.grant_role(user=dealer, role="dealer", by=None)
    for dealer, table in zip(dealers, tables_, strict=False):
        downs.clock_in(dealer=dealer, by=room.manager, table_id=table.pk, now=room.now)
    downs.start(dealer=dealers[-1], by=room.manager, now=room.now)


def person(name: str, password: str, roles: tuple[str, ...] = (), *, now: datetime) -> tuple[User | None, Login]:
    """A person of the demo and their login; None and the login where the name is taken already."""
    role = " and ".join(roles) or "player"
    try:
        return people.make_player(name=name, password=password, now=now, roles=roles), (name, password, role)
    except Conflict:
        return None, (name, "(somebody changed it)", role)
