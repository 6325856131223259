"""What share of the pot a hand could expect, counted or drawn by chance."""

import pytest

from games.engine.games import GAMES
from games.play import odds
from games.tables.queries import history as history_queries
from tests.support.evening import Evening

STUD, RAZZ, EIGHT = GAMES["seven-card-stud"], GAMES["razz"], GAMES["stud-eight"]


@pytest.mark.parametrize(("game", "hands", "expected"), [
    (STUD, {1: "As Ah 2c 3d 7h 9s Jc", 2: "Ks Kh 2d 3c 7s 9h Jd"}, {1: 1.0}),
    (STUD, {1: "As 2h 3c 4d 5h Ks Qc", 2: "Ad 2s 3h 4c 5d Kh Qd", 3: "Kc 9s 9c Jd Jh 2d 3d"}, {1: 0.5, 2: 0.5}),
    (RAZZ, {1: "As Ah 2c 3d 7h 9s Jc", 2: "2d 3c 4s 5h 6d Kh Jd"}, {2: 1.0}),
    (EIGHT, {1: "As Ah Ac 9d 9h Ks Jc", 2: "2d 3c 4s 6h 8d Kh Jd"}, {1: 0.5, 2: 0.5}),
    (EIGHT, {1: "As Ah Ac 9d 9h Ks Jc", 2: "Td Tc 4s 6h 8h Kh Jd"}, {1: 1.0}),
    (EIGHT, {1: "As 2h 3c 4d 5h Ks Qc", 2: "Ad 2s 3h 4c 5d Kh Qd", 3: "Kc Kd 9c Jd Jh 2d 3d"}, {1: 0.5, 2: 0.5}),
])  # fmt: skip
def test_a_pot_goes_to_the_best_hand_of_each_half(game, hands, expected):
    assert odds.shares({seat: cards.split() for seat, cards in hands.items()}, game) == expected


def test_the_rail_and_a_player_are_told_odds_by_the_cards_that_each_may_see(evening: Evening) -> None:
    number = evening.table.hand_id
    for action in ("bring-in", "complete", "fold"):
        evening.act(action)
    stories = [history_queries.hand_story(hand_id=number, viewer=each) for each in (None, evening.ann, evening.bob)]
    told = [found for story in stories for found in odds.by_street(story)]
    assert [found.is_exact for found in told] == [False] * 3
    assert len({found.seats[0].share for found in told if 0.05 < found.seats[0].share < 0.95}) == 3


def test_by_chance_is_nearly_what_counting_gives(monkeypatch: pytest.MonkeyPatch, evening: Evening) -> None:
    number = evening.table.hand_id
    evening.play_out()
    # Who lost has seen the winner's cards: two were to come.
    stories = [history_queries.hand_story(hand_id=number, viewer=player) for player in (evening.ann, evening.bob)]
    [story] = [story for story in stories if odds.by_street(story)[-1].is_exact]
    counted = odds.by_street(story)[-2]
    monkeypatch.setattr(odds, "_COUNTED", 0)
    drawn = odds.by_street(story)[-2]
    assert (counted.street, counted.is_exact, drawn.is_exact) == (6, True, False)
    for one, other in zip(counted.seats, drawn.seats, strict=True):
        assert abs(one.share - other.share) < 0.05
