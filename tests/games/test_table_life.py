"""The life of a table: opened, paused, broken up, closed; private, in the room, and who may look on."""

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound, TooMany
from cardroom.ledger import ledger
from games.play import moving, opening, private, receivers, seating, seats, settling, tables
from tests.support.evening import Evening
from tests.support.models import Alarm, ChipCount, Invitation, ListEntry, Notice, SeatHold, StaffAction, Table, User
from tests.support.offers import Games, staff
from tests.support.parts.games import calling, dealer, filling, holds, physical, stacks, table_words
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def room() -> Games:
    return Games()


@world
def game(room) -> Games:
    """A table of a game on offer with ann in seat 1 and bob in seat 2, and a hand dealt."""
    room.game = room.offer()
    room.first = room.open(room.game)
    room.ann, room.bob = room.sit("ann", 1), room.sit("bob", 2)
    return room.deal()


def test_a_pause_lets_the_hand_end_and_deals_no_other_until_it_is_over(game):
    for _ in range(2):
        tables.pause(table_id=game.pk, by=game.floor, reason="Fire drill", now=game.now)
    assert StaffAction.objects.filter(verb="tables.pause", by=game.floor, reason="Fire drill").count() == 1
    assert game.table.hand_id is not None
    game.play_out()
    assert not game.wake() or game.table.hand_id is None
    assert (game.table.pause_reason, table_words.phase_of(game.table, 2)) == ("Fire drill", "paused")
    tables.resume(table_id=game.pk, by=game.floor, now=game.now)
    assert game.deal().table.hand_id is not None
    assert table_words.phase_of(game.table, 2) == "going"


def test_a_person_deals_no_hand_at_a_paused_table(room):
    room.open(room.offer(dealt_by="person", act_seconds=0))
    room.sit("ann")
    room.sit("bob")
    tables.pause(table_id=room.pk, by=room.floor, now=room.now)
    with pytest.raises(Illegal, match="paused"):
        dealer.start_hand(table_id=room.pk, by=staff("dealer"), command_id="c", now=room.now)


def test_a_line_to_the_table_is_shown_until_it_is_taken_away(game):
    tables.tell(table_id=game.pk, text="Food is served at ten.", by=game.floor, now=game.now)
    assert game.table.notice == "Food is served at ten."
    tables.tell(table_id=game.pk, text="", by=game.floor, now=game.now)
    assert (game.table.notice, game.table.notice_at) == ("", None)


def break_up(room: Games, **options: object) -> Table:
    return tables.break_up(**{"table_id": room.pk, "by": room.floor, "reason": "Short", "now": room.now, **options})


def test_players_of_a_broken_game_go_to_its_other_tables_with_their_stacks(game, audited):
    other = game.open(game.game)
    game.at(game.first)
    break_up(game)
    assert table_words.phase_of(game.table, 2) == "breaking"
    refused(Illegal, "is breaking", game.sit, "cid")
    game.play_out()
    held = {player: game.stack(player) for player in (game.ann, game.bob)}
    game.wake()
    assert (game.table.state, game.table.seats.count()) == ("closed", 0)
    game.at(other)
    assert {player: game.stack(player) for player in held} == held
    assert [game.seat_of(game.ann).number, game.seat_of(game.bob).number] == [1, 2], "by their time at the table"
    assert Notice.objects.filter(player=game.ann, text__contains="you sit in seat 1").exists()


def test_who_finds_no_seat_gets_his_chips_and_the_top_of_the_list(game, audited):
    other = game.open(game.game, seat_count=2)
    game.sit("cid", 1)
    game.at(game.first).play_out()
    break_up(game)
    assert game.table.state == "closed"
    assert other.seats.filter(player=game.ann).exists()
    assert game.wallet(game.bob) >= 9_500
    entry = ListEntry.objects.get(player=game.bob)
    assert (entry.offer, entry.tier) == (game.game, 0)


