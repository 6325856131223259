"""The wizard: stakes that the chips can pay, over on time, with breaks and colour-ups; else refused with a way out."""

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import Phase, given, reject, settings
from hypothesis import strategies as st

from tests.support import refusals
from tests.support.directing import refused
from tests.support.parts.event_rules import (
    AddOnTerms,
    EventConfig,
    IllegalCommand,
    Level,
    RebuyTerms,
    Structure,
    check,
    customs,
    preview,
    wizard,
)

CHIPS = (25, 100, 500, 1000, 5000, 25_000)
USUAL = wizard.suggest(60, 10_000, 8, CHIPS, 20)
CHIP_SETS = [
    *(CHIPS, (1, 5, 25, 100, 500), (100, 500, 1000, 5000, 25_000, 100_000), (5, 25, 100), (25, 50, 100, 1000)),
    *((1000, 5000, 25_000), (10, 50, 100), (20, 100, 500), (1, 2, 4, 8, 64), (3, 15), (7, 49)),
]


def levels_played(structure: Structure) -> list[Level]:
    return [level for level in structure.levels if not level.is_break]


def test_a_usual_evening_has_the_levels_of_printed_structure_sheets() -> None:
    assert [(level.ante, level.bring_in, level.small_bet, level.big_bet) for level in levels_played(USUAL)[:5]] == [
        (25, 25, 100, 200), (50, 50, 150, 300), (50, 75, 200, 400), (50, 75, 250, 500), (75, 100, 300, 600),
    ]  # fmt: skip
    assert preview.lasts(USUAL, 60, 10_000) == 470
    breaks = [(index, level.minutes, level.colour_up) for index, level in enumerate(USUAL.levels) if level.is_break]
    assert breaks == [(6, 10, ()), (13, 10, (25,)), (20, 10, (100, 500)), (27, 10, ())]


def test_entry_and_rebuys_end_at_a_break_and_the_add_on_is_sold_there() -> None:
    assert wizard.ends(USUAL, 10_000) == wizard.Ends(6, 6, 1), "a stack is too short for another two hours"
    assert wizard.ends(USUAL, 40_000) == wizard.Ends(12, 6, 1)
    assert wizard.ends(Structure(USUAL.levels[:3]), 10_000) == wizard.Ends(0, 0, 0)


class Wish(NamedTuple):
    players: int
    stack: int
    hours: Fraction
    chips: tuple[int, ...]
    minutes: int


