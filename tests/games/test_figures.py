"""What a hand was for a seat: the class of its start, how far it came, whether it was played."""

import pytest

from games.play.past import figures
from tests.support.hands import THIRD, deal, third
from tests.support.parts.stud import c, parse_cards

STUD, RAZZ, EIGHT = "seven-card-stud", "razz", "stud-eight"


@pytest.mark.parametrize(("game", "cards", "start"), [
    (STUD, "9s9d9c", "trips"), (STUD, "TsTd2c", "big-pair"), (STUD, "2sAd2c", "small-pair"),
    (STUD, "2s9sKs", "flush"), (STUD, "9sTdJc", "straight"), (STUD, "As2d3c", "straight"),
    (STUD, "AsKdQc", "straight"), (STUD, "AsKdJc", "high"), (STUD, "Ks2dAc", "other"), (STUD, "Kd2c4h", "other"),
    ("mississippi-stud", "AsAdKc", "big-pair"),
    (RAZZ, "As2d5c", "wheel"), (RAZZ, "As5d8c", "smooth"), (RAZZ, "As6d8c", "rough"), (RAZZ, "AsAd8c", "two-low"),
    (RAZZ, "9s2d8c", "two-low"), (RAZZ, "KsKdKc", "other"), (RAZZ, "KsQd2c", "other"),
    (EIGHT, "5s6d7c", "strong-low"), (EIGHT, "As4s8s", "strong-low"), (EIGHT, "As2d5c", "smooth"),
    (EIGHT, "As2d3c", "strong-low"), (EIGHT, "As6d8c", "rough"), (EIGHT, "AsAd2c", "big-pair"),
    (EIGHT, "KsKdKc", "trips"), (EIGHT, "9sTdJc", "straight"), (EIGHT, "As2d9c", "other"),
    (STUD, "??2d9c", ""), (STUD, "2d9c", ""),
])  # fmt: skip
def test_three_cards_are_of_a_class(game: str, cards: str, start: str) -> None:
    assert figures.start_of(parse_cards(cards, unknown_allowed=True), game) == start
    assert start == "" or start in figures.STARTS


def test_each_seat_is_told_how_far_it_came_and_of_its_own_will() -> None:
    hand = third(dict.fromkeys(THIRD, 500))
    for act in (c.BringIn(1), c.Wager(2, 15), c.Call(3), c.Fold(4), c.Fold(1)):
        hand.play(act)
    deal(hand, 4)
    hand.play(c.Wager(2, 15))
    hand.play(c.Fold(3))
    told = figures.figures_of(hand)
    assert told[1] == figures.Figures(STUD, "other", 3, True, False, False, 15, 30)
    assert told[2] == figures.Figures(STUD, "big-pair", 4, False, True, True, 15, 30)
    assert told[3] == figures.Figures(STUD, "straight", 4, True, True, False, 15, 30)
    assert told[4] == figures.Figures(STUD, "other", 3, True, False, False, 15, 30)


def test_a_void_hand_says_nothing() -> None:
    hand = third(dict.fromkeys(THIRD, 500))
    hand.play(c.BringIn(1))
    hand.play(c.Order("void", 0, "fire alarm"))
    assert {each.saw for each in figures.figures_of(hand).values()} == {0}
