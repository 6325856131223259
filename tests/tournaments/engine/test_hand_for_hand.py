"""Hand-for-hand (TDA RP-8): every table waits for the last, and all who bust on one hand share."""

from tests.support.directing import MINUTE, NOON, STRUCTURE, begun, bust, level, play, refused, refuses, rest
from tests.support.parts.event_rules import EventEngine, Running, Stopped, Structure, c
from tournaments.engine.config import BountyTerms, Paid, PayoutTerms, RebuyTerms

EIGHT_PAID = PayoutTerms("amounts", amounts=(400, 250, 150, 100, 90, 80, 70, 60))


def on_the_bubble(**changes: object) -> EventEngine:
    """Twelve entered, ten left at two tables, and nine of them are paid."""
    event = begun(12, payout=PayoutTerms(places=9), **changes)
    assert not event.is_hand_for_hand_due(NOON + 1)
    bust(event, next(iter(event.tables[1].seats.values())), next(iter(event.tables[2].seats.values())))
    return event


def players(event: EventEngine, table: int) -> list[int]:
    return list(event.tables[table].seats.values())


def both_done(event: EventEngine, now: int) -> None:
    for table in (1, 2):
        event.play(c.HandDone(table), now)


def test_hand_for_hand_is_due_one_bust_from_the_money() -> None:
    assert on_the_bubble().is_hand_for_hand_due(NOON + 1)
    assert not on_the_bubble(hand_for_hand=False).is_hand_for_hand_due(NOON + 1)
    assert on_the_bubble(final_seats=8).is_hand_for_hand_due(NOON + 1)
    final = begun(10, final_seats=8, payout=PayoutTerms(places=7))
    bust(final, players(final, 1)[0], players(final, 2)[0])
    assert (final.is_final_table_due(NOON + 1), final.is_hand_for_hand_due(NOON + 1)) == (True, False)
    for changes in ({"late_level": 2}, {"rebuy": RebuyTerms(3000, until_level=2)}):
        event = on_the_bubble(**changes)
        # The second moment is in the break.
        due = [event.is_hand_for_hand_due(moment) for moment in (NOON + 1, NOON + 45 * MINUTE, NOON + 51 * MINUTE)]
        assert due == [False, False, True]
    refuses(event, c.HandForHand(True), NOON + 45 * MINUTE, "in-a-break")


def test_who_busts_is_in_until_every_table_is_done_and_then_shares(checked: None) -> None:
    event = on_the_bubble()
    event.play(c.HandForHand(True), NOON + 5 * MINUTE)
    one, other, third = players(event, 1)[0], players(event, 2)[0], players(event, 2)[1]
    event.play(c.HandDone(1, ((one, 300),)), NOON + 6 * MINUTE)
    assert (event.left, event.entrants[one].status) == (10, "in")
    with refused("is-out", "is out already when this hand is over"):
        bust(event, one)
    refuses(event, c.HandDone(1), NOON + 6 * MINUTE, "table-waits", "waits for the others")
    assert event.undo_label == f"Hand at table 1: bust of P{one}"
    facts = event.play(c.HandDone(2, ((other, 2000), (third, 100))), NOON + 7 * MINUTE)
    kinds = [fact.kind for fact in facts]
    assert kinds == ["hand-finished", "busts-held", "busted", "busted", "hand-over", "clock-set"]
    out = [event.entrants[number] for number in (one, other, third)]
    assert [(entrant.place, entrant.tied) for entrant in out] == [(8, 3)] * 3
    assert event.hand_number == 1
    assert not any(table.hand_done for table in event.in_use())


def test_a_bust_during_hand_for_hand_is_held_until_it_ends(checked: None) -> None:
    for is_turned_off in (False, True):
        event = on_the_bubble()
        event.play(c.HandForHand(True), NOON + 5 * MINUTE)
        one = players(event, 1)[0]
        bust(event, one)
        assert (event.left, list(event.held), event.undo_label) == (10, [one], f"Bust of P{one}, when the hand is over")
        play(event, NOON + 6 * MINUTE, *([c.HandForHand(False)] if is_turned_off else [c.HandDone(2), c.HandDone(1)]))
        assert (event.left, event.entrants[one].place, event.held) == (9, 10, {})


