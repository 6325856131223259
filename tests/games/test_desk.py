"""The ruling desk: a few answers, and the engine's own ruling with its rule, under every book."""

import random

import pytest

from cardroom.services.errors import Invalid
from games.engine.cards import DECK
from games.rulebooks import load, slugs
from games.services import desk

#: Everything that can go wrong at a table, by its point.
IRREGULARITIES = {
    *("exposed_downcard", "both_downcards_exposed", "dead_hand_lowcard", "wrong_lowcard", "card_off_table"),
    *("burn_error", "premature_deal", "deck_exhaustion", "all_in_final_faceup", "final_card_faceup"),
    *("wrong_card_count", "upcard_order", "picked_up_upcards", "ante_all_in_lowcard", "short_bring_in"),
    *("absent_player", "fold_keeps_receiving", "beaten_call_stands", "misdeal", "void_hand", "penalty"),
    *("open_pair_fourth", "completion", "raise_cap"),
}
#: Points that say how to go on and make no ruling.
PROCEDURE = {"acting_in_turn", "time_out", "showdown_order"}


def ruled(what, **given):
    answer = desk.answer(what=what, **given)
    assert answer.refused is None, answer.refused
    return [(row.key, row.verdict) for row in answer.rulings]


def combinations(question, chance, count):
    """So many ways of answering what a question asks."""
    for _ in range(count):
        answers = {}
        for ask in desk.asks_of(question.slug):
            if ask.is_asked(answers):
                values = {"flag": (False, True), "number": (ask.least, ask.default, ask.most)}.get(ask.kind)
                answers[ask.name] = chance.choice(values or [value for value, _ in ask.options])
        yield answers


# -- every irregularity --------------------------------------------------------------------------------------------


def test_every_irregularity_has_a_question():
    assert {key for question in desk.QUESTIONS for key in question.keys} == IRREGULARITIES | PROCEDURE


@pytest.mark.parametrize("question", desk.QUESTIONS, ids=lambda question: question.slug)
def test_a_question_is_answered_however_it_is_asked(question):
    chance = random.Random(question.slug)
    made = set()
    for answers in combinations(question, chance, 40):
        for book in slugs():
            answer = desk.answer(what=question.slug, rulebook=book, **answers)
            made |= {row.key for row in answer.rulings}
            assert answer.deed or answer.refused
            for row in answer.rulings:
                assert row.citation.startswith(load(book).title)
                assert row.words
            if answer.refused is not None:
                assert answer.refused.message
            assert [point.key for point in answer.points] == list(question.keys)
    assert made >= set(question.keys) - PROCEDURE


def test_the_desk_tells_no_downcard():
    for question in desk.QUESTIONS:
        answer = desk.answer(what=question.slug)
        hidden = [card for seat in answer.table["seats"] for card, is_up in seat["cards"] if not is_up]
        if not answer.table["is_over"]:
            assert set(hidden) <= {None}
        shown = {card for seat in answer.table["seats"] for card, _ in seat["cards"] if card}
        assert shown <= set(DECK)


def test_the_same_question_has_the_same_answer():
    assert desk.answer(what="burned-wrong") == desk.answer(what="burned-wrong")
    assert desk.answer(what="burned-wrong").told != desk.answer(what="burned-wrong", seed=8).told


# -- the books differ ----------------------------------------------------------------------------------------------


def test_a_downcard_turned_up_is_a_misdeal_in_some_tournaments():
    assert ruled("downcard-seen") == [("exposed_downcard", "third-card-down")]
    assert ruled("downcard-seen", setting="tournament") == [("exposed_downcard", "misdeal")]
    assert ruled("downcard-seen", setting="tournament", rulebook="gardens") == [("exposed_downcard", "third-card-down")]


def test_both_downcards_kill_the_hand_and_the_left_may_open():
    both = {"which": "both", "would_be_low": True}
    assert ruled("downcard-seen", **both) == [
        ("both_downcards_exposed", "dead-hand"),
        ("dead_hand_lowcard", "left-opens"),
    ]


def test_a_card_off_the_table_is_ruled_first_and_its_consequence_after_it():
    assert ruled("downcard-seen", how="off-table")[0] == ("card_off_table", "exposed")
    assert ruled("last-card-seen", how="off-table") == [
        ("card_off_table", "exposed"),
        ("final_card_faceup", "all-in-option"),
    ]


def test_a_last_card_face_up_gives_a_choice_save_where_the_book_gives_none():
    assert ruled("last-card-seen") == [("final_card_faceup", "all-in-option")]
    assert ruled("last-card-seen", rulebook="poker-tip") == [("final_card_faceup", "kept")]
    assert ruled("last-card-seen", left="two") == [("final_card_faceup", "second-up")]
    assert ruled("last-card-seen", left="two", who="second") == [("final_card_faceup", "all-in-option")]
    assert ruled("last-card-seen", is_all_in=True) == [("all_in_final_faceup", "kept")]


