"""The page to learn the games from: its pictures are true by the engine that plays them."""

from itertools import pairwise

from games.engine.ranking import low8_value_of, low_value_of, value_of
from games.training.pages import learn
from tests.support.pages import get, says


def cards_of(hand):
    return [card for card in hand.cards.split() if card != "??"]


def test_everybody_finds_the_page_and_the_page_of_rules_leads_to_it(db, client):
    page = get(client, "/learn/")
    says(page, *(street.title for street in learn.STREETS), *(hand.name for hand in learn.HIGH_HANDS), "ace of spades")
    says(get(client, "/rules/"), 'href="/learn/"')


def test_the_hands_stand_in_their_order():
    for stronger, weaker in pairwise(learn.HIGH_HANDS):
        assert value_of(cards_of(stronger)) > value_of(cards_of(weaker)), stronger.name
    for lower, higher in pairwise(learn.LOW_HANDS):
        assert low_value_of(cards_of(lower)) < low_value_of(cards_of(higher)), lower.name


def test_the_hand_that_is_told_keeps_its_cards_and_its_winner():
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


def test_the_hand_for_both_halves_wins_both():
    high, low = (cards_of(hand) for hand in learn.EIGHT)
    assert sorted(high) == sorted(low)
    assert value_of(high) == value_of(high[-5:])
    assert low8_value_of(low) == low_value_of(low[-5:])
