"""Names on lists: getting on and off, being called, coming, and what happens by itself. Every move says why."""

import contextlib
import random
from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound, Refusal, Stale
from cardroom.core.sentences import to_text
from games.waitlists import calling, choosing, filling, joining, store
from tests.support.lists import ListRoom, full_room
from tests.support.models import Alarm, Ban, ListEntry, ListMove, Notice, Seat, SeatHold, StaffAction, Table
from tests.support.parts.games import list_reasons, locking
from tests.support.racing import race, refusals
from tests.support.refusals import refused
from tests.support.tiers import many
from tests.support.worlds import world

room = world(full_room)


@world
def ann(room) -> ListEntry:
    """The first name on the list."""
    return room.join("ann")


@world
def bob(room, ann) -> ListEntry:
    return room.join("bob")


@world
def called(room, bob) -> None:
    """A seat came free, and ann is called to it; bob waits."""
    room.leave(room.players[0]).ring()


def test_a_name_joins_once_by_key_and_a_senseless_wish_is_refused(room):
    ann = room.player("ann")
    for wishes in (
        {"seats": [9]}, {"seats": "2"}, {"seats": [True]}, {"note": "x" * 121}, {"phone": "12ab"},
    ):  # fmt: skip
        refused(Invalid, room.join, ann, wishes=wishes)
    first = room.join(ann, key="a")
    assert room.join(ann, key="a") == first
    refused(Conflict, "already on this list", room.join, ann)
    refused(Conflict, room.join, ann, key="a", wishes={"seats": [2]})
    assert (ListEntry.objects.count(), room.moves(first)) == (1, ["joined"])


@pytest.mark.smoke
def test_a_free_seat_calls_the_first_name_by_itself_and_says_why(room):
    ann, bob = room.join("ann"), room.later(minutes=1).join("bob")
    room.leave(room.players[2]).ring()
    assert (room.state(ann), room.state(bob)) == ("called", "waiting")
    called = room.entry(ann)
    assert (called.called_to, called.called_number) == (room.table, 3)
    assert SeatHold.objects.get().player_id == ann.player_id
    move = room.last_move(ann)
    assert (move.rule, move.by, move.number) == ("list", None, 3)
    assert "on the list since" in to_text(move.why)
    assert Notice.objects.get(player=ann.player_id, kind="called").data["entry"] == ann.pk


def test_a_called_player_takes_the_seat_held_for_them_and_nobody_else_can(room, ann, bob, called, audited):
    refused(Conflict, "held", room.sit, bob.player, 1)
    filling.take_seat(entry_id=ann.pk, by=ann.player, buy_in=500, now=room.now)
    assert room.seat_of(ann.player) == (room.table.pk, 1)
    assert room.moves(ann) == ["joined", "called", "seated"]
    assert not Alarm.objects.filter(kind=store.CALL_ALARM).exists()
    assert not SeatHold.objects.exists()
    assert Notice.objects.get(player=ann.player, kind="called").read_at is not None
    refused(Conflict, filling.take_seat, entry_id=bob.pk, by=bob.player, buy_in=500, now=room.now)
    refused(NotFound, filling.take_seat, entry_id=bob.pk, by=ann.player, buy_in=500, now=room.now)


def test_who_does_not_come_goes_to_the_bottom_then_off_and_the_next_is_called(room, ann, bob, called):
    room.later(minutes=5)
    late = {"entry_id": ann.pk, "by": ann.player, "reply": "coming", "now": room.now}
    assert refused(Conflict, "This call has expired", calling.answer, **late).rule
    room.ring()
    assert (room.state(ann), room.state(bob)) == ("waiting", "called")
    assert ("bottom" in to_text(room.last_move(ann).why), room.last_move(ann).rule) == (True, "call-time")
    room.later(minutes=5).ring()
    assert (room.state(ann), room.state(bob)) == ("called", "waiting")
    room.later(minutes=5).ring()
    assert (room.state(ann), room.state(bob)) == ("expired", "called")
    room.later(minutes=5).ring()
    assert room.state(bob) == "expired"
    assert not SeatHold.objects.exists()


def test_whoever_missed_a_call_is_still_ahead_of_those_who_join_later(room, ann, bob, called):
    room.later(minutes=5).ring()
    cay = room.join("cay")
    room.later(minutes=5).ring()
    assert [room.state(entry) for entry in (ann, bob, cay)] == ["called", "waiting", "waiting"]


