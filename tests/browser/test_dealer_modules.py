"""The console's own reckoning, held to examples and to the words of the server."""

import pytest

from games.notation.scenarios.words import VERDICTS
from games.rulebooks import words as rulebook_words
from tests.browser.test_modules import as_json, seen_by
from tests.support.games import DESCRIBED
from tests.support.hands import THIRD, by_hand, deal, one_step, round_called, third
from tests.support.parts.stud import Hand, base, c

pytestmark = pytest.mark.browser

PROCEDURE = {"receivers": [2, 5, 1], "cards_each": 3, "burns": 0, "next": {"street": 3}, "is_typed": False}
LATER = PROCEDURE | {"cards_each": 1, "burns": 1, "next": {"street": 5}}
MARKS = """
async ([procedure, marks, faces]) => {
  const m = await import("/static/games/dealing/marks.js");
  let made = m.noMarks();
  for (const [verb, ...args] of marks) made = m[verb](made, ...args);
  return {
    fields: faces ? m.namedFieldsOf(procedure, made, faces) : m.fieldsOf(procedure, made),
    words: m.marksInWords(made, procedure, (seat) => `Seat ${seat}`),
    places: m.placesOf(procedure, made).map(({ seat, place }) => [seat, place]),
  };
}
"""
STORY = """
async (facts) => {
  const { Story } = await import("/static/games/play/story.js");
  const { stepsFor } = await import("/static/games/dealing/remedies.js");
  const story = new Story();
  facts.forEach(([kind, fact], i) => story.add(i + 1, kind, fact));
  return {
    rulings: story.rulings().map(({ ruling, isOld }) => [ruling.key, ruling.verdict, isOld]),
    steps: story.rulings().map(({ ruling, after }) => stepsFor(ruling, after, (seat) => `Seat ${seat}`)),
    early: story.premature(), awards: story.awards(), declare: story.mayDeclare(), show: story.showDue(),
  };
}
"""


def marked(modules, procedure, *marks, faces=None):
    return modules.evaluate(MARKS, [procedure, marks, faces])


def story_of(modules, hand):
    return modules.evaluate(STORY, as_json(seen_by(hand, base.RAIL)))


def three(*, called: bool = False) -> Hand:
    """Three players on third street; where all have called, if `called`."""
    hand = third({1: 500, 2: 500, 3: 500})
    if called:
        round_called(hand)
    return hand


# -- marks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("procedure", "marks", "fields", "words"),
    [
        (PROCEDURE, [], {}, []),
        (PROCEDURE, [["markCard", 5, 1, "exposed"]], {"cards": [{"seat": 5, "exposed": True, "place": 1}]},
         ["Seat 5’s 2nd card turned up"]),
        (LATER, [["markBurns", 2], ["markSkipped", 2], ["markBurns", 2], ["markSkipped", 2]], {}, []),
        (LATER, [["markBurns", 0], ["markSkipped", 2], ["markDouble", 1]],
         {"cards": [{"seat": 2, "skipped": True}, {"seat": 1}, {"seat": 1}], "burns": 0},
         ["Seat 2 skipped", "two cards to Seat 1", "no burn"]),
    ],
    ids=["no mistake", "a card turned up", "the same mark again takes it away", "burns, skips and doubles"],
)  # fmt: skip
def test_marks_are_told_and_name_a_card_only_where_there_was_a_mistake(modules, procedure, marks, fields, words):
    made = marked(modules, procedure, *marks)
    assert (made["fields"], made["words"]) == (procedure["next"] | fields, words)


def test_every_card_has_its_place_and_two_exposed_downcards_stop_the_deal(modules):
    assert marked(modules, PROCEDURE)["places"] == [[seat, place] for place in range(3) for seat in (2, 5, 1)]
    made = marked(modules, PROCEDURE, ["markCard", 5, 0, "exposed"], ["markCard", 5, 1, "off_table"])
    assert [5, 2] not in made["places"]
    assert len(made["fields"]["cards"]) == 2


def test_cards_of_a_physical_deck_are_named_in_the_order_they_fell(modules):
    faces = ["2c", "3c", "4c", "5c"]
    made = marked(modules, LATER, ["markDouble", 1], ["markCard", 5, 0, "exposed"], faces=faces)
    assert made["places"] == [[2, 0], [5, 0], [1, 0], [1, 0]]
    fell = [{"seat": 2}, {"seat": 5, "exposed": True}, {"seat": 1}, {"seat": 1}]
    assert made["fields"]["cards"] == [one | {"card": card} for one, card in zip(fell, faces, strict=True)]