def test_a_look_at_the_last_card_keeps_it_save_where_only_mixing_does():
    look = {"street": "7", "last_card": "looked-at", "players": 3}
    assert ("burn_error", "kept") in ruled("burned-wrong", **look)
    assert ruled("burned-wrong", rulebook="poker-tip", **look) == [("burn_error", "corrected")]
    assert ruled("burned-wrong", has_acted=True) == [("burn_error", "kept")]


def test_a_card_too_early_is_out_unless_it_is_a_last_card_that_was_seen():
    assert ruled("too-early") == [("premature_deal", "eliminated")]
    kept = ruled("too-early", street="7", last_card="mixed", cards=1)
    assert kept[0] == ("premature_deal", "kept")


def test_a_wrong_lowcard_is_put_right_until_the_next_player_acts():
    assert ruled("wrong-low") == [("wrong_lowcard", "corrected")]
    assert ruled("wrong-low", acted="bet") == [("wrong_lowcard", "corrected")]
    assert ruled("wrong-low", acted="next") == [("wrong_lowcard", "stands")]
    assert ruled("wrong-low", acted="next", floor=True, rulebook="gardens") == [("wrong_lowcard", "corrected")]
    refused = desk.answer(what="wrong-low", acted="next", floor=True).refused
    assert refused.code == "too-late"
    assert refused.rule == "Robert's Rules of Poker v4, 9"


def test_a_six_card_hand_is_the_floors_to_rule_on_save_at_the_gardens():
    assert ruled("wrong-count", floor=True)[-1] == ("wrong_card_count", "live")
    assert desk.answer(what="wrong-count", floor=True, rulebook="gardens").refused.rule
    assert desk.answer(what="wrong-count", floor=True, count="missing-early").refused


def test_a_silent_book_rules_and_says_whose_rule_it_plays():
    (row,) = desk.answer(what="reordered", rulebook="poker-tip").rulings
    assert row.is_silent
    assert row.follows
    assert "silent" in row.citation


def test_too_few_players_are_refused_by_the_book():
    refused = desk.answer(what="downcard-seen", players=2, rulebook="poker-tip").refused
    assert refused.code == "players"
    assert refused.rule


def test_razz_is_brought_in_by_the_highest_card():
    assert ruled("wrong-low", game="razz") == [("wrong_lowcard", "corrected")]
    answer = desk.answer(what="wrong-low", game="razz")
    assert next(seat for seat in answer.table["seats"] if seat["number"] == 1)["upcards"] == ["Ks"]


# -- asking --------------------------------------------------------------------------------------------------------


def test_answers_come_from_an_address_as_well():
    given = {"players": "4", "street": "6", "burned": "0", "has_acted": "yes", "rulebook": "gardens"}
    assert desk.answer(what="burned-wrong", **given) == desk.answer(
        what="burned-wrong", players=4, street="6", burned="0", has_acted=True, rulebook="gardens"
    )


def test_what_is_not_said_has_its_default():
    assert desk.read("burned-wrong", {}) == desk.read("burned-wrong", {"street": "4", "players": "", "has_acted": "no"})


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"what": "nothing"}, "what"),
        ({"what": "too-early", "players": "9"}, "players"),
        ({"what": "too-early", "players": 2.5}, "players"),
        ({"what": "too-early", "players": "1" * 400}, "players"),
        ({"what": "too-early", "street": "8"}, "street"),
        ({"what": "too-early", "street": ["4"]}, "street"),
        ({"what": "too-early", "colour": "blue"}, "colour"),
        ({"what": "too-early", "rulebook": "none"}, "rulebook"),
        ({"what": "too-early", "rulebook": "../secrets"}, "rulebook"),
        ({"what": "reordered", "again": "perhaps"}, "again"),
        ({"what": "beaten-call", "game": "razz"}, "game"),
    ],
)
def test_an_answer_that_makes_no_sense_names_its_field(given, field):
    with pytest.raises(Invalid) as refused:
        desk.answer(**given)
    assert refused.value.details["field"] == field


def test_the_catalogue_is_data():
    catalogue = desk.catalogue()
    assert [book["slug"] for book in catalogue["rulebooks"]] == list(slugs())
    asked = {row["slug"]: [ask["name"] for ask in row["asks"]] for row in catalogue["questions"]}
    assert asked["burned-wrong"] == [
        "game",
        "structure",
        "setting",
        "players",
        "street",
        "burned",
        "last_card",
        "has_acted",
    ]
    assert len(asked) == len(desk.QUESTIONS)
