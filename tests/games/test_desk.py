"""The ruling desk: a few answers, and the engine's own ruling with its rule, under every book."""

import random

import pytest

from cardroom.core.errors import Invalid
from tests.support.parts.games import asking, load, slugs
from tests.support.parts.stud import BY_ANALOGY, DECK
from tests.support.refusals import refused
from tests.support.tiers import many

#: Everything that can go wrong at a table, by its point.
IRREGULARITIES = {
    *("exposed_downcard", "both_downcards_exposed", "dead_hand_lowcard", "wrong_lowcard", "card_off_table"),
    *("burn_error", "premature_deal", "deck_exhaustion", "all_in_final_faceup", "final_card_faceup"),
    *("wrong_card_count", "upcard_order", "picked_up_upcards", "ante_all_in_lowcard", "short_bring_in"),
    *("absent_player", "fold_keeps_receiving", "beaten_call_stands", "misdeal", "void_hand", "fouled_deck", "penalty"),
    *("open_pair_fourth", "completion", "raise_cap"),
}
#: Points that say how to go on and make no ruling.
PROCEDURE = {"acting_in_turn", "time_out", "showdown_order"}


def combinations(question, chance, count):
    """So many ways of answering what a question asks."""
    for _ in range(count):
        answers = {}
        for ask in asking.asks_of(question.slug):
            if ask.is_asked(answers):
                values = {"flag": (False, True), "number": (ask.least, ask.default, ask.most)}.get(ask.kind)
                answers[ask.name] = chance.choice(values or [value for value, _ in ask.options])
        yield answers


@pytest.mark.parametrize("question", asking.QUESTIONS, ids=lambda question: question.slug)
def test_a_question_is_answered_however_it_is_asked_and_no_downcard_is_told(question):
    chance = random.Random(question.slug)
    made = set()
    for answers in combinations(question, chance, many(15, long=40)):
        for book in slugs():
            answer = asking.answer(what=question.slug, rulebook=book, **answers)
            made |= {row.key for row in answer.rulings}
            assert [point.key for point in answer.points] == list(question.keys)
            assert answer.deed or answer.refused
            assert answer.finding or answer.refused or not set(question.keys) <= PROCEDURE
            for row in answer.rulings:
                is_analogy = (row.key, row.verdict) in BY_ANALOGY
                assert (row.citation == load(book).citation(row.key)) != is_analogy
                assert row.citation.startswith("By analogy with ") == is_analogy
                assert row.words
            if answer.refused is not None:
                assert answer.refused.message
                continue
            cards = [card for seat in answer.table["seats"] for card in seat["cards"]]
            assert answer.table["is_over"] or {card for card, is_up in cards if not is_up} <= {None}
            assert {card for card, _ in cards} <= {None, *DECK}
    assert made >= set(question.keys) - PROCEDURE


@pytest.mark.parametrize("book", slugs())
@pytest.mark.parametrize(("asked", "found"), [
    ("who-shows bet=yes", "Seat 3 shows first"),
    ("who-shows bet=no", "Seat 2 shows first"),
    ("out-of-turn action=call changed=no", "Seat 3’s action binds"),
    ("out-of-turn action=fold changed=yes", "Seat 3’s action binds"),
    ("out-of-turn action=call changed=yes", "Seat 3 may act anew: the price has changed"),
    ("time-out facing=nothing", "Seat 3 checks"),
    ("time-out facing=wager", "Seat 2 folds"),
    ("time-out facing=bring-in", "Seat 1 brings it in for 5"),
])  # fmt: skip
def test_the_desk_tells_what_a_rule_of_play_comes_to(asked, found, book):
    what, *given = asked.split()
    answer = asking.answer(what=what, rulebook=book, players=4, **dict(word.split("=") for word in given))
    assert (answer.finding, answer.rulings) == (found, [])


def test_the_same_question_has_the_same_answer_by_address():
    assert asking.answer(what="burned-wrong") == asking.answer(what="burned-wrong")
    assert asking.answer(what="burned-wrong").story != asking.answer(what="burned-wrong", seed=8).story
    said = {"what": "burned-wrong", "street": "6", "burned": "0", "rulebook": "gardens"}
    assert asking.answer(**said, players="4", has_acted="yes") == asking.answer(**said, players=4, has_acted=True)
    unsaid = {"street": "4", "players": "", "has_acted": "no"}
    assert asking.read_answers("burned-wrong", {}) == asking.read_answers("burned-wrong", unsaid)


