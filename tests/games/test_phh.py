"""Recorded hands (PHH): read, played through the engine, and written."""

import random
import re
from dataclasses import replace as changed
from itertools import islice

import pytest

from games.engine.facts.play import AntesPosted, PlayerBack, PlayerLeft
from tests.support.hands import STREETS, checked_through, one_step, third
from tests.support.invariants import cards_in
from tests.support.parts.games import PhhError, Recording, ReplayOutcome, dump, loads, replay
from tests.support.parts.stud import DECK, RAIL, Fact, Hand, Stakes, c, parse_cards, redact
from tests.support.playout import play_out, random_table
from tests.support.refusals import refused
from tests.support.tiers import many

FIELDS = {
    "variant": "'F7S'", "ante_trimming_status": "true", "antes": "[1, 1, 1]", "bring_in": "5",
    "small_bet": "15", "big_bet": "30", "starting_stacks": "[500, 500, 500]",
}  # fmt: skip
THIRD = ["d dh p1 9c9d4s", "d dh p2 KhQh8c", "d dh p3 JsTs6d"]
FOURTH = ["d dh p1 7h", "d dh p2 3c", "d dh p3 Ad"]
FIFTH = ["d dh p1 7c", "d dh p2 Kd", "d dh p3 2s"]
SIXTH = ["d dh p1 Jd", "d dh p2 Ks", "d dh p3 5h"]
SEVENTH = ["d dh p1 2c", "d dh p2 4h", "d dh p3 Qs"]
CALLED = ["p1 pb", "p2 cc", "p3 cc"]
TO_SEVENTH = [
    *THIRD, *CALLED, *FOURTH, *["p3 cc", "p1 cc", "p2 cc"], *FIFTH, *["p1 cc", "p2 cc", "p3 cc"], *SIXTH,
    *["p2 cc", "p3 cc", "p1 cc"], *SEVENTH,
]  # fmt: skip


def written(actions: list[str], /, **fields: str) -> str:
    """A recording of ``actions``; ``fields`` are TOML values, '' leaves a field out."""
    values = FIELDS | {"actions": "[" + ", ".join(f'"{action}"' for action in actions) + "]"} | fields
    return "".join(f"{name} = {value}\n" for name, value in values.items() if value)


def recorded(text: str) -> Recording:
    (hand,) = loads(text).values()
    assert isinstance(hand, Recording), hand
    return hand


def play_recording(actions: list[str], /, **fields: str) -> ReplayOutcome:
    return replay(recorded(written(actions, **fields)))


def error(actions: list[str], /, **fields: str) -> str:
    return str(refused(PhhError, play_recording, actions, **fields))


HANDS = ["9c9d4s", "KhQh8c", "JsTs6d"]
STOLEN = [*THIRD, "p1 pb", "p2 cbr 15", "p3 f", "p1 f"]
CHECKED_DOWN = [*TO_SEVENTH, "p2 cc", "p3 cc", "p1 cc"]
SHOWN_DOWN = [*TO_SEVENTH, "p2 cbr 30", "p3 f", "p1 cc", "p2 sm -", "p1 sm"]
COMMENTED = ["# Third street", *THIRD, "", "  p1   pb  # the forced bet", "p2 cbr 15 # completes", "p3 f #", "p1 f"]
ONE_BY_ONE = [f"d dh p{seat} {cards[at : at + 2]}" for at in (0, 2, 4) for seat, cards in enumerate(HANDS, 1)]
NO_UPCARDS = ["d dh p1 ??????", "d dh p2 KhQh8c", "d dh p3 ????6d", "p3 pb", "p1 f", "p2 cbr 15", "p3 f"]
FREE_FOLD = [*THIRD, *CALLED, *FOURTH, "p3 f", "p1 cc", "p2 cc", *FIFTH[:2], "p1 cbr 30", "p2 f"]
ALL_IN = {"starting_stacks": "[16, 16, 500]"}
SHORT = {"starting_stacks": "[16, 500, 500]"}
BROKE = {"starting_stacks": "[4, 500, 500]"}
#: After third street p3 is out, and the rest is dealt to the two others.
TO_TWO = [action for street in (FOURTH, FIFTH, SIXTH, SEVENTH) for action in street if "p3" not in action]
ONE_CHECKS = [*THIRD, "p1 cbr 15", "p2 cc", "p3 f", *TO_TWO[:2], "p2 cc", *TO_TWO[2:]]
EARLY_KINGS = [*THIRD, "p1 cbr 15", "p2 cc", "p3 f", "p1 sm -", "p2 sm KhQh8c", *TO_TWO]
EARLY_ACES = ["d dh p1 ????4s", *THIRD[1:], "p1 cbr 15", "p2 cc", "p3 f", "p1 sm AsAh4s", "p2 sm -", *TO_TWO]
THIRD_ACE = [action.replace("p1 7c", "p1 Ac") for action in EARLY_ACES]
#: Nobody knows a card of p1, and all check after the bring-in.
UNKNOWN = ["d dh p1 ??????", *THIRD[1:], *CALLED]
for street in (FOURTH, FIFTH, SIXTH, SEVENTH):
    UNKNOWN += ["d dh p1 ??", *street[1:], "p1 cc", "p2 cc", "p3 cc"]
