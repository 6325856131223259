"""The evaluators, high and ace-to-five: by rule, by the published counts, and against independent libraries.

The counts are those of any text on poker probability, for instance https://en.wikipedia.org/wiki/Poker_probability.
"""

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod

import pytest

from games.engine.cards import DECK, RANKS, SUITS, parse_cards, rank_of
from games.engine.ranking import five_of, low8_value_of, low_five_of, low_value_of, name_of, odd_chip_key, value_of
from tests.support.hands import deals
from tests.support.parts.stud import Category, category_of, ranks_in
from tests.support.refusals import refused
from tests.support.tiers import many


def value(text):
    return value_of(parse_cards(text))


#: A line for each category.
WEAKEST_FIRST = [
    "7c5d4h3s2c", "KcQdJh9s8c", "Ac6d4h3s2d", "AcKdQhJs9c",
    "2c2d5h4s3c", "2c2dAhKsQc", "AcAd4h3s2c", "AcAdKhQsJc",
    "3c3d2h2s4c", "3c3d2h2sAc", "AcAd2h2s3c", "AcAdKhKsQc",
    "2c2d2h4s3c", "AcAdAhKsQc",
    "Ac2d3h4s5c", "2c3d4h5s6c", "TcJdQhKsAc",
    "2c3c4c5c7c", "AcKcQcJc9c",
    "2c2d2h3s3c", "2c2d2hAsAc", "AcAdAhKsKc",
    "2c2d2h2s3c", "2c2d2h2sAc", "AcAdAhAsKc",
    "Ac2c3c4c5c", "TcJcQcKcAc",
]  # fmt: skip


def test_hands_rank_in_the_order_of_the_rules_whatever_their_suits_and_order():
    values = [value(text) for text in WEAKEST_FIRST]
    assert values == sorted(set(values))
    assert value("AsKsQsJs9s") == value("9dJdAdQdKd")
    assert value("AsKd5h5c2s") == value("2d5sKcAh5d")
    assert category_of(value("QcKdAh2s3c")) is Category.HIGH_CARD


@pytest.mark.parametrize(("cards", "same_as"), [
    ("AcAdKhKsQcQd2h", "AcAdKhKsQc"),  # the third pair is a kicker
    ("AcAdKhKsQcQdQh", "QcQdQhAcAd"),  # trips and two pairs: the higher pair fills
    ("AcAdAhKsKcKd2h", "AcAdAhKsKc"),  # two trips
    ("AcAdAhAsKcKdKh", "AcAdAhAsKc"),
    ("2c2d2h2s3c3d4h", "2c2d2h2s4h"),  # the kicker to quads is not out of the pair
    ("2c3c4d5h6s7c8d", "4d5h6s7c8d"),
    ("Ac2d3h4s5c6d6h", "2d3h4s5c6d"),
    ("Ac2c3c4c5c6d7h", "Ac2c3c4c5c"),  # a straight flush under a higher straight
    ("Ac2c3c4c5cKcQc", "Ac2c3c4c5c"),  # and under a higher flush
    ("2h4h6h8hThQhAh", "6h8hThQhAh"),
    ("2h4h6h8hThTsTd", "2h4h6h8hTh"),  # trips beside a flush
])  # fmt: skip
def test_the_best_five_of_seven_play(cards, same_as):
    assert value(cards) == value(same_as)


def test_six_and_seven_cards_are_worth_the_best_five_among_them():
    for cards in deals(4_000, (6, 7), seed=1):
        assert value_of(cards) == max(map(value_of, combinations(cards, 5)))


def groups(cards):
    """Its ranks by how many there are of each, the most important first."""
    by_importance = sorted(((count, rank) for rank, count in Counter(map(rank_of, cards)).items()), reverse=True)
    return tuple(zip(*by_importance, strict=True))


@pytest.mark.parametrize(("size", "high_card", "pair", "two_pair", "trips", "quads"), [
    (1, 52, 0, 0, 0, 0), (2, 1248, 78, 0, 0, 0), (3, 18_304, 3_744, 0, 52, 0), (4, 183_040, 82_368, 2_808, 2_496, 13),
])  # fmt: skip
def test_boards_fall_into_the_counted_categories_and_rank_by_groups(size, high_card, pair, two_pair, trips, quads):
    counts, worth = Counter(), {}
    for cards in combinations(DECK, size):
        here = value_of(cards)
        counts[category_of(here)] += 1
        if cards[0][1] == "c":  # every set of ranks is there with its lowest card in clubs
            worth.setdefault(groups(cards), set()).add(here)
    found = [counts.pop(each, 0) for each in (Category.HIGH_CARD, Category.PAIR, Category.TWO_PAIR, Category.TRIPS)]
    assert (found, counts.pop(Category.QUADS, 0)) == ([high_card, pair, two_pair, trips], quads)
    assert not counts, "straights, flushes and full houses take five cards"
    in_order = [each for ranks in sorted(worth) for each in worth[ranks]]
    assert len(in_order) == len(worth), "alike groups are worth the same"
    assert in_order == sorted(set(in_order))


