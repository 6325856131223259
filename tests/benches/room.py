"""What the pages of a cash room cost: crowded, with 2,000 people in the seats of 260 tables, 650 names on lists, calls,
held seats, time that is owed, and hands enough to tell what pots are like; and old, with ten years of entries in the
ledger.

Everything happens in scratch databases on the server of ``DATABASE_URL``, which are dropped in the end; pages are asked
for as a browser does, in one process, without a socket between. Writing the years takes some minutes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Count
from django.test import Client
from django.utils import timezone

from cardroom.core import access
from cardroom.core.models import User
from cardroom.ledger import ledger, passages
from cardroom.ledger.models import Account
from games.floor.models import FloorCall
from games.rake.models.times import TimeCharge
from games.reports import reports
from games.tables.models.offers import DropSchedule, Offer, SeatHold, Section
from games.tables.models.tables import Hand, Seat, SeatMove, Table, TablePlay
from games.tables.models.times import Stay
from games.waitlists.models import ListEntry, ListMove
from tests.benches import parts, temporary, years

#: What a page may cost: statements and CPU where the room is crowded, time by the clock where it is old.
MOST_QUERIES, MOST_CPU_MS, MOST_MS = 14, 150, 300
ROUNDS = 7


def run(entries: int = 10_000_000, plan: bool = False) -> dict[str, Any]:
    """Costs by address, medians. ``over``: addresses that cost more than they may. ``plan``: the database's own account
    of every statement of the statement page and of a day's report as well."""
    with temporary.room("bench room", ALLOWED_HOSTS="localhost") as environment:
        crowded = parts.call(environment, in_the_crowd)
    with temporary.room("bench room", ALLOWED_HOSTS="localhost") as environment:
        old = parts.call(environment, among_years, entries, plan)
    over = [
        address for address, cost in crowded.items() if cost["queries"] > MOST_QUERIES or cost["cpu_ms"] >= MOST_CPU_MS
    ]
    over += [address for address, cost in old["pages"].items() if cost["ms"] >= MOST_MS]
    return {"crowded": crowded, "old": old, "over": ", ".join(over) or "none"}


def _costs(asked: list[tuple[User, str]]) -> dict[str, Any]:
    """By address, what it costs whom: statements; milliseconds of this process's CPU and by the clock, medians;
    kilobytes. Asked for once before, for what is worked out on first sight."""
    costs = {}
    for user, address in asked:
        browser = _browser(user)
        _get(browser, address)
        with _counting() as statements:
            size = len(_get(browser, address))
        spent = []
        for _ in range(ROUNDS):
            cpu, clock = time.process_time(), time.perf_counter()
            _get(browser, address)
            spent.append((time.process_time() - cpu, time.perf_counter() - clock))
        cpu_ms, ms = (round(median(each) * 1000, 1) for each in zip(*spent, strict=True))
        costs[address] = {"queries": len(statements), "cpu_ms": cpu_ms, "ms": ms, "kb": round(size / 1024)}
    return costs


def _browser(user: User) -> Client:
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _get(browser: Client, address: str) -> bytes:
    answer = browser.get(address)
    if answer.status_code != 200:
        raise temporary.CannotRun(f"{address} answered {answer.status_code}: {answer.content[:300]!r}")
    return bytes(answer.content)


@contextmanager
def _counting() -> Iterator[list[tuple[str, Any]]]:
    """What is asked of the database meanwhile: statements with what they are given."""
    asked: list[tuple[str, Any]] = []

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield asked


OFFERS, TABLES_EACH, SEATS, SEATED = 26, 10, 8, 2_000
NAMES_EACH, CHANGES_EACH, CALLED_EACH = 20, 5, 2
HANDS_EACH, CHIPS = 40, 1_000
#: Of whom it is enough to know that there are some.
FLOOR_CALLS, OWING = 10, 50


def lay_out(now: datetime) -> dict[str, Any]:
    """The room; what its pages are asked about."""
    with transaction.atomic():
        access.ensure_roles()
        staff = User.objects.create(username="floor", password="!")
        for role in ("floor", "manager"):
            access.grant_role(user=staff, role=role, by=None)
        tables = _tables(now)
        seated = _seated(tables, now)
        names = _names(tables, seated, now)
        _hands(tables, now)
        _wants(tables, seated, staff, now)
    return {"staff": staff, "player": names[0], "table": tables[13].pk, "offer": tables[0].offer_id}