RAZZ = [
    *["d dh p1 2s3s4s", "d dh p2 Ac2d6h", "d dh p3 9c9dKd", "p3 pb", "p1 cc", "p2 cc"],
    *["d dh p1 5s", "d dh p2 3d", "d dh p3 Kh", "p1 cc", "p2 cc", "p3 cc"],
    *["d dh p1 As", "d dh p2 4d", "d dh p3 Kc", "p1 cbr 30", "p2 cc", "p3 f"],
    *["d dh p1 Ks", "d dh p2 Qs", "p2 cc", "p1 cc", "d dh p1 Qc", "d dh p2 Qd", "p2 cc", "p1 cc"],
]
RAZZ_UNKNOWN = [
    *["d dh p1 ??????", "d dh p2 ????6h", "d dh p3 ????Kd", "p3 pb", "p1 cc", "p2 f"],
    *["d dh p1 ??", "d dh p3 ??", "p1 cbr 15", "p3 f"],
]
#: At eight-or-better cards of p1 come to light when they are shown.
EIGHT = {"variant": "'F7S/8'"}
SHARED = [
    *["d dh p1 ????Kc", "d dh p2 Ac2d6h", "d dh p3 9c9d3c", "p3 pb", "p1 cc", "p2 cc"],
    *["d dh p1 6d", "d dh p2 3h", "d dh p3 Kh", "p1 cbr 15", "p2 cc", "p3 f"],
    *["d dh p1 Ts", "d dh p2 4d", "p1 cc", "p2 cc", "d dh p1 Td", "d dh p2 Qs", "p1 cc", "p2 cc"],
    *["d dh p1 ??", "d dh p2 Qd", "p1 cc", "p2 cc", "p1 sm KsKdKc6dTsTdQc"],
]

#: p1 is low, all in for 4 of the ante of 10, and wins with three nines: 3 x 4 trimmed, else 4 + 10 + 10.
#: What is left is p2's, whose eights beat the ace: 2 x 21, else 2 x 15.
ALL_IN_ANTE = [
    *[*THIRD, "p2 cbr 15", "p3 cc", *FOURTH, "p3 cc", "p2 cc"],
    *["d dh p1 9h", "d dh p2 9s", "d dh p3 2s", "p3 cc", "p2 cc"],
    *["d dh p1 Jd", "d dh p2 8h", "d dh p3 5h", "p2 cc", "p3 cc", *SEVENTH, "p2 cc", "p3 cc"],
]
TENS = {"antes": "[10, 10, 10]", "starting_stacks": "[4, 490, 490]"}
POINTS = {"antes": "[1.0, 1.0, 1.0]", "starting_stacks": "[5_000, 5000.0, 5000]"}
COMMAS = {"bring_in": "500", "small_bet": "1500", "big_bet": "3000", "starting_stacks": "[5000, 5000, 5000]"}

