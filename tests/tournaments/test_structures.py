"""The presets: each can be played and keeps the customs of structure sheets."""

import pytest

from games.engine.games import GAMES
from tests.support.refusals import refused
from tournaments import structures
from tournaments.engine import customs, preview, wizard


def test_each_game_has_a_turbo_a_regular_and_a_deep_structure() -> None:
    assert set(structures.slugs()) == {
        f"{game}-{speed}" for game in ("stud", "razz", "stud-eight", "mixed") for speed in ("turbo", "regular", "deep")
    }
    assert structures.slugs()[0].startswith("stud-")
    preset = structures.load("stud-eight-deep")
    assert (preset.title, preset.stack, bool(preset.text)) == ("Stud Eight-or-Better, deep stack", 40_000, True)
    refused(structures.PresetError, "no structure called 'holdem'; there are: stud-", structures.load, "holdem")


@pytest.mark.parametrize("slug", structures.slugs())
def test_a_preset_keeps_every_custom_of_structure_sheets(slug: str) -> None:
    preset = structures.load(slug)
    assert customs.breaches(preset.structure) == ()
    assert {level.game for level in preset.structure.levels} <= set(GAMES)
    assert wizard.ends(preset.structure, preset.stack).late_level


@pytest.mark.parametrize(("speed", "big_bets", "minutes", "hours"), [
    ("turbo", 50, 10, 3), ("regular", 100, 20, 7), ("deep", 200, 30, 18),
])  # fmt: skip
def test_a_speed_has_its_depth_its_time_for_sixty_and_lasts_for_thousands(speed, big_bets, minutes, hours) -> None:
    preset = structures.load(f"stud-{speed}")
    first, last = preset.structure.levels[0], preset.structure.levels[-1]
    assert (preset.stack // first.big_bet, first.minutes) == (big_bets, minutes)
    assert preview.lasts(preset.structure, 60, preset.stack) // 60 == hours
    # The chips of 2,500 are down to twenty big bets before the levels end.
    assert preset.stack * 2500 <= 20 * last.big_bet
    assert speed == "turbo" or sum(level.minutes for level in preset.structure.levels) >= 600


def test_the_games_of_a_mix_take_turns_by_level_and_breaks_do_not_count() -> None:
    levels = [level for level in structures.load("mixed-turbo").structure.levels if not level.is_break]
    assert [level.game for level in levels[:4]] == ["razz", "seven-card-stud", "stud-eight", "razz"]
    assert [level.game for level in levels[11:14]] == ["stud-eight", "razz", "seven-card-stud"]


GOOD = """
title = "Test"
text = "For tests."
stack = 1000
chips = [25, 100]
minutes = 10
levels = [
  { ante = 25, bring_in = 25, small_bet = 100, big_bet = 200 },
  { break = 5 },
  { ante = 25, bring_in = 50, small_bet = 150, big_bet = 300 },
]
"""


@pytest.mark.parametrize(("right", "wrong", "words"), [
    ("stack = 1000", "stack = 1010", "cannot build a stack of 1010"),
    ("small_bet = 150", "small_bet = 90", "falls from 100"),
    ("minutes = 10\n", "", "minutes is missing"),
    ("ante = 25, bring_in = 25", "ante = 25, blind = 25", "entry 1.*'blind'"),
    ("break = 5", "break = 5, ante = 1", "entry 2.*'ante'"),
    ("[25, 100]", "[25, 100", "test: "),
])  # fmt: skip
def test_a_preset_written_wrongly_is_refused_where_it_is_wrong(right: str, wrong: str, words: str) -> None:
    assert structures.parse("test", GOOD, "Stud", ["seven-card-stud"]).title == "Stud, test"
    badly = GOOD.replace(right, wrong)
    refused(structures.PresetError, words, structures.parse, "test", badly, "Stud", ["seven-card-stud"])
