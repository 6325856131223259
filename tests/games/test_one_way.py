"""Chips that go from one player to another over many hands show in a report, whatever the hands looked like."""

from datetime import timedelta

from cardroom.core.models import User
from games.reports import one_way
from games.tables.models.tables import Hand
from games.tables.models.times import HandResult
from tests.support.evening import Evening
from tests.support.parts.cardroom import access
from tests.support.parts.games import reports


def add_hand(evening: Evening, **nets: int) -> None:
    """A hand in which these players won and lost so much; what is missing was won or lost by bots, or is rake."""
    hand = Hand.objects.create(table=evening.table, number=Hand.objects.count() + 1, started_at=evening.now, seats={})
    for seat, (name, net) in enumerate(nets.items(), 1):
        user, _ = User.objects.get_or_create(username=name)
        HandResult.objects.create(
            hand=hand, table=evening.table, player=user, seat=seat, put_in=abs(net), net=net, taken=0, is_cash=True,
            is_showdown=False, is_all_in=False, at=evening.now,
        )  # fmt: skip


def pair_rows(evening: Evening) -> list[tuple[str, str, int, int, int]]:
    greatest = one_way.pairs(since=evening.now - timedelta(days=1), until=evening.now + timedelta(days=1))
    return [(pair.loser, pair.winner, pair.lost, pair.back, pair.percent) for pair in greatest]


def test_chips_that_never_come_back_stand_first(db):
    evening = Evening()
    for _ in range(3):
        add_hand(evening, mule=-100, boss=100)
    add_hand(evening, ann=-400, ben=400)
    add_hand(evening, ann=300, ben=-300)
    assert pair_rows(evening) == [("mule", "boss", 300, 0, 100), ("ann", "ben", 400, 300, 57)]


def test_what_several_lost_is_shared_among_the_winners_and_bots_have_their_part(db):
    evening = Evening()
    add_hand(evening, ann=-60, ben=-40, cat=75, dan=25)
    assert pair_rows(evening)[0] == ("ann", "cat", 45, 0, 100)
    assert sum(row[2] for row in pair_rows(evening)) == 100
    add_hand(evening, eve=-100, fay=10)
    assert ("eve", "fay", 10, 0, 100) in pair_rows(evening), "the bots won ninety"


def test_managers_read_it_of_one_player_too_and_nothing_of_other_days(db):
    evening = Evening()
    add_hand(evening, mule=-100, boss=100)
    add_hand(evening, ann=-5, ben=5)
    manager = User.objects.create_user("mia")
    access.grant_role(user=manager, role="manager", by=None)
    arguments = {"name": "losses", "by": manager, "now": evening.now + timedelta(hours=1)}
    span = {"since": evening.now, "until": evening.now + timedelta(days=1)}
    mule = User.objects.get(username="mule")
    assert [row["net"] for row in reports.sheet(**arguments, **span).rows] == [100, 5]
    (row,) = reports.sheet(**arguments, **span, player=mule.pk).rows
    assert (row["name_id"], row["winner"], row["hands"], row["hands_back"]) == (mule.pk, "boss", 1, 0)
    before = {"since": evening.now - timedelta(days=2), "until": evening.now - timedelta(days=1)}
    assert reports.sheet(**arguments, **before).rows == []