#: What a recording does, its actions, the fields of its own, and the stacks that the players have after it.
PLAYED = {
    "has a showdown: three kings win 18 + 60": (SHOWN_DOWN, {}, (464, 542, 494)),
    "ends without cards being shown where nobody calls": (STOLEN, {}, (494, 507, 499)),
    "lets the winner show when all is over": ([*STOLEN, "p2 sm -"], {}, (494, 507, 499)),
    "may have comments, blank actions and wide spacing": (COMMENTED, {}, (494, 507, 499)),
    "may show no hand that is known": (CHECKED_DOWN, {}, (494, 512, 494)),
    "may have its cards dealt one at a time": ([*ONE_BY_ONE, *STOLEN[3:]], {}, (494, 507, 499)),
    "is opened by the first to act where upcards are unknown": (NO_UPCARDS, {}, (499, 507, 494)),
    "may have an unknown hand mucked": ([*UNKNOWN, "p1 sm", "p2 sm -", "p3 sm"], {}, (494, 512, 494)),
    "may show an unknown hand": ([*UNKNOWN, "p1 sm AcAh2dAs3d4d5d", "p2 sm -", "p3 sm -"], {}, (512, 494, 494)),
    "may show hands all in before the last cards": (EARLY_KINGS, ALL_IN, (0, 33, 499)),
    "shows cards never dealt by name: aces and sevens lose": (EARLY_ACES, ALL_IN, (0, 33, 499)),
    "shows cards never dealt by name: three aces win": (THIRD_ACE, ALL_IN, (33, 0, 499)),
    "may have a player with chips check among players all in": (ONE_CHECKS, SHORT, (0, 517, 499)),
    "may complete with a short forced bet": ([*THIRD, "p1 cbr 3", "p2 f", "p3 f"], BROKE, (6, 499, 499)),
    "has no more cards for a hand folded without a wager": (FREE_FOLD, {}, (512, 494, 494)),
    "leaves a stack unknown that nobody knew": (STOLEN, {"starting_stacks": "[500, inf, 500]"}, (494, None, 499)),
    "may have antes that differ": (STOLEN, {"antes": "[0, 0, 3]", "ante_trimming_status": "false"}, (495, 508, 497)),
    "plays a short ante for its part": (ALL_IN_ANTE, TENS | {"ante_trimming_status": "true"}, (12, 507, 465)),
    "plays a short ante for all of them": (ALL_IN_ANTE, TENS | {"ante_trimming_status": "false"}, (24, 495, 465)),
    "plays a short ante for all if nothing is said": (ALL_IN_ANTE, TENS | {"ante_trimming_status": ""}, (24, 495, 465)),
    "may have a point in amounts": ([*THIRD, "p1 pb", "p2 cbr 15.0", *STOLEN[-2:]], POINTS, (499400, 500700, 499900)),
    "may have commas in amounts": ([*THIRD, "p1 pb", "p2 cbr 1,500", *STOLEN[-2:]], COMMAS, (4499, 5502, 4999)),
    "is brought in by the king at razz, and the wheel takes 18 + 60": (RAZZ, {"variant": "'FR'"}, (542, 464, 494)),
    "tells by its actions who opens at razz": (RAZZ_UNKNOWN, {"variant": "'FR'"}, (507, 499, 494)),
    "gives all to kings full where the low is thrown away": ([*SHARED, "p2 sm"], EIGHT, (527, 479, 494)),
    "shares 18 + 30 by halves at eight-or-better": ([*SHARED, "p2 sm -"], EIGHT, (503, 503, 494)),
}


@pytest.mark.parametrize(("actions", "fields", "stacks"), PLAYED.values(), ids=PLAYED)
def test_a_recording(actions: list[str], fields: dict[str, str], stacks: tuple[int | None, ...]) -> None:
    outcome = play_recording(actions, **fields)
    assert (outcome.finishing_stacks, outcome.matches) == (stacks, None)