def test_a_starting_hand_says_which_of_its_cards_is_missing_or_too_many(modules):
    marks = [["markSkipped", 2, 1], ["markDouble", 1, 2]]
    made = marked(modules, PROCEDURE, *marks)
    skipped, doubled = {"seat": 2, "place": 1, "skipped": True}, {"seat": 1, "place": 2}
    assert made["fields"]["cards"] == [skipped, doubled, doubled]
    assert made["words"] == ["Seat 2’s 2nd card skipped", "two 3rd cards to Seat 1"]
    named = marked(modules, PROCEDURE, *marks, faces=["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc"])
    assert named["places"][-2:] == [[1, 2], [1, 2]]
    assert [card.get("place") for card in named["fields"]["cards"] if card["seat"] != 5] == [0, 2, 1, 0, 1, 2, 2]
    assert [card["card"] for card in named["fields"]["cards"] if card["seat"] == 5] == ["3c", "5c", "8c"]


def test_a_seat_passed_over_is_put_right_step_by_step(modules):
    hand = three(called=True)
    hand.play(c.Deal(4, (c.Given(1, "6h"), c.Given(2, is_skipped=True), c.Given(3, "2d"))))
    hand.play(c.NoticeMistake(("9s",)))
    seen = story_of(modules, hand)
    assert seen["rulings"] == [["wrong_card_count", "corrected", False]]
    assert seen["steps"][0][1:] == [
        "Missing cards come from the top of the stub.",
        "As it should be: Seat 1 [6h], Seat 2 [2d], Seat 3 [9s].",
    ]


def test_a_third_card_is_hidden_where_one_before_it_was_seen(modules):
    slots = modules.evaluate(
        """async ([procedure, seat]) => {
          const m = await import("/static/games/dealing/marks.js");
          const { slotsFor } = await import("/static/games/dealing/slots.js");
          const marks = m.markCard(m.noMarks(), seat, 0, "exposed");
          const { slots } = slotsFor({ hand: 1, procedure, marks, early: [] }, String);
          return Object.fromEntries(slots.map(({ key, isDown }) => [key, isDown]));
        }""",
        [PROCEDURE | {"is_typed": True, "awaits": "deal", "common_due": False, "game": DESCRIBED["razz"]}, 5],
    )
    assert [slots[key] for key in ("5:0", "5:1", "5:2", "2:2")] == [False, True, True, False]


@pytest.mark.parametrize(("game", "is_down"), [("seven-card-stud", True), ("mississippi-stud", False)])
def test_the_last_card_is_named_face_down_where_the_game_deals_it_so(modules, game, is_down):
    last = LATER | {
        "next": {"street": 7},
        "premature_street": 7,
        "is_typed": True,
        "awaits": "deal",
        "common_due": False,
    }
    hidden = modules.evaluate(
        """async (procedure) => {
          const { noMarks } = await import("/static/games/dealing/marks.js");
          const { slotsFor } = await import("/static/games/dealing/slots.js");
          const { openMistakes } = await import("/static/games/dealing/mistakes.js");
          const isDown = (early) => slotsFor({ hand: 1, procedure, marks: noMarks(), early }, String).slots[0].isDown;
          return [isDown([]), isDown([2]), openMistakes(procedure).some(({ id }) => id === "turned-up")];
        }""",
        last | {"game": DESCRIBED[game], "whats": [], "seats": {}},
    )
    assert hidden == [is_down] * 3


@pytest.mark.parametrize(
    ("street", "mistakes"), [(3, ["turned-up"]), (4, ["burned-two"]), (7, ["turned-up", "burned-two"])]
)
def test_a_street_has_the_mistakes_that_its_cards_and_burns_allow(modules, street, mistakes):
    procedure = LATER | {
        "awaits": "deal",
        "common_due": False,
        "whats": [],
        "seats": {},
        "game": DESCRIBED["stud-eight"],
    }
    given = procedure | {"next": {"street": street}}
    (named,) = modules.each("games/dealing/mistakes.js", "openMistakes", [[given]])
    assert [each["id"] for each in named if each["id"] in ("turned-up", "burned-two")] == mistakes


def test_what_a_reader_types_is_read_as_cards(modules):
    typed = {
        "As": ["As"], " as\n": ["As"], "10h": ["Th"], "TD kc,2S": ["Td", "Kc", "2s"], "AsKd": ["As", "Kd"],
        "1s": [None], "A": [None], "": [],
    }  # fmt: skip
    assert modules.each("games/dealing/scan.js", "cardsIn", [[each] for each in typed]) == list(typed.values())


# -- rulings ---------------------------------------------------------------------------------------------------------


def test_every_ruling_is_called_the_same_on_both_sides_and_can_be_put_into_steps(modules):
    pairs = [(key, verdict) for key, verdicts in VERDICTS.items() for verdict in verdicts]
    pairs += [("misdeal", "misdeal"), ("void_hand", "void"), ("penalty", "penalty"), ("new_point", "odd-verdict")]
    rulings = [{"key": key, "verdict": verdict, "seats": [2, 3], "words": "", "rule": "1"} for key, verdict in pairs]
    titles, steps = modules.evaluate(
        """async (rulings) => {
          const { titleOf } = await import("/static/games/play/rulings.js");
          const { stepsFor } = await import("/static/games/dealing/remedies.js");
          return [rulings.map((ruling) => titleOf(ruling)), rulings.map((ruling) => stepsFor(ruling, [], String))];
        }""",
        rulings,
    )
    assert titles == [rulebook_words.title(key, verdict) for key, verdict in pairs]
    assert [step for each in steps for step in each if "undefined" in step] == []