@pytest.mark.parametrize(("better", "worse"), [
    ("2c2d", "AcKdQh"),  # a pair beats any higher cards, however many
    ("Ac", "KcQdJh9s8c"),  # the highest card comes first
    ("AcKd", "Ac"),  # a card beats no card
    ("AcAd2h", "AcAd"), ("AcAd3h", "AcAd2h"), ("AcAdKh", "AcAdQhJsTc"), ("2c2d2h", "AcAdKhKs"),
    ("2c2d2h2s", "AcAdAhKsKc"), ("KcKdAhAs", "AcAdQhQsKc"), ("Ac2d3h4s5c", "AcAdAh"),
])  # fmt: skip
def test_hands_of_different_numbers_of_cards_compare(better, worse):
    assert value(better) > value(worse)


def test_a_card_more_never_makes_a_hand_worse():
    for cards in deals(2_000, (7,), seed=3):
        values = [value_of(cards[:count]) for count in range(1, 8)]
        assert values == sorted(values)


COUNTS = {  # by number of cards, from high card up
    5: (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40),
    6: (6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844),
    7: (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584),
}
#: How many hands differ when suits are equal.
DIFFERENT = {5: 7_462, 6: 6_075, 7: 4_824}


@pytest.mark.parametrize("size", [5, 6, 7])
def test_hands_counted_by_ranks_and_suits_fall_into_the_published_categories(size):
    by_value = Counter()
    for hand, weight in [*hands_without_flush(size), *hands_with_flush(size)]:
        by_value[value_of(hand)] += weight
    assert (by_value.total(), len(by_value)) == (comb(52, size), DIFFERENT[size])
    by_category = Counter()
    for hand, weight in by_value.items():
        by_category[category_of(hand)] += weight
    assert tuple(by_category[category] for category in Category) == COUNTS[size]


def hands_without_flush(size):
    """One hand of each multiset of ranks, and how many there are of it in which no suit has five cards."""
    for ranks in combinations_with_replacement(RANKS, size):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        # How many choices of suits give one suit so many cards: a product of polynomials, rank by rank.
        ways = [1]
        for count in counts.values():
            without, within = comb(3, count), comb(3, count - 1)
            ways = [a * without + b * within for a, b in zip([*ways, 0], [0, *ways], strict=True)]
        weight = prod(comb(4, count) for count in counts.values()) - 4 * sum(ways[5:])
        if weight:
            yield suited_evenly(counts), weight


def suited_evenly(counts):
    """Cards of these ranks with the suits in turn, so that no suit gets more than its share by a card or two."""
    cards = []
    used = Counter()
    for rank, count in counts.items():
        for suit in sorted(SUITS, key=used.__getitem__)[:count]:
            used[suit] += 1
            cards.append(rank + suit)
    assert max(used.values()) < 5
    return cards


def hands_with_flush(size):
    """A hand or two of each set of ranks within a suit, the rest at random, and how many there are of it."""
    chance = random.Random(size)
    for count in range(5, size + 1):
        for ranks in combinations(RANKS, count):
            suit = chance.choice(SUITS)
            others = [card for card in DECK if card[1] != suit]
            hand = [rank + suit for rank in ranks] + chance.sample(others, size - count)
            yield hand, 4 * comb(39, size - count)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_order_of_random_hands_is_that_of_an_independent_library(size):
    phevaluator = pytest.importorskip("phevaluator")
    ours_by_theirs = {}
    for cards in deals(many(5_000, long=15_000), (size,), seed=size):
        ours_by_theirs.setdefault(phevaluator.evaluate_cards(*cards), set()).add(value_of(cards))
    in_their_order = [ours_by_theirs[rank] for rank in sorted(ours_by_theirs, reverse=True)]
    ours = [hand for hands in in_their_order for hand in hands]
    assert len(ours) == len(in_their_order)
    assert ours == sorted(set(ours))