#: p2 raises as far as p1 can call, or bets what p1 has left: actions, the size written and the legal one.
SHORT_RAISES = {
    "a raise": ([*THIRD, "p1 pb", "p2 cbr 15", "p3 f", "p1 cbr 30", "p2 cbr 39", "p1 cc", *TO_TWO], 39, 45),
    "a bet": ([*THIRD, "p1 pb", "p2 cbr 15", "p3 f", "p1 cc", *TO_TWO[:2], "p2 cbr 14", "p1 cc", *TO_TWO[2:]], 14, 15),
}


@pytest.mark.parametrize(("name", "stack"), [("a raise", 40), ("a bet", 30)])
def test_a_raise_short_of_the_legal_size_is_read_where_the_rest_cannot_be_called(name: str, stack: int) -> None:
    actions, written_as, legal = SHORT_RAISES[name]
    outcome = play_recording(actions, starting_stacks=f"[{stack}, 500, 500]")
    assert outcome.finishing_stacks == (0, 500 + stack + 1, 499)
    (note,) = outcome.notes
    assert f"cbr {written_as}" in note
    assert f"the legal size is {legal}" in note
    # Written as it is legal, it is the same hand, and nothing has to be said.
    as_legal = [action.replace(f"cbr {written_as}", f"cbr {legal}") for action in actions]
    same = play_recording(as_legal, starting_stacks=f"[{stack}, 500, 500]")
    assert (same.finishing_stacks, same.notes) == (outcome.finishing_stacks, ())


@pytest.mark.parametrize("to", [38, 40])
def test_a_raise_short_of_what_can_be_called_stays_an_error(to: int) -> None:
    actions = [action.replace("cbr 39", f"cbr {to}") for action in SHORT_RAISES["a raise"][0]]
    assert f"{to} is not a legal size" in error(actions, starting_stacks="[40, 500, 500]")


def test_a_recording_may_stop_in_the_middle_and_then_no_result_can_be_known() -> None:
    outcome = play_recording([*THIRD, *CALLED, *FOURTH, "p3 cbr 15"])
    assert (outcome.finishing_stacks, outcome.matches, outcome.hand.pot) == (None, None, 33)
    stopped = error([*THIRD, *CALLED, *FOURTH, "p3 cbr 15"], finishing_stacks="[1, 2, 3]")
    assert stopped == "the actions stop before the hand is over: on fourth street it is the turn of p1"
    assert "seventh street is to be dealt" in error(TO_SEVENTH[:-3], finishing_stacks="[1, 2, 3]")


def test_the_common_card_is_dealt_to_the_board() -> None:
    cards = iter(DECK)
    dealt = [f"d dh p{seat} {''.join(islice(cards, count))}" for count in (3, 1, 1, 1) for seat in range(1, 9)]
    # p1 has the 3c for a door card, the lowest of them.
    actions = [*dealt[:8], "p1 cbr 5", *(f"p{seat} cc" for seat in range(2, 9)), *dealt[8:], "d db As"]
    outcome = play_recording(actions, starting_stacks=str([6] * 8), antes=str([1] * 8))
    assert outcome.hand.common == ["As"]
    assert sum(stack or 0 for stack in outcome.finishing_stacks) == 48


def test_amounts_in_cents_are_kept_exactly() -> None:
    fields = {
        "antes": "[0.1, 0.1, 0.1]", "bring_in": "0.25", "small_bet": "0.5", "big_bet": "1",
        "starting_stacks": "[20, 20.05, 3.3]", "finishing_stacks": "[19.65, 20.50, 3.2]",
    }  # fmt: skip
    recording = recorded(written([*THIRD, "p1 pb", "p2 cbr 0.50", "p3 f", "p1 f"], **fields))
    outcome = replay(recording)
    assert (recording.scale, outcome.finishing_stacks) == (100, (1965, 2050, 320))
    assert outcome.matches is True
    assert [recording.written(stack) for stack in outcome.finishing_stacks] == [19.65, 20.5, 3.2]