def wish(players: int, hundreds: int, levels: int, chips: tuple[int, ...], minutes: int) -> Wish:
    return Wish(players, hundreds * 100, Fraction(levels * minutes // 15, 4), chips, minutes)


wishes = st.builds(
    wish,
    players=st.integers(2, 2_000),
    hundreds=st.integers(10, 600),
    levels=st.integers(5, 30),
    chips=st.sampled_from(CHIP_SETS),
    minutes=st.sampled_from([5, 8, 10, 12, 15, 20, 25, 30, 40, 45, 50, 60, 75, 90, 120]),
)


def as_proposed(wish: Wish, *, is_second: bool = False) -> tuple[Wish, Structure]:
    """A structure for the wish, or for levels as long as the refusal proposes, which may only fail for the chips."""
    try:
        return wish, wizard.suggest(*wish, ("razz", "stud-eight"))
    except IllegalCommand as refusal:
        if refusal.code != "wizard-chips" and (is_second or refusal.code != "wizard-time"):
            raise
        minutes = refusal.message.values.get("longer") or refusal.message.values.get("shorter")
    if not minutes:
        reject()
    return as_proposed(wish._replace(minutes=minutes), is_second=True)


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(wishes)
def test_every_structure_keeps_every_custom_and_is_over_on_time(wish: Wish) -> None:
    wish, structure = as_proposed(wish)
    check(structure, wish.stack)
    levels = levels_played(structure)
    assert levels[0].small_bet * 8 <= wish.stack
    assert [level.game for level in levels[:3]] == ["razz", "stud-eight", "razz"]
    for level in levels:
        assert level.big_bet == 2 * level.small_bet
        assert level.small_bet <= 4 * level.bring_in <= 2 * level.small_bet
        assert level.small_bet <= 5 * level.ante
        assert 3 * level.ante <= level.small_bet
        assert level.ante <= level.bring_in
        assert all(len(str(each).rstrip("0")) <= 2 for each in (level.ante, level.bring_in, level.small_bet))
    for lower, higher in pairwise(levels):
        assert higher.ante >= lower.ante
        assert higher.bring_in >= lower.bring_in
    steps = [Fraction(higher.small_bet, lower.small_bet) for lower, higher in pairwise(levels)]
    assert all(Fraction(8, 7) <= step <= (2 if at < 2 else Fraction(3, 2)) for at, step in enumerate(steps))
    late = preview.lasts(structure, wish.players, wish.stack) - 60 * wish.hours
    assert abs(late) <= (wish.minutes + wizard.BREAK_MINUTES) / 2
    for index in range(len(structure.levels)):
        level, in_play = structure.levels[index], structure.chips(index)
        assert all(amount % in_play[0] == 0 for amount in (level.ante, level.bring_in, level.small_bet))
    assert customs.breaches_of(with_ends(structure, wish.stack)) == ()


def with_ends(structure: Structure, stack: int) -> EventConfig:
    """An event whose entry, rebuys and add-on end where the wizard says."""
    ends = wizard.ends(structure, stack)
    rebuy = RebuyTerms(stack, until_level=ends.rebuy_until_level) if ends.rebuy_until_level else None
    add_on = AddOnTerms(stack, ends.add_on_break) if ends.add_on_break else None
    return EventConfig(structure, stack, late_level=ends.late_level, rebuy=rebuy, add_on=add_on)


@pytest.mark.parametrize(("wish", "code", "words"), [
    ((1, 10_000, 8, CHIPS, 20), "wizard", "two players"),
    ((60, 10_000, 8, CHIPS, 0), "wizard", "levels of a minute"),
    ((60, 10_000, 25, CHIPS, 20), "wizard-time", "up to 24 hours"),
    ((60, 10_000, 1, CHIPS, 30), "wizard-time", "Only 2 of 30 minutes"),
    ((5000, 1000, 3, (25, 100), 20), "wizard-time", "more than half each time"),
    ((60, 10_000, 24, CHIPS, 5), "wizard-time", "too many"),
    ((4, 2000, 12, (25, 100), 10), "wizard-time", "make the levels 199 minutes or longer"),
    ((2, 1000, 2, (25, 100), 20), "wizard-chips", "first bets would end the tournament"),
    ((60, 10_000, 2, CHIPS, 20), "wizard-time", "make the levels 17 minutes or shorter"),
    ((60, 11_000, 8, (11,), 20), "wizard-chips", "no bets of one or two digits"),
    ((60, 10_000, 8, (), 20), "wizard-chips", "above 0"),
    ((60, 10_000, 8, (25, 25), 20), "wizard-chips", "each once"),
    ((60, 10_000, 8, (10, 25), 20), "wizard-chips", "25 cannot be changed into chips of 10"),
    ((60, 10_010, 8, CHIPS, 20), "wizard-chips", "cannot build a stack of 10010"),
    ((60, 500, 8, CHIPS, 20), "wizard-chips", "a stack of 1000 or more"),
    ((400, 200, 5, (1,), 20), "wizard-chips", "add a larger chip"),
    ((4, 200_000, 3, (1, 1_000_000), 20), "wizard-chips", "one in between"),
])  # fmt: skip
def test_what_cannot_be_made_is_refused_with_what_would_do(wish: tuple, code: str, words: str) -> None:
    with refused(code, words):
        wizard.suggest(*wish)


def test_the_change_that_a_refusal_proposes_would_do() -> None:
    refusal = str(refusals.refused(IllegalCommand, "make the levels", wizard.suggest, 4, 2000, 12, (25, 100), 10))
    minutes = int(refusal.split("make the levels ")[1].split()[0])
    assert levels_played(wizard.suggest(4, 2000, 12, (25, 100), minutes))
    refusal = str(refusals.refused(IllegalCommand, "half each time", wizard.suggest, 60, 10_000, 3, CHIPS, 30))
    minutes = int(refusal.split("make the levels ")[1].split()[0])
    assert len(levels_played(wizard.suggest(60, 10_000, 3, CHIPS, minutes))) > 6
    structure = wizard.suggest(40, 100_000, 6, (1000,), 20)
    assert max(level.small_bet for level in levels_played(structure)) == 100_000


def test_the_preview_tells_level_and_average_stack_by_the_hour() -> None:
    rows = preview.preview(USUAL, 60, 10_000)
    assert [(row.minutes, row.name, row.left, row.average, row.big_bets) for row in rows] == [
        (0, "Level 1", 60, 10_000, 50), (60, "Level 4", 36, 16_666, 33), (120, "Break 1", 22, 27_272, 34),
        (180, "Level 9", 13, 46_153, 38), (240, "Level 12", 8, 75_000, 25), (300, "Level 15", 5, 120_000, 20),
        (360, "Level 18", 3, 200_000, 16), (420, "Level 20", 2, 300_000, 15), (470, "Level 22", 1, 600_000, 20),
    ]  # fmt: skip
    assert rows[2].level.small_bet == 400, "in a break these are the stakes to come"
    levels = (Level(hands=10, ante=bet // 4, bring_in=bet // 4, small_bet=bet, big_bet=2 * bet) for bet in (100, 200))
    rows = preview.preview(Structure(tuple(levels)), 10, 1000)
    assert [(row.minutes, row.name, row.left) for row in rows] == [(0, "Level 1", 10), (40, "Level 2", 1)]