def test_who_is_away_and_who_is_leaving_take_no_seat_elsewhere(game):
    other = game.open(game.game)
    game.at(game.first)
    seats.sit_out(table_id=game.pk, player=game.ann, now=game.now)
    break_up(game)
    game.leave(game.bob)
    game.play_out()
    game.wake()
    assert not other.seats.exists()
    assert list(ListEntry.objects.values_list("player__username", flat=True)) == ["ann"]
    assert game.wallet(game.ann) + game.wallet(game.bob) == 20_000


def test_breaking_up_is_carried_out_once_however_often_it_is_asked_or_rung(game):
    break_up(game)
    break_up(game)
    game.play_out()
    table = game.table
    assert receivers.wake(table_id=game.pk, fence=table.version, now=table.wake_at)
    assert not receivers.wake(table_id=game.pk, fence=table.version, now=table.wake_at)
    refused(Illegal, "for open tables", break_up, game)
    assert StaffAction.objects.filter(verb="tables.break_up").count() == 1


def test_an_empty_game_breaks_at_once_and_bots_go_home(room):
    room.open(room.offer(), bots=3)
    room.wake()
    assert room.table.seats.count() == 3
    break_up(room)
    assert (room.table.state, room.table.seats.count(), ListEntry.objects.count()) == ("closed", 0, 0)


def test_a_table_that_belongs_to_no_offer_breaks_into_wallets(open_table):
    table: Evening = open_table()
    ann = table.sit("ann")
    tables.break_up(table_id=table.pk, by=staff("floor"), reason="Short", now=table.now)
    assert (table.wallet(ann), table.table.state) == (10_000, "closed")


def test_closing_in_a_hand_waits_for_its_end_and_can_be_taken_back(game):
    for verb in (tables.break_up, tables.close):
        refused(Invalid, "Enter a reason", verb, table_id=game.pk, by=game.floor, now=game.now)
    tables.close(table_id=game.pk, by=game.floor, reason="Late", now=game.now)
    assert game.table.state == "closing"
    refused(Illegal, "This table is closed", game.sit, "cid")
    tables.reopen(table_id=game.pk, by=game.floor, now=game.now)
    assert game.table.state == "open"
    tables.close(table_id=game.pk, by=game.floor, reason="Late", now=game.now)
    game.play_out()
    assert (game.table.state, game.wallet(game.ann) + game.wallet(game.bob)) == ("closed", 20_000)
    assert not game.wake()


def test_a_closed_main_game_is_not_opened_again_for_the_game_that_feeds_it_to_be_emptied_into(game):
    feeding = game.open(game.game, must_move_to_id=game.first.pk)
    game.at(game.first)
    tables.close(table_id=game.pk, by=game.floor, reason="Late", now=game.now)
    game.play_out()
    assert game.table.state == "closed"
    assert game.open(game.game).pk not in (game.first.pk, feeding.pk)


def test_a_private_table_takes_who_is_invited_or_knows_the_password(room):
    room.open(room.offer(), password="acorn")
    ann, bob = room.player("ann"), room.player("bob")
    assert room.table.is_private
    assert "acorn" not in room.table.password
    refused(Forbidden, "give its password", room.sit, ann)
    private.unlock(table_id=room.pk, player=ann, password="acorn", now=room.now)
    private.invite(table_id=room.pk, player=bob, by=room.floor, now=room.now)
    room.sit(ann)
    room.sit(bob)
    assert room.table.seats.count() == 2


def test_passwords_are_not_guessed(room):
    room.open(room.offer(), password="acorn")
    ann = room.player("ann")
    for _ in range(5):
        with pytest.raises(Forbidden, match="not the password"):
            private.unlock(table_id=room.pk, player=ann, password="beech", now=room.now)
    with pytest.raises(TooMany, match="wait up to 15 minutes"):
        private.unlock(table_id=room.pk, player=ann, password="acorn", now=room.now)
    room.later(minutes=16)
    assert private.unlock(table_id=room.pk, player=ann, password="acorn", now=room.now)


def test_making_a_table_private_invites_those_who_sit_and_opening_it_forgets_everybody(game):
    private.make_private(table_id=game.pk, by=game.floor, now=game.now)
    assert Invitation.objects.filter(table=game.pk).count() == 2
    refused(Forbidden, "ask the floor for an invitation", game.sit, "cid")
    private.make_private(table_id=game.pk, by=game.floor, is_private=False, now=game.now)
    assert game.sit("dan")
    assert not Invitation.objects.exists()