@pytest.mark.parametrize("stacks", [{1: 500, 2: 500, 3: 500}, {1: 500, 2: 500}, {1: 500, 2: 500, 3: 7}])
def test_one_ante_for_the_table_is_written_as_its_payer_posted_it(stacks: dict[int, int]) -> None:
    hand = third(stacks, choices={"ante": "button"}, stakes=Stakes(ante=10, bring_in=5, small_bet=15, big_bet=30))
    while not hand.is_over:
        one_step(hand)
    recording = recorded(dump(hand.facts))
    assert not recording.is_ante_trimmed
    assert sum(recording.antes) == min(10, stacks[max(stacks)])
    outcome = replay(recording)
    assert (outcome.finishing_stacks, outcome.matches) == (tuple(hand.seats[seat].stack for seat in hand.order), True)


def test_the_antes_of_two_players_are_written_the_other_way_round() -> None:
    actions = [*THIRD[:2], "p1 pb", "p2 f"]
    fields = {"antes": "[0, 4]", "starting_stacks": "[500, 500]", "ante_trimming_status": "false"}
    assert play_recording(actions, **fields).hand.facts[1] == AntesPosted(((1, 4),), is_apart=True)


OF_ONE_UNKNOWN = [*TO_SEVENTH[:-3], "d dh p1 2c", "d dh p2 ??", "d dh p3 Qs", "p2 cc", "p3 cc", "p1 cc"]


@pytest.mark.parametrize(("actions", "reason"), [
    ([*THIRD[:2], "d dh p3 9c2d6d"], "action 3 'd dh p3 9c2d6d': the 9c is already out: action 1 'd dh p1 9c9d4s'"),
    (["d dh p1 9c9c4s"], "action 1 'd dh p1 9c9c4s': card 2 of '9c9c4s' is '9c', which is already card 1"),
    (["d dh p1 9c9x4s"], "action 1 'd dh p1 9c9x4s': card 2 of '9c9x4s' is '9x', which is not a card"),
    (["d dh p4 9c9d4s"], "action 1 'd dh p4 9c9d4s': there is no player p4: the hand has p1 to p3"),
    (["d dh 1 9c9d4s"], "'1' is not a player"),
    ([*THIRD, "p1 jumps"], "action 4 'p1 jumps': it is not an action of this game"),
    ([*THIRD, "p1 cbr much"], "action 4 'p1 cbr much': 'much' is not an amount"),
    ([*THIRD, "p1 sd"], "it is not an action of this game"),
    ([*THIRD, "p2 cc"], "action 4 'p2 cc': It is the turn of seat 1, not of seat 2. (TDA 2024, rule 53)"),
    ([*THIRD, "p1 f"], "Seat 1 is low and must bring it in. (Robert's Rules of Poker v4, 1)"),
    ([*THIRD, "p1 cbr 20"], "20 is not a legal size: open is complete to 15. (Robert's Rules of Poker v4, "),
    ([*THIRD[:2], "p1 pb"], "action 3 'p1 pb': third street has not been dealt to p3"),
    ([*THIRD, *CALLED, *FOURTH[:1], "p3 cc"], "fourth street has not been dealt to p2, p3"),
    ([*THIRD, "d dh p1 7h"], "no card can be dealt now: on third street it is the turn of p1"),
    (["d dh p1 9c9d4s7h"], "p1 gets 3 on third street, and this makes 4"),
    ([*THIRD, "p1 pb", "p2 f", "p3 cc", "d dh p2 3c"], "p2 is out of the hand and gets no card"),
    ([*THIRD, *CALLED, "d db 2c"], "There are cards enough: no common card now. (Robert's Rules of Poker v4, 15)"),
    ([*THIRD, *CALLED, "d db 2c3h"], "one common card is turned up, no more"),
    ([*THIRD, "p1 pb", "p2 f", "p3 f", "p1 cc"], "action 7 'p1 cc': The hand is over."),
    ([*THIRD, "p1 pb", "p2 f", "p3 f", "d dh p1 2c"], "no card can be dealt now: the hand is over"),
    ([*THIRD, "p1 sm -"], "there is no showdown yet: on third street it is the turn of p1"),
    ([*CHECKED_DOWN, "p2 sm KhQh"], "p2 has 7 cards and shows 2"),
    ([*CHECKED_DOWN, "p2 sm KhQh8c3cKdKs5c"], "shows other cards than it was dealt: the 4h"),
    ([*TO_SEVENTH, "p2 cc", "p3 f", "p1 cc", "p3 sm -"], "p3 is out of the hand"),
    ([*CHECKED_DOWN, "p2 sm -", "p2 sm -"], "Seat 2 has no hand left to show"),
    (OF_ONE_UNKNOWN, "at the showdown the cards of p2 are not known, and no action shows them"),
    ([*OF_ONE_UNKNOWN, "p2 sm -"], "cannot show cards that are not known"),
    ([*OF_ONE_UNKNOWN, "p2 sm KhQh8c3cKdKs2c"], "the 2c is already out: action 25 dealt it"),
])  # fmt: skip
def test_an_action_that_cannot_be_is_named_with_its_number_and_the_reason(actions: list[str], reason: str) -> None:
    assert reason in error(actions)


