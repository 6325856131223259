"""What alarms of the cash room do survives a kill at any moment: nothing is half done, and it is done once after it."""

from functools import partial

import pytest

from cardroom.core.errors import Refusal
from tests.support.killed import again_and_again
from tests.support.lists import ListRoom
from tests.support.models import Alarm, ListEntry, ListMove, Notice, SeatHold, SeatMove, StaffAction, Table
from tests.support.offers import Games, staff
from tests.support.parts.games import filling, holds, moving, opening, receivers, store, tables
from tests.support.racing import race, refusals
from tests.support.worlds import world


@world
def game() -> Games:
    """A table with ann, bob and cid, the hand over, and another table of the game with a single seat free."""
    room = Games()
    offer = room.offer()
    room.first = room.open(offer)
    room.people = [room.sit(name, number) for number, name in enumerate(("ann", "bob", "cid"), 1)]
    room.deal()
    room.other = room.open(offer, seat_count=2)
    room.sit("dan", 1)
    return room.at(room.first)


def test_a_game_that_breaks_up_is_whole_before_and_after_a_kill_in_the_middle(game, audited):
    tables.break_up(table_id=game.pk, by=game.floor, reason="Short", now=game.now)
    game.play_out()
    table = game.table
    held = {player: game.stack(player) for player in game.people}

    break_up = partial(receivers.wake, table_id=game.pk, fence=table.version, now=table.wake_at)

    def nothing_happened():
        now = game.table
        assert (now.state, now.version, now.seats.count()) == ("breaking", table.version, 3)
        assert not ListEntry.objects.exists()
        assert game.other.seats.count() == 1
        assert not Notice.objects.filter(kind="broke").exists()

    assert again_and_again(break_up, step=11, between=nothing_happened) >= 5
    assert (game.table.state, game.table.seats.count()) == ("closed", 0)
    moved = game.at(game.other).seat_of(game.people[0])
    assert (moved.number, game.stack(game.people[0])) == (2, held[game.people[0]])
    assert list(ListEntry.objects.values_list("player__username", "tier")) == [("bob", 0), ("cid", 0)]
    assert SeatMove.objects.filter(kind=SeatMove.Kind.MOVED).count() == 1
    assert not break_up()


def test_a_move_that_waited_for_the_end_of_a_hand_is_made_once_after_a_kill(game, audited):
    bob, other = game.people[1], game.other
    said = {"by": game.floor, "why": "balance", "now": game.now, "key": "m"}
    move = moving.move(player=bob, table_id=game.pk, to_table_id=other.pk, **said)
    assert move.kind == SeatMove.Kind.MOVING
    game.play_out()
    stack, alarm = game.stack(bob), Alarm.objects.get(kind=moving.ALARM)

    def nothing_happened():
        assert (game.stack(bob), other.seats.count()) == (stack, 1)
        assert SeatHold.objects.filter(table=other, player=bob).count() == 1

    wake = partial(moving.wake, seat_id=int(alarm.key), now=game.now)
    assert again_and_again(wake, step=5, between=nothing_happened) >= 3
    wake()
    assert not game.table.seats.filter(player=bob).exists()
    assert (game.at(other).stack(bob), other.seats.count()) == (stack, 2)
    assert not SeatHold.objects.exists()
    assert SeatMove.objects.filter(kind=SeatMove.Kind.MOVED, player=bob).count() == 1


def test_a_call_from_the_list_is_made_once_and_to_one_seat_after_a_kill():
    room = ListRoom(seat_count=2)
    first, _ = room.full()
    waiting = [room.join("ann"), room.join("bob")]
    room.leave(first)
    ring = partial(filling.wake, key=Alarm.objects.filter(kind=store.FILL_ALARM).first().key, now=room.now)

    def no_seat_is_given_twice():
        assert ListEntry.objects.filter(state=ListEntry.State.CALLED).count() == SeatHold.objects.count() <= 1

    assert again_and_again(ring, step=5, between=no_seat_is_given_twice) >= 3
    ring()
    assert [room.state(entry) for entry in waiting] == ["called", "waiting"]
    assert ListMove.objects.filter(verb="called").count() == 1
    hold = SeatHold.objects.get()
    assert (hold.player, hold.table_id) == (waiting[0].player, room.table.pk)
    assert Notice.objects.filter(player=waiting[0].player).count() == 1

    # and what follows when nobody answers: the player's time is over, the seat goes to the next, once
    room.later(minutes=6)
    called = room.entry(waiting[0])
    expire = partial(filling.wake_call, entry_id=called.pk, fence=called.version, now=room.now)
    assert again_and_again(expire, step=5, between=no_seat_is_given_twice) >= 2
    assert not expire()
    room.ring()
    assert [room.state(entry) for entry in waiting] == ["waiting", "called"]
    assert holds.free_seats(room.table, waiting[1].player, now=room.now) == [hold.number]


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_two_openers_at_once_open_one_table_each_closed_one_only_once(audited):
    room = Games()
    offer = room.offer(is_physical=True)
    free = tables.add(name="Table 1", by=room.manager, now=room.now)
    openers = [room.floor, staff("floor", "flo")]
    open_it = partial(opening.open_for, offer_id=offer.pk, table_id=free.pk, now=room.now)
    outcomes = race(*(partial(open_it, by=by) for by in openers))
    assert (refusals(outcomes, Refusal), Table.objects.get(pk=free.pk).state) == (1, "open")
    assert StaffAction.objects.filter(verb="tables.open_for").count() == 1

    closed = room.open(room.offer("Online"))
    tables.close(table_id=closed.pk, by=room.floor, now=room.now)
    outcomes = race(*(partial(tables.reopen, table_id=closed.pk, by=by, now=room.now) for by in openers))
    assert (refusals(outcomes, Refusal), Table.objects.get(pk=closed.pk).state) == (0, "open")
    assert StaffAction.objects.filter(verb="tables.reopen").count() == 1
