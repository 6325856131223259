"""The floor: every order has a reason, stands in the log, and is refused where the rules leave nothing to it."""

import pytest

from games.rulebooks.queries import load
from tests.support.hands import automatic, one_step, third
from tests.support.invariants import whole_state
from tests.support.parts.stud import Hand, IllegalAction, c, mistakes
from tests.support.refusals import refused

THREE = {1: 500, 2: 500, 3: 500}


def refusal_of(hand: Hand, command: c.Command) -> IllegalAction:
    before = whole_state(hand)
    refusal = refused(IllegalAction, hand.play, command)
    assert whole_state(hand) == before
    return refusal


@pytest.mark.parametrize(("command", "code"), [
    *[(c.Order(what, 1, reason), "no-reason") for what in c.ORDERS for reason in ("", "   ")],
    (c.Order("dances", 1, "why not"), "unknown-order"),
    (c.Order("kills", 9, "why not"), "unknown-seat"),
    (c.Order("kills", 0, "why not"), "unknown-seat"),
    (c.Order("orders-low", 0, "why not"), "nothing-wrong"),
    (c.Order("rules-live", 1, "why not"), "no-ruling"),
])  # fmt: skip
def test_an_order_without_a_reason_or_a_rule_for_it_is_refused(command: c.Order, code: str) -> None:
    assert refusal_of(third(THREE), command).code == code


@pytest.mark.parametrize(("what", "seat"), [("void", 0), ("misdeal", 0), ("kills", 2), ("penalises", 2)])
def test_what_the_floor_orders_is_written_down_with_its_reason(what: str, seat: int) -> None:
    facts = third(THREE).play(c.Order(what, seat, "seen by all"))
    assert facts[0] == mistakes.Ordered(what, seat, "seen by all")


def test_online_there_are_no_dealers_mistakes_to_rule_on() -> None:
    hand = automatic(THREE)
    for command in (c.NoticeMistake(), c.NameOpener(2), c.DealTooSoon(4, (c.Given(1),)), c.Deal(4)):
        assert refusal_of(hand, command).code == "automatic-dealer"
    other = next(seat for seat in hand.seats if seat != hand.to_act)
    for command in (c.Fold(other), c.Check(other), c.Call(other), c.Wager(other, 15)):
        error = refusal_of(hand, command)
        assert (error.code, error.rule) == ("not-your-turn", load("roberts-v4").citation("acting_in_turn"))


def test_a_fouled_deck_gives_every_chip_back_at_every_moment_of_a_hand() -> None:
    hand = third(THREE)
    while not hand.is_over:
        twin = hand.copy()
        facts = twin.play(c.DeclareFouled("9h"))
        assert facts[0] == mistakes.DeckFouled("9h")
        assert [fact.kind for fact in facts] == ["deck-fouled", "ruled", "hand-voided"]
        assert facts[1].citation == "Robert's Rules of Poker, general sections; TDA 2024, rule 35E"
        assert {seat: player.stack for seat, player in twin.seats.items()} == THREE
        refused(IllegalAction, twin.play, c.DeclareFouled("9h"))
        one_step(hand)


@pytest.mark.parametrize("card", ["9x", "Joker", "??", "9h9h"])
def test_what_is_no_card_and_no_joker_fouls_nothing(card: str) -> None:
    assert refusal_of(third(THREE), c.DeclareFouled(card)).code == "no-such-card"


def test_the_automatic_dealer_has_every_card_once() -> None:
    told = refusal_of(automatic(THREE), c.DeclareFouled())
    assert (told.code, told.rule) == ("automatic-dealer", load("roberts-v4").citation("fouled_deck"))


def test_a_card_dealt_twice_is_refused_with_the_rule_of_fouled_decks() -> None:
    hand = third(THREE)
    while hand.awaits != "deal":
        one_step(hand)
    out = hand.seats[1].upcards[0]
    told = refusal_of(hand, c.Deal(4, tuple(c.Given(seat, out if seat == 1 else None) for seat in THREE)))
    assert (told.code, told.rule) == ("duplicate-card", load("roberts-v4").citation("fouled_deck"))
    assert "fouled" in told.message