def test_a_called_player_comes_asks_for_time_once_or_cancels(room, ann, bob, called):
    first = room.entry(ann)
    say = {"entry_id": ann.pk, "by": ann.player}
    more = calling.answer(reply="more-time", now=room.now, **say)
    assert more.call_until - first.call_until == timedelta(minutes=5)
    refused(Illegal, "once per call", calling.answer, reply="more-time", now=room.now, **say)
    coming = calling.answer(reply="coming", now=room.later(minutes=6).now, **say)
    assert coming.state == "coming"
    assert SeatHold.objects.get().until == coming.call_until > room.now
    for entry, fence in ((ann.pk, first.version), (999_999, 0)):
        assert not filling.wake_call(entry_id=entry, fence=fence, now=room.now + timedelta(hours=1))
    refused(Conflict, calling.answer, reply="coming", now=room.now, **say)
    refused(Invalid, calling.answer, reply="maybe", now=room.now, **say)
    calling.answer(reply="cancel", now=room.now, **say)
    room.ring()
    assert (room.state(ann), room.state(bob)) == ("left", "called")


def test_the_floor_calls_in_turn_and_out_of_turn_only_with_a_reason():
    room = ListRoom(is_physical=True)
    ann, bob = room.join("ann"), room.join("bob")
    room.ring()
    assert (room.state(ann), room.state(bob)) == ("waiting", "waiting")  # in the room the floor confirms
    refused(Forbidden, calling.call, entry_id=ann.pk, by=ann.player, now=room.now)
    assert refused(Illegal, "turn of ann", calling.call, entry_id=bob.pk, by=room.floor, now=room.now).rule
    calling.call(entry_id=bob.pk, by=room.floor, now=room.now, reason="birthday")
    move = room.last_move(bob)
    assert (move.rule, move.why, move.passed_over) == ("floor", "birthday", [["ann", list_reasons.FLOOR_DECIDED()]])
    refused(Conflict, "already called", calling.call, entry_id=bob.pk, by=room.floor, now=room.now)
    refused(Stale, calling.call_next, table_id=room.table.pk, player_id=bob.player_id, by=room.floor, now=room.now)
    calling.call_next(table_id=room.table.pk, player_id=ann.player_id, by=room.floor, now=room.now)
    assert (room.last_move(ann).rule, StaffAction.objects.filter(verb="lists.called").count()) == ("list", 2)
    refused(Conflict, "No name", calling.call_next, table_id=room.table.pk, by=room.floor, now=room.now)


def test_the_floor_seats_from_the_list_and_passes_over_with_a_reason(audited):
    room = ListRoom(is_physical=True)
    ann, bob, cid = room.join("ann"), room.join("bob"), room.join("cid")
    refused(Invalid, calling.pass_over, entry_id=ann.pk, by=room.floor, reason="", now=room.now)
    calling.pass_over(entry_id=ann.pk, by=room.floor, reason="not in the room", now=room.now)
    filling.seat(entry_id=bob.pk, by=room.floor, buy_in=400, now=room.now, number=3)
    assert room.seat_of(bob.player) == (room.table.pk, 3)
    assert choosing.next_for(room.table, now=room.now).entry == cid
    calling.pass_over(entry_id=cid.pk, by=room.floor, reason="went home", to="off", now=room.now)
    assert (room.state(cid), choosing.next_for(room.table, now=room.now).entry) == ("passed", ann)


def test_the_clock_of_a_called_player_starts_after_their_hand_elsewhere(room, evening):
    entry = room.join(evening.ann)
    room.leave(room.players[0]).ring()
    called = room.entry(entry)
    assert (called.state, called.call_until, called.in_hand_id) == ("called", None, evening.table.hand_id)
    evening.play_out()
    filling.hand_ended(hand_id=called.in_hand_id, now=room.now)
    assert room.entry(entry).call_until - room.now == timedelta(minutes=5)
    evening.deal()
    room.later(minutes=5).ring()
    again = room.entry(entry)  # nobody else waits: from the bottom they are called again
    assert (again.state, again.misses, again.call_until) == ("called", 1, None)
    evening.play_out()
    room.later(seconds=20).ring()
    assert room.entry(entry).call_until is not None, "the alarm looks whether the hand is over"


def test_a_player_who_sits_down_is_off_the_list(room):
    ann = room.join("ann")
    mover = room.join(room.players[1], kind="seat-change", table_id=room.table.pk, wishes={"seats": [4]})
    room.leave(room.players[0]).leave(room.players[1]).ring()
    room.later(seconds=1).sit(ann.player, 1)
    filling.fill_seats(offer_id=room.offer.pk, now=room.now)
    assert (room.state(ann), room.state(mover)) == ("seated", "left")


