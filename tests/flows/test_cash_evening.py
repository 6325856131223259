"""A whole evening of cash games with forty players, from the first drawer opened to the last one closed: through the
services the pages call, with the alarms as they ring and sockets that hear of it; and books that agree to the chip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from cardroom.core.errors import Illegal
from games.play import opening, seats, settling, tables
from games.rake.models.drops import HandDrop, Jackpot, JackpotHit
from games.tables.models.tables import Seat, SeatMove, Table
from tests.cardroom.cage_desk import approved
from tests.flows.evening_books import the_books_agree
from tests.live.socket import RoomSocket
from tests.support.cash_evening import SLOW, CashEvening, beaten_jacks, tasks_run_where_they_are_sent
from tests.support.counting import counted_twice
from tests.support.database import speaking_to
from tests.support.models import Approval, DaySum, DrawerSession, ListEntry, ListMove, TimeCharge, User
from tests.support.parts.cardroom import bans, corrections, drawers, ledger, limits, slips, vault, visits
from tests.support.parts.games import (
    cage_window,
    calling,
    collection,
    filling,
    guests,
    jackpot_chips,
    jackpots,
    joining,
    physical,
    shifts,
)
from tests.support.refusals import refused
from tests.support.serving import served_here

BEGINS = datetime(2030, 1, 5, 18, 0, tzinfo=UTC)


@pytest.fixture
def room(
    open_room: Any, django_db_blocker: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[CashEvening]:
    """The room before its doors open; its tasks are run where they are sent, its sockets served here."""
    settings.CARDROOM_DAY_BEGINS = 0  # the evening ends before the morning comes
    with ExitStack() as stack:
        stack.enter_context(tasks_run_where_they_are_sent())
        stack.enter_context(django_db_blocker.unblock())
        stack.enter_context(speaking_to(open_room().environment["DATABASE_URL"]))
        clock = stack.enter_context(time_machine.travel(BEGINS, tick=False))
        evening = CashEvening(clock, monkeypatch)
        served = stack.enter_context(served_here())

        def listen(topics: str, user: User) -> RoomSocket:
            socket = RoomSocket(served, topics, user)
            stack.callback(socket.close)
            return socket.begin()

        evening.listen = listen
        yield evening


@pytest.mark.long(
    "forty players for an evening; make test plays each part by itself in tests/games and tests/cardroom, with its "
    "audit, and the evenings of the floor, the cage and a player in the browser"
)
def test_a_whole_evening_of_cash_games_and_the_books_agree_to_the_chip(room: CashEvening) -> None:
    open_the_doors(room)
    fill_the_first_table_from_an_interest_list(room)
    a_second_table_must_move_to_the_first(room)
    hands_are_raked_and_one_hits_the_jackpot(room)
    seats_are_changed_before_anybody_is_moved(room)
    calls_are_answered_in_every_way(room)
    time_is_collected_by_the_half_hour(room)
    a_game_in_the_room(room)
    limits_that_players_set_themselves(room)
    a_player_is_banned_in_mid_hand(room)
    somebody_absent_is_picked_up(room)
    a_table_is_broken(room)
    everybody_goes_home(room)
    drawers_are_counted_and_closed(room)
    the_shift_is_closed(room)
    the_books_agree(room)


def open_the_doors(room: CashEvening) -> None:
    vault.vault(amount=100_000, by=room.mia, reason="the evening's float")
    for name, cashier in (("Window 1", room.cay), ("Window 2", room.cal)):
        drawer = drawers.make_drawer(name=name, by=room.mia)
        drawers.open_drawer(drawer_id=drawer.pk, counted=20_000, from_vault=20_000, by=cashier)
    asked = jackpots.ask(name="Bad beat", seed=1_000, by=room.mia, reason="opening")
    approved(asked, room.max)
    room.jackpot = Jackpot.objects.get()
    rake = room.schedule("Rake", promo=1, jackpot=1, jackpot_name="Bad beat", promo_from=20)
    time = room.schedule("Time", kind="time", time_charges=[[2, 10], [5, 8]], time_promo=1)
    room.main_game = room.offer(
        "Stud 15/30", drop_id=rake.pk, seat_count=6, opens_with=4, tables_per_player=1, comp_per_hour=60, **SLOW
    )
    room.timed_game = room.offer("Stud by time", drop_id=time.pk, seat_count=5, comp_per_hour=120, **SLOW)
    room.live_game = room.offer("Stud in the room", is_physical=True, seat_count=8)
    room.shift = shifts.open_(name="Evening", by=room.flo, key="the evening's shift")
    room.floor_socket = room.listen("floor,lists,board,shifts", room.flo)
    room.cage_socket = room.listen("cage,approvals,players", room.cay)


def fill_the_first_table_from_an_interest_list(room: CashEvening) -> None:
    """By the web, at the desk, by telephone and at the kiosk; the fourth name opens a table."""
    ann, ben = room.player("ann"), room.player("ben", cashier=room.cal)
    room.ann_socket = room.listen(f"player:{ann.pk},list:{room.main_game.pk},lobby", ann)
    names = [room.join(ann, room.main_game), room.join(ben, room.main_game, source="desk", by=room.flo)]
    room.player("cat")
    names.append(joining.phone_in(offer_id=room.main_game.pk, name="cat", phone="0600123456", by=room.flo))
    room.settle()
    names.append(guests.at_kiosk(offer_id=room.main_game.pk, who=room.member("dan"), opened_by=room.flo))
    room.settle()
    room.main = Table.objects.get(offer=room.main_game)
    assert [room.entry(entry).state for entry in names] == ["called"] * 4
    room.ann_socket.until_told(f"player:{ann.pk}").until_told("lobby")
    for entry in names[:2]:
        room.take_seat(entry)
    for entry in names[2:]:
        filling.seat(entry_id=entry.pk, by=room.flo, buy_in=600)
    for name in ("eve", "fay"):
        room.take_seat(check_called(room, room.join(room.player(name), room.main_game)))
    assert sorted(room.at(room.main)) == ["ann", "ben", "cat", "dan", "eve", "fay"]


def a_second_table_must_move_to_the_first(room: CashEvening) -> None:
    waiting = [room.join(room.player(name), room.main_game) for name in ("gus", "hal", "ida", "jon", "kay", "lea")]
    room.settle()
    room.feeder = Table.objects.filter(offer=room.main_game).exclude(pk=room.main.pk).get()
    tables.edit(table_id=room.feeder.pk, must_move_to_id=room.main.pk, by=room.flo)
    for entry in waiting:
        room.take_seat(check_called(room, entry))
    room.play(room.main)
    room.go_on(seconds=1)
    room.leave(User.objects.get(username="ben"))
    room.deal(room.feeder)
    room.settle()
    moved = ListMove.objects.filter(rule="must-move").get()
    assert moved.entry.player.username == "gus", "who came first to the feeding table goes first"
    finish(room)
    room.go_on(seconds=1)
    assert SeatMove.objects.filter(player__username="gus", kind="moved").count() == 1


def hands_are_raked_and_one_hits_the_jackpot(room: CashEvening) -> None:
    finish(room)
    ann = User.objects.get(username="ann")
    hand = room.deal(room.main)
    seats.top_up(amount=100, key="more chips", table_id=room.main.pk, by=ann)
    before = room.wallet(ann)
    room.play(room.main)
    drop = HandDrop.objects.get(hand=hand)
    assert (drop.rake > 0, drop.promo, drop.jackpot, before - room.wallet(ann)) == (True, 1, 1, 100)
    players = len(room.at(room.main))
    finish(room, but=room.main)
    room.decks.append(beaten_jacks(players))
    while not JackpotHit.objects.exists():
        hand = room.play(room.main)
    hit = JackpotHit.objects.get()
    assert (hit.hand_id, hit.losing_words, hit.winning_words) == (hand, "four jacks", "four queens")
    room.cage_socket.until_told("approvals")
    held = ledger.balance(jackpot_chips.pool(room.jackpot.pk))
    purses = {share.player_id: room.wallet(share.player) for share in hit.shares.all()}
    approved(hit.approval, room.max)
    assert sum(room.wallet(share.player) - purses[share.player_id] for share in hit.shares.all()) == hit.amount == held
    assert ledger.balance(jackpot_chips.pool(room.jackpot.pk)) == 1_000


def seats_are_changed_before_anybody_is_moved(room: CashEvening) -> None:
    """Who plays at a table has its free seat before the must-move player, who goes before the list."""
    finish(room)
    cat, dan = (User.objects.get(username=name) for name in ("cat", "dan"))
    wanted = room.seat(dan).number
    room.join(cat, room.main_game, kind="seat-change", table_id=room.main.pk, wishes={"seats": [wanted]}, source="web")
    was = room.seat(cat).number
    room.leave(dan)
    room.settle()
    finish(room)
    room.go_on(seconds=1)
    assert room.seat(cat).number == wanted
    rules = list(ListMove.objects.filter(verb="moving").order_by("pk").values_list("rule", flat=True))
    assert rules[-2:] == ["seat-change", "must-move"]
    finish(room)
    room.go_on(seconds=1)
    seat = room.seat(User.objects.get(username="hal"))
    assert (seat.table_id, seat.number) == (room.main.pk, was)


def calls_are_answered_in_every_way(room: CashEvening) -> None:
    """Two seats are free at the feeding table: one comes late, one asks for time, one cancels, one never comes."""
    late, slow, off, last = (room.join(room.player(name), room.main_game) for name in ("mia2", "ned", "oda", "pia"))
    room.settle()
    calling.answer(entry_id=slow.pk, by=slow.player, reply="more-time")
    room.go_on(minutes=5, seconds=1)
    states = (room.entry(late).state, room.entry(off).state)
    assert states == ("waiting", "called"), "a player who did not come in time is the last now"
    calling.answer(entry_id=off.pk, by=off.player, reply="cancel")
    room.settle()
    calling.answer(entry_id=last.pk, by=last.player, reply="coming")
    room.go_on(minutes=4)
    room.take_seat(slow)
    room.take_seat(last)
    assert sorted(room.at(room.feeder)) == ["ida", "jon", "kay", "lea", "ned", "pia"]
    calling.pass_over(entry_id=late.pk, by=room.flo, reason="went home", to="off")
    assert all(ListMove.objects.values_list("why", flat=True)), "every move says why"
    room.floor_socket.until_told("lists").until_told("board")


def time_is_collected_by_the_half_hour(room: CashEvening) -> None:
    room.timed = [opening.open_for(offer_id=room.timed_game.pk, by=room.flo) for _ in range(2)]
    players = [room.player(f"time{number}") for number in range(7)]
    for number, player in enumerate(players):
        seats.sit(table_id=room.timed[number // 5].pk, by=player, buy_in=500)
    first, paused, refusing, sits_out = players[:4]
    asked = {"table_id": room.timed[0].pk}
    collection.pause(player=paused, by=room.flo, reason="dinner", **asked)
    collection.refuse(by=refusing, **asked)
    seats.sit_out(by=sits_out, **asked)
    room.deal(room.timed[0])
    room.until(18, 30)
    states = dict(TimeCharge.objects.filter(table=room.timed[0]).values_list("player__username", "state"))
    assert [states[f"time{number}"] for number in range(4)] == ["due", "paused", "courtesy", "charged"]
    room.play(room.timed[0])
    charge = TimeCharge.objects.get(table=room.timed[0], player=first)
    assert (charge.state, charge.players, charge.paid) == ("charged", 4, 10)
    collection.waive(charge_id=charge.pk, by=room.flo, reason="a misdeal cost him time")
    collection.resume(table_id=room.timed[0].pk, player=paused, by=room.flo)
    seats.come_back(table_id=room.timed[0].pk, by=sits_out)


def a_game_in_the_room(room: CashEvening) -> None:
    """Chips on the felt: seated and counted by staff, the drop in a box, over the rail to the cage and back."""
    room.live, other = (opening.open_for(offer_id=room.live_game.pk, by=room.flo) for _ in range(2))
    waiting = [joining.phone_in(offer_id=room.live_game.pk, name=f"live{number}", by=room.flo) for number in range(7)]
    for number in range(7, 15):
        player = room.player(f"live{number}", cashier=room.cal)
        waiting.append(room.join(player, room.live_game, source="desk", by=room.flo))
    room.settle()
    assert {room.entry(entry).state for entry in waiting} == {"waiting"}, "in the room the floor calls"
    for number, entry in enumerate(waiting):
        if number < 7:
            room.player(f"live{number}", cashier=room.cal)
        table = room.live if number < 7 else other
        assert calling.call_next(table_id=table.pk, by=room.flo).pk == entry.pk
        filling.seat(entry_id=entry.pk, by=room.flo, buy_in=800)
    walk_in = visits.register_guest(name="Wil Walker", phone="+49 30 1234", by=room.cay, key="walks in")
    asked = {"table_id": room.live.pk, "player": walk_in, "by": room.cay}
    cage_window.buy_in(amount=500, key="walks in", **asked)
    physical.top_up(table_id=room.live.pk, player=waiting[0].player, amount=200, by=room.flo)
    physical.count(table_id=room.live.pk, counts={1: 1_300, 2: 500}, by=room.flo)
    physical.empty_box(table_id=room.live.pk, amount=60, by=room.flo)
    assert settling.expected(room.live) == 7 * 800 + 500 + 200 - 60
    paid = cage_window.pay_out(table_id=room.live.pk, player=walk_in, by=room.cay, count=450, key="walks out")
    assert (paid.move.amount, paid.slip.amount, room.wallet(walk_in)) == (450, 450, 0)


def limits_that_players_set_themselves(room: CashEvening) -> None:
    """A player's own limits bind everybody, and what the house lends and gives is on the books."""
    ned, oda = (User.objects.get(username=name) for name in ("ned", "oda"))
    limits.request_limit(by=oda, kind="deposit-day", amount=3_500)
    refused(Illegal, "You have set yourself a limit", room.deposit, oda, 501)
    room.deposit(oda, 500)
    limits.request_limit(by=oda, kind="loss-day", amount=400)
    refused(Illegal, "You have set yourself a limit", seats.sit, table_id=room.timed[1].pk, by=oda, buy_in=500)
    slips.set_line(player=ned, most=5_000, by=room.mia, reason="an old friend")
    slips.credit(player=ned, amount=1_000, by=room.cay, key="on credit")
    slips.repay(player=ned, amount=400, by=room.cal, key="some back")
    slips.comp(player=ned, amount=50, by=room.cay, reason="a long evening")
    slips.use_comp(player=ned, amount=20, by=room.cay, reason="a meal")
    approved(slips.credit(player=ned, amount=3_000, by=room.cay, key="much more"), room.mia)
    assert slips.owed_by(ned) == 3_600
    wrong = {"slip_id": room.deposit(ned, 700).pk, "reason": "the wrong player"}
    approved(corrections.reverse(by=room.cay, **wrong), room.mia)


