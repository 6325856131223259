"""How a player plays, counted from the results of their hands."""

from datetime import UTC, datetime, timedelta

import pytest

from games.play import own_hands
from games.reports import statistics
from games.reports.pages.statistics import CountHandsForm
from tests.support.evening import Evening
from tests.support.models import Hand, HandResult, Table

NOW = datetime(2030, 1, 20, 12, tzinfo=UTC)


def add_hands(evening: Evening, count: int, **changes) -> None:
    """Add `count` hands of ann's, each won for 30 at the showdown but for `changes`. `saw`: the last street whose card
    she got; 0: the hand was void."""
    first = Hand.objects.count() + 1000
    at = changes.pop("at", NOW)
    hands = Hand.objects.bulk_create(
        Hand(table=evening.table, number=first + place, seats={}, started_at=at) for place in range(count)
    )
    row = {
        "put_in": 30, "net": 30, "start": "big-pair", "saw": 7, "is_voluntary": True, "is_showdown": True, "at": at,
        "table": evening.table, "player": evening.ann, "seat": 1, "game": "seven-card-stud", "small_bet": 15,
        "big_bet": 30, **changes,
    }  # fmt: skip
    HandResult.objects.bulk_create(HandResult(hand=hand, **row) for hand in hands)


FOLDED = {"put_in": 1, "net": -1, "start": "other", "saw": 3, "has_folded": True, "is_voluntary": False}
STOLEN = {"put_in": 15, "net": 6, "start": "other", "saw": 3, "is_raised": True}
BEATEN = {"put_in": 60, "net": -60}


def percents(numbers: statistics.HandNumbers) -> list[float | None]:
    return [rate.percent for rate in numbers.rates()]


def test_rates_are_of_their_chances_and_results_in_big_bets(evening: Evening) -> None:
    """Of a hundred hands 60 are folded at once, 10 stolen and 30 shown, of which 10 are beaten; 50 of them this
    month."""
    for at in (NOW - timedelta(days=30), NOW):
        add_hands(evening, 30, **FOLDED, is_showdown=False, at=at)
        add_hands(evening, 5, **STOLEN, is_showdown=False, at=at)
        add_hands(evening, 10, at=at)
        add_hands(evening, 5, **BEATEN, at=at)
    add_hands(evening, 7, saw=0)
    counted = statistics.statistics_of(evening.ann, now=NOW)
    assert counted.all.hands == 100
    # Too few showdowns would say nothing: there are thirty.
    assert percents(counted.all) == [40, 10, 10, 100, pytest.approx(200 / 3)]
    assert counted.all.big_bets == pytest.approx((-60 + 60 + 600 - 600) / 30)
    assert (counted.all.per_100, counted.all.spread) == (0, pytest.approx(7.8, abs=0.3))
    assert counted.totals[-1] == counted.all.big_bets
    assert [(street.number, street.still_in.percent) for street in counted.streets[:2]] == [(3, 100), (4, 30)]
    assert [street.folded.part for street in counted.streets] == [60, 0, 0, 0, 0]
    assert (counted.month.hands, counted.before.hands) == (50, 50)
    assert percents(counted.month)[-1] is None
    [stud] = counted.by_start
    assert [(row.name, row.numbers.hands) for row in stud.starts] == [("Pair of tens or better", 30), ("Other", 70)]
    assert [row.name for row in counted.by_game] == ["Seven-Card Stud, 15/30"]
    assert [row.numbers.hands for row in counted.periods] == [50, 50]


def test_few_hands_are_told_as_counts_and_not_as_percentages(evening: Evening) -> None:
    add_hands(evening, 3)
    numbers = statistics.statistics_of(evening.ann, now=NOW)
    assert percents(numbers.all) == [None] * 5
    assert (numbers.all.entered, numbers.all.per_100, numbers.trends()) == (statistics.Rate(3, 3), None, [])
    assert statistics.statistics_of(evening.bob, now=NOW).all.hands == 0
    for filters in ({"where": "events"}, {"game": "razz"}, {"stakes": "1/2"}, {"since": NOW + timedelta(days=1)}):
        assert statistics.statistics_of(evening.ann, **filters, now=NOW).all.hands == 0


def test_however_many_hands_they_are_one_query_counts_the_newest(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries
) -> None:
    add_hands(evening, 40, at=NOW - timedelta(days=1))
    add_hands(evening, 60, **FOLDED, is_showdown=False)
    monkeypatch.setattr(statistics, "MOST", 60)
    with django_assert_num_queries(1):
        numbers = statistics.statistics_of(evening.ann, now=NOW)
    assert (numbers.all.hands, numbers.is_part, numbers.all.entered.part) == (60, True, 0)


def test_a_hand_is_counted_at_its_own_stakes(evening: Evening) -> None:
    evening.play_out()
    Table.objects.filter(pk=evening.pk).update(small_bet=50, big_bet=100)
    for player in (evening.ann, evening.bob):
        numbers = statistics.statistics_of(player, now=evening.now)
        assert (numbers.all.hands, numbers.all.showdown.part, numbers.all.big_bets != 0) == (1, 1, True)
        assert [row.name for row in numbers.by_game] == ["Seven-Card Stud, 15/30"]
    assert own_hands.choices(evening.ann)["stakes"] == ["15/30"]
    for stakes, count in (("15/30", 1), ("50/100", 0)):
        assert statistics.statistics_of(evening.ann, stakes=stakes, now=evening.now).all.hands == count
        assert len(own_hands.find_own_hands(evening.ann, own_hands.HandSearch(stakes=stakes))) == count


def test_what_is_looked_for_is_named_in_the_readers_language(every_word_marked):
    form = CountHandsForm({}, offered={"games": ["razz"], "stakes": []})
    assert [str(form.fields[name].label) for name in ("game", "stakes", "where")] == ["~Game", "~Stakes", "~Where"]
    assert ("razz", "~Razz") in form.fields["game"].choices