def test_a_seat_change_goes_before_a_newcomer_and_frees_the_old_seat(room):
    ann = room.join("ann")
    mover = room.join(room.players[1], kind="seat-change", table_id=room.table.pk, wishes={"seats": [4]})
    room.leave(room.players[3]).ring()
    assert room.seat_of(room.players[1]) == (room.table.pk, 4)
    called = room.entry(ann)
    assert (called.state, called.called_number, room.moves(mover)) == ("called", 2, ["joined", "moving", "seated"])


def test_the_first_into_the_must_move_game_is_the_first_out_of_it(room, audited):
    feeder = room.feeder()
    dan, eve = (room.later(minutes=1).sit(name, None, feeder) for name in ("dan", "eve"))
    ann = room.join("ann", wishes={"tables": [room.table.pk]})
    room.leave(room.players[0]).ring()
    assert (room.seat_of(dan), room.seat_of(eve)[0]) == ((room.table.pk, 1), feeder.pk)
    entry = ListEntry.objects.get(kind="must-move")
    assert (entry.state, entry.player, room.moves(entry)) == ("seated", dan, ["moving", "seated"])
    assert (room.state(ann), Seat.objects.get(player=dan).account.balance) == ("waiting", 500)


def test_a_must_move_player_finishes_the_hand_and_a_refusal_costs_the_seat(room):
    _, dan, _ = room.dealt_feeder()
    entry = ListEntry.objects.get(kind="must-move")
    assert (entry.state, Seat.objects.get(player=dan).state) == ("coming", "moving")
    refused(Conflict, "lose your seat", joining.leave, entry_id=entry.pk, by=dan, now=room.now)
    calling.answer(entry_id=entry.pk, by=dan, reply="cancel", now=room.now)
    assert (room.state(entry), room.last_move(entry).rule) == ("left", "refused-move")
    assert Seat.objects.get(player=dan).state == "removed"
    refused(Illegal, "refused to move", room.join, dan)
    room.ring()
    assert ListEntry.objects.filter(kind="must-move", state="coming").exclude(player=dan).exists()


def test_a_player_who_changes_tables_takes_the_stack_and_leaves_no_shorter_game():
    room = ListRoom(count_tables=2)
    room.players = room.full()
    others = [room.sit(f"other{n}", n, room.tables[1]) for n in (1, 2)]
    change = room.join(others[0], kind="table-change", table_id=room.tables[1].pk)
    room.leave(room.players[0]).ring()
    assert (room.state(change), choosing.next_for(room.table, now=room.now)) == ("waiting", None)
    for player in room.players[1:]:
        room.leave(player)
    room.ring()
    assert (room.seat_of(others[0])[0], room.state(change)) == (room.table.pk, "seated")


def test_enough_names_open_a_table_and_are_called_to_it_in_order():
    room = ListRoom(count_tables=0, opens_with=3, seat_count=4)
    names = [room.join(name) for name in ("ann", "bob")]
    assert [entry.kind for entry in names] == ["interest", "interest"]
    room.ring()
    assert not Table.objects.filter(offer=room.offer).exists()
    names.append(room.join("cid"))
    room.ring()
    table = Table.objects.get(offer=room.offer)
    assert [room.entry(entry).called_number for entry in names] == [1, 2, 3]
    assert {room.entry(entry).kind for entry in names} == {"list"}
    assert {room.entry(entry).called_to_id for entry in names} == {table.pk}
    room.ring()
    assert Table.objects.filter(offer=room.offer).count() == 1


def test_a_player_of_a_broken_game_goes_before_the_list(room):
    ann = room.join("ann")
    dan, eve = room.player("dan"), room.player("eve")
    first, *_ = (
        joining.put_back(offer_id=room.offer.pk, player=player, now=room.now) for player in (dan, eve, ann.player)
    )
    room.leave(room.players[0])
    choice = choosing.next_for(room.table, now=room.now)
    assert (choice.entry, choice.rule.slug) == (first, "put-back")
    order = ListEntry.objects.filter(offer=room.offer).order_by("tier", "place")
    assert [entry.player.username for entry in order] == ["dan", "eve", "ann"]
    to_another_game = {"offer_id": ListRoom().offer.pk, "by": ann.player, "now": room.now}
    moved = joining.transfer(entry_id=ann.pk, **to_another_game)
    assert (room.state(ann), moved.offer_id, moved.source) == ("left", to_another_game["offer_id"], "transfer")
    refused(Conflict, joining.transfer, entry_id=ann.pk, **to_another_game)


