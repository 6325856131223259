"""Two doors at once: what each would refuse alone is refused to one of two who come at the same moment."""

from datetime import UTC, datetime
from functools import partial

import pytest

from tests.cardroom.cage_desk import faults, furnished, person
from tests.support.evening import Evening, in_the_room
from tests.support.models import Alarm, Seat
from tests.support.offers import offer_tables
from tests.support.parts.cardroom import Conflict, Illegal, Refusal, bans, drawers, ledger, limits, slips
from tests.support.parts.games import cage_window, seating, seats
from tests.support.racing import race, refusals

pytestmark = pytest.mark.django_db(transaction=True)


def sit(table: Evening, player) -> partial:
    return partial(seats.sit, table_id=table.pk, by=player, buy_in=500, now=table.now)


@pytest.mark.parametrize("limit", ["one table of a game", "losses of his own choice"])
def test_a_limit_holds_for_who_sits_down_at_three_tables_at_once(open_table, limit):
    tables = [open_table() for _ in range(3)]
    ann = tables[0].player("ann")
    if limit == "one table of a game":
        offer_tables(*tables, tables_per_player=1)
    else:
        limits.request_limit(by=ann, kind="loss-day", amount=700, now=tables[0].now)
    outcomes = race(*[sit(table, ann) for table in tables])
    assert (refusals(outcomes, Illegal), Seat.objects.get(player=ann).number, tables[0].wallet(ann)) == (2, 1, 9_500)


def test_in_the_room_nobody_is_seated_in_two_places_at_once():
    tables = [in_the_room(), in_the_room()]
    offer_tables(*tables, is_physical=True)
    ann, floor = tables[0].player("ann"), person("flo", "floor")
    said = {"player": ann, "buy_in": 500, "by": floor, "now": tables[0].now}
    outcomes = race(*[partial(seating.seat, table_id=table.pk, **said) for table in tables])
    assert (refusals(outcomes, Conflict), Seat.objects.filter(player=ann).count()) == (1, 1)


def test_a_player_banned_while_sitting_down_is_not_left_in_the_seat(open_table, audited):
    table = open_table()
    manager = person("mia", "manager")
    for number in range(4):
        ann = table.player(f"ann{number}")
        ban = partial(bans.ban, player=ann, reason="cheating", by=manager, now=table.now)
        refusals(race(sit(table, ann), ban), Refusal)
        assert not Seat.objects.filter(player=ann).exists()
    assert not Alarm.objects.filter(kind=bans.ALARM).exists()


@pytest.fixture
def windows():
    """Two cashiers with drawers, and a table online where pia sits with 400 and has 2,600 in her wallet."""
    room = furnished(datetime(2030, 1, 5, 20, 0, tzinfo=UTC))
    other = drawers.make_drawer(name="Window 2", by=room.mia, now=room.now)
    drawers.open_drawer(drawer_id=other.pk, counted=5_000, from_vault=5_000, by=room.cal, now=room.now)
    slips.deposit(player=room.pia, amount=3_000, by=room.cay, now=room.now)
    room.table, room.other = Evening(), Evening()
    room.table.sit(room.pia, buy_in=400)
    return room


def test_the_windows_of_the_cage_and_a_table_online_wait_for_each_other_in_no_ring(windows):
    said = {"player": windows.pia, "now": windows.now}
    for number in range(4):
        outcomes = race(
            partial(cage_window.pay_out, table_id=windows.table.pk, by=windows.cay, **said),
            *[partial(slips.deposit, amount=10, by=windows.cal, key=f"{number}:{one}", **said) for one in range(2)],
        )
        assert refusals(outcomes, ()) == 0
        windows.table.sit(windows.pia, buy_in=400)
    left = 3_000 - 400 + 80 - 4 * 400
    assert (ledger.balance(ledger.wallet(windows.pia)), faults()) == (left, [])
    outcomes = race(
        partial(cage_window.buy_in, table_id=windows.other.pk, amount=500, by=windows.cay, **said),
        partial(seats.top_up, table_id=windows.table.pk, amount=100, by=windows.pia, now=said["now"]),
        partial(slips.deposit, amount=10, by=windows.cal, **said),
    )
    assert (refusals(outcomes, ()), ledger.balance(ledger.wallet(windows.pia)), faults()) == (0, left - 100 + 10, [])
