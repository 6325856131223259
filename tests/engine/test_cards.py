import pytest

from games.engine.cards import DECK, UNKNOWN, ace_low_key, low_key, parse_cards, rank_of, suit_of
from tests.support.refusals import refused


def test_the_deck_has_fifty_two_cards_in_order():
    assert len(set(DECK)) == len(DECK) == 52
    assert {len(card) for card in DECK} == {2}
    assert [rank_of(card) for card in ("2c", "9c", "Tc", "Kc", "Ac")] == [2, 9, 10, 13, 14]
    assert [suit_of(card) for card in ("5c", "5d", "5h", "5s")] == [0, 1, 2, 3]
    assert (min(["Ac", "3c", "2d", "2h"], key=low_key), min(["Ac", "Ks"], key=low_key)) == ("2d", "Ks")
    assert sorted(DECK, key=low_key) == list(DECK)
    assert (max(DECK, key=ace_low_key), min(DECK, key=ace_low_key)) == ("Ks", "Ac")
    assert sorted(["2c", "As", "Kd"], key=ace_low_key) == ["As", "2c", "Kd"]


@pytest.mark.parametrize("card", [None, UNKNOWN, "1s", "10s", "as", "AS", "A", "", "Ax"])
@pytest.mark.parametrize("ask", [rank_of, suit_of, low_key, ace_low_key])
def test_what_is_not_a_card_has_no_rank_or_suit(ask, card):
    refused(ValueError, "card", ask, card)


def test_cards_are_read_with_or_without_spaces():
    for text in ("AsKdTc", "As Kd Tc", " As  KdTc\n"):
        assert parse_cards(text) == ("As", "Kd", "Tc")
    assert (parse_cards(""), parse_cards("".join(DECK))) == ((), DECK)
    assert parse_cards("????7h", unknown_allowed=True) == (UNKNOWN, UNKNOWN, "7h")
    refused(ValueError, "'7h', which is already card 2", parse_cards, "??7h7h", unknown_allowed=True)


@pytest.mark.parametrize(("text", "complaint"), [
    ("AsKx", r"card 2 of 'AsKx' is 'Kx', which is not a card: write a rank"),
    ("As10d", r"card 2 of 'As10d' is '10', which is not a card"),
    ("askd", r"card 1 of 'askd' is 'as', which is not a card"),
    ("AsK", r"card 2 of 'AsK' is 'K', which is not a card"),
    ("AsKdAs", r"card 3 of 'AsKdAs' is 'As', which is already card 1"),
    ("As??", r"card 2 of 'As\?\?' is '\?\?', which is not a card"),
])  # fmt: skip
def test_a_wrong_card_is_named_with_its_place_and_the_reason(text, complaint):
    refused(ValueError, complaint, parse_cards, text)