def test_a_phone_call_makes_a_guest_of_an_unknown_name_and_keeps_their_number():
    room = ListRoom(is_physical=True)
    said = {"offer_id": room.offer.pk, "by": room.floor, "now": room.now}
    ana = said | {"name": "Ana Ruiz", "phone": "+34 600 10 20 30", "key": "p"}
    entry = joining.phone_in(**ana)
    assert (joining.phone_in(**ana), entry.source, entry.wishes["phone"]) == (entry, "phone", "+34600102030")
    assert not entry.player.has_usable_password()
    refused(Invalid, joining.phone_in, **said, name="Bo", phone="call me")
    refused(Forbidden, lambda: joining.phone_in(**said | {"by": room.player("ann")}, name="Bo"))


def test_a_struck_off_player_is_on_no_list_and_the_seat_goes_to_the_next(room, ann, bob, called, monkeypatch):
    ListRoom().join(ann.player)
    of_which: list[str] = []
    lock = store.entry
    monkeypatch.setattr(store, "entry", lambda pk: of_which.append(connection.savepoint_ids[-1]) or lock(pk))
    assert (joining.strike_off(player=ann.player, now=room.now), len(set(of_which))) == (2, 2)
    assert joining.strike_off(player=ann.player, now=room.now) == 0
    room.ring()
    assert (room.state(ann), room.state(bob)) == ("passed", "called")


def test_a_banned_name_is_passed_over_and_cannot_join(room, ann, bob):
    Ban.objects.create(player=ann.player, where="online", since=room.now, made_at=room.now, reason="cheated")
    room.leave(room.players[0]).ring()
    assert (room.state(ann), room.state(bob)) == ("waiting", "called")
    assert room.last_move(bob).passed_over == [["ann", list_reasons.MAY_NOT_PLAY()]]
    refused(Forbidden, "cheated", lambda: ListRoom().join(ann.player))


def test_only_the_player_and_the_floor_take_a_name_off(room, ann, bob):
    refused(NotFound, joining.leave, entry_id=ann.pk, by=bob.player, now=room.now)
    refused(Invalid, joining.leave, entry_id=ann.pk, by=room.floor, now=room.now)
    joining.leave(entry_id=ann.pk, by=room.floor, reason="no show", now=room.now)
    joining.leave(entry_id=bob.pk, by=bob.player, now=room.now)
    assert (room.state(ann), room.state(bob)) == ("passed", "left")
    refused(Conflict, joining.leave, entry_id=bob.pk, by=bob.player, now=room.now)
    refused(NotFound, joining.leave, entry_id=999_999, by=bob.player, now=room.now)


def test_nobody_sits_down_past_the_list(room, ann, bob):
    room.leave(room.players[0])
    assert refused(Illegal, "waiting for this game: 2", room.sit, "cid", 1).rule
    room.leave(room.players[1])
    room.leave(room.players[2])
    room.sit("dan", 1)  # three seats free, and two names
    room.ring()
    assert (room.state(ann), room.state(bob)) == ("called", "called")


@pytest.mark.django_db(transaction=True)
def test_a_player_who_cancels_a_call_holds_no_seat_and_the_next_is_called(room, ann, bob):
    room.leave(room.players[0])
    outcomes = race(
        partial(filling.fill_seats, offer_id=room.offer.pk, now=room.now),
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
    assert refusals(race(*[call] * 4), Conflict) == 3
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
            calling.answer(entry_id=mine.pk, by=player, reply=reply, now=room.now)
        elif mine is not None and what == "take":
            filling.take_seat(entry_id=mine.pk, by=player, buy_in=500, now=room.now)
        elif mine is not None and what == "pass":
            calling.pass_over(entry_id=mine.pk, by=room.floor, reason="a test", now=room.now)

    for _ in range(many(20, long=40)):
        with contextlib.suppress(Refusal):
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
    call = partial(calling.call, entry_id=room.join("ann").pk, by=room.floor, now=room.now)
    together = Barrier(2)

    def see_together(entry_id):
        entry = ListEntry.objects.select_related("offer", "player", "table", "called_to").get(pk=entry_id)
        together.wait(20)
        return entry

    with monkeypatch.context() as unguarded:
        unguarded.setattr(store, "entry", see_together)
        unguarded.setattr(
            store, "locked_entry", lambda pk: ListEntry.objects.select_related("offer", "player").get(pk=pk)
        )
        unguarded.setattr(locking, "tables", lambda ids: Table.objects.in_bulk(ids))
        unguarded.setattr(locking, "table", lambda pk: Table.objects.get(pk=pk))
        outcomes = race(call, call)
    # Both found the player waiting: nobody was told that they are called already, thanks to the locks.
    assert not [one for one in outcomes if getattr(one, "code", "") == "called"]
    with_locks = race(partial(calling.call, entry_id=room.join("bob").pk, by=room.floor, now=room.now), call)
    assert [one.code for one in with_locks if isinstance(one, Refusal)] == ["called"]
