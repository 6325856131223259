"""The page to learn the games from, true by the engine that plays them, and its lessons: each is played as it is
written, answers every choice, and shows no more than the learner’s seat sees."""

import json
import re
from itertools import pairwise

import pytest

from games.engine.ranking import low8_value_of, low_value_of, value_of
from games.training.lessons import SEAT, lessons
from games.training.pages import learn
from tests.support.pages import get, says
from tests.support.parts.stud import Hand

#: What a button of the table does, by the words of an `action-on`.
_WAGERS = {"bet": "bet", "complete-to": "complete", "raise-to": "raise"}


def cards_of(hand):
    return [card for card in hand.cards.split() if card != "??"]


def test_the_page_of_rules_leads_to_this_one_this_one_to_each_lesson_and_each_to_the_next(client):
    says(get(client, "/rules/"), 'href="/learn/"')
    page, slugs = get(client, "/learn/"), [*lessons()]
    says(page, *(street.title for street in learn.STREETS), *(hand.name for hand in learn.HIGH_HANDS), "ace of spades")
    says(page, *(f'href="/learn/{slug}/"' for slug in slugs))
    for slug, following in zip(slugs, [*slugs[1:], None], strict=True):
        page = get(client, f"/learn/{slug}/")
        says(page, f'href="/learn/{following}/"' if following else "To the lobby")
        parts = json.loads(re.search(r'<script id="lesson-data" type="application/json">(.*?)</script>', page)[1])
        assert len(parts) == len(lessons()[slug].parts)
        for part in parts:
            dealt = [fact["cards"] for _, kind, fact in part["facts"] if kind == "cards-dealt"]
            down = [card for cards in dealt for seat, card, is_up in cards if seat != SEAT and not is_up]
            assert set(down) == {None}, "nobody else's downcards before they are shown"


def test_the_hands_stand_in_their_order_and_those_that_are_told_keep_their_cards_and_their_winner():
    for stronger, weaker in pairwise(learn.HIGH_HANDS):
        assert value_of(cards_of(stronger)) > value_of(cards_of(weaker)), stronger.name
    for lower, higher in pairwise(learn.LOW_HANDS):
        assert low_value_of(cards_of(lower)) < low_value_of(cards_of(higher)), lower.name
    high, low = (cards_of(hand) for hand in learn.EIGHT)
    assert sorted(high) == sorted(low)
    assert value_of(high) == value_of(high[-5:])
    assert low8_value_of(low) == low_value_of(low[-5:])

    mine, theirs = (cards_of(hand) for hand in learn.SHOWDOWN)
    others = [card for hand in learn.STREETS[0].hands[1:2] for card in cards_of(hand)]
    assert len({*mine, *theirs, *others}) == len(mine) + len(theirs) + len(others) == 15
    assert value_of(mine) > value_of(theirs)
    for street in learn.STREETS:
        you, *_, across = street.hands
        assert set(cards_of(you)) <= set(mine), street.title
        assert set(cards_of(across)) <= set(theirs), street.title
        if street is not learn.STREETS[0]:
            assert value_of(cards_of(across)) > value_of(cards_of(you)[2:6]), f"who acts first on {street.title}"
    for hand in learn.SHOWDOWN:
        cards = cards_of(hand)
        assert value_of(cards) == value_of(cards[-5:]), hand.name


def choices(hand: Hand) -> set[str]:
    option = hand.options(SEAT)
    open_ones = {"fold": option.can_fold, "check": option.can_check, "call": option.call, "bring-in": option.bring_in}
    return {name for name, is_open in open_ones.items() if is_open} | {_WAGERS[option.verb] for _ in option.sizes[:1]}


@pytest.mark.parametrize("slug", lessons())
def test_every_turn_of_the_learner_teaches_one_choice_and_says_of_each_other_why_not(slug):
    taught = 0
    for part in lessons()[slug].parts:
        for stop in part.stops:
            hand = Hand.replay(part.facts[: stop.upto])
            if not stop.best:
                assert not stop.poor, stop
                continue
            taught += 1
            assert hand.to_act == SEAT, stop
            assert choices(hand) == {stop.best, *stop.poor}, stop
            assert all([stop.says, stop.then, *stop.poor.values()]), stop
    assert taught