@pytest.mark.parametrize(("fields", "reason"), [
    ({"variant": ""}, "the field variant is missing"),
    ({"variant": "'FB'"}, "variant 'FB' (fixed-limit badugi) is not played here; F7S, F7S/8, FR are"),
    ({"variant": "'F9'"}, "variant 'F9' is not played here"),
    ({"variant": "7"}, "variant 7 is not played here"),
    ({"bring_in": ""}, "the field bring_in is missing"), ({"actions": ""}, "the field actions is missing"),
    *(({"actions": actions}, "actions is not a list of texts") for actions in ("'p1 pb'", "[1]")),
    ({"antes": "1"}, "antes is not a list of amounts"), ({"antes": "[1, 1]"}, "antes has 2 amounts for 3 players"),
    *(({"antes": f"[1, 1, {last}]"}, f"antes: {last.title()} is not an amount") for last in ("-1", "true")),
    ({"big_bet": "'30'"}, "big_bet: '30' is not an amount"), ({"big_bet": "nan"}, "big_bet: NaN is not an amount"),
    ({"big_bet": "1e999999999"}, "big_bet: an amount is below 1000000000000000"),
    ({"big_bet": "1e-999999999"}, "big_bet: an amount is below 1000000000000000 and has 40 decimal places"),
    ({"actions": "['p1 cbr 9999999999999999']"}, "action 1: an amount is below"),
    ({"big_bet": "9" * 5000}, "it is not TOML: Exceeds the limit"),
    ({"big_bet": "10"}, "a big bet that is no smaller"),
    ({"starting_stacks": "[]"}, "starting_stacks is not a list of amounts"),
    ({"starting_stacks": "[500, 0, 500]"}, "starting_stacks: every stack must be above 0"),
    ({"starting_stacks": "[500]", "antes": "[1]"}, "1 players cannot start a hand"),
    ({"finishing_stacks": "[500, 500]"}, "finishing_stacks has 2 amounts for 3 players"),
    ({"ante_trimming_status": "1"}, "ante_trimming_status is neither true nor false"),
    ({"_rulebook": "'hoyle'"}, "there is no rulebook called 'hoyle'"),
    ({"_setting": "'home'"}, "There is no setting called 'home'"),
])  # fmt: skip
def test_a_field_that_is_missing_or_wrong_is_named(fields: dict[str, str], reason: str) -> None:
    assert reason in error([], **fields)


def finished_facts(seed: int, game: str = "seven-card-stud") -> list[Fact]:
    """The facts of a random hand of the automatic dealer, played to its end."""
    rng = random.Random(seed)
    hand = Hand.start(changed(random_table(rng), game=game, is_hand_dealt=False, is_hand_shown=False))
    play_out(hand, rng)
    return hand.facts