def _tables(now: datetime) -> list[Any]:
    """By game; every fifth game is played in the room, every other one for time."""
    rake = DropSchedule.objects.create(name="Rake", caps=[[2, 3]], made_at=now)
    time = DropSchedule.objects.create(name="Time", kind="time", time_charges=[[2, 6]], made_at=now)
    sections = [Section.objects.create(name=f"Section {number}", place=number) for number in range(5)]
    tables = []
    for number in range(OFFERS):
        bet = 5 * (number + 1)
        terms = {"ante": 1, "bring_in": 2, "small_bet": bet, "big_bet": 2 * bet, "min_buy_in": 100, "max_buy_in": CHIPS}
        terms |= {"game": ("seven-card-stud", "stud-eight", "razz")[number % 3], "is_physical": number % 5 == 0}
        terms["drop"] = (rake, time)[number % 2]
        offer = Offer.objects.create(name=f"Game {number}", made_at=now, calls_itself=False, **terms)
        tables += [
            Table(
                name=f"Game {number}, table {each}", offer=offer, section=sections[number % 5], opened_at=now, **terms
            )
            for each in range(TABLES_EACH)
        ]
    tables = Table.objects.bulk_create(tables)
    TablePlay.objects.update(hand_count=500 + HANDS_EACH)
    return tables


