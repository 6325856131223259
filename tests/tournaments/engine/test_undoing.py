"""Every director's action is taken back and done again; money that changed hands and hands played online are not."""

import pytest

from tests.support.directing import MINUTE, NOON, PRICE, begun, bust, check, entered, level, play, refuses, told
from tests.support.parts.event_rules import BountyTerms, Paid, Rebuy, Structure, Tournament, c

ANA_ENTERS = c.Register(900, "Ana", PRICE)


def same(one: dict[str, object], other: dict[str, object]) -> bool:
    """Nothing is different but the log itself."""
    return all(one[name] == other[name] for name in one if name not in ("facts", "actions"))


@pytest.mark.parametrize("kind", ["fixed", "progressive"])
def test_undo_takes_back_the_last_action_with_its_bounties_and_says_which(kind: str, checked: None) -> None:
    event = begun(12, price=Paid(100, 0, 50), bounty=BountyTerms(kind, 50))
    before = told(event)
    bust(event, 4, by=(1, 3))
    assert (event.undo_label, event.redo_label) == ("Bust of P4, 12th", "")
    (fact,) = event.play(c.Undo(), NOON + 2)
    assert fact.label == "Undone: Bust of P4, 12th"
    assert same(told(event), before)
    assert (event.undo_label, event.redo_label) == ("Cards in the air", "Bust of P4, 12th")


def test_a_redo_puts_back_what_was_undone_in_its_order_until_a_new_action_which_an_entry_is_not(checked: None) -> None:
    event = begun(12, late_level=4)
    bust(event, 4)
    play(event, NOON, c.Undo(), ANA_ENTERS, c.Redo())
    assert (event.entrants[4].status, event.entrants[4].place, event.entries) == ("out", 13, 13)
    play(event, NOON, c.OpenTable(5), c.Move(13, 5, 1), c.Undo(), c.Undo())
    assert event.redo_label == "Table 5 opened"
    play(event, NOON, c.Redo(), c.Redo())
    assert event.entrants[13].table == 5
    play(event, NOON, c.Undo(), c.Pause())
    assert not event.redo_label


def test_entries_between_stay_where_an_action_is_undone_but_what_they_stand_on_cannot_be_taken_away() -> None:
    event = begun(8, late_level=4, rebuy=Rebuy(3000, at_most_stack=9999), re_entries=1)
    bust(event, 2)
    play(event, NOON + 2, ANA_ENTERS, c.Rebuy(3, PRICE), c.Undo())
    assert (event.left, event.entries, event.entrants[3].stack, event.pool) == (9, 9, 8000, 1000)
    bust(event, 2, now=NOON + 3)
    event.play(c.ReEnter(2, PRICE), NOON + 3)
    before = told(event)
    refuses(event, c.Undo(), NOON + 4, "undo-blocked", "P2 has entered again since")
    assert told(event) == before
    check(event)
    full = begun(8, late_level=4, max_entrants=8, rebuy=Rebuy(3000, at_most_stack=9999))
    full.play(ANA_ENTERS, NOON)
    bust(full, 2)
    full.play(c.Rebuy(9, PRICE), NOON + 2)
    refuses(full, c.Undo(), NOON + 3, "undo-blocked", "Ana has bought chips since")


def test_a_table_stays_where_somebody_sits_for_good_and_nobody_goes_back_to_a_taken_seat(checked: None) -> None:
    event, other = (begun(8, late_level=4, max_entrants=8) for _ in range(2))
    place = (other.entrants[1].table, other.entrants[1].seat)
    # An alternate has the seat of a no-show, which stands for good.
    replaced = (ANA_ENTERS, c.Unregister(2, "no-show"))
    play(event, NOON, c.OpenTable(5), c.Move(2, 5, 1), *replaced, c.Undo())
    assert (event.entrants[9].table, event.undo_label) == (5, "Table 5 opened")
    refuses(event, c.Undo(), NOON, "undo-blocked", "what was done since stands on it")
    play(other, NOON, c.OpenTable(5), c.Move(1, 5, 1), c.Move(2, *place), *replaced, c.Undo())
    refuses(other, c.Undo(), NOON, "undo-blocked", "P1's seat has been taken since")


def test_a_level_that_is_played_is_not_undone(checked: None) -> None:
    event = begun(4, conduct="online", structure=Structure((level(1, minutes=0, hands=3),)))
    play(event, NOON, c.EditLevels(1, (level(2),)), c.HandsPlayed(3))
    assert event.level(NOON) == 1
    refuses(event, c.Undo(), NOON, "undo-blocked", "the level that is played would not be there")


def test_what_was_paid_is_not_undone_but_given_back_and_nothing_is_undone_across_a_payout(checked: None) -> None:
    event = entered(2)
    refuses(event, c.Undo(), NOON, "nothing-to-undo", "take it off, and the money goes back")
    event.play(c.Unregister(2), NOON)
    refuses(event, c.Undo(), NOON, "nothing-to-undo", "let them enter again")
    event.play(c.Cancel("rain"), NOON)
    refuses(event, c.Undo(), NOON, "nothing-to-undo", "cancelled")
    event = begun(3)
    refuses(event, c.MarkPaid(), NOON, "is-running")
    bust(event, 1, 2)
    event.play(c.MarkPaid(), NOON + 3)
    assert (event.is_paid, event.undo_label) == (True, "")
    refuses(event, c.Undo(), NOON + 4, "nothing-to-undo", "The prizes were paid")
    refuses(event, c.MarkPaid(), NOON + 4, "nothing-to-do")


def test_hands_played_online_stand_and_what_the_director_did_beside_them_does_not_have_to(checked: None) -> None:
    event = begun(4, conduct="online")
    play(event, NOON + 1, c.AddTime(MINUTE), c.HandDone(1, ((1, 5000),), (2,), ((1, 0), (2, 10_000))))
    for number in range(5):
        assert event.undo_label == "Clock +1:00"
        event.play(c.HandDone(1), NOON + 2 + number)
    event.play(c.Pause(), NOON + 9)
    assert (event.undo_label, Tournament.replay(event.facts).undo_label) == ("Clock stopped", "Clock stopped")
    event.play(c.Undo(), NOON + 10)
    assert event.undo_label == "Clock +1:00"
    event.play(c.Undo(), NOON + 11)
    assert (event.reading(NOON).remaining_ms, event.left, event.entrants[2].stack) == (20 * MINUTE, 3, 10_000)
    refuses(event, c.Undo(), NOON + 12, "nothing-to-undo", "played on it online")