def a_player_is_banned_in_mid_hand(room: CashEvening) -> None:
    finish(room)
    eve = User.objects.get(username="eve")
    room.join(eve, room.timed_game)
    room.deal(room.main)
    eve_socket = room.listen(f"player:{eve.pk}", eve)
    bans.ban(player=eve, reason="threw her cards", by=room.mia)
    assert room.seat(eve).state == "removed", "she plays her hand to its end, and is gone then"
    assert eve_socket.closing_code() in (4401, 4403)
    assert not ListEntry.objects.filter(player=eve, state__in=ListEntry.ACTIVE).exists()
    before = room.wallet(eve)
    room.play(room.main)
    assert (room.is_seated(eve), room.wallet(eve) > before) == (False, True)
    slips.withdraw(player=eve, amount=room.wallet(eve), by=room.cal)


def somebody_absent_is_picked_up(room: CashEvening) -> None:
    fay = User.objects.get(username="fay")
    finish(room)
    seats.sit_out(table_id=room.main.pk, by=fay)
    room.deal(room.main)
    room.go_on(minutes=30)
    assert room.is_seated(fay), "a hand is being played: her seat is looked at when it is over"
    finish(room)
    room.go_on(seconds=5)
    assert not room.is_seated(fay)


def a_table_is_broken(room: CashEvening) -> None:
    """Players with a seat go to it with their stacks, the others to the top of the list."""
    finish(room)
    small, full = room.timed[1], room.timed[0]
    for name in ("time7", "time8"):
        seats.sit(table_id=small.pk, by=room.player(name), buy_in=500)
    free = full.seat_count - len(room.at(full))
    there = Seat.objects.filter(table=small).order_by("sat_at", "pk")
    in_order = list(there.values_list("player__username", flat=True))
    tables.break_up(table_id=small.pk, by=room.flo, reason="too few players")
    finish(room)
    room.go_on(seconds=1)
    assert Table.objects.get(pk=small.pk).state == "closed"
    assert [name for name in in_order if name in room.at(full)] == in_order[:free]
    back = ListEntry.objects.filter(offer=room.timed_game, tier=0, state__in=ListEntry.ACTIVE).order_by("place")
    assert [entry.player.username for entry in back] == in_order[free:]


