"""What staff does with seats: who sits where after it, where their chips are, and who is told no."""

from datetime import timedelta
from functools import partial

from games.waitlists.host import CashHost
from tests.support.evening import Evening
from tests.support.models import Alarm, Notice, SeatHold, SeatMove, StaffAction, Table
from tests.support.offers import offer_tables, staff
from tests.support.parts.cardroom import Conflict, Forbidden, Illegal, Invalid, NotFound, bans
from tests.support.parts.games import holds, moving, opening, seating, seats
from tests.support.refusals import refused
from tests.support.worlds import world


def carry_out_moves(table: Evening) -> None:
    """Ring the alarms of the moves that waited for the end of a hand."""
    for alarm in Alarm.objects.filter(kind=moving.ALARM):
        assert moving.wake(seat_id=int(alarm.key), now=table.now)


@world
def two_tables() -> tuple[Evening, Evening]:
    return Evening(), Evening()


@world
def table() -> Evening:
    """ann sits in seat 1 with 500 chips; `floor` is of the staff."""
    made = Evening()
    made.floor, made.ann = staff(), made.sit("ann")
    return made


@world
def leaving(evening) -> Evening:
    """ann is in a hand, and after it they move to the table `two` of the same game."""
    evening.two, evening.floor = Evening(), staff()
    offer_tables(evening, evening.two)
    asked = {"player": evening.ann, "table_id": evening.pk, "to_table_id": evening.two.pk, "why": "must move"}
    assert moving.move(**asked, by=evening.floor, now=evening.now).kind == "moving"
    return evening


def test_staff_seats_a_player_with_wallet_chips_and_a_move_takes_the_stack(two_tables, audited):
    one, two = two_tables
    offer_tables(one, two)
    ann, floor = one.player("ann"), staff()
    move = seating.seat(table_id=one.pk, player=ann, buy_in=1500, by=floor, now=one.now)
    assert (move.number, move.by, one.stack(ann), one.wallet(ann)) == (1, floor, 1500, 8500)
    action = StaffAction.objects.get(verb="seating.seat")
    assert (action.by, action.player, action.details) == (floor, ann, {"seat": 1, "buy_in": 1500})
    asked = {"player": ann, "table_id": one.pk, "to_table_id": two.pk, "number": 5, "by": floor, "why": "short game"}
    move = moving.move(**asked, now=one.now)
    assert (move.kind, move.table_id, move.number, move.amount) == ("moved", two.pk, 5, 1500)
    assert (two.stack(ann), two.wallet(ann)) == (1500, 8500)
    assert [m.kind for m in SeatMove.objects.filter(table=one.pk)] == ["sat", "moved-away"]


def test_a_player_in_a_hand_is_moved_after_it_and_the_new_seat_waits(leaving, audited):
    two, ann = leaving.two, leaving.ann
    assert leaving.seat_of(ann).state == "moving"
    asked = {"player": two.player("cid"), "number": 1, "buy_in": 500, "by": leaving.floor, "now": two.now}
    refused(Conflict, "held for ann", seating.seat, table_id=two.pk, **asked)
    refused(Conflict, "Seat 1 is held: choose another", two.sit, "dee", 1)
    leaving.play_out()
    stack = leaving.stack(ann)
    carry_out_moves(leaving)
    assert (two.seat_of(ann).number, two.stack(ann)) == (1, stack)
    assert not SeatHold.objects.exists()
    assert not leaving.table.seats.filter(player=ann).exists()


def test_a_waiting_move_is_taken_back_on_demand_or_if_the_table_closed(leaving):
    asked = {"player": leaving.ann, "table_id": leaving.pk, "now": leaving.now}
    assert moving.cancel_move(**asked)
    assert not moving.cancel_move(**asked)
    assert (leaving.seat_of(leaving.ann).state, SeatHold.objects.count()) == ("playing", 0)
    moving.move(**asked, to_table_id=leaving.two.pk, by=leaving.floor, why="must move")
    Table.objects.filter(pk=leaving.two.pk).update(state=Table.State.CLOSED)
    leaving.play_out()
    carry_out_moves(leaving)
    assert leaving.seat_of(leaving.ann).state == "playing"
    assert "You keep your seat" in Notice.objects.get(player=leaving.ann).text


