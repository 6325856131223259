"""The games as data: what a street and a game know of themselves."""

import pytest

from games.engine.games import GAMES, MOST_SEATS, describe
from tournaments.engine.config import MOST_STUD_SEATS

GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@GAME
def test_a_game_knows_its_first_and_last_street(game):
    assert [street.is_first for street in game.streets] == [street is game.first for street in game.streets]
    assert [street.is_last for street in game.streets] == [street is game.last for street in game.streets]
    assert [street.opens for street in game.streets] == ["door", *["board"] * (len(game.streets) - 1)]


@GAME
def test_each_street_follows_the_one_before(game):
    assert game.following[0] is game.first
    assert [game.following[street.number] for street in game.streets] == [*game.streets[1:], None]


@GAME
def test_the_streets_deal_a_full_hand(game):
    assert sum(len(street.ups) for street in game.streets) == game.hand_size
    assert all(street.downs + sum(street.ups) == len(street.ups) for street in game.streets)


def test_only_the_last_card_of_mississippi_stud_is_dealt_up():
    assert [slug for slug, game in GAMES.items() if not game.last.has_last_downcard] == ["mississippi-stud"]


def test_only_high_stud_has_the_choice_of_an_open_pair():
    chosen = {
        slug: [street.number for street in game.streets if street.has_open_pair_choice] for slug, game in GAMES.items()
    }
    assert {slug: numbers for slug, numbers in chosen.items() if numbers} == {"seven-card-stud": [4]}


def test_the_ways_to_win_are_high_low_or_both():
    ways = {slug: [way.slug for way in game.ways] for slug, game in GAMES.items()}
    assert ways["razz"] == ["low"]
    assert ways["stud-eight"] == ["high", "low-eight"]
    assert ways["seven-card-stud"] == ways["mississippi-stud"] == ["high"]
    assert [way.highest for way in GAMES["stud-eight"].ways] == [0, 8]


def test_a_low_qualifies_by_five_ranks_of_eight_or_under():
    _, low = GAMES["stud-eight"].ways
    assert low.strength(("8s", "7d", "6c", "5h", "4s")) is not None
    assert low.strength(("9s", "7d", "6c", "5h", "4s")) is None
    assert low.strength(("As", "2d", "3c", "4h", "5s")) > low.strength(("As", "2d", "3c", "4h", "6s"))


@GAME
def test_a_game_is_described_by_what_it_knows(game):
    description = describe(game)
    parts = {"streets": game.streets, "ways": game.ways}
    for name, known in parts.items():
        for row, part in zip(description.pop(name), known, strict=True):
            assert row == {key: _plain(getattr(part, key)) for key in row}
    assert description == {key: _plain(getattr(game, key)) for key in description}


def _plain(value):
    return list(value) if isinstance(value, tuple) else value


def test_no_game_seats_more_than_the_largest_table():
    assert max(game.most_seats for game in GAMES.values()) == MOST_SEATS


def test_events_seat_as_many_at_a_table_as_the_games_allow():
    assert MOST_STUD_SEATS == MOST_SEATS