@pytest.mark.parametrize(("cards", "five"), [
    ("2c9dKhKs9s7cAd", "KsKh9s9dAd"), ("2c2d2h2s3c3d3h", "2s2h2d2c3h"), ("AcAdAhKsKcKd2h", "AhAdAcKsKd"),
    ("AcAd2h3s4c5d5h", "5h4c3s2hAd"),  # a wheel: the higher five and the higher ace, the ace last
    ("9c8d7h6s5c5sTd", "Td9c8d7h6s"), ("9c8d7h6s5c5s2d", "9c8d7h6s5s"), ("2h4h6h8hThQhAs", "QhTh8h6h4h"),
    ("Ac2c3c4c5c5sAs", "5c4c3c2cAc"),  # the straight flush keeps to its suit
    ("JcJdQhKsAcTd9h", "AcKsQhJdTd"), ("7c5d3h2s9cKdAh", "AhKd9c7c5d"),
    ("4c", "4c"), ("4c9s4d", "4d4c9s"), ("4c9s4d9d", "9s9d4d4c"), ("AsKsQsJs", "AsKsQsJs"),
])  # fmt: skip
def test_the_cards_that_play_come_in_order_of_importance_with_the_highest_suits(cards, five):
    assert five_of(parse_cards(cards)) == parse_cards(five)


def test_the_cards_that_play_are_worth_as_much_as_all():
    for cards in deals(6_000, (1, 2, 3, 4, 5, 6, 7), seed=4):
        five = five_of(cards)
        assert (len(five), value_of(five)) == (min(5, len(cards)), value_of(cards))
        assert set(five) <= set(cards)
        if category_of(value_of(cards)) in (Category.HIGH_CARD, Category.FLUSH):
            assert ranks_in(value_of(cards)) == tuple(map(rank_of, five))


@pytest.mark.parametrize(("cards", "name"), [
    ("Qc9d7h3s2c", "queen high"), ("2c", "deuce high"), ("6c6dAh", "pair of sixes"),
    ("KcKd9h9sAc", "two pair, kings and nines"), ("7c7d7hAs", "three sevens"),
    ("TcJdQhKsAc", "ace-high straight"), ("Ac2d3h4s5c", "five-high straight"),
    ("Qc9c7c3c2c", "queen-high flush"), ("KcKdKh9s9c", "full house, kings over nines"),
    ("2c2d2h2sAc", "four deuces"), ("9c8c7c6c5c", "nine-high straight flush"),
    ("AcKcQcJcTc", "royal flush"),
])  # fmt: skip
def test_hands_are_called_by_their_names(cards, name):
    assert name_of(value(cards)) == name


@pytest.mark.parametrize(("better", "worse"), [
    ("AsKc7h7s3c", "AhKd7c7d3s"),  # the highest card, by suit
    ("7c7dAdKc3c", "7s7hAcKd3s"),  # though a pair is more important
    ("AsKhQcJd9c", "AsKcQdJh9s"),  # with a common card the next one down
    ("9d8c7c6c5hKc2d", "9c8d7h6s5cAs2s"),  # only cards that play
])  # fmt: skip
def test_the_odd_chip_goes_by_the_highest_card_that_plays(better, worse):
    assert value(better) == value(worse)
    assert odd_chip_key(five_of(parse_cards(better))) > odd_chip_key(five_of(parse_cards(worse)))


def test_where_the_ace_is_low_it_is_the_last_card_to_decide_the_odd_chip():
    first, second = parse_cards("8s6c4d2hAc"), parse_cards("8c6s4c2cAs")
    assert odd_chip_key(first) < odd_chip_key(second)
    assert odd_chip_key(first, ace_low=True) > odd_chip_key(second, ace_low=True)


@pytest.mark.parametrize(("cards", "why"), [
    *[(cards, "card") for cards in (("As", None), ("As", "??"), ("As", "10s"), ("as",), "AsKs")],
    *[(DECK[:count], "one to seven cards") for count in (0, *range(8, 53))],
    (parse_cards("2h4h6h8hThQhAh2s"), "one to seven cards"),
    *[(cards.split(), "a card comes twice") for cards in ("As Ah Ad Ac As", "As Ks Qs Js Js")],
])  # fmt: skip
def test_what_cannot_be_ranked_is_refused(cards, why):
    refused(ValueError, why, value_of, cards)


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


def test_lows_rank_with_the_ace_low_and_pairs_bad():
    values = [low(text) for text in BEST_FIRST]
    assert values == sorted(set(values))
    assert low("Ac2c3c4c5c") == low("Ac2d3h4s5c")
    assert low("4d5d6d7d8d") == low("4c5d6h7s8c")
    best = low("8c6d4h2sAcKdKh")
    assert (category_of(best), ranks_in(best)) == (Category.HIGH_CARD, (8, 6, 4, 2, 1))


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
    assert all(better < worse for better, worse in pairwise([low(board) for board in boards]))


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
def test_what_cannot_be_ranked_low_is_refused(cards):
    for ask in (low_value_of, low8_value_of):
        refused(ValueError, "card", ask, cards)
