"""The clock's own modules: read as the engine reads it, right after sleep, and rung once."""

import random
from dataclasses import asdict
from typing import Any

import pytest

from tests.browser.modules import ADDRESS
from tests.support.parts.event_rules import Level, Running, Stopped, Structure, clocks

pytestmark = pytest.mark.browser

NOW = 1_800_000_000_000
READINGS = 400

TIME = """async (steps) => {
  const { ServerTime } = await import("/static/tournaments/live/servertime.js");
  const here = { wall: 0, steady: 0 };
  const time = new ServerTime({ wall: () => here.wall, steady: () => here.steady });
  return steps.map(([what, ...given]) => {
    if (what === "pass") [here.wall, here.steady] = [here.wall + given[0], here.steady + (given[1] ?? given[0])];
    else time[what](...given);
    return [time.now(), time.isDoubtful];
  });
}"""


def random_structure(rng: random.Random) -> Structure:
    def level(number: int) -> Level:
        if number and rng.random() < 0.25:
            return Level(kind="break", minutes=rng.randint(1, 15))
        if rng.random() < 0.15:
            return Level(hands=rng.randint(1, 9), ante=1, small_bet=10, big_bet=20)
        return Level(minutes=rng.randint(1, 40), ante=1, small_bet=10, big_bet=20)

    return Structure(tuple([level(number) for number in range(rng.randint(1, 12))]))


def random_clock(rng: random.Random, structure: Structure) -> clocks.Clock:
    level = rng.randrange(len(structure.levels))
    hands = rng.randint(0, 3) if structure.levels[level].is_by_hands else 0
    if rng.random() < 0.3:
        return Stopped(level, structure.levels[level].duration_ms and rng.randint(-60_000, 3_600_000), hands)
    return Running(level, NOW + rng.randint(-7_200_000, 3_600_000), hands)


def clock_as_told(clock: clocks.Clock) -> dict[str, Any]:
    return {"level": 0, "hands": 0, "ends_at": None, "remaining_ms": None} | asdict(clock)


def test_a_screen_reads_the_clock_as_the_engine_does(modules):
    rng = random.Random(1)
    structures = (random_structure(rng) for _ in range(READINGS))
    cases = [(random_clock(rng, structure), structure) for structure in structures]
    asked = [[clock_as_told(clock), [asdict(level) for level in structure.levels], NOW] for clock, structure in cases]
    told = modules.each("tournaments/live/reading.js", "read", asked)
    for (clock, structure), drawn in zip(cases, told, strict=True):
        reading = clocks.read(clock, structure, NOW)
        assert (drawn["level"], drawn["remaining"]) == (reading.level, reading.remaining_ms)
        assert (drawn["isPaused"], drawn["isBreak"]) == (reading.is_paused, reading.is_break)
        assert (drawn["isOvertime"], drawn["overtime"]) == (reading.is_overtime, reading.overtime_ms)
        assert (drawn["nextLevel"], drawn["nextBreakIn"]) == (reading.next_level, reading.next_break_in_ms)
        assert drawn["handsLeft"] == reading.hands_left


def trip(way: float, back: float, *, server_ahead: float, at: float) -> list[Any]:
    """One round trip begun when the steady clock showed `at`."""
    return ["trip", at, at + way + server_ahead, at + way + back]


QUICK = trip(2, 2, server_ahead=5000, at=0)


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([*(trip(2, 2, server_ahead=5000, at=100 * n) for n in range(4)), trip(900, 10, server_ahead=5000, at=500),
          trip(5, 700, server_ahead=5000, at=600), ["pass", 1000]], [6000, False]),
        ([QUICK], [5000, False]),
        ([QUICK, ["pass", 3_600_000, 1000]], [3_605_000, True]),
        ([QUICK, ["pass", -7_200_000, 1000]], [6000, True]),
        ([*[QUICK] * 5, ["begin"], trip(2, 2, server_ahead=9000, at=0)], [9000, False]),
    ],
    ids=["the quick round trips say what time it is", "one trip", "a clock that slept is right and measures again",
         "a wall clock that is set back moves nothing", "measuring anew forgets the trips of before"],
)  # fmt: skip
def test_the_room_s_time_is_measured(modules, steps, told):
    assert modules.evaluate(TIME, steps)[-1] == told


def test_a_second_begun_counts_so_that_zero_is_the_end(modules):
    shown = {0: "0:00", 1: "0:01", 59_001: "1:00", 1_200_000: "20:00", 3_600_000: "1:00:00", 3_723_000: "1:02:03"}
    assert modules.each("tournaments/live/reading.js", "timeText", [[ms] for ms in shown]) == list(shown.values())


# -- the bell --------------------------------------------------------------------------------------------------------

LEVELS = [asdict(Level(minutes=20, ante=1, small_bet=10, big_bet=20)) for _ in range(4)]
TWENTY = 20 * 60_000


