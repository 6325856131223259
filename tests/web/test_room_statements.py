"""Pages and resources of the room ask the database no more for many rows than for few."""

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.floor.models import FloorCall
from games.tables.models.offers import Offer, SeatHold, Section
from games.waitlists.models import ListEntry, ListMove
from games.waitlists.queries import tables_wanted
from tests.support.crowd import a_full_room, an_offer
from tests.support.models import CashierRequest, Seat, SeatMove, StaffAction, Stay, Table, TimeCharge, User, Visit
from tests.support.parts.cardroom import access, ledger, members, people
from tests.support.worlds import world

PLAYERS = (
    *("/", "/lobby/", "/lists/", "/lists/{offer}/", "/me/lists/", "/me/seats/", "/me/calls/", "/board/", "/jackpots/"),
    *("/me/statement/", "/me/history/", "/me/cashier/", "/me/card/", "/api/v1/me/transfers"),
    *("/api/v1/tables", "/api/v1/lobby", "/api/v1/board", "/api/v1/lists", "/api/v1/lists/{offer}"),
    *("/api/v1/me/lists", "/api/v1/me/seats", "/api/v1/me/notices", "/api/v1/offers"),
    *("/api/v1/me/cashier", "/api/v1/me/cashier/requests", "/api/v1/me/card", "/api/v1/me/history"),
)
STAFFS = (
    *("/floor/", "/floor/map/", "/floor/map/{table}/", "/floor/lists/", "/floor/lists/side/", "/floor/offers/"),
    *("/floor/tables/{table}/seats/", "/floor/tables/{table}/actions/", "/floor/schedules/", "/floor/sections/"),
    *("/trail/", "/players/?q=p", "/staff/accounts/", "/staff/connections/", "/cage/slips/", "/cage/approvals/"),
    *("/players/{player}/", "/api/v1/players/{player}", "/cage/?player={player}", "/api/v1/cage/players/{player}"),
    *("/api/v1/floor/map", "/api/v1/floor/tables", "/api/v1/sections", "/api/v1/drop-schedules", "/api/v1/trail"),
)
HOUR = timedelta(hours=1)
ROOM = ("/floor/", "/lists/", "/lobby/")
#: The issue's: fewer than fifteen.
MOST = 14
#: The lobby has one's own things above the room's: seats, lists, events, home games, clubs, favourites.
MOST_OF_ALL = {"/": 19, "/lobby/": 15}


class Room:
    def __init__(self):
        self.player = people.make_guest(name="Ann", now=timezone.now())
        self.staff = User.objects.create_user("boss")
        for role in ("floor", "manager"):
            access.grant_role(user=self.staff, role=role, by=None)
        for unit in ("cash", "comp"):
            ledger.wallet(self.player, unit=unit)
        members.register(player=self.player, by=self.staff, now=timezone.now(), name="Ann")
        self.games = 0
        self.grow(2)

    def grow(self, games):
        """More games, each with tables that have a free seat, names on its list, holds, calls, time owed, moves."""
        now = timezone.now()
        for number in range(self.games, self.games + games):
            offer = an_offer(f"Offer {number}", number + 5, 10 + 2 * number, is_physical=bool(number % 2))
            section = Section.objects.create(name=f"Section {number}")
            tables = a_full_room(tables=2, seated=6, offer=offer, section=section)
            self.offer, self.table = offer.pk, tables[0].pk
            for place, seat in enumerate(Seat.objects.filter(table__in=tables).select_related("player", "table")):
                self._seat(seat, offer, place, now)
            self._own(offer, tables[0], now)
        self.games += games

    def _seat(self, seat, offer, place, now):
        FloorCall.objects.create(table=seat.table, player=seat.player, seat=seat.number, note="Come", at=now)
        one = {"table": seat.table, "player": seat.player, "number": seat.number}
        TimeCharge.objects.create(period_start=now, players=6, amount=6, state="owed", at=now, **one)
        Stay.objects.create(sat=SeatMove.objects.create(kind="sat", at=now, **one), sat_at=now, **one)
        waits = User.objects.create_user(f"{seat.player.username}w")
        entry = ListEntry.objects.create(offer=offer, player=waits, source="web", place=place, joined_at=now)
        ListMove.objects.create(entry=entry, verb="joined", why="Joined.", at=now)

    def _own(self, offer, table, now):
        """The player's own: a name on the list, a seat that is held, stays that are over, chips that moved."""
        entry = ListEntry.objects.create(offer=offer, player=self.player, source="web", place=99, joined_at=now)
        ListMove.objects.create(entry=entry, verb="joined", why="Joined.", at=now)
        SeatHold.objects.create(table=table, number=7, player=self.player, why="reserved", at=now)
        for _ in range(2):
            one = {"table": table, "player": self.player, "number": 8}
            sat, left = (SeatMove.objects.create(kind=kind, at=now, **one) for kind in ("sat", "left"))
            Stay.objects.create(sat=sat, sat_at=now, left=left, left_at=now, **one)
            people.issue_play_money(user=self.player, amount=5, reference=f"t:{sat.pk}", reason="a test", now=now)
            visit = {"came_at": now - HOUR, "went_at": now + HOUR}
            Visit.objects.create(player=self.player, where="room", way="desk", **visit)
            CashierRequest.objects.create(player=self.player, kind="deposit", amount=5, at=now)
            members.issue(player=self.player, by=self.staff, now=now)
            StaffAction.objects.create(verb="table.pause", subject=f"table:{table.pk}", by=self.staff, at=now)

    def counts(self, browse, only=()):
        """How many statements each address takes, or only these."""
        found = {}
        for user, addresses in ((self.player, PLAYERS), (self.staff, STAFFS)):
            browser = browse(user)
            for each in (each for each in addresses if not only or each in only):
                address = each.format(offer=self.offer, table=self.table, player=self.player.pk)
                browser.get(address)
                with CaptureQueriesContext(connection) as queries:
                    answer = browser.get(address)
                assert answer.status_code == 200, (address, answer.status_code)
                found[each] = len(queries)
        return found


@world
def room() -> Room:
    return Room()


def test_no_page_or_resource_needs_more_queries_for_more_rows(room, browse):
    few = room.counts(browse)
    room.grow(2)
    many = room.counts(browse)
    assert {each: (few[each], many[each]) for each in few if many[each] > few[each]} == {}
    of_the_room = [each for each in many if each.startswith(ROOM) or each in ("/", "/board/")]
    assert {each: many[each] for each in of_the_room if many[each] > MOST_OF_ALL.get(each, MOST)} == {}


def test_a_list_that_asks_for_a_table_costs_the_floor_and_the_wall_nothing_more(room, browse):
    pages = ("/floor/", "/board/")
    few = room.counts(browse, pages)
    Offer.objects.filter(is_physical=True).update(opens_with=2)
    Table.objects.filter(is_physical=True).update(seat_count=6)
    assert [each.waiting for each in tables_wanted().values()] == [13]
    assert room.counts(browse, pages) == few
    assert max(few.values()) <= MOST
    Table.objects.filter(pk=room.table).update(seat_count=8)
    assert not tables_wanted()
