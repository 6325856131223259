"""The customs of structure sheets: judged against sheets of real events, and each breach of one by itself."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.parts.event_rules import AddOnTerms, EventConfig, Level, RebuyTerms, Structure, customs
from tests.support.sheets import SHEETS, printed

#: What each sheet does otherwise than most, by code, with the numbers of the levels. Where no break is told of, all is
#: one stretch of play.
OTHERWISE: dict[str, dict[str, list[int]]] = {
    "wpt-2018": {"play-too-long": [3, 9, 15, 19, 25]},  # four hours before the first break
    "maryland-2024": {"chip-stays": [12, 18, 24]},  # it does not say when the 100s leave
    "apat-2013": {"play-too-long": [3]},
    "millions-2018": {"play-too-long": [3], "number": [20, 22]},  # small blinds of 125,000 and 175,000
    "apat-2017": {"play-too-long": [5]},
    # Its 500s leave before an ante of 1,500, without a stop: its host had asked whether it was right.
    "stud-home": {"colour-up-in-play": [10], "chip": [10], "play-too-long": [13]},
    # A tenth of the bet as ante, and no bring-in at all.
    "razz-home": {"no-bring-in": [*range(1, 16)], "ante": [*range(2, 16)], "play-too-long": [7]},
    # A daily that doubles each time, and changes chips as it goes.
    "riverside": {
        "play-too-short": [2], "break-length": [2], "colour-up-in-play": [4, 5], "step": [4, 5, 6, 7],
    },
    "home-t100": {"colour-up-in-play": [18]},
    "home-t5": {"step": [5]},  # from 30/60 to 50/100
    "barcelona-2006": {"colour-up-in-play": [9], "play-too-long": [3]},
}  # fmt: skip


@pytest.mark.parametrize("slug", SHEETS)
def test_real_sheets_keep_the_customs_but_for_what_is_known_of_them(slug: str) -> None:
    structure = printed(SHEETS[slug])
    found: dict[str, list[int]] = {}
    for breach in customs.breaches(structure):
        if SHEETS[slug]["game"] != "flop" or breach.code not in ("ante", "bring-in", "bring-in-below-ante"):
            found.setdefault(breach.code, []).append(structure.number(breach.index))
    assert found == OTHERWISE.get(slug, {})


def level(small_bet: int, ante: int = 0, bring_in: int = 0, **more: Any) -> Level:
    stakes = {"ante": ante or small_bet // 4, "bring_in": bring_in or small_bet // 4, "big_bet": 2 * small_bet}
    return Level("level", **{"minutes": 20, "small_bet": small_bet} | stakes | more)


def rest(minutes: int = 10, *leaving: int) -> Level:
    return Level("break", minutes, colour_up=leaving)


#: An hour and a half, a break in which the 25s leave, and a level more.
USUAL = (level(200, minutes=45), level(400, minutes=45), rest(10, 25), level(600, 200, 200))


def changed(at: int, **more: Any) -> tuple[Level, ...]:
    return (*USUAL[:at], replace(USUAL[at], **more), *USUAL[at + 1 :])


@pytest.mark.parametrize(("levels", "code", "at", "values"), [
    (changed(3, small_bet=550, big_bet=1100), "number", 3, {"what": "small_bet", "amount": 550}),
    (changed(0, bring_in=55), "number", 0, {"what": "bring_in", "amount": 55}),
    (changed(1, bring_in=125), "number", 1, {"what": "bring_in", "amount": 125}),
    (changed(3, bring_in=250), "chip", 3, {"what": "bring_in", "amount": 250, "chip": 100}),
    (changed(3, small_bet=850, big_bet=1700), "step", 3, {"was": 400, "now": 850}),
    ((*USUAL, level(1000, 200, 300)), "step", 4, {"was": 600, "now": 1000}),
    ((*USUAL, level(650, 200, 200)), "step", 4, {"was": 600, "now": 650}),
    (changed(3, small_bet=400, big_bet=800, ante=100, bring_in=100), "step", 3, {"was": 400, "now": 400}),
    (changed(1, big_bet=1000), "big-bet", 1, {"small_bet": 400, "big_bet": 1000}),
    (changed(1, ante=75), "ante", 1, {"ante": 75, "small_bet": 400}),
    (changed(1, ante=150, bring_in=150), "ante", 1, {"ante": 150, "small_bet": 400}),
    (changed(1, ante=0), "ante", 1, {"ante": 0, "small_bet": 400}),
    (changed(1, bring_in=250), "bring-in", 1, {"bring_in": 250, "small_bet": 400}),
    (changed(0, bring_in=0), "no-bring-in", 0, {}),
    (changed(1, ante=125, bring_in=100), "bring-in-below-ante", 1, {"bring_in": 100, "ante": 125}),
    (changed(1, minutes=80), "play-too-long", 1, {"minutes": 125}),
    ((level(200, minutes=130), *USUAL[1:]), "play-too-long", 1, {"minutes": 175}),
    (changed(0, minutes=30), "play-too-short", 2, {"minutes": 75}),
    (changed(2, minutes=5), "break-length", 2, {"minutes": 5}),
    (changed(2, colour_up=()), "chip-stays", 2, {"chip": 25}),
    (
        (*USUAL[:2], rest(), replace(USUAL[3], colour_up=(25,)), level(800)),
        "colour-up-in-play", 3, {"chip": 25},
    ),
])  # fmt: skip
def test_each_breach_is_told_by_code_and_numbers(levels: tuple[Level, ...], code: str, at: int, values: dict) -> None:
    chips = (25, 100, 500)
    assert customs.breaches(Structure(USUAL, chips)) == ()
    found = [breach for breach in customs.breaches(Structure(levels, chips)) if breach.code == code]
    assert found == [customs.Breach(code, at, values)]


def test_what_follows_from_long_levels_other_games_and_other_betting_is_none() -> None:
    hour = [level(bet, minutes=75) for bet in (100, 200, 400)]
    assert customs.breaches(Structure((hour[0], rest(), hour[1], rest(75), hour[2]))) == ()
    same = [level(200), level(200, game="razz"), level(200, 60, 60, game="razz"), level(2, betting="no-limit")]
    assert customs.breaches(Structure(tuple(same))) == ()
    hands = [Level(hands=50, ante=25, bring_in=25, small_bet=100, big_bet=200), *USUAL[:1]]
    told = [breach.code for breach in customs.breaches(Structure(tuple(hands)))]
    assert told == ["play-too-long"], "fifty hands are about a hundred minutes"


def test_entry_and_rebuys_end_where_a_break_follows_and_the_add_on_is_sold_there() -> None:
    structure = Structure((*USUAL, level(800, 200, 200, minutes=60), rest(), level(1000, 200, 300)))
    usual = EventConfig(
        structure, 5000, late_level=4, rebuy=RebuyTerms(5000, until_level=2), add_on=AddOnTerms(5000, 1)
    )
    assert customs.breaches_of(usual) == ()
    assert customs.breaches_of(replace(usual, late_level=0, rebuy=None)) == ()
    for changes, code, at, values in (
        ({"late_level": 3}, "entry-end", 3, {"level": 3, "nearest": 2}),
        ({"rebuy": RebuyTerms(5000, until_level=1)}, "rebuy-end", 0, {"level": 1, "nearest": 2}),
        ({"add_on": AddOnTerms(5000, 2)}, "add-on", 1, {"number": 2, "rebuys": 1}),
    ):
        assert customs.breaches_of(replace(usual, **changes)) == (customs.Breach(code, at, values),)
    assert customs.breaches_of(EventConfig(Structure(USUAL[:2]), 5000, late_level=1)) == (), "there is no break"
