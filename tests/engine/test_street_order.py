"""Cards put right while others, dealt too soon, are out: every card is somewhere, and once."""

import pytest

from tests.support.hands import by_hand, round_called, shuffled_deck
from tests.support.invariants import Watch
from tests.support.parts.stud import AUDITOR, RAIL, CardsPutRight, Hand, c

SEATS = (1, 2)
#: What went wrong on the street in play: burns, and how many cards each seat got.
WRONG = {
    "no burn": (0, (1, 1)), "two burns": (2, (1, 1)), "a seat passed over": (None, (0, 1)),
    "a card too many": (None, (2, 1)),
}  # fmt: skip


def deal_wrong(hand: Hand, number: int, wrong: str) -> None:
    burns, counts = WRONG[wrong]
    dealt = [(seat, count) for seat, count in zip(SEATS, counts, strict=True) for _ in range(count or 1)]
    given = tuple(c.Given(seat, is_skipped=not count, place=0) for seat, count in dealt)
    hand.play(c.Deal(number, given, burns=burns))


def street_gone_wrong(number: int, wrong: str) -> Hand:
    """At the first choice of street ``number``, off the system's deck."""
    hand = by_hand(dict.fromkeys(SEATS, 500), deck=shuffled_deck(3), scramble=shuffled_deck(4))
    for street in range(3, number):
        hand.play(c.Deal(street))
        round_called(hand)
    deal_wrong(hand, number, wrong)
    return hand


def check(hand: Hand) -> None:
    """What must hold after every fact held here, for everybody."""
    watch = Watch([RAIL, AUDITOR, *SEATS], allows_mistakes=True)
    watch.saw(hand.facts)
    watch.check_replay(hand)


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("number", [4, 5, 6])
@pytest.mark.parametrize("times", [1, 2])
def test_the_burn_of_a_premature_deal_survives_a_correction(wrong: str, number: int, times: int) -> None:
    hand = street_gone_wrong(number, wrong)
    before = len(hand.burns)
    for _ in range(times):
        hand.play(c.DealTooSoon(number + 1, (c.Given(1),)))
    early = hand.burns[before:]
    assert len(early) == times
    put = next(fact for fact in hand.play(c.NoticeMistake()) if isinstance(fact, CardsPutRight))
    assert hand.burns[-times - 1 :] == [*put.burned, *early]
    check(hand)


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("seat", SEATS)
def test_a_last_card_kept_early_stays_with_its_owner_when_sixth_street_is_put_right(wrong: str, seat: int) -> None:
    hand = street_gone_wrong(6, wrong)
    hand.play(c.DealTooSoon(7, (c.Given(1), c.Given(2))))
    card = next(card for number, card, _ in hand.premature if number == seat)
    hand.play(c.Look(seat))
    hand.play(c.NoticeMistake())
    player = hand.seats[seat]
    assert (player.cards[-1], len(player.cards)) == (card, 7)
    assert player.ups == [False, False, True, True, True, True, False]
    check(hand)


@pytest.mark.parametrize("wrong", WRONG)
def test_seventh_street_is_put_right_after_its_first_deal_came_too_soon(wrong: str) -> None:
    hand = street_gone_wrong(6, "two burns")
    hand.play(c.DealTooSoon(7, (c.Given(1),)))
    hand.play(c.NoticeMistake())
    round_called(hand)
    pile = list(hand.burns)
    deal_wrong(hand, 7, wrong)
    hand.play(c.NoticeMistake())
    assert (hand.burns[:-1], [len(player.cards) for player in hand.players]) == (pile, [7, 7])
    check(hand)