def everybody_goes_home(room: CashEvening) -> None:
    room.until(23, 30)
    for table in Table.objects.filter(state="open", is_physical=False):
        tables.close(table_id=table.pk, by=room.flo, reason="last hands")
    finish(room)
    counts = (1_000, 900, 800, 700, 900, 600, 700)
    for seat in Seat.objects.order_by("table", "number").select_related("player"):
        count = counts[seat.number - 1] if seat.table_id == room.live.pk else 800
        physical.cash_out(table_id=seat.table_id, player=seat.player, count=count, by=room.flo)
    assert settling.expected(room.live) == 7 * 800 + 500 + 200 - 60 - 450 - sum(counts)
    counted_twice(settling.count, table_id=room.live.pk, counted=0, by=room.flo, reason="chips under the rail")
    for table in Table.objects.filter(state="open"):
        tables.close(table_id=table.pk, by=room.flo)
    assert not Seat.objects.exists()
    room.until(0, 30)
    vault.fill(amount=40_000, by=room.cal, reason="for those who go home")
    for player in User.objects.filter(seat_moves__isnull=False).distinct():
        by = room.cay if player.pk % 2 else room.cal
        if chips := room.wallet(player):
            done = slips.withdraw(player=player, amount=chips, by=by, settles=False)
            if isinstance(done, Approval):
                approved(done, room.mia)
        assert room.wallet(player) == 0


