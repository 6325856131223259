"""The last order is undone, whatever it was, or its reason to stand is said; undo never reaches past it."""

import pytest

from tests.support.directing import (
    MINUTE,
    NOON,
    PRICE,
    begun,
    bust,
    event_snapshot,
    event_with_entries,
    is_same,
    level,
    play,
    refuses,
)
from tests.support.parts.event_rules import BountyTerms, EventEngine, Paid, RebuyTerms, Structure, c, f
from tournaments.engine.config import AddOnTerms

ANA_ENTERS = c.Register(900, "Ana", PRICE)


@pytest.mark.parametrize("kind", ["fixed", "progressive"])
def test_undo_takes_back_a_bust_with_its_bounties(kind: str, checked: None) -> None:
    event = begun(12, price=Paid(100, 0, 50), bounty=BountyTerms(kind, 50))
    before = event_snapshot(event)
    bust(event, 4, by=(1, 3))
    assert (event.undo_label, event.redo_label) == ("Bust of P4, 12th", "")
    (fact,) = event.play(c.Undo(), NOON + 2)
    assert fact.label == "Undone: Bust of P4, 12th"
    assert is_same(event, before)
    assert (event.undo_label, event.redo_label) == ("Cards in the air", "Bust of P4, 12th")


def test_a_rebuy_is_the_last_order_and_not_the_start_before_it(checked: None) -> None:
    event = begun(8, rebuy=RebuyTerms(3000, at_most_stack=9999))
    before = event_snapshot(event)
    event.play(c.Rebuy(3, PRICE), NOON + 1)
    assert event.undo_label == "Rebuy of P3"
    event.play(c.Undo(), NOON + 2)
    assert is_same(event, before)
    assert (event.phase, event.undo_label) == ("running", "Cards in the air")


def test_add_on_late_entry_and_re_entry_are_undone(checked: None) -> None:
    event = begun(8, late_level=4, re_entries=2, add_on=AddOnTerms(4000, at_break=1))
    bust(event, 2)
    event.play(c.GoTo(2), NOON + 2)
    for command in (c.AddOn(3, PRICE), ANA_ENTERS, c.ReEnter(2, PRICE)):
        before = event_snapshot(event)
        event.play(command, NOON + 3)
        event.play(c.Undo(), NOON + 4)
        assert is_same(event, before)
    event.play(c.ReEnter(2, PRICE), NOON + 5)
    bust(event, 11, now=NOON + 6)
    before = event_snapshot(event)
    event.play(c.ReEnter(11, PRICE), NOON + 7)
    event.play(c.Undo(), NOON + 8)
    assert is_same(event, before), "the first of two re-entries stands"


def test_an_entry_that_was_undone_keeps_its_number(checked: None) -> None:
    event = begun(8, late_level=4)
    play(event, NOON + 1, ANA_ENTERS, c.Undo())
    assert (event.entrants[9].status, event.entries, 900 in event.players) == ("withdrawn", 8, False)
    event.play(ANA_ENTERS, NOON + 2)
    assert (event.players[900], event.entrants[10].status) == (10, "in")


def test_what_follows_by_the_same_order_is_undone_with_it(checked: None) -> None:
    event = event_with_entries(6)
    before = event_snapshot(event)
    event.play(c.SeatAll(1), NOON)
    event.play(c.Start(), NOON, follows=True)
    assert (event.undo_label, len(event.log.actions[-1].labels)) == ("Cards in the air", 2)
    event.play(c.Undo(), NOON + 1)
    assert is_same(event, before)
    event.play(c.Redo(), NOON + 2)
    assert (event.phase, event.undo_label) == ("running", "Cards in the air")
    assert EventEngine.replay(event.facts).undo_label == "Cards in the air"


def test_what_follows_an_undo_is_an_order_of_its_own(checked: None) -> None:
    event = begun(8)
    bust(event, 2)
    event.play(c.Undo(), NOON + 2)
    event.play(c.OpenTable(), NOON + 2, follows=True)
    assert (event.undo_label, event.redo_label) == ("Table 2 opened", "")
    assert event.log.actions[-1].first == event.seq


def test_undo_after_undo_goes_back_order_by_order(checked: None) -> None:
    event = begun(8, rebuy=RebuyTerms(3000, at_most_stack=9999))
    stages = []
    for command in (c.Pause(), c.Rebuy(3, PRICE), c.OpenTable(5)):
        stages.append(event_snapshot(event))
        event.play(command, NOON + 1)
    for before in reversed(stages):
        event.play(c.Undo(), NOON + 2)
        assert is_same(event, before)