@pytest.mark.parametrize(("asked", "rulings"), [
    ("downcard-seen", "exposed_downcard=third-card-down"),
    ("downcard-seen setting=tournament", "exposed_downcard=misdeal"),
    ("downcard-seen setting=tournament rulebook=gardens", "exposed_downcard=third-card-down"),
    ("downcard-seen which=both would_be_low=yes", "both_downcards_exposed=dead-hand dead_hand_lowcard=left-opens"),
    ("downcard-seen which=third", "both_downcards_exposed=dead-hand"),
    ("downcard-seen which=third setting=tournament", "exposed_downcard=misdeal"),
    ("downcard-seen how=off-table", "card_off_table=exposed exposed_downcard=third-card-down"),
    ("last-card-seen how=off-table", "card_off_table=exposed final_card_faceup=all-in-option"),
    ("last-card-seen", "final_card_faceup=all-in-option"),
    ("last-card-seen rulebook=poker-tip", "final_card_faceup=kept"),
    ("last-card-seen left=two", "final_card_faceup=second-up"),
    ("last-card-seen left=two who=second", "final_card_faceup=all-in-option"),
    ("last-card-seen is_all_in=yes", "all_in_final_faceup=kept"),
    ("burned-wrong street=7 last_card=looked-at players=3", "burn_error=kept burn_error=corrected"),
    ("burned-wrong street=7 last_card=looked-at players=3 rulebook=poker-tip", "burn_error=corrected"),
    ("burned-wrong has_acted=yes", "burn_error=kept"),
    ("too-early", "premature_deal=eliminated"),
    ("too-early street=7 last_card=mixed cards=1", "premature_deal=kept"),
    ("wrong-low", "wrong_lowcard=corrected"),
    ("wrong-low acted=bet", "wrong_lowcard=corrected"),
    ("wrong-low acted=next", "wrong_lowcard=stands"),
    ("wrong-low acted=next floor=yes rulebook=gardens", "wrong_lowcard=corrected"),
    ("wrong-low game=razz", "wrong_lowcard=corrected"),
    ("fouled-deck", "fouled_deck=void"),
    ("fouled-deck found=joker when=showdown setting=tournament", "fouled_deck=void"),
    ("wrong-count floor=yes", "wrong_card_count=dead wrong_card_count=live"),
])  # fmt: skip
def test_the_desk_rules_as_the_book_does(asked, rulings):
    what, *given = asked.split()
    answer = asking.answer(what=what, **dict(word.split("=") for word in given))
    assert answer.refused is None, answer.refused
    assert " ".join(f"{row.key}={row.verdict}" for row in answer.rulings) == rulings


def test_a_silent_book_names_the_rule_it_plays_and_refuses_with_it():
    (row,) = asking.answer(what="reordered", rulebook="poker-tip").rulings
    assert (row.is_silent, bool(row.follows), "silent" in row.citation) == (True, True, True)
    told = asking.answer(what="wrong-low", acted="next", floor=True).refused
    assert (told.code, told.rule) == ("too-late", "Robert's Rules of Poker v4, 9")
    assert asking.answer(what="wrong-count", floor=True, rulebook="gardens").refused.rule
    assert asking.answer(what="wrong-count", floor=True, count="missing-early").refused
    told = asking.answer(what="downcard-seen", players=2, rulebook="poker-tip").refused
    assert (told.code, bool(told.rule)) == ("players", True)


@pytest.mark.parametrize(("given", "field"), [
    ({"what": "nothing"}, "what"),
    *(({"what": "too-early", "players": count}, "players") for count in ("9", 2.5, "1" * 400)),
    *(({"what": "too-early", "street": street}, "street") for street in ("8", ["4"])),
    ({"what": "too-early", "colour": "blue"}, "colour"),
    *(({"what": "too-early", "rulebook": book}, "rulebook") for book in ("none", "../secrets")),
    ({"what": "reordered", "again": "perhaps"}, "again"),
    ({"what": "beaten-call", "game": "razz"}, "game"),
])  # fmt: skip
def test_an_answer_that_makes_no_sense_names_its_field(given, field):
    assert refused(Invalid, asking.answer, **given).values["field"] == field


def test_the_catalogue_is_data_and_every_irregularity_has_a_question():
    catalogue = asking.catalogue()
    assert [book["slug"] for book in catalogue["rulebooks"]] == list(slugs())
    asked = {row["slug"]: [ask["name"] for ask in row["asks"]] for row in catalogue["questions"]}
    names = "game structure setting players street burned last_card has_acted"
    assert (asked["burned-wrong"], len(asked)) == (names.split(), len(asking.QUESTIONS))
    assert {key for question in asking.QUESTIONS for key in question.keys} == IRREGULARITIES | PROCEDURE