def drawers_are_counted_and_closed(room: CashEvening) -> None:
    for cashier, short, left_in in ((room.cay, 20, 5_000), (room.cal, 900, 0)):
        session = DrawerSession.objects.get(cashier=cashier, state="open")
        held = room.house(f"drawer:{session.drawer_id}", unit="money", kind="drawer")
        count = {"counted": held - short, "by": cashier}
        refused(Illegal, "count again", drawers.close_drawer, **count)
        closed = drawers.close_drawer(left_in=left_in, reason="paid out one too many", key="last count", **count)
        if short > 50:
            assert closed.state == "closing"
            approved(Approval.objects.get(what="cage.close"), room.max)
        assert DrawerSession.objects.get(pk=session.pk).state == "closed"
    assert room.house("over-short", unit="money") == 920
    room.cage_socket.until_told("cage")


def the_shift_is_closed(room: CashEvening) -> None:
    """Once, with what was open then; the day before midnight was added up by its alarm."""
    room.go_on(minutes=1)
    room.shift = shifts.close(shift_id=room.shift.pk, remark="a good evening", by=room.flo)
    assert {name: many for name, many in room.shift.found.items() if many and name != "names_on_lists"} == {}
    assert DaySum.objects.get().day == BEGINS.date()
    room.floor_socket.until_told("shifts")


def check_called(room: CashEvening, entry: ListEntry) -> ListEntry:
    room.settle()
    entry = room.entry(entry)
    assert entry.state == "called", f"{entry.player} is {entry.state}"
    return entry


def finish(room: CashEvening, *, but: Table | None = None) -> None:
    """Every hand that is being played is played to its end."""
    for table in Table.objects.exclude(play__hand=None).order_by("pk"):
        if but is None or table.pk != but.pk:
            room.play(table)
    room.settle()
