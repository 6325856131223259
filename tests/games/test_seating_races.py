"""Moves, holds and settlements at once, on connections of their own; and what would happen without the locks."""

import random
from functools import partial

import pytest
from django.db import IntegrityError

from cardroom.core.errors import Conflict, NotFound, Refusal
from tests.cardroom.cage_desk import faults, furnished
from tests.support.evening import Evening, in_the_room
from tests.support.models import Alarm, Seat, SeatHold, SeatMove, Slip, Table, Transfer
from tests.support.offers import offer_tables, person, staff
from tests.support.parts.cardroom import approvals, core_audit
from tests.support.parts.games import cash_in, holds, locking, moving, seats, stacks
from tests.support.racing import in_step, race, refusals
from tests.support.seat_storm import AMOUNTS, BUY_INS, Room
from tests.support.tiers import many

pytestmark = pytest.mark.django_db(transaction=True)

ACTORS = 4


@pytest.fixture
def three(evening, open_table) -> list[Evening]:
    """Three tables of one game; at the first a hand is being played by ann and bob."""
    tables = [evening, open_table(), open_table()]
    offer_tables(*tables)
    return tables


def move_of(one: Evening, to: Evening, player, **said):
    asked = {"player": player, "table_id": one.pk, "to_table_id": to.pk, "by": None, "why": "for a test"}
    return partial(moving.move, **asked | said, now=one.now)


def test_two_moves_and_the_end_of_the_hand_at_once_leave_a_player_in_one_seat(three, audited):
    one, two, other = three
    while one.table.street < 7 or one.turn.call:
        one.check_or_call()
    one.check_or_call()  # the next check is the last
    last = partial(one.act, "check", hand_id=one.table.hand_id, player=one.to_act)
    outcomes = race(last, move_of(one, two, one.ann), move_of(one, other, one.ann))
    refusals(outcomes, Refusal)
    for alarm in Alarm.objects.filter(kind=moving.ALARM):
        moving.wake(seat_id=int(alarm.key), now=one.now)
    assert Seat.objects.filter(player=one.ann).count() == 1
    assert not SeatHold.objects.exists()
    assert one.hands_ended == 1


def test_a_repeated_move_is_done_once_and_crossing_moves_do_not_deadlock(three, audited):
    _, two, other = three
    cid = two.sit("cid", buy_in=700)
    outcomes = race(*[move_of(two, other, cid, by=staff(), key="click")] * ACTORS)
    assert (refusals(outcomes, Exception), len({move.pk for move in outcomes})) == (0, 1)
    assert (Transfer.objects.filter(reference__startswith="move:").count(), other.stack(cid)) == (1, 700)
    there = [two.sit(f"t{number}", number) for number in (1, 2)]
    back = [other.sit(f"b{number}", number) for number in (3, 4)]
    crossing = [move_of(two, other, player) for player in there] + [move_of(other, two, player) for player in back]
    assert refusals(race(*crossing), Exception) == 0
    assert {seat.table_id for seat in Seat.objects.filter(player__in=there)} == {other.pk}
    assert {seat.table_id for seat in Seat.objects.filter(player__in=back)} == {two.pk}


def test_of_a_move_a_newcomer_and_a_hold_one_gets_the_seat(three, audited):
    _, two, other = three
    cid, dee, eve = two.sit("cid"), other.player("dee"), other.player("eve")
    sit = partial(seats.sit, table_id=other.pk, by=dee, number=5, buy_in=500, now=other.now)
    held = {"table_id": other.pk, "player": eve, "number": 5, "why": "reserved", "until": None, "by": None}
    hold = partial(holds.hold, **held, now=other.now)
    assert refusals(race(move_of(two, other, cid, number=5), sit, hold), Conflict) == 2
    assert Seat.objects.filter(table=other.pk).count() + SeatHold.objects.count() == 1


@pytest.mark.postgres
def test_four_at_once_do_whatever_they_like_and_no_chip_is_lost_or_made():
    room = Room()
    for who in range(6):
        room.sit(who, who % 3, 500)
    outcomes = race(*[partial(_storm, room, seed) for seed in range(ACTORS)])
    assert refusals(outcomes, Refusal) == 0
    room.ring()
    assert room.chips() == room.issued
    room.check_books()
    assert SeatMove.objects.count() > many(9, long=12)


def _storm(room: Room, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(many(7, long=15)):
        who, where, to = chance.randrange(6), chance.randrange(4), chance.randrange(4)
        act, *said = chance.choice([
            (room.sit, who, where, chance.choice(BUY_INS)),
            (room.top_up, who, where, chance.choice(AMOUNTS)),
            (room.leave, who, where),
            (room.move, who, where, to),
            (room.unseat, who, where),
            (room.charge, where),
            (room.ring,),
            (_play, room, where, chance),
        ])  # fmt: skip
        act(*said)


def _play(room: Room, where: int, chance: random.Random) -> None:
    """Somebody else may act first: then the table is simply elsewhere."""
    try:
        room.play(where, 6, chance)
    except (Refusal, NotFound, AssertionError, Seat.DoesNotExist, AttributeError, TypeError):
        return


@pytest.mark.postgres
@pytest.mark.long("shows that the guard is needed; the same race with it stays")
def test_without_the_locks_only_the_database_keeps_a_player_from_two_seats(three, monkeypatch, audited):
    _, two, other = three
    cid = two.sit("cid")
    monkeypatch.setattr(locking, "tables", in_step(Table.objects.in_bulk, 2))
    monkeypatch.setattr(stacks, "seat_of", in_step(stacks.seat_of, 2))
    outcomes = race(move_of(two, other, cid, number=5), move_of(two, other, cid, number=6))
    assert refusals(outcomes, IntegrityError) == 1  # not in words: the player was about to sit twice
    assert Seat.objects.filter(player=cid).count() == 1


@pytest.mark.parametrize("verdict", ["approve", "refuse", "take back"])
def test_a_repeated_cash_request_does_not_deadlock_and_is_taken_once(verdict):
    table = in_the_room()
    room = furnished(table.now)
    hosts = [person(name, "floor") for name in ("flo", "fla", "flu")]
    for _ in range(3):
        given = {"table_id": table.pk, "player": person(room.key()), "amount": 500}
        about = {"approval_id": cash_in.cash_in(**given, by=hosts[0]).pk}
        decided = {
            "approve": partial(approvals.decide, **about, by=room.cay, approve=True),
            "refuse": partial(approvals.decide, **about, by=room.mia, approve=False, reason="no money came"),
            "take back": partial(approvals.take_back, **about, by=hosts[0]),
        }[verdict]
        outcomes = race(decided, *[partial(cash_in.cash_in, **given, by=host) for host in hosts])
        refusals(outcomes, Refusal)
        taken = Slip.objects.filter(player=given["player"])
        assert taken.count() == (verdict == "approve")
        assert Seat.objects.filter(player=given["player"]).count() == taken.count()
        assert (faults(), core_audit.check()) == ([], [])
