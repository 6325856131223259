"""The life of a table: opened, paused, broken up, closed; private, in the room, and who may look on."""

from functools import partial

from cardroom.cage.allowances import NeedsApproval
from cardroom.core.verb import at
from games.play import moving, opening, private, receivers, seating, seats, settling, tables
from tests.support.models import ChipCount, Invitation, ListEntry, Notice, SeatHold, StaffAction, Table, User
from tests.support.offers import Games, staff
from tests.support.parts.cardroom import Conflict, Forbidden, Illegal, Invalid, NotFound, TooMany, ledger
from tests.support.parts.games import calling, dealer, filling, holds, offers, physical, stacks, table_words
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
    game.deal()
    assert table_words.phase_of(game.table, 2) == "going"


def test_a_person_deals_no_hand_at_a_paused_table(room):
    room.open(room.offer(dealt_by="person", act_seconds=0))
    room.sit("ann"), room.sit("bob")
    asked = {"table_id": room.pk, "by": room.floor, "now": room.now}
    tables.pause(**asked)
    refused(Illegal, "paused", dealer.start_hand, **asked | {"by": staff("dealer")}, command_id="c")
    tables.tell(**asked, text="Food is served at ten.")
    assert room.table.notice == "Food is served at ten."
    tables.tell(**asked, text="")
    assert (room.table.notice, room.table.notice_at) == ("", None)


def break_up(room: Games, **options: object) -> Table:
    return tables.break_up(**{"table_id": room.pk, "by": room.floor, "reason": "Short", "now": room.now, **options})


def test_players_of_a_broken_game_go_to_its_other_tables_with_their_stacks_once(game, audited):
    other = game.open(game.game)
    game.at(game.first)
    for _ in range(2):
        break_up(game)
    assert table_words.phase_of(game.table, 2) == "breaking"
    refused(Illegal, "is breaking", game.sit, "cid")
    game.play_out()
    held = {player: game.stack(player) for player in (game.ann, game.bob)}
    ring = partial(receivers.wake, table_id=game.pk, fence=game.table.version, now=game.table.wake_at)
    assert ring()
    assert not ring()
    assert (game.table.state, game.table.seats.count()) == ("closed", 0)
    refused(Illegal, "for open tables", break_up, game)
    assert StaffAction.objects.filter(verb="tables.break_up").count() == 1
    game.at(other)
    assert {player: game.stack(player) for player in held} == held
    assert [game.seat_of(game.ann).number, game.seat_of(game.bob).number] == [1, 2], "by their time at the table"
    assert Notice.objects.filter(player=game.ann, text__contains="you sit in seat 1").exists()


def test_a_player_without_a_seat_gets_their_chips_and_the_top_of_the_list(game, audited):
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
    seats.sit_out(table_id=game.pk, by=game.ann, now=game.now)
    break_up(game)
    game.leave(game.bob)
    game.play_out()
    game.wake()
    assert not other.seats.exists()
    assert list(ListEntry.objects.values_list("player__username", flat=True)) == ["ann"]
    assert game.wallet(game.ann) + game.wallet(game.bob) == 20_000


def test_a_table_without_an_offer_breaks_into_wallets_and_its_bots_go_home(room):
    ann = room.sit("ann")
    break_up(room)
    assert (room.wallet(ann), room.table.state) == (10_000, "closed")
    room.open(room.offer(), bots=3)
    room.wake()
    assert room.table.seats.count() == 3
    break_up(room)
    assert (room.table.state, room.table.seats.count(), ListEntry.objects.count()) == ("closed", 0, 0)


def test_closing_waits_for_the_end_of_the_hand(game):
    feeding = game.open(game.game, must_move_to_id=game.first.pk)
    game.at(game.first)
    asked = {"table_id": game.pk, "by": game.floor, "now": game.now}
    for verb in (tables.break_up, tables.close):
        refused(Invalid, "Enter a reason", verb, **asked)
    tables.close(**asked, reason="Late")
    assert game.table.state == "closing"
    refused(Illegal, "This table is closed", game.sit, "cid")
    tables.reopen(**asked)
    assert game.table.state == "open"
    tables.close(**asked, reason="Late")
    game.play_out()
    assert (game.table.state, game.wallet(game.ann) + game.wallet(game.bob)) == ("closed", 20_000)
    assert not game.wake()
    assert game.open(game.game).pk not in (game.first.pk, feeding.pk)