# -- the hand as the console reads it ----------------------------------------------------------------------------------


def test_a_ruling_is_new_until_somebody_acts_and_gone_with_the_next_street(modules):
    hand = by_hand({1: 500, 2: 500, 3: 500})
    given = [
        c.Given(seat, THIRD[seat][2 * place : 2 * place + 2], is_exposed=(seat, place) == (2, 0), place=place)
        for place in range(3)
        for seat in (1, 2, 3)
    ]
    hand.play(c.Deal(3, tuple(given)))
    seen = story_of(modules, hand)
    assert seen["rulings"] == [["exposed_downcard", "third-card-down", False]]
    assert "door card of Seat 2" in seen["steps"][0][0]
    hand.play(c.BringIn(1))
    assert story_of(modules, hand)["rulings"] == [["exposed_downcard", "third-card-down", True]]
    round_called(hand)
    deal(hand, 4)
    assert story_of(modules, hand)["rulings"] == []


def test_cards_dealt_too_soon_lie_there_until_the_street_is_dealt_or_one_is_kept(modules):
    hand = three()
    hand.play(c.BringIn(1))
    hand.play(c.DealTooSoon(4, (c.Given(2, "Tc"),)))
    assert story_of(modules, hand)["early"] == [[2, "Tc", True]]
    round_called(hand)
    deal(hand, 4, {1: "6h", 2: "6c", 3: "2d"})
    seen = story_of(modules, hand)
    assert (seen["early"], seen["rulings"]) == ([], [["premature_deal", "eliminated", False]])
    assert "2 cards more" in seen["steps"][0][1]
    while hand.street < 6:
        one_step(hand)
    hand.play(c.DealTooSoon(7, (c.Given(1, "4h"), c.Given(2, "7d"))))
    hand.play(c.DealTooSoon(7, (c.Given(1, "5s"),)))
    hand.play(c.Look(1))
    assert story_of(modules, hand)["early"] == [[2, None, False], [1, None, False]]


def test_a_wrong_low_and_an_entry_are_taken_back_with_their_ruling(modules):
    hand = three()
    before = len(hand.facts)
    hand.play(c.NameOpener(3))
    hand.play(c.BringIn(3))
    hand.play(c.NoticeMistake())
    seen = story_of(modules, hand)
    assert seen["rulings"] == [["wrong_lowcard", "corrected", False]]
    assert seen["steps"][0] == ["Give 5 back to Seat 3.", "Seat 1 is low, not Seat 3, and makes the forced bet."]
    hand.play(c.Reverse(before, "a slip"))
    assert story_of(modules, hand)["rulings"] == []
    for command in (c.BringIn(1), c.Fold(2), c.Fold(3)):
        hand.play(command)
    assert [(award["seat"], award["amount"]) for award in story_of(modules, hand)["awards"]] == [(1, 3)]


def test_a_last_card_face_up_leaves_a_choice_until_somebody_acts_in_turn(modules):
    hand = three()
    while hand.street < 6 or hand.turn is not None:
        one_step(hand)
    given = {1: "4h", 2: "7d", 3: "5s"}
    hand.play(c.Deal(7, tuple(c.Given(seat, card, is_exposed=seat == 1) for seat, card in given.items())))
    assert story_of(modules, hand)["declare"] == [1]
    first = hand.turn.seat
    hand.play(c.Fold(next(seat for seat in (3, 2) if seat != first)))
    assert story_of(modules, hand)["declare"] == [1]
    hand.play(c.Check(first))
    assert story_of(modules, hand)["declare"] == []


@pytest.mark.parametrize(("setting", "buttons"), [("cash", ["show", "muck"]), ("tournament", ["show"])])
def test_nobody_is_offered_to_muck_where_every_hand_must_be_tabled(modules, setting, buttons):
    hand = third({1: 6, 2: 500, 3: 500}, setting=setting, is_hand_shown=True)
    while hand.phase != "show":
        one_step(hand)
    due = story_of(modules, hand)["show"]
    assert due["seat"] == hand.to_act
    (choices,) = modules.each("games/play/actions.js", "choicesOf", [[due, 500, 0]])
    assert [choice["action"] for choice in choices] == buttons


def test_two_rulings_of_one_deal_both_show_though_one_comes_before_its_cards(modules):
    hand = three()
    hand.play(c.BringIn(hand.turn.seat))
    hand.play(c.DealTooSoon(4, (c.Given(1),)))
    round_called(hand)
    hand.play(c.Deal(4, tuple(c.Given(seat, is_off_table=seat == 2) for seat in (2, 3, 1))))
    assert story_of(modules, hand)["rulings"] == [
        ["premature_deal", "eliminated", False],
        ["card_off_table", "exposed", False],
    ]