def test_players_change_or_swap_seats_between_hands_with_their_stacks(table, audited):
    ann, bob = table.ann, table.sit("bob", 6, buy_in=900)
    before = table.seat_of(ann).sat_at
    table.later(minutes=5)
    asked = {"player": ann, "table_id": table.pk, "to_table_id": table.pk, "number": 7, "by": None, "now": table.now}
    moving.move(**asked, why="asked for it")
    assert (table.seat_of(ann).number, table.stack(ann), table.seat_of(ann).sat_at) == (7, 500, before)
    refused(Conflict, "The player sits in that seat", moving.move, **asked, why="asked for it")
    asked = {"table_id": table.pk, "player": ann, "other": bob, "by": table.floor}
    moving.swap(**asked, now=table.now)
    assert [(table.seat_of(who).number, table.stack(who)) for who in (ann, bob)] == [(6, 500), (7, 900)]
    refused(Conflict, "between hands", moving.swap, **asked, now=table.deal().now)


def test_a_move_needs_a_seat_the_same_game_and_a_stack_it_takes(two_tables):
    one, two = two_tables
    offer_tables(one)
    Table.objects.filter(pk=two.pk).update(min_buy_in=800, small_bet=40, big_bet=80)
    asked = {"player": one.player("ann"), "by": staff(), "now": one.now}
    way = {"table_id": one.pk, "to_table_id": two.pk, "why": "wished"}
    refused(NotFound, "ann has no seat", moving.move, **asked, **way)
    refused(NotFound, "ann has no seat", seating.unseat, **asked, table_id=one.pk, reason="wished")
    one.sit(asked["player"])
    refused(Illegal, "plays another game", moving.move, **asked, **way)


def test_a_player_taken_off_finishes_the_hand_and_cannot_take_it_back(evening, audited):
    floor, ann = staff(), evening.ann
    asked = {"table_id": evening.pk, "player": ann, "by": floor, "now": evening.now}
    refused(Invalid, "Enter a reason", seating.unseat, **asked, reason="")
    assert seating.unseat(**asked, reason="rude to the dealer").kind == "removed"
    refused(Conflict, "ask the floor", seats.come_back, table_id=evening.pk, by=ann, now=evening.now)
    evening.play_out()
    assert not evening.table.seats.filter(player=ann).exists()
    assert evening.wallet(ann) + evening.wallet(evening.bob) + evening.stack(evening.bob) == 20_000


def test_a_banned_player_is_taken_off_after_the_hand_and_their_held_seat_is_free(
    evening, django_capture_on_commit_callbacks
):
    two, manager, hand = Evening(), staff("manager"), evening.table.hand_id
    until = evening.now + timedelta(minutes=5)
    holds.hold(table_id=two.pk, player=evening.ann, why="called", until=until, by=None, now=evening.now)
    with django_capture_on_commit_callbacks(execute=True):
        bans.ban(player=evening.ann, reason="cheated", by=manager, now=evening.now)
    assert (evening.seat_of(evening.ann).state, evening.table.hand_id) == ("removed", hand)
    assert holds.free_seats(two.table) == list(range(1, 9))
    evening.play_out()
    assert [seat.player for seat in evening.table.seats.all()] == [evening.bob]
    assert evening.wallet(evening.ann) + evening.stack(evening.bob) == 10_500
    refused(Forbidden, "cheated", evening.sit, evening.ann)


def test_a_player_who_returns_owes_nothing_and_one_who_does_not_is_picked_up(table):
    ann, half_an_hour = table.ann, timedelta(minutes=30)
    asked = {"table_id": table.pk, "player": ann, "by": table.floor}
    refused(Conflict, "not away", seating.mark_back, **asked, now=table.now)
    seating.mark_absent(**asked, now=table.now)
    seating.mark_back(**asked, now=table.now)
    assert (table.seat_of(ann).state, table.stack(ann)) == ("playing", 500)
    seating.mark_absent(**asked, now=table.now)
    refused(Conflict, "sitting out already", seating.mark_absent, **asked, now=table.now)
    early = table.now + half_an_hour - timedelta(minutes=1)
    assert "30 minutes" in refused(Illegal, "kept until", seating.pick_up, **asked, now=early).rule
    move = seating.pick_up(**asked, now=table.now + half_an_hour)
    assert (move.kind, move.amount, table.wallet(ann)) == ("picked-up", 500, 10_000)
    assert "your 500 chips are in your wallet" in Notice.objects.get(player=ann).text


