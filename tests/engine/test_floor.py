"""The floor: every order has a reason, stands in the log, and is refused where the rules leave nothing to it."""

import pytest

from games.rulebooks.queries import load
from tests.support.hands import automatic, third
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


def test_online_the_dealer_makes_no_mistakes_to_rule_on_and_an_action_out_of_turn_is_no_action() -> None:
    hand = automatic(THREE)
    for command in (c.Notice(), c.NameOpener(2), c.DealTooSoon(4, (c.Given(1),)), c.Deal(4)):
        assert refusal_of(hand, command).code == "automatic-dealer"
    other = next(seat for seat in hand.seats if seat != hand.to_act)
    for command in (c.Fold(other), c.Check(other), c.Call(other), c.Wager(other, 15)):
        error = refusal_of(hand, command)
        assert (error.code, error.rule) == ("not-your-turn", load("roberts-v4").citation("acting_in_turn"))
