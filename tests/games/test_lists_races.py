"""Several at once on one list; and whatever is done in whatever order, nobody is seated twice."""

import contextlib
import random
from functools import partial
from threading import Barrier

import pytest

from cardroom.core.errors import CardroomError, Conflict, Stale
from games.waitlists import calling, filling, joining, store
from tests.support.lists import ListRoom
from tests.support.models import ListEntry, ListMove, Seat, SeatHold, Table
from tests.support.parts.games import locking
from tests.support.racing import race, refusals
from tests.support.tiers import many

ACTORS = 4


@pytest.mark.django_db(transaction=True)
def test_a_player_who_cancels_while_he_is_called_holds_no_seat_and_the_next_is_called():
    room = ListRoom()
    players = room.full()
    ann, bob = room.join("ann"), room.join("bob")
    room.leave(players[0])
    outcomes = race(
        partial(filling.look, offer_id=room.offer.pk, now=room.now),
        partial(joining.leave, entry_id=ann.pk, by=ann.player, now=room.now),
    )
    assert refusals(outcomes, Conflict) == 0
    room.ring()
    assert (room.state(ann), room.state(bob), SeatHold.objects.get().player_id) == ("left", "called", bob.player_id)


@pytest.mark.django_db(transaction=True)
def test_of_several_who_seat_one_name_or_call_one_to_a_seat_one_wins(audited):
    room = ListRoom(is_physical=True, count_tables=2)
    ann = room.join("ann")
    seat = partial(filling.seat, entry_id=ann.pk, buy_in=400, by=room.floor, now=room.now, reason="mine")
    outcomes = race(*(partial(seat, table_id=table.pk) for table in room.tables))
    assert (refusals(outcomes, (Conflict, Stale)), Seat.objects.filter(player=ann.player).count()) == (1, 1)

    bob = room.join("bob")
    call = partial(calling.call_next, table_id=room.table.pk, by=room.floor, player_id=bob.player_id, now=room.now)
    assert refusals(race(*[call] * ACTORS), Conflict) == ACTORS - 1
    assert ListMove.objects.filter(entry=bob, verb="called").count() == SeatHold.objects.count() == 1


@pytest.mark.parametrize("seed", range(many(1, long=3)))
def test_whatever_is_done_in_whatever_order_nobody_is_seated_or_called_twice(seed, audited):
    chance = random.Random(seed)
    room = ListRoom(seat_count=3, count_tables=2, opens_with=4)
    people = [room.player(f"p{number}") for number in range(9)]
    entries: list[ListEntry] = []

    def act() -> None:
        player = chance.choice(people)
        seat = Seat.objects.filter(player=player).first()
        names = ListEntry.objects.filter(player=player, state__in=ListEntry.ACTIVE).order_by("pk")
        mine = chance.choice(names) if names else None
        what = chance.choice(["join", "join", "leave", "answer", "take", "change", "late", "pass"])
        if what == "join":
            entries.append(room.join(player))
        elif what == "leave" and seat is not None:
            room.leave(player, seat.table)
        elif what == "change" and seat is not None:
            kind = chance.choice(["seat-change", "table-change"])
            entries.append(room.join(player, kind=kind, table_id=seat.table_id))
        elif what == "late":
            room.later(minutes=chance.choice([1, 6]))
        elif mine is not None and what == "answer":
            reply = chance.choice(calling.REPLIES)
            calling.answer(entry_id=mine.pk, player=player, reply=reply, now=room.now)
        elif mine is not None and what == "take":
            filling.take_seat(entry_id=mine.pk, player=player, buy_in=500, now=room.now)
        elif mine is not None and what == "pass":
            calling.pass_over(entry_id=mine.pk, by=room.floor, reason="a test", now=room.now)

    for _ in range(many(20, long=40)):
        with contextlib.suppress(CardroomError):
            act()
        room.ring()
        called = ListEntry.objects.filter(state__in=("called", "coming"))
        spots = [(entry.called_to_id, entry.called_number) for entry in called]
        assert len(set(spots)) == len(spots)
        taken = set(Seat.objects.values_list("table", "number"))
        assert not taken & set(SeatHold.objects.values_list("table", "number"))
        assert Seat.objects.values("player").distinct().count() == Seat.objects.count()
    assert ListMove.objects.filter(verb="called", rule="list").count()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.long("shows that the guard is needed; the same race with it stays")
def test_without_the_locks_the_database_itself_has_to_refuse_the_second_call(monkeypatch):
    room = ListRoom(is_physical=True)
    ann = room.join("ann")
    call = partial(calling.call, entry_id=ann.pk, by=room.floor, now=room.now)
    together = Barrier(2)

    def see_together(entry_id):
        entry = ListEntry.objects.select_related("offer", "player", "table", "called_to").get(pk=entry_id)
        together.wait(20)
        return entry

    with monkeypatch.context() as unguarded:
        unguarded.setattr(store, "entry", see_together)
        unguarded.setattr(store, "again", lambda pk: ListEntry.objects.select_related("offer", "player").get(pk=pk))
        unguarded.setattr(locking, "tables", lambda ids: Table.objects.in_bulk(ids))
        unguarded.setattr(locking, "table", lambda pk: Table.objects.get(pk=pk))
        outcomes = race(call, call)
    # Both found him waiting: nobody was told in words that he is called already, as the locks have it.
    assert not [one for one in outcomes if getattr(one, "code", "") == "called"]
    with_locks = race(partial(calling.call, entry_id=room.join("bob").pk, by=room.floor, now=room.now), call)
    assert [one.code for one in with_locks if isinstance(one, CardroomError)] == ["called"]