def _seated(tables: list[Any], now: datetime) -> list[Any]:
    """In every thirteenth table half of the seats are free."""
    places = [
        (table, number)
        for place, table in enumerate(tables)
        for number in range(1, SEATS // 2 + 1 if place % 13 == 0 else SEATS + 1)
    ][:SEATED]
    people = User.objects.bulk_create(User(username=f"seated{number:04}", password="!") for number in range(SEATED))
    stacks = ledger.open_stacks(
        [(user.pk, f"table:{table.pk}:seat:{number}") for user, (table, number) in zip(people, places, strict=True)],
        unit="cash",
    )
    house = ledger.open_account(kind=Account.Kind.HOUSE, label="play money")
    legs = [(stack, CHIPS) for stack in stacks]
    legs = [(house, -CHIPS * SEATED), *legs]
    ledger.post(
        reference="bench", reason="bench", legs=legs, at=now, passage=passages.rule_passage("bench", CHIPS * SEATED)
    )
    rows = list(zip(people, places, stacks, strict=True))
    since = now - timedelta(hours=2)
    moves = SeatMove.objects.bulk_create(
        SeatMove(table=table, player=user, number=number, kind="sat", amount=CHIPS, at=since)
        for user, (table, number), _ in rows
    )
    Stay.objects.bulk_create(
        Stay(player=move.player, table=move.table, number=move.number, sat=move, sat_at=since) for move in moves
    )
    return Seat.objects.bulk_create(
        Seat(table=table, number=number, player=user, account=stack, counted=CHIPS, time_bank_ms=0, sat_at=since)
        for user, (table, number), stack in rows
    )


def _names(tables: list[Any], seated: list[Any], now: datetime) -> list[Any]:
    """On each list names that wait, some of them called; and players who would like another table."""
    firsts = tables[::TABLES_EACH]
    many = OFFERS * NAMES_EACH
    people = User.objects.bulk_create(User(username=f"waiting{number:04}", password="!") for number in range(many))
    entries, holds = [], []
    for number, user in enumerate(people):
        table, place = firsts[number // NAMES_EACH], number % NAMES_EACH
        one = {"offer_id": table.offer_id, "source": "web", "joined_at": now, "place": place, "player": user}
        free = next((each for each in tables if each.offer_id == table.offer_id and tables.index(each) % 13 == 0), None)
        if place < CALLED_EACH and free is not None:
            until, seat = now + timedelta(hours=1), SEATS - place
            one |= {"state": "called", "called_to": free, "called_number": seat, "call_until": until, "called_at": now}
            holds.append(SeatHold(table=free, number=seat, player=user, why="called", until=until, at=now))
        entries.append(ListEntry(**one))
    by_offer: dict[int, int] = {}
    for seat in seated:
        offer = seat.table.offer_id
        if by_offer.setdefault(offer, 0) < CHANGES_EACH:
            by_offer[offer] += 1
            one = {"source": "web", "joined_at": now, "place": NAMES_EACH + by_offer[offer], "player": seat.player}
            entries.append(ListEntry(offer_id=offer, table=seat.table, kind="table-change", **one))
    made = ListEntry.objects.bulk_create(entries)
    ListMove.objects.bulk_create(ListMove(entry=entry, verb="joined", why="Joined the list.", at=now) for entry in made)
    SeatHold.objects.bulk_create(holds)
    return people


def _hands(tables: list[Any], now: datetime) -> None:
    Hand.objects.bulk_create(
        Hand(
            table=table,
            number=500 + number,
            seats={},
            pot=100 + number,
            started_at=now - timedelta(minutes=2 * (HANDS_EACH - number) + 2),
            ended_at=now - timedelta(minutes=2 * (HANDS_EACH - number)),
        )
        for table in tables
        for number in range(1, HANDS_EACH + 1)
    )


def _wants(tables: list[Any], seated: list[Any], staff: Any, now: datetime) -> None:
    """Calls for the floor, and time that was not paid."""
    FloorCall.objects.bulk_create(
        FloorCall(table=seat.table, player=seat.player, seat=seat.number, note="Who opens?", at=now)
        for seat in seated[: FLOOR_CALLS * SEATS : SEATS]
    )
    owing = {"period_start": now, "players": 8, "amount": 6, "state": "owed", "at": now}
    TimeCharge.objects.bulk_create(
        TimeCharge(table=seat.table, player=seat.player, number=seat.number, **owing)
        for seat in seated[:: SEATED // OWING]
    )


def in_the_crowd() -> dict[str, Any]:
    """What every page and resource costs, by its address."""
    call_command("migrate", verbosity=0, interactive=False)
    room = lay_out(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    table, offer = room["table"], room["offer"]
    player = (
        *("/", "/lobby/", "/?game=razz&has_seat=1", "/lists/", f"/lists/{offer}/", "/me/lists/", "/me/seats/"),
        *("/board/", "/me/calls/", "/api/v1/tables", "/api/v1/lobby", "/api/v1/board", "/api/v1/lists"),
    )
    staff = (
        *("/floor/", "/floor/map/", f"/floor/map/{table}/", "/floor/lists/", "/floor/lists/side/", "/floor/offers/"),
        *(f"/floor/tables/{table}/seats/", f"/floor/tables/{table}/actions/"),
        *("/api/v1/floor/map", "/api/v1/floor/tables"),
    )
    return _costs([(room["player"], each) for each in player] + [(room["staff"], each) for each in staff])


#: Days before today that are kept added up, as each night does it; older ones are read as they happened.
_ADDED_UP = 3


def among_years(entries: int, is_with_plans: bool) -> dict[str, Any]:
    """The statement of the player with the longest one, and reports of a day."""
    call_command("migrate", verbosity=0, interactive=False)
    rows = years.write(entries=entries)
    for each in range(1, _ADDED_UP + 1):
        reports.add_up(day=timezone.localdate() - timedelta(days=each), now=timezone.now())
    often = Stay.objects.values_list("player").annotate(many=Count("pk")).order_by("-many")[0][0]
    first = timezone.localdate(Stay.objects.earliest("pk").sat_at)
    yesterday = timezone.localdate() - timedelta(days=1)
    middle = first + (yesterday - first) / 2
    day = f"since={middle}&until={middle}"
    player = ("/me/statement/", f"/me/statement/?since={middle - timedelta(days=30)}&until={middle}", "/me/history/")
    staff = (
        *(f"/reports/drop/?{day}", f"/reports/drop/?{day}&by=dealer", f"/reports/drop/?{day}&by=table"),
        *(f"/reports/players/?{day}", f"/reports/cage/?{day}"),
        f"/reports/drop/?since={yesterday}&until={yesterday}",
    )
    manager = User.objects.get(username="staff01")
    asked = [(User.objects.get(pk=often), each) for each in player] + [(manager, each) for each in staff]
    told: dict[str, Any] = {"rows": rows, "pages": _costs(asked)}
    if is_with_plans:
        told["plans"] = {address: _plans(user, address) for user, address in (asked[0], asked[len(player)])}
    return told


def _plans(user: User, address: str) -> dict[str, str]:
    """How the database carried out each statement of a page, and in what time."""
    browser = _browser(user)
    _get(browser, address)
    with _counting() as statements:
        _get(browser, address)
    plans = {}
    with connection.cursor() as cursor:
        for number, (sql, params) in enumerate(statements, 1):
            if sql.startswith("SELECT"):
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {sql}", params)
                plan = "\n".join(row[0] for row in cursor.fetchall())
                plans[f"{number}. {sql}"] = f"\n{plan}"
    return plans
