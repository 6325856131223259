"""Many tables with many people at them, written straight into the database: for what pages show and cost."""

import time
from collections.abc import Callable
from itertools import count
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.support.models import Account, Offer, Seat, Table, User
from tests.support.pages import get

_numbers = count(1)


def an_offer(name: str, small_bet: int, big_bet: int, **more: Any) -> Offer:
    given = {"ante": 1, "bring_in": 2, "min_buy_in": 10 * big_bet, "max_buy_in": 50 * big_bet}
    given["made_at"] = timezone.now()
    return Offer.objects.create(name=name, small_bet=small_bet, big_bet=big_bet, **given | more)


def a_full_room(*, tables: int, seated: int, offer: Offer | None = None, **more: Any) -> list[Table]:
    """`tables` tables of an offer with `seated` people each. The stacks are empty accounts: nobody plays here."""
    now = timezone.now()
    first = next(_numbers) * 1000
    game = offer or an_offer(f"Game {first}", 15, 30)
    shared = ("game", "structure", "ante", "bring_in", "small_bet", "big_bet", "min_buy_in", "max_buy_in")
    given = {name: getattr(game, name) for name in (*shared, "seat_count", "is_physical")}
    given |= {"offer": offer, "opened_at": now} | more
    names = [f"T{first} table {number}" for number in range(1, tables + 1)]
    opened = Table.objects.bulk_create([Table(name=name, **given) for name in names])
    everybody = [User(username=f"p{first}x{number}") for number in range(tables * seated)]
    people = User.objects.bulk_create(everybody, batch_size=500)
    stacks = [Account(kind=Account.Kind.STACK, owner=user, label=f"crowd:{user.username}") for user in people]
    Account.objects.bulk_create(stacks, batch_size=500)
    seats = [
        Seat(table=opened[n // seated], number=n % seated + 1, player=user, account=stack, time_bank_ms=0, sat_at=now)
        for n, (user, stack) in enumerate(zip(people, stacks, strict=True))
    ]
    Seat.objects.bulk_create(seats, batch_size=500)
    return opened


def drawn_cheaply(browser: Client, address: str, *, statements: int) -> str:
    """The page at this address; asked for again it takes no more than so many statements, and little time."""
    get(browser, address)
    with CaptureQueriesContext(connection) as queries:
        page = get(browser, address)
    assert len(queries) <= statements, (address, len(queries))
    spent: list[float] = []
    # In units of counting, which other tests beside make as slow; `bench room` holds it to seconds.
    while not spent or min(spent) >= 8:
        assert len(spent) < 3, (address, spent)
        unit = _processor_time(lambda: sum(number % 7 for number in range(1_000_000)))
        spent.append(_processor_time(lambda: get(browser, address)) / unit)
    return page


def _processor_time(does: Callable[[], object]) -> float:
    begun = time.process_time()
    does()
    return time.process_time() - begun