@pytest.mark.parametrize("game", ["seven-card-stud", "stud-eight", "razz"])
def test_a_hand_of_ours_is_written_and_read_back_to_the_same_stacks(game: str) -> None:
    compared, hands = 0, many(30, long=150)
    for seed in range(hands):
        facts = finished_facts(seed, game)
        # The format has no word for a player who leaves or comes back in the middle.
        if any(isinstance(fact, PlayerLeft | PlayerBack) for fact in facts):
            continue
        assert replay(recorded(dump(facts))).matches is True, f"seed {seed}"
        compared += 1
    assert compared > hands * 2 / 3


def test_a_hand_written_for_the_rail_holds_no_card_that_the_rail_did_not_see() -> None:
    for seed in range(many(15, long=40)):
        sealed = [redact(fact, RAIL) for fact in finished_facts(seed)]
        seen = {card for fact in sealed for card in cards_in(fact)}
        told = dump(sealed)
        named = " ".join(card for action in recorded(told).actions for card in action.cards)
        assert set(re.findall(r"(?:[2-9TJQKA][cdhs])", named)) <= seen
        assert "??" in told


#: What the tests below deal by name.
NAMED = {card for street in (3, 4) for cards in STREETS[street].values() for card in parse_cards(cards)}


def begun(*commands: c.Command) -> Hand:
    """A hand of three on third street, in which this is done; the cards that are not named come from a deck."""
    hand = third({1: 500, 2: 500, 3: 500}, deck=tuple(card for card in DECK if card not in NAMED))
    for command in commands:
        hand.play(command)
    return hand


def test_a_seat_passed_over_and_put_right_is_written_with_its_card() -> None:
    given = (c.Given(1, "6h"), c.Given(1, "Tc"), c.Given(2, is_skipped=True), c.Given(3, "2d"))
    hand = begun(c.BringIn(1), c.Call(2), c.Call(3), c.Deal(4, given), c.NoticeMistake())
    while not hand.is_over:
        checked_through(hand)
        if hand.next_street() is not None:
            hand.play(c.Deal(hand.next_street().number))
    told = dump(hand.facts)
    assert [line in told for line in ("d dh p1 6h", "d dh p2 Tc", "d dh p3 2d")] == [True] * 3
    assert replay(recorded(told)).matches is True


def test_what_went_wrong_and_was_put_right_is_written_as_it_counted() -> None:
    fourth = c.Deal(4, tuple(c.Given(seat, card) for seat, card in ((1, "6h"), (2, "Tc"), (3, "2d"))), burns=0)
    opened = (c.NameOpener(3), c.BringIn(3), c.NoticeMistake(), c.BringIn(1), c.Call(2), c.Call(3))
    hand = begun(*opened, fourth, c.NoticeMistake())
    for street in ([c.Deal(5)], [c.Deal(6), c.DealTooSoon(7, (c.Given(1),)), c.Look(1)], [c.Deal(7)]):
        checked_through(hand)
        for command in street:
            hand.play(command)
    checked_through(hand)
    assert hand.is_over
    told = dump(hand.facts)
    assert "# p3 pb, taken back" in told
    assert "d dh p1 Tc" in told
    assert replay(recorded(told)).matches is True


def test_a_hand_that_was_void_has_no_result() -> None:
    told = dump(begun(c.BringIn(1), c.Order("misdeal", reason="a card was boxed")).facts)
    assert "# misdeal: every chip goes back" in told
    assert "finishing_stacks" not in told
    assert replay(recorded(told)).matches is None


def test_what_is_no_hand_of_the_format_is_not_written() -> None:
    refused(ValueError, "hand-started", dump, [])
    mississippi = changed(finished_facts(1)[0], game="mississippi-stud")
    refused(ValueError, "no code for fixed-limit mississippi-stud", dump, [mississippi])