@pytest.mark.parametrize(("level", "left", "before", "rings", "is_stopped"), [
    (1, TWENTY - 100, 0, "0:end", False),
    (1, TWENTY - 100, None, "0:end", False),  # loaded in the very moment
    (1, TWENTY - 100, 1, None, False),  # five minutes in, somebody gave the level five minutes more
    (1, TWENTY - 5000, 0, None, False),  # the machine slept through it
    (0, TWENTY - 100, None, None, False),  # nothing ended when the first level began
    (2, 60_000, 2, "2:minute", False),
    (2, 61_000, 2, None, False),
    (2, 55_000, 2, None, False),
    (1, 59_999, 1, None, True),
])  # fmt: skip
def test_a_level_s_end_and_its_last_minute_are_due_in_their_moment(modules, level, left, before, rings, is_stopped):
    clock = clock_as_told(Stopped(level, left, 0) if is_stopped else Running(level, NOW + left, 0))
    (reading,) = modules.each("tournaments/live/reading.js", "read", [[clock, LEVELS, NOW]])
    (due,) = modules.each("tournaments/clock/bell.js", "due", [[reading, LEVELS, before]])
    assert (due and due["key"]) == rings


CLAIM = """async ([key, hasLocks]) => {
  const { Once } = await import("/static/tournaments/live/once.js");
  const once = new Once("bell.7", hasLocks ? {} : { locks: null });
  return await once.claim(key);
}"""


@pytest.mark.parametrize("has_locks", [True, False])
def test_one_window_of_a_browser_rings_and_once_for_a_level(page, has_locks):
    windows = [page, *(page.context.new_page() for _ in range(2))]
    for window in windows[1:]:
        window.goto(ADDRESS)

    def rung(key: str) -> int:
        """How many of them ring, asked in the same moment."""
        for window in windows:
            window.evaluate(f"(given) => {{ window.claimed = ({CLAIM})(given); }}", [key, has_locks])
        return sum(window.evaluate("window.claimed") for window in windows)

    assert rung("3:end") == 1
    assert rung("3:end") == 0, "an undo brings the level back, its end comes once more"
    page.reload()
    assert rung("3:end") == 0
    assert rung("3:minute") == 1


def test_a_bell_that_nobody_would_hear_leaves_the_ring_to_another_window(modules):
    rings = modules.evaluate(
        """async (levels) => {
          const { read } = await import("/static/tournaments/live/reading.js");
          const { Bell } = await import("/static/tournaments/clock/bell.js");
          const { Once } = await import("/static/tournaments/live/once.js");
          const reading = read({ level: 1, hands: 0, ends_at: 1200000 - 100, remaining_ms: null }, levels, 0);
          const rung = [];
          const mute = new Bell(new Once("bell.8"), { canRing: () => false, ring: () => rung.push("mute") });
          const loud = new Bell(new Once("bell.8"), { canRing: () => true, ring: (kind) => rung.push(kind) });
          await mute.tick(reading, levels);
          await loud.tick(reading, levels);
          await loud.tick(reading, levels);
          return rung;
        }""",
        LEVELS,
    )
    assert rings == ["end"]


# -- what was told ---------------------------------------------------------------------------------------------------


def test_news_replaces_the_parts_it_names_and_stores_nothing_of_the_player(modules):
    told, kept, of_another = modules.evaluate(
        """async () => {
          const { Event, Keep, PARTS } = await import("/static/tournaments/live/event.js");
          const event = new Event();
          const whole = Object.fromEntries(PARTS.map((name) => [name, 1]));
          const early = event.receive({ type: "moved", seq: 9, changed: { clock: 2 } });
          event.receive({ type: "snapshot", seq: 1, now: 0, ...whole, you: null });
          const names = event.receive({ type: "moved", seq: 2, now: 0, changed: { clock: 5 }, you: { seat: 3 } });
          new Keep(7).store(event, { at: 11, ahead: 22 });
          const told = [early, names, event.parts.clock, event.parts.levels, event.you.seat, event.seq];
          return [told, new Keep(7).load(), new Keep(8).load()];
        }"""
    )
    assert told == [None, ["clock", "you"], 5, 1, 3, 2]
    assert (kept["parts"]["clock"], kept["at"], kept["ahead"]) == (5, 11, 22)
    assert "you" not in kept
    assert of_another is None


def test_levels_and_hand_for_hand_are_said_in_words(modules):
    levels = {
        "Break 1: 15 minutes, the 25s are coloured up": Level("break", 15, colour_up=(25,)),
        "Level 3: ante 50, bring-in 100, 300/600": Level(ante=50, bring_in=100, small_bet=300, big_bet=600),
        "Level 9: bring-in 1,000, least bet 2,000": Level(bring_in=1000, small_bet=2000, betting="no-limit"),
    }
    asked = [[asdict(level) | {"number": number}] for number, level in zip((1, 3, 9), levels.values(), strict=True)]
    assert modules.each("tournaments/live/words.js", "levelLine", asked) == list(levels)
    tables = {
        "Hand for hand: waiting for table 3": {"is_hand_for_hand": True, "waiting": [3], "count": 4},
        "Hand for hand: every table plays its hand": {"is_hand_for_hand": True, "waiting": [1, 2], "count": 2},
        "The clock is paused": {"is_hand_for_hand": False, "waiting": [], "count": 2},
    }
    reading = {"remaining": 1000, "isPaused": True, "isByHands": False, "isOvertime": False}
    asked = [[{"event": {"state": "running"}, "tables": told}, reading, 0] for told in tables.values()]
    assert [face["words"] for face in modules.each("tournaments/live/words.js", "face", asked)] == list(tables)