def test_an_invitation_is_taken_back(room):
    room.open(room.offer(), is_private=True)
    ann = room.player("ann")
    private.invite(table_id=room.pk, player=ann, by=room.floor, now=room.now)
    assert private.uninvite(table_id=room.pk, player_id=ann.pk, by=room.floor, now=room.now)
    assert not private.uninvite(table_id=room.pk, player_id=ann.pk, by=room.floor, now=room.now)
    refused(Forbidden, room.sit, ann)


@world
def hall(room) -> Games:
    """A table in the room, with ann in seat 1 and 500 chips before her."""
    room.game = room.offer(is_physical=True)
    room.free = tables.add(name="Red 9", by=room.floor, now=room.now)
    room.first = room.open(room.game, table_id=room.free.pk)
    room.ann = room.player("ann")
    seating.seat(table_id=room.pk, player=room.ann, number=1, buy_in=500, by=room.floor, now=room.now)
    return room


def test_a_table_of_the_room_is_free_then_open_and_free_again(hall):
    assert (hall.table.pk, hall.table.name, hall.table.stakes) == (hall.free.pk, "Red 9", "15/30")
    refused(Conflict, "is not free", hall.open, hall.game, table_id=hall.free.pk)
    with pytest.raises(Illegal, match="One player sits at Red 9"):
        tables.close(table_id=hall.pk, by=hall.floor, reason="Late", now=hall.now)
    seating.unseat(table_id=hall.pk, player=hall.ann, by=hall.floor, reason="Late", count=500, now=hall.now)
    tables.close(table_id=hall.pk, by=hall.floor, now=hall.now)
    assert table_words.phase_of(hall.table, 0) == "free"
    assert hall.open(hall.game, table_id=hall.free.pk).state == "open"


def test_chips_that_are_missing_are_accounted_for_before_the_table_closes(hall, audited):
    seating.unseat(table_id=hall.pk, player=hall.ann, by=hall.floor, reason="Late", count=480, now=hall.now)
    with pytest.raises(Conflict, match="book balance of Red 9 is not 0") as refusal:
        tables.close(table_id=hall.pk, by=hall.floor, now=hall.now)
    assert "20" not in f"{refusal.value.message} {refusal.value.details}", "counts are blind"
    with pytest.raises(Illegal, match="the book balance is 20: 20 short"):
        settling.count(table_id=hall.pk, counted=0, by=hall.floor, now=hall.now)
    made = settling.count(table_id=hall.pk, counted=0, by=hall.floor, reason="A rack short", now=hall.now)
    assert (made.expected, made.difference, ChipCount.objects.count()) == (20, -20, 1)
    tables.close(table_id=hall.pk, by=hall.floor, now=hall.now)
    assert hall.table.state == "free"
    house = ledger.open_account(kind="house", label=f"difference:table:{hall.pk}")
    assert ledger.balance(house) == 20


def test_a_table_of_the_room_that_breaks_holds_seats_tells_which_and_is_free_when_the_last_is_gone(hall):
    other = opening.open_for(offer_id=hall.game.pk, by=hall.floor, name="Red 10", now=hall.now)
    break_up(hall)
    assert hall.table.state == "breaking"
    held = SeatHold.objects.get(table=other)
    assert (held.player, held.why) == (hall.ann, "move")
    said = Notice.objects.get(player=hall.ann).text
    assert said.startswith("Red 9 breaks: seat 1 of Red 10 is held for you until ")
    settling.count(table_id=hall.pk, counted=500, by=hall.floor, now=hall.later(seconds=30).now)
    assert Alarm.objects.get(kind="table", key=str(hall.pk)).due_at == hall.now, "it looks at once whether it is free"
    moving.move(
        player=hall.ann, from_table=hall.pk, to_table=other.pk, by=hall.floor, why="broken", count=500, now=hall.now
    )
    hall.wake()
    assert (hall.table.state, ledger.balance(stacks.pool(other))) == ("free", 500)
    assert holds.free_seats(other) == [2, 3, 4, 5, 6, 7, 8]