def test_a_private_table_takes_invited_players_or_those_with_the_password(room):
    room.open(room.offer(), password="acorn")
    ann, bob = room.player("ann"), room.player("bob")
    assert room.table.is_private
    assert "acorn" not in room.table.password
    refused(Forbidden, "give its password", room.sit, ann)
    unlock = partial(private.unlock, table_id=room.pk, by=ann)
    with at(room.now):
        for _ in range(5):
            refused(Forbidden, "not the password", unlock, password="beech")
        refused(TooMany, "wait up to 15 minutes", unlock, password="acorn")
    with at(room.later(minutes=16).now):
        assert unlock(password="acorn")
    room.sit(ann)
    asked = {"table_id": room.pk, "by": room.floor, "now": room.now}
    private.invite(**asked, player=bob)
    assert private.uninvite(**asked, player_id=bob.pk)
    assert not private.uninvite(**asked, player_id=bob.pk)
    refused(Forbidden, room.sit, bob)
    private.invite(**asked, player=bob)
    room.sit(bob)


def test_making_a_table_private_invites_the_players_who_sit_there(game):
    private.make_private(table_id=game.pk, is_private=True, by=game.floor, now=game.now)
    assert Invitation.objects.filter(table=game.pk).count() == 2
    refused(Forbidden, "ask the floor for an invitation", game.sit, "cid")
    private.make_private(table_id=game.pk, by=game.floor, is_private=False, now=game.now)
    assert game.sit("dan")
    assert not Invitation.objects.exists()


@world
def hall(room) -> Games:
    """A table in the room, with ann in seat 1 and 500 chips before her."""
    room.game = room.offer(is_physical=True)
    room.free = tables.add(name="Red 9", by=room.floor, now=room.now)
    room.first = room.open(room.game, table_id=room.free.pk)
    room.ann = room.player("ann")
    seating.seat(table_id=room.pk, player=room.ann, number=1, buy_in=500, by=room.floor, now=room.now)
    return room


def second(hall: Games, **options) -> Table:
    """Another table of the game there."""
    return opening.open_for(offer_id=hall.game.pk, by=hall.floor, name="Red 10", now=hall.now, **options)


def goes(hall: Games, count: int) -> None:
    """ann leaves the table with this count."""
    seating.unseat(table_id=hall.pk, player=hall.ann, by=hall.floor, reason="Late", count=count, now=hall.now)


def close(hall: Games) -> None:
    tables.close(table_id=hall.pk, by=hall.floor, reason="Late", now=hall.now)


def test_a_table_of_the_room_is_free_then_open_and_free_again(hall):
    assert (hall.table.pk, hall.table.name, hall.table.stakes) == (hall.free.pk, "Red 9", "15/30")
    refused(Conflict, "is not free", hall.open, hall.game, table_id=hall.free.pk)
    refused(Illegal, "One player sits at Red 9", close, hall)
    goes(hall, 500)
    close(hall)
    assert table_words.phase_of(hall.table, 0) == "free"
    assert hall.open(hall.game, table_id=hall.free.pk).state == "open"


def test_chips_that_are_missing_are_accounted_for_before_the_table_closes(hall, audited):
    goes(hall, 480)
    refusal = refused(Conflict, "book balance of Red 9 is not 0", close, hall)
    assert "20" not in f"{refusal.message} {refusal.values}", "counts are blind"
    asked = {"table_id": hall.pk, "counted": 0, "by": hall.floor, "now": hall.now}
    refused(Illegal, "0 is recorded: count again", settling.count, **asked)
    refused(Illegal, "enter a reason", settling.count, **asked)
    made = settling.count(**asked, reason="A rack short")
    assert (made.expected, made.difference, ChipCount.objects.count()) == (20, -20, 1)
    close(hall)
    assert hall.table.state == "free"
    house = ledger.open_account(kind="house", label=f"difference:table:{hall.pk}")
    assert ledger.balance(house) == 20


def move(hall: Games, other: Table) -> None:
    asked = {"player": hall.ann, "table_id": hall.pk, "to_table_id": other.pk, "number": 1, "by": hall.floor}
    moving.move(**asked, why="broken", count=500, now=hall.now)


def test_a_table_of_the_room_that_breaks_holds_seats_until_the_last_is_gone(hall):
    other = second(hall)
    break_up(hall)
    assert hall.table.state == "breaking"
    held = SeatHold.objects.get(table=other)
    assert (held.player, held.why) == (hall.ann, "move")
    told = Notice.objects.get(player=hall.ann).text
    assert told.startswith("Red 9 breaks: seat 1 of Red 10 is held for you until ")
    settling.count(table_id=hall.pk, counted=500, by=hall.floor, now=hall.later(seconds=30).now)
    assert hall.table.wake_at == hall.now, "it looks at once whether it is free"
    move(hall, other)
    hall.wake()
    assert (hall.table.state, ledger.balance(stacks.pool(other))) == ("free", 500)
    assert holds.free_seats(other) == [2, 3, 4, 5, 6, 7, 8]


