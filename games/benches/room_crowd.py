"""A crowded room for the benchmark of its pages: 2,000 people in the seats of 260 tables, 650 names on lists,
calls, held seats, time that is owed, and hands enough to tell what pots are like. ``python -m`` this, on an empty
database, lays it out and prints what its pages and resources cost.
"""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")

OFFERS, TABLES_EACH, SEATS, SEATED = 26, 10, 8, 2_000
NAMES_EACH, CHANGES_EACH, CALLED_EACH = 20, 5, 2
HANDS_EACH, CHIPS = 40, 1_000
#: Of whom it is enough to know that there are some.
FLOOR_CALLS, OWING = 10, 50


def lay_out(now: datetime) -> dict[str, Any]:
    """The room; what its pages are asked about."""
    from django.db import transaction

    from cardroom.core import access
    from cardroom.core.models import User

    with transaction.atomic():
        access.ensure_roles()
        staff = User.objects.create(username="floor", password="!")  # noqa: S106, it is none
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
    from games.tables.models.offers import DropSchedule, Offer, Section
    from games.tables.models.tables import Table

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
                name=f"Game {number}, table {each}",
                offer=offer,
                section=sections[number % 5],
                opened_at=now,
                hand_count=500 + HANDS_EACH,
                **terms,
            )
            for each in range(TABLES_EACH)
        ]
    return Table.objects.bulk_create(tables)


def _seated(tables: list[Any], now: datetime) -> list[Any]:
    """In every thirteenth table half of the seats are free."""
    from cardroom.core.models import User
    from cardroom.ledger import ledger
    from cardroom.ledger.models import Account
    from games.tables.models.tables import Seat, SeatMove
    from games.tables.models.times import Stay

    places = [
        (table, number)
        for place, table in enumerate(tables)
        for number in range(1, SEATS // 2 + 1 if place % 13 == 0 else SEATS + 1)
    ][:SEATED]
    people = User.objects.bulk_create(User(username=f"seated{number:04}", password="!") for number in range(SEATED))  # noqa: S106
    stacks = ledger.open_stacks(
        [(user.pk, f"table:{table.pk}:seat:{number}") for user, (table, number) in zip(people, places, strict=True)],
        unit="cash",
    )
    house = ledger.open_account(kind=Account.Kind.HOUSE, label="play-money")
    legs = [(stack, CHIPS) for stack in stacks]
    ledger.post(reference="bench", reason="bench", legs=[(house, -CHIPS * SEATED), *legs], at=now)
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
    from cardroom.core.models import User
    from games.tables.models.offers import ListEntry, ListMove, SeatHold

    firsts = tables[::TABLES_EACH]
    many = OFFERS * NAMES_EACH
    people = User.objects.bulk_create(User(username=f"waiting{number:04}", password="!") for number in range(many))  # noqa: S106
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
    from games.tables.models.tables import Hand

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
    from games.tables.models.offers import FloorCall
    from games.tables.models.times import TimeCharge

    FloorCall.objects.bulk_create(
        FloorCall(table=seat.table, player=seat.player, seat=seat.number, note="Who opens?", at=now)
        for seat in seated[: FLOOR_CALLS * SEATS : SEATS]
    )
    owing = {"period_start": now, "players": 8, "amount": 6, "state": "owed", "at": now}
    TimeCharge.objects.bulk_create(
        TimeCharge(table=seat.table, player=seat.player, number=seat.number, **owing)
        for seat in seated[:: SEATED // OWING]
    )


def measure(room: dict[str, Any]) -> dict[str, Any]:
    """What every page and resource costs, by its address."""
    from games.benches.asking import Asking

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
    asked = [(room["player"], each) for each in player] + [(room["staff"], each) for each in staff]
    return {address: Asking(user).costs(address) for user, address in asked}


def main() -> None:
    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    call_command("migrate", verbosity=0, interactive=False)
    room = lay_out(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    print(json.dumps(measure(room)))  # noqa: T201


if __name__ == "__main__":
    main()
