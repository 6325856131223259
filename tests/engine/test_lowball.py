"""The ace-to-five evaluator: by rule and against an independent library."""

from itertools import combinations, pairwise

import pytest

from games.engine.ranking import low8_value_of, low_five_of, low_value_of
from tests.support.hands import deals
from tests.support.parts.stud import DECK, Category, category_of, parse_cards, ranks_in
from tests.support.refusals import refused


def low(text):
    return low_value_of(parse_cards(text))


#: A line for each category.
BEST_FIRST = [
    "Ac2d3h4s5c", "Ac2d3h4s6c", "2c3d4h5s6c", "Ac2c3c4c7c", "Ac2d3h4sKc", "9cTdJhQsKc",
    "AcAd2h3s4c", "KcKd2h3s4c",
    "KcKdTsJsQc", "2c2dAhAs3c", "KcKdQhQsJc",
    "AcAdAh2s3c", "KcKdKhQsJc", "AcAdAh2s2c",
    "KcKdKhQsQc", "AcAdAhAs2c",
    "KcKdKhKsQc",
]  # fmt: skip


def test_lows_rank_with_the_ace_low_and_pairs_bad_whether_they_are_straights_or_flushes():
    values = [low(text) for text in BEST_FIRST]
    assert values == sorted(set(values))
    assert low("Ac2c3c4c5c") == low("Ac2d3h4s5c")
    assert low("4d5d6d7d8d") == low("4c5d6h7s8c")
    value = low("8c6d4h2sAcKdKh")
    assert category_of(value) is Category.HIGH_CARD
    assert ranks_in(value) == (8, 6, 4, 2, 1)


@pytest.mark.parametrize(("cards", "five"), [
    ("Ac2d3h4s5cKdKh", "5c4s3h2dAc"),
    ("AcAd2h3s4c9dKh", "9d4c3s2hAd"),  # of the aces the higher suit
    ("AcAdAh2s2c2d3h", "2s2dAhAd3h"),  # two pair is lower than trips
    ("AcAdAhAs2c2d2h", "AsAhAd2h2d"),  # a full house is lower than quads
    ("KcKdKhQsQcQdQh", "QsQhQdKhKd"),
    ("AcKd7h", "Kd7hAc"),
])  # fmt: skip
def test_the_best_low_cards_play_highest_first_with_the_highest_suits(cards, five):
    assert low_five_of(parse_cards(cards)) == parse_cards(five)


def test_six_and_seven_cards_are_worth_the_lowest_five_among_them():
    for cards in deals(1_500, (6, 7), seed=1):
        assert low_value_of(cards) == min(map(low_value_of, combinations(cards, 5)))
        assert low_value_of(low_five_of(cards)) == low_value_of(cards)


@pytest.mark.parametrize("boards", [
    ("Ac", "2c", "Kc"),
    ("2cAd", "3cAd", "3c2d", "KcQd", "AcAd", "KcKd"),
    ("3c2dAh", "KcQdJh", "AcAd2h", "AcAdKh", "2c2dAh", "AcAdAh"),
    ("4c3d2hAs", "8c4d3h2s", "KcQdJhTs", "AcAd3h2s", "2c2dAhAs", "AcAdAh2s", "AcAdAhAs"),
])  # fmt: skip
def test_low_boards_compare_card_by_card_from_the_highest(boards):
    values = [low(board) for board in boards]
    assert all(better < worse for better, worse in pairwise(values))


def test_five_ranks_of_eight_or_under_qualify_for_low():
    for cards in ("8c7d6h5s4c", "Ac2d3h4s8cKdKh", "AcAd2h3s4c5d5h"):
        assert low8_value_of(parse_cards(cards)) == low(cards)
    for cards in ("9c4d3h2sAc", "AcAd2h3s4c9dKh", "8c8d7h7s6c6d5h", "Ac2d3h4s", "Ac"):
        assert low8_value_of(parse_cards(cards)) is None


@pytest.mark.parametrize("size", [5, 6, 7])
def test_lows_are_those_of_an_independent_library(size):
    pokerkit = pytest.importorskip("pokerkit")
    hands = []
    for cards in deals(400, (size,), seed=size):
        text = "".join(cards)
        hands.append((low_value_of(cards), pokerkit.RegularLowHand.from_game(text)))
        qualified = pokerkit.EightOrBetterLowHand.from_game_or_none(text)
        assert (low8_value_of(cards) is None) == (qualified is None)
    for (ours, theirs), (our_next, their_next) in pairwise(hands):
        assert (ours < our_next, ours == our_next) == (theirs > their_next, theirs == their_next)


@pytest.mark.parametrize("cards", [("As", None), ("As", "??"), (), DECK[:8], ("As", "Ah", "Ad", "Ac", "As")])
def test_what_cannot_be_ranked_is_refused(cards):
    for ask in (low_value_of, low8_value_of):
        refused(ValueError, "card", ask, cards)