def test_who_finds_no_seat_in_the_room_is_called_from_the_list_before_his_chips_are_counted(hall):
    other = opening.open_for(offer_id=hall.game.pk, by=hall.floor, name="Red 10", seat_count=2, now=hall.now)
    for name in ("bob", "cid"):
        seating.seat(table_id=other.pk, player=hall.player(name), buy_in=500, by=hall.floor, now=hall.now)
    hall.later(minutes=5)
    break_up(hall)
    assert Notice.objects.get(player=hall.ann).text.endswith("the floor counts the chips before you.")
    seating.unseat(table_id=other.pk, player=User.objects.get(username="bob"), by=hall.floor, reason="Late", count=500,
                   now=hall.now)  # fmt: skip
    called = calling.call_next(table_id=other.pk, by=hall.floor, now=hall.now)
    assert (called.player, called.called_to, called.called_number) == (hall.ann, other, 1)
    moving.move(
        player=hall.ann, from_table=hall.pk, to_table=other.pk, number=1, by=hall.floor, why="broken", count=500,
        now=hall.now,
    )  # fmt: skip
    filling.look(offer_id=hall.game.pk, now=hall.now)
    called.refresh_from_db()
    assert called.state == "seated"
    hall.wake()
    assert hall.table.state == "free"


def test_a_broken_table_is_free_when_its_drop_box_is_emptied_last(hall):
    break_up(hall)
    seating.unseat(table_id=hall.pk, player=hall.ann, by=hall.floor, reason="Late", count=480, now=hall.now)
    hall.wake()
    assert hall.table.state == "breaking"
    physical.empty_box(table_id=hall.pk, amount=20, by=hall.floor, now=hall.now)
    hall.wake()
    assert hall.table.state == "free"


def test_what_he_left_with_is_asked_in_the_game_the_table_had_then_and_not_in_the_one_it_has_now(hall):
    other = opening.open_for(offer_id=hall.game.pk, by=hall.floor, name="Red 10", now=hall.now)
    physical.top_up(table_id=hall.pk, player=hall.ann, amount=1000, by=hall.floor, now=hall.now)
    seating.unseat(table_id=hall.pk, player=hall.ann, by=hall.floor, reason="Late", count=1500, now=hall.now)
    hall.later(minutes=5)
    tables.close(table_id=hall.pk, by=hall.floor, now=hall.now)
    hall.open(hall.offer("Stud 20/40", is_physical=True, small_bet=20, big_bet=40), table_id=hall.free.pk)
    said = {"player": hall.ann, "buy_in": 300, "by": hall.floor, "now": hall.now}
    refused(Illegal, "left this game a while ago with 1,500", seating.seat, table_id=other.pk, **said)
    assert seating.seat(table_id=hall.pk, **said).kind == "sat"


def test_a_game_in_the_room_feeds_no_other_game_that_its_main_game_made_room_for(hall):
    feeding = opening.open_for(
        offer_id=hall.game.pk, by=hall.floor, name="Red 10", must_move_to_id=hall.pk, now=hall.now
    )
    seating.unseat(table_id=hall.pk, player=hall.ann, by=hall.floor, reason="Late", count=500, now=hall.now)
    tables.close(table_id=hall.pk, by=hall.floor, now=hall.now)
    hall.open(hall.offer("Stud 20/40", is_physical=True, small_bet=20, big_bet=40), table_id=hall.free.pk)
    feeding.refresh_from_db()
    assert feeding.must_move_to is None


def test_a_free_table_goes_out_of_use_and_comes_back(room):
    free = tables.add(name="Red 9", by=room.floor, now=room.now)
    tables.close(table_id=free.pk, by=room.floor, now=room.now)
    assert Table.objects.get(pk=free.pk).state == "closed"
    tables.reopen(table_id=free.pk, by=room.floor, now=room.now)
    assert Table.objects.get(pk=free.pk).state == "free"


def test_a_section_that_is_not_there_is_refused_in_words(room):
    manager = staff("manager")
    refused(NotFound, "no such section", tables.add, name="Red 9", section_id=999, by=manager, now=room.now)
    assert not Table.objects.filter(name="Red 9").exists()
