"""What everybody may know of an event, and each player of themselves."""

from datetime import timedelta

from cardroom.core.models import Notice
from tests.support.events import PRICE, Event, order
from tests.support.parts.tournaments import arrivals, board, board_parts, event_journal
from tests.support.worlds import world
from tournaments.engine.commands import Agree, Bust, Count, HandForHand, Move, NextLevel, SetRemaining, Undo
from tournaments.engine.config import AddOnTerms, PayoutTerms, RebuyTerms

HALF = PayoutTerms("percent", percents=(50, 30, 20))


def read(event, *players):
    seen = board.read(event.pk, notices_after={player.pk: 0 for player in players}, now=event.now)
    assert seen is not None
    return seen


def own(event, player):
    return read(event, player).own[player.pk]


@world
def nine():
    """Nine play at two tables, for 900 in three prizes."""
    return Event(payout=HALF).started(9)


def bust(event, *numbers, by=9):
    event.play(Bust(tuple((number, 2000) for number in numbers), by=(by,)))


def test_a_screen_gets_the_clock_as_a_deadline(nine, make_event):
    before, ends_at = read(nine).parts, event_journal.ms(nine.now + timedelta(minutes=15))
    assert before["clock"] == {"level": 0, "hands": 0, "ends_at": ends_at, "remaining_ms": None}
    names = [level["name"] for level in board_parts.translated_parts(before)["levels"]]
    assert names == ["Level 1", "Level 2", "Break 1", "Level 3", "Level 4"]
    arrivals.arrived(entrant=3, **order(nine))
    after = read(nine).parts
    assert after["event"].pop("news") != before["event"].pop("news")
    assert after == before
    draft = make_event()
    seen = board.read(draft.pk, notices_after={}, now=draft.now), board.versions([draft.pk])
    assert seen == (None, {}), "a draft is there for nobody"


def test_payouts_that_are_alike_are_one_row_and_name_who_has_got_there(nine):
    assert read(nine).parts["payouts"] == [
        {"first": place, "last": place, "amount": amount, "is_ticket": False, "names": []}
        for place, amount in ((1, 450), (2, 270), (3, 180))
    ]
    bust(nine, 1)
    nine.play(HandForHand(True))
    tables = read(nine).parts["tables"]
    assert (tables["is_hand_for_hand"], len(tables["waiting"])) == (True, tables["count"])
    nine.play(HandForHand(False))
    bust(nine, 2, 3, 4, 5, 6)
    bust(nine, 7)
    parts = read(nine).parts
    assert [row["names"] for row in parts["payouts"]] == [[], [], [nine.entry(7).name]]
    assert parts["counts"]["places_paid"] == 3


def test_in_the_end_everybody_is_named_with_their_prize_ties_and_deals_included(nine):
    bust(nine, 1, 2, 3, 4, 5)
    bust(nine, 6, 7)
    nine.play(Agree("custom", ((8, 360), (9, 360)), 0))
    bust(nine, 8)
    rows = read(nine).parts["payouts"]
    assert [(row["first"], row["amount"]) for row in rows] == [(1, 360), (2, 360), (3, 90), (3, 90)]
    assert sum(row["amount"] for row in rows) == 900


def test_a_move_that_was_taken_back_was_none(nine):
    table, other = sorted(nine.state.tables.values(), key=lambda each: -len(each.seats))
    number = next(iter(table.seats.values()))
    seat = next(number for number in range(1, 9) if number not in other.seats)
    nine.play(Move(number, other.number, seat, "To even the tables.", "TDA 11"))
    (move,) = read(nine).parts["moves"]
    assert (move["name"], move["rule"]) == (nine.entry(number).name, "TDA 11")
    assert (move["table"], move["seat"]) == (other.number, seat)
    nine.play(Undo())
    assert read(nine).parts["moves"] == []


def test_a_player_knows_their_position_what_is_safe_and_the_next_jump(make_event):
    event = make_event(payout=HALF).started(5)
    ana = event.entry(1).player

    def known(*what):
        return tuple(own(event, ana)[each] for each in what)

    event.play(Count(1, 2500))
    event.play(Count(2, 2500))
    assert known("position", "is_counted") == (None, True), "others were not counted"
    for number in (3, 4, 5):
        event.play(Count(number, 1600))
    assert known("position", "left") == (1, 5)
    event.play(Count(2, 2501))
    assert known("position", "secured", "next_jump") == (2, 0, {"place": 3, "amount": 100, "outs": 2})
    event.play(Bust(((3, 1600), (4, 1600)), by=(2,)))
    assert known("secured", "next_jump") == (100, {"place": 2, "amount": 150, "outs": 1})
    assert read(event, event.player()).own == {}


def test_what_is_on_sale_is_what_the_engine_would_sell(make_event):
    price = PRICE | {"rebuy": {"pool": 50, "fee": 5}, "add_on": {"pool": 40}}
    terms = {
        "rebuy": RebuyTerms(1500, most=1, until_level=2, at_most_stack=2000),
        "add_on": AddOnTerms(3000, at_break=1),
    }
    event = make_event(price=price, **terms).open(entrants=3)
    ana = event.entry(1).player
    assert own(event, ana)["on_sale"] == []
    event.start()
    assert own(event, ana)["on_sale"] == [{"what": "rebuy", "chips": 1500, "price": 55, "had": 0}]
    event.play(NextLevel())
    event.play(NextLevel())
    assert own(event, ana)["on_sale"] == [{"what": "add_on", "chips": 3000, "price": 40, "had": 0}]


def test_unread_notices_come_in_their_order_and_a_crowd_takes_as_many_queries_as_one(nine, django_assert_num_queries):
    players = [nine.entry(number).player for number in range(1, 10)]
    ana = players[0]
    Notice.objects.filter(player=ana).delete()

    def tell(text, *, at=nine.now, of=f"event:{nine.pk}:", **more):
        Notice.objects.create(player=ana, kind="message", text=text, at=at, key=f"{of}{text}", **more)

    tell("old", at=nine.now - timedelta(days=1))
    tell("one"), tell("two")
    tell("read", read_at=nine.now)
    tell("of another event", of=f"event:{nine.pk}0:"), tell("of the room", of="")
    told = read(nine, *players).notices[ana.pk]
    assert [notice["text"] for notice in told] == ["one", "two"]
    later = board.read(nine.pk, notices_after={ana.pk: told[0]["id"]}, now=nine.now)
    assert [notice["text"] for notice in later.notices[ana.pk]] == ["two"]
    nine.play(SetRemaining(60_000))
    event_journal.forget()  # another process played it
    # The event, the seats, the notices, a proposed deal; and the facts that were not known here.
    with django_assert_num_queries(5):
        read(nine, *players)
    with django_assert_num_queries(4):
        read(nine, *players)