def test_a_player_without_a_seat_is_called_from_the_list_before_a_chip_count(hall):
    other = second(hall, seat_count=2)
    for name in ("bob", "cid"):
        seating.seat(table_id=other.pk, player=hall.player(name), buy_in=500, by=hall.floor, now=hall.now)
    hall.later(minutes=5)
    break_up(hall)
    assert Notice.objects.get(player=hall.ann).text.endswith("the floor counts the chips before you.")
    bob, asked = User.objects.get(username="bob"), {"by": hall.floor, "reason": "Late", "count": 500}
    seating.unseat(table_id=other.pk, player=bob, now=hall.now, **asked)
    called = calling.call_next(table_id=other.pk, by=hall.floor, now=hall.now)
    assert (called.player, called.called_to, called.called_number) == (hall.ann, other, 1)
    move(hall, other)
    filling.fill_seats(offer_id=hall.game.pk, now=hall.now)
    called.refresh_from_db()
    assert called.state == "seated"
    hall.wake()
    assert hall.table.state == "free"


def test_a_broken_table_is_free_when_its_drop_box_is_emptied_last(hall):
    break_up(hall)
    goes(hall, 480)
    hall.wake()
    assert hall.table.state == "breaking"
    physical.empty_box(table_id=hall.pk, amount=20, by=hall.floor, now=hall.now)
    hall.wake()
    assert hall.table.state == "free"


def test_a_table_with_another_game_feeds_none_of_the_old(hall):
    feeding = second(hall, must_move_to_id=hall.pk)
    physical.top_up(table_id=hall.pk, player=hall.ann, amount=1000, by=hall.floor, now=hall.now)
    goes(hall, 1500)
    hall.later(minutes=5)
    close(hall)
    hall.open(hall.offer("Stud 20/40", is_physical=True, small_bet=20, big_bet=40), table_id=hall.free.pk)
    feeding.refresh_from_db()
    assert feeding.must_move_to is None
    said = {"player": hall.ann, "buy_in": 300, "by": hall.floor, "now": hall.now}
    refused(Illegal, "left this game a while ago with 1,500", seating.seat, table_id=feeding.pk, **said)
    assert seating.seat(table_id=hall.pk, **said).kind == "sat"


def test_a_free_table_is_closed_reopened_and_added_to_a_section(room):
    asked = {"by": room.floor, "now": room.now}
    refused(NotFound, "no such section", tables.add, name="Red 9", section_id=999, **asked)
    free = tables.add(name="Red 9", **asked)
    for verb, state in ((tables.close, "closed"), (tables.reopen, "free")):
        verb(table_id=free.pk, **asked)
        assert Table.objects.get(pk=free.pk).state == state


# House bots: the person who seats them answers for their chips


def test_house_bots_at_a_table_are_within_a_limit_of_whoever_opens_it(room):
    dear = room.offer(name="Dear", min_buy_in=300, max_buy_in=10_000)
    refused(NeedsApproval, "house bots", room.open, dear, bots=3)
    table = room.open(dear, bots=1)
    entry = StaffAction.objects.get(verb="tables.open_for")
    assert (entry.by, entry.details["gate"], entry.details["chips"]) == (room.floor, "bots", 10_000)
    more = {"table_id": table.pk, "by": room.floor, "now": room.now}
    refused(NeedsApproval, "house bots", tables.edit, **more, bots=4)
    tables.edit(**more, bots=3)
    assert StaffAction.objects.get(verb="tables.edit").details["chips"] == 20_000
    tables.edit(**more, bots=0)
    assert "gate" not in StaffAction.objects.filter(verb="tables.edit").latest("pk").details


def test_bots_that_buy_in_for_more_by_newer_settings_are_answered_for_again(room):
    offer = room.offer(name="Dear", min_buy_in=300, max_buy_in=1_000)
    table = room.open(offer, bots=7)
    offers.edit(offer_id=offer.pk, by=room.manager, now=room.now, max_buy_in=100_000)
    asked = {"table_id": table.pk, "by": room.floor, "now": room.now}
    refused(NeedsApproval, "house bots", tables.take_up, **asked)
    assert room.table.max_buy_in == 1_000


def test_the_bots_of_a_table_that_is_opened_again_are_answered_for_again(room):
    table = room.open(room.offer(max_buy_in=10_000), bots=2)
    asked = {"table_id": table.pk, "by": room.floor, "reason": "more players", "now": room.now}
    for _ in range(4):
        tables.close(**asked)
        tables.reopen(**asked)
    entry = StaffAction.objects.filter(verb="tables.reopen").latest("pk")
    assert (entry.details["gate"], entry.details["chips"]) == ("bots", 20_000)
    tables.close(**asked)
    refused(NeedsApproval, "daily limit", tables.reopen, **asked)
    assert Table.objects.get(pk=table.pk).state == "closed"


def test_house_bots_add_up_over_a_gaming_day(room):
    dear = room.offer(name="Dear", min_buy_in=300, max_buy_in=20_000)
    for _ in range(5):
        room.open(dear, bots=1)
    refused(NeedsApproval, "daily limit", room.open, dear, bots=1)
