"""Several at once at the tables of an event, and many tables at once."""

import time
from functools import partial

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from cardroom.core.errors import Conflict
from games.play import event_seats, hands, receivers, seats
from tests.support.event_tables import STACK, UNIT, issued, open_event
from tests.support.models import Hand, Seat, User
from tests.support.racing import race, refusals


@pytest.mark.django_db(transaction=True)
def test_moves_at_once_wait_in_no_ring_and_a_move_and_a_deal_leave_him_in_one_seat_and_hand(director, audited):
    one, two = open_event(8, 8)
    ann, *_ = one.seat_people("ann", "bob", "cid")
    dee, *_ = two.seat_people("dee", "eve", "fay")
    move = partial(event_seats.move_players, now=one.now)
    outcomes = race(
        partial(move, moves=[(ann.pk, one.pk, two.pk, 7)], reference="there"),
        partial(move, moves=[(dee.pk, two.pk, one.pk, 7)], reference="back"),
    )
    assert (refusals(outcomes, Exception), two.seat_of(ann).number, one.seat_of(dee).number) == (0, 7, 7)
    outcomes = race(
        partial(move, moves=[(ann.pk, two.pk, one.pk, 8)], reference="moved"),
        *(partial(event_seats.deal, table_id=each.pk, players_left=6, now=one.now) for each in (one, two)),
    )
    was_too_late = refusals(outcomes, Conflict)
    assert Seat.objects.get(player=ann).table_id == (two.pk if was_too_late else one.pk)
    assert [sitter["player"] for hand in Hand.objects.all() for sitter in hand.seats.values()].count(ann.pk) <= 1
    assert issued() == 6 * STACK


@pytest.mark.django_db(transaction=True)
def test_several_alarms_at_once_deal_one_hand_and_his_action_his_clock_and_his_lost_socket_agree(director, audited):
    (one,) = open_event(8, extra_seconds=(240,), extra_cap_seconds=600)
    one.seat_people("ann", "bob")
    row = one.release().table
    one.now = row.wake_at
    ring = partial(receivers.wake, table_id=one.pk, fence=row.version, now=one.now)
    outcomes = race(ring, ring, ring)
    assert (refusals(outcomes, Exception), Hand.objects.count()) == (0, 1)
    assert [dealt.code for dealt in director.said].count("") == 1
    assert one.table.wake_at == one.table.deadline, "whoever came second has not stopped the clock"

    row, player = one.table, one.to_act
    outcomes = race(
        partial(hands.act, hand_id=row.hand_id, player=player, action="bring-in", now=one.now),
        partial(hands.heard, table_id=one.pk, player_id=player.pk, is_here=False, now=one.now),
        partial(seats.sit_out, table_id=one.pk, player=player, now=one.now),
    )
    assert (refusals(outcomes, Exception), one.seat_of(player).gone_at) == (0, one.now)
    assert one.table.clocks[str(row.to_act)][3] is True
    one.play_out()


@pytest.mark.postgres
def test_many_tables_are_seated_with_a_constant_number_of_statements_for_each():
    few, seconds = _seated(tables=5)
    many, more_seconds = _seated(tables=25)
    assert (many - few) / 20 <= 4, "two to store a table, and part of a transfer"
    assert more_seconds < 20 * max(seconds, 0.05)


def _seated(*, tables: int) -> tuple[int, float]:
    """How many statements and seconds it took to draw the seats of so many full tables."""
    opened = open_event(*[8] * tables)
    mark = User.objects.count()
    users = User.objects.bulk_create(User(username=f"p{mark}x{number}") for number in range(8 * tables))
    drawn = [(opened[n // 8].pk, n % 8 + 1, user.pk, STACK) for n, user in enumerate(users)]
    began = time.perf_counter()
    with CaptureQueriesContext(connection) as said, transaction.atomic():
        event_seats.seat_players(
            unit=UNIT, seats=drawn, time_bank_ms=60_000, reference=f"draw:{mark}", now=opened[0].now
        )
    assert Seat.objects.filter(table__in=[each.pk for each in opened]).count() == 8 * tables
    return len(said), time.perf_counter() - began