def test_a_redo_is_of_the_order_undone_last_until_something_else_is_done(checked: None) -> None:
    event = begun(12, late_level=4)
    play(event, NOON, c.OpenTable(5), c.Pause(), c.Undo(), c.Undo())
    assert event.redo_label == "Table 5 opened"
    play(event, NOON, c.Redo(), c.Redo())
    assert (event.undo_label, event.is_paused) == ("Clock stopped", True)
    play(event, NOON, c.Undo(), ANA_ENTERS)
    assert not event.redo_label


def test_what_money_moved_by_is_not_done_again(checked: None) -> None:
    event = begun(8, late_level=4)
    play(event, NOON + 1, ANA_ENTERS, c.Undo())
    refuses(event, c.Redo(), NOON + 2, "nothing-to-redo")
    assert (event.undo_label, event.redo_label) == ("Cards in the air", "")


def test_what_stands_for_good_is_said_and_not_reached_past() -> None:
    event = event_with_entries(2)
    event.play(c.ChangeTerms(event.config), NOON)
    refuses(event, c.Undo(), NOON, "not-undone", "Terms changed cannot be undone", "change them again")
    event.play(c.Cancel("rain"), NOON)
    refuses(event, c.Undo(), NOON, "not-undone", "Cancelled cannot be undone", "cancelled")
    fresh = event_with_entries(0)
    assert (fresh.undo_label, fresh.undo_refusal) == ("", "There is nothing to undo.")
    refuses(fresh, c.Undo(), NOON, "nothing-to-undo")


def test_a_prize_that_was_paid_is_undone_before_what_decided_it(checked: None) -> None:
    event = begun(3)
    refuses(event_with_entries(2), c.PayOut(((1, 100),)), NOON, "is-registering")
    bust(event, 1, 2)
    before = event_snapshot(event)
    event.play(c.PayOut(((3, 300),)), NOON + 3)
    assert event.undo_label == "Prize of P3: 300 paid"
    event.play(c.Undo(), NOON + 4)
    assert is_same(event, before)
    assert event.undo_label == "Bust of P2, 2nd"
    event.play(c.PayOut(((3, 300),), by_itself=True), NOON + 5)
    refuses(event, c.Undo(), NOON + 6, "not-undone", "paid its prizes by itself")


def test_the_first_payment_of_an_older_event_stands() -> None:
    event = begun(3)
    bust(event, 1, 2)
    event.apply(f.PrizesPaid(at=NOON + 3, label="The first prize is paid: the results stand"))
    refuses(event, c.Undo(), NOON + 4, "not-undone", "The prizes were paid")


def test_facts_of_undos_that_reached_past_others_are_read_as_they_are() -> None:
    event = begun(8, late_level=4)
    bust(event, 2)
    action = event.log.actions[-1]
    event.play(ANA_ENTERS, NOON + 2)
    event.apply(f.ActionUndone(action.first, action.last, at=NOON + 3, label="Undone: Bust of P2, 8th"))
    assert (event.left, event.entrants[2].status, event.undo_label) == (9, "in", "Entry of Ana")
    event.apply(f.ActionRedone(action.first, action.last, at=NOON + 4, label="Redone: Bust of P2, 8th"))
    assert (event.left, event.entrants[2].status) == (8, "out")
    assert event_snapshot(EventEngine.replay(event.facts)) == event_snapshot(event)


def test_online_an_order_stands_once_hands_were_played_on_it(checked: None) -> None:
    event = begun(4, conduct="online", late_level=2, rebuy=RebuyTerms(3000, at_most_stack=9999))
    for command in (c.AddTime(MINUTE), c.Rebuy(2, PRICE), ANA_ENTERS):
        before = event_snapshot(event)
        event.play(command, NOON + 1)
        event.play(c.Undo(), NOON + 2)
        assert is_same(event, before)
    event.play(c.AddTime(MINUTE), NOON + 3)
    event.play(c.HandDone(1, ((1, 5000),), (2,), ((1, 0), (2, 10_000))), NOON + 4)
    refuses(event, c.Undo(), NOON + 5, "not-undone", "Hand at table 1", "Hands were played online since")
    assert event.reading(NOON).remaining_ms == 21 * MINUTE


def test_online_a_level_that_hands_began_is_not_undone(checked: None) -> None:
    event = begun(4, conduct="online", structure=Structure((level(1, minutes=0, hands=3),)))
    play(event, NOON, c.EditLevels(1, (level(2),)), c.HandsPlayed(3))
    assert event.level(NOON) == 1
    refuses(event, c.Undo(), NOON, "not-undone", "Hands were played online since")
