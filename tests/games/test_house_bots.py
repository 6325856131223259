"""How the house's bots come, play, wait, and make room."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support.evening import Evening
from tests.support.models import SeatMove, User
from tests.support.parts.games import choosing, house_bots, seats, table_journal
from tests.support.parts.stud import CardsDealt, c
from tests.support.worlds import world

pytestmark = pytest.mark.usefixtures("seeded_bots")


@world
def all_bots():
    """A table at which five bots play by themselves."""
    return Evening(bots=5, bots_wait_for_people=False).deal()


def bot_seats(table):
    return table.table.seats.filter(player__is_bot=True)


def play_on(table, person):
    """To the end of the hand, the bots by themselves."""
    hand = table.table.hand_id
    while table.table.hand_id == hand:
        table.check_or_call() if table.to_act == person else table.wake()


def test_bots_come_think_like_people_and_play_on_after_an_outage(all_bots, audited):
    people = User.objects.filter(seats__table=all_bots.pk)
    assert [person.is_bot for person in people] == [True] * 5
    assert {person.personality for person in people} == set(choosing.PERSONALITIES)
    table = all_bots.table
    assert timedelta(seconds=0.5) <= table.wake_at - table.turn_at <= timedelta(seconds=1.5)
    assert table.deadline - table.turn_at == timedelta(seconds=90)
    all_bots.later(hours=1)
    assert all_bots.wake()
    assert "timed-out" not in [fact.kind for fact in all_bots.engine.facts]
    while all_bots.hands_ended < 2:
        assert all_bots.wake()


def test_bots_that_wait_are_seated_and_not_dealt_in(open_table):
    table = open_table(bots=3)
    assert table.wake()
    assert bot_seats(table).count() == 3
    assert not table.wake(), "nothing is due until somebody comes"
    ann = table.sit("ann")
    assert set(table.deal().engine.seats) == {1, 2, 3, table.seat_of(ann).number}
    seats.sit_out(table_id=table.pk, by=ann, now=table.now)
    play_on(table, ann)
    for _ in range(3):
        table.wake()
    assert table.hands_ended == 1, "the bots do not play on among themselves"


@pytest.mark.parametrize("turns", [0, 1, 7])
def test_a_newcomer_among_bots_is_dealt_in_within_ten_seconds(all_bots, turns):
    for _ in range(turns):
        all_bots.wake()
    number, latest = all_bots.seat_of(all_bots.sit("ann")).number, all_bots.now + timedelta(seconds=10)
    while str(number) not in all_bots.table.clocks:
        assert all_bots.later(seconds=0.2).now < latest
        if all_bots.table.wake_at and all_bots.table.wake_at <= all_bots.now:
            all_bots.wake()
    assert all_bots.engine.seats[number].is_live


def test_a_bot_is_shown_no_card_that_its_seat_may_not_see(all_bots, monkeypatch):
    seen, real = [], choosing.choose

    def choose(**given):
        hand, seat = given["hand"], given["seat"]
        dealt = [deal for fact in hand.facts if isinstance(fact, CardsDealt) for deal in fact.cards]
        seen.append(hand.deck is None and all((card is not None) == (up or owner == seat) for owner, card, up in dealt))
        return real(**given)

    monkeypatch.setattr(choosing, "choose", choose)
    for _ in range(6):
        all_bots.wake()
    assert set(seen) == {True}


@pytest.mark.parametrize("fault", ["raises", "is illegal"])
def test_a_bot_that_fails_has_its_clock_and_the_next_hand(all_bots, monkeypatch, fault, caplog, capsys, audited):
    def choose(**given):
        if fault == "raises":
            raise RuntimeError("my downcards were As Kd")
        return c.Check(given["seat"])  # the first action of a hand is a forced bet

    bot = all_bots.table.to_act
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(choosing, "choose", choose)
        assert not all_bots.wake()
        assert "As Kd" not in caplog.text + "".join(capsys.readouterr()), "what it says is not logged"
        assert all_bots.table.wake_at == all_bots.table.deadline
        seq = all_bots.table.seq
        assert all_bots.wake()
        first, second = table_journal.facts(all_bots.table.hand_id, after=seq)[:2]
        assert (first.kind, first.seat, second.kind) == ("timed-out", bot, "bring-in-posted")
        while all_bots.hands_ended < 1:
            all_bots.wake()
    while all_bots.hands_ended < 2:
        assert all_bots.wake()
    assert not bot_seats(all_bots).exclude(state="playing").exists()


def test_a_broke_bot_buys_in_again_from_the_house(open_table, monkeypatch, audited):
    table = open_table(bots=2, bots_wait_for_people=False, min_buy_in=30, max_buy_in=60)
    monkeypatch.setattr(choosing, "choose", lambda *, hand, seat, **_: _wildest(hand.options(seat)))
    while not SeatMove.objects.filter(kind="topped-up").exists():
        table.wake()
    assert all(seat.account.balance > 0 for seat in bot_seats(table).select_related("account"))


def _wildest(option):
    if option.sizes:
        return c.Wager(option.seat, option.sizes[-1])
    return c.Call(option.seat) if option.call else c.Check(option.seat)


def test_bots_that_sit_nowhere_are_recruited_before_new_ones_are_made():
    now = timezone.now()
    idle, again = house_bots.recruit(2, now=now), house_bots.recruit(3, now=now)
    assert again[:2] == idle
    assert len(again) == len(set(again)) == 3


def test_one_seat_stays_free_of_bots(open_table, audited):
    table = open_table(bots=3, seat_count=4)
    table.wake()
    ann, bob = table.sit("ann"), table.player("bob")
    assert bot_seats(table).count() == 3, "the table is full until the next hand is dealt"
    table.deal()
    assert bot_seats(table).count() == 2
    table.sit(bob)
    play_on(table, ann)
    table.deal()
    assert bot_seats(table).count() == 1