def test_the_host_of_a_table_hears_of_a_seat_that_comes_free(table, monkeypatch):
    freed = []
    monkeypatch.setattr(CashHost, "seat_freed", lambda self, *, table_id, now: freed.append(table_id))
    table.leave(table.ann)
    assert freed == [table.pk]


def test_a_held_seat_is_for_one_for_a_reason_and_for_a_while(open_table):
    table = open_table()
    ann, until = table.player("ann"), table.now + timedelta(minutes=5)
    asked = {"table_id": table.pk, "player": ann, "by": None, "now": table.now}
    for why, end in (("called", None), ("lock-up", table.now), ("because", until)):
        refused(Invalid, holds.hold, **asked, why=why, until=end)
    held = holds.hold(**asked, number=1, why="called", until=until)
    assert (holds.free_seats(table.table), holds.free_seats(table.table, ann)[0]) == ([2, 3, 4, 5, 6, 7, 8], 1)
    assert table.seat_of(table.sit("bob")).number == 2
    assert not holds.expire(hold_id=held.pk, now=until - timedelta(seconds=1))
    assert [holds.expire(hold_id=held.pk, now=until) for _ in range(2)] == [True, False]
    assert table.seat_of(table.sit("cid")).number == 1


def test_a_player_gets_the_seat_held_for_them_and_they_or_staff_release_it(open_table):
    table, floor = open_table(), staff()
    ann, bob = table.player("ann"), table.player("bob")
    asked = {"table_id": table.pk, "player": ann, "now": table.now}
    hold = partial(holds.hold, **asked, number=6, why="reserved", until=None, by=floor)
    hold()
    refused(Forbidden, holds.release, **asked, by=bob)
    assert holds.release(**asked, by=ann)
    assert not holds.release(**asked, by=floor)
    hold()
    table.sit(ann)
    assert (table.seat_of(ann).number, SeatHold.objects.count()) == (6, 0)
    refused(Conflict, "sits at", hold)


def test_a_player_who_returns_within_the_hour_brings_the_stack_they_left_with(open_table):
    one, two = open_table(), open_table(max_buy_in=900, rulebook="gardens")
    other = open_table(stakes=opening.TableStakes(ante=1, bring_in=5, small_bet=20, big_bet=40))
    offer_tables(one, two)
    ann = one.sit("ann", buy_in=1500)
    one.leave(ann)
    other.sit(ann, buy_in=300)
    refusal = refused(Illegal, "You left this game a while ago with 1,500", two.sit, ann, buy_in=900)
    assert refusal.rule.startswith("The Gardens Casino (silent; played as Robert's Rules of Poker")
    two.sit(ann, buy_in=1500)
    assert two.stack(ann) == 1500
    two.leave(ann)
    two.later(minutes=61).sit(ann, buy_in=300)


def test_a_private_home_game_is_a_game_of_its_own(open_table):
    home, public, elsewhere = (open_table() for _ in range(3))
    ann = home.sit("ann", buy_in=1500)
    home.leave(ann)
    Table.objects.filter(pk__in=(home.pk, elsewhere.pk)).update(is_private=True)
    for other in (public, elsewhere):
        offer = seats.buy_in(table_id=other.pk, player=ann, now=other.now)
        assert (offer.least, offer.rule, offer.last) == (300, "", None)
    assert seats.buy_in(table_id=home.pk, player=ann, now=home.now).least == 1500
    public.sit(ann, buy_in=1000)
    public.leave(ann)
    back = seats.buy_in(table_id=home.pk, player=ann, now=home.now)
    assert (back.least, back.last) == (1500, 1500)


def test_a_game_may_not_ask_at_all(table):
    offer_tables(table, rathole_minutes=0)
    table.leave(table.ann)
    table.sit(table.ann, buy_in=300)