def test_each_hand_of_hand_for_hand_takes_two_minutes_off_the_clock(checked: None) -> None:
    event = on_the_bubble()
    event.play(c.HandForHand(True), NOON + 5 * MINUTE)
    assert event.clock == Stopped(0, 15 * MINUTE)
    for number in range(1, 8):
        both_done(event, NOON + (5 + number) * MINUTE)
    assert event.clock == Stopped(0, MINUTE)
    both_done(event, NOON + 20 * MINUTE)
    assert event.clock == Stopped(1, 20 * MINUTE)
    event.play(c.HandForHand(False), NOON + 30 * MINUTE)
    assert event.clock == Running(1, NOON + 50 * MINUTE)
    event = on_the_bubble(structure=Structure((level(1, minutes=2), rest(), level(2), level(3))))
    event.play(c.HandForHand(True), NOON)
    both_done(event, NOON + MINUTE)
    assert (event.reading(NOON + MINUTE).is_break, event.clock) == (True, Running(1, NOON + 11 * MINUTE))
    both_done(event, NOON + 15 * MINUTE)
    assert event.clock == Stopped(2, 14 * MINUTE)

    event = on_the_bubble(hand_minutes=0)
    event.play(c.HandForHand(True), NOON)
    assert isinstance(event.clock, Running)
    both_done(event, NOON + MINUTE)
    assert event.reading(NOON + MINUTE).remaining_ms == 19 * MINUTE
    stood = on_the_bubble()
    play(stood, NOON, c.Pause(), c.HandForHand(True))
    both_done(stood, NOON + MINUTE)
    stood.play(c.HandForHand(False), NOON + MINUTE)
    assert stood.clock == Stopped(0, 18 * MINUTE)


def test_it_ends_by_itself_with_the_last_table_but_one(checked: None) -> None:
    event = begun(10, final_seats=8, payout=EIGHT_PAID, price=Paid(120))
    bust(event, players(event, 1)[0])
    event.play(c.HandForHand(True), NOON)
    for table in (1, 2):
        event.play(c.HandDone(table, ((players(event, table)[0], 100),) if table == 2 else ()), NOON + MINUTE)
    facts = event.play(c.DrawFinalTable(3), NOON + 2 * MINUTE)
    assert [fact.kind for fact in facts] == ["final-table-drawn", "hand-for-hand-set", "clock-set"]
    assert not event.is_hand_for_hand


def test_a_table_alone_that_cannot_deal_or_breaks_is_not_waited_for(checked: None) -> None:
    event = begun(5)
    refuses(event, c.HandForHand(True), NOON, "one-table")
    refuses(event, c.HandForHand(False), NOON, "nothing-to-do")
    refuses(event, c.HandDone(4), NOON, "no-such-table")
    event = begun(16)
    bust(event, *players(event, 1)[:3])
    assert event.tables[1].is_halted
    play(event, NOON, c.HandForHand(True), c.HandDone(2))
    assert event.hand_number == 1
    event = begun(18)
    bust(event, *players(event, 3)[:2])
    event.play(c.HandForHand(True), NOON)
    both_done(event, NOON)
    assert event.play(c.BreakTable(3, 1), NOON)[-2].kind == "hand-over"
    event = begun(4, seats=2, final_seats=2, payout=PayoutTerms(places=2))
    play(event, NOON + 1, c.HandForHand(True), c.HandDone(1))
    gone = [players(event, number)[0] for number in (1, 2)]
    play(event, NOON + 2, *(c.Unregister(number, "no-show") for number in gone))
    assert not event.is_hand_on


def test_bounties_of_one_hand_go_to_the_winners_at_each_table(checked: None) -> None:
    event = begun(10, price=Paid(100, 0, 50), bounty=BountyTerms("fixed", 50))
    event.play(c.HandForHand(True), NOON)
    (loser, winner), (other, taker) = players(event, 1)[:2], players(event, 2)[:2]
    bust(event, loser, by=(winner,))
    with refused("bounty", f"won the chips of P{loser} on this hand"):
        bust(event, winner)
    event.play(c.HandDone(1), NOON)
    refuses(event, c.HandDone(2, ((other, 10),), (loser,)), NOON, "bounty", "out by the same hand")
    event.play(c.HandDone(2, ((other, 10),), (taker,)), NOON)
    assert [event.entrants[number].bounties_won for number in (winner, taker)] == [50, 50]
    assert [event.entrants[number].by for number in (loser, other)] == [(winner,), (taker,)]


def test_nothing_is_decided_about_who_is_held_until_the_hand_is_over(checked: None) -> None:
    event = begun(10, rebuy=RebuyTerms(3000), payout=PayoutTerms("winner"))
    event.play(c.HandForHand(True), NOON)
    held, other = players(event, 1)[0], players(event, 2)[0]
    bust(event, held)
    for command in (c.Rebuy(held), c.Penalise(held, "warning")):
        refuses(event, command, NOON, "is-out", "when this hand is over")
    refuses(event, c.Unregister(held, "no-show"), NOON, "too-late")
    refuses(event, c.Agree("even", ()), NOON, "hand-running")
    refuses(event, c.CloseFlight(), NOON, "still-playing")
    refuses(event, c.DrawFinalTable(1), NOON, "hand-running")
    event.play(c.Move(other, 1, event.views()[0].free()[0]), NOON)


def test_outside_hand_for_hand_a_hand_done_is_counted_and_its_busts_are_out(checked: None) -> None:
    event = begun(10)
    loser = players(event, 1)[0]
    event.play(c.HandDone(1, ((loser, 800),)), NOON)
    assert (event.tables[1].hands, event.left, event.entrants[loser].place) == (1, 9, 10)
    assert event.undo_label == f"Hand at table 1: bust of P{loser}, 10th"
    event.play(c.Undo(), NOON + 1)
    assert (event.tables[1].hands, event.left, event.structure) == (0, 10, STRUCTURE)
