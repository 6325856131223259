"""Payouts locked and stale, deals, flights, cancellations, and what the winner gets."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import MINUTE, NOON, PRICE, begun, bust, check, play, refused, refuses
from tests.support.parts.event_rules import EventEngine, Paid, PayoutTerms, c

THREE = PayoutTerms("percent", percents=(50, 30, 20))
TICKETS = PayoutTerms("tickets", ticket_value=200)


def places_and_prizes(event: EventEngine, *numbers: int) -> list[tuple[int, int]]:
    """Place and prize of each."""
    return [(event.entrants[number].place, event.entrants[number].prize) for number in numbers]


def test_locked_payouts_warn_when_entries_change_and_are_locked_again(checked: None) -> None:
    event = begun(10, late_level=4, payout=THREE)
    event.play(c.LockPayouts(), NOON)
    assert (event.prizes(), event.is_payout_stale) == ((500, 300, 200), False)
    refuses(event, c.LockPayouts(), NOON, "nothing-to-do")
    event.play(c.Register(900, "Ana", PRICE), NOON)
    assert event.is_payout_stale
    assert event.prizes() == (550, 330, 220)
    event.play(c.LockPayouts(), NOON)
    assert (event.undo_label, event.is_payout_stale) == ("Payouts locked again", False)


def test_payouts_can_be_changed_until_a_deal_is_made(checked: None) -> None:
    event = begun(4, payout=PayoutTerms("amounts", amounts=(300, 99)))
    assert event.places_paid() == 2
    refuses(event, c.LockPayouts(), NOON, "payout-sum", "1 too few")
    bust(event, 1, 2)
    with refused("payout-sum"):
        bust(event, 3)
    assert (event.left, event.phase) == (2, "running")
    check(event)
    event.play(c.ChangePayout(PayoutTerms("amounts", amounts=(300, 100))), NOON)
    bust(event, 3)
    event = begun(4, payout=THREE)
    play(event, NOON, c.LockPayouts(), c.ChangePayout(PayoutTerms("winner")))
    assert (event.prizes(), event.locked) == ((400,), None)
    refuses(event, c.ChangePayout(PayoutTerms("percent", percents=(50, 30))), NOON, "payout-sum")
    event.play(c.Agree("even", tuple((number, 100) for number in (1, 2, 3, 4))), NOON)
    for command in (c.ChangePayout(THREE), c.LockPayouts()):
        refuses(event, command, NOON, "deal-made")


def test_a_deal_shares_what_is_open_and_leaves_something_to_play_for(checked: None) -> None:
    event = begun(10, payout=THREE)
    bust(event, *range(4, 11))
    event.play(c.Agree("custom", ((1, 400), (2, 300), (3, 200)), play_for=100), NOON + MINUTE)
    assert event.undo_label == "Deal of 3 players"
    bust(event, 1)
    assert [event.prize_of(number) for number in (1, 4)] == [400, 0], "it is won at once"
    bust(event, 3)
    assert [event.prize_of(number) for number in (1, 2, 3)] == [400, 400, 200]
    assert places_and_prizes(event, 1, 2, 3) == [(3, 400), (1, 400), (2, 200)]
    check(event)
    play(event, NOON + MINUTE, c.Undo(), c.Undo(), c.Undo())
    assert (event.deal, event.locked) == (None, None)


def test_a_deal_has_to_add_up_and_cannot_come_before_entry_has_closed(checked: None) -> None:
    event = begun(5, payout=THREE, late_level=1)
    bust(event, 4, 5)
    even = ((1, 200), (2, 150), (3, 150))
    refuses(event, c.Agree("even", even), NOON + 1, "entry-open")
    now = NOON + 21 * MINUTE
    for amounts, play_for, code in (
        (even[:2], 0, "deal-players"),
        (((1, 200), (1, 150), (3, 150)), 0, "deal-players"),
        (((1, 200), (2, 150), (4, 150)), 0, "deal-players"),
        (((1, 600), (2, -100), (3, 0)), 0, "deal-amounts"),
        (even, 1, "deal-amounts"),
        (even, -1, "deal-amounts"),
    ):
        refuses(event, c.Agree("custom", amounts, play_for), now, code)
    refuses(event, c.Agree("split", even), now, "unknown-deal")
    refuses(event, c.Finish(), now, "still-playing", "3 players are left")
    play(event, now, c.Count(2, 9000), c.Agree("chip", ((1, 150), (2, 200), (3, 150))))
    refuses(event, c.Agree("custom", even), now, "deal-made", "already has its deal")
    event.play(c.Finish(), now)
    assert places_and_prizes(event, 1, 2, 3) == [(2, 150), (1, 200), (2, 150)]


def test_a_deal_freezes_the_field() -> None:
    event = begun(4, payout=THREE, re_entries=1, late_level=4)
    bust(event, 4)
    play(event, NOON, c.KeepEntryOpen(False), c.Agree("custom", ((1, 200), (2, 100), (3, 50)), 50))
    enters, again, gone = c.Register(900, "Ana", PRICE), c.ReEnter(4, PRICE), c.Unregister(2, "no-show")
    for command in (enters, again, gone, c.KeepEntryOpen(True), c.Revive(4), c.Cancel("fire")):
        refuses(event, command, NOON, "deal-made")
    refuses(event, c.Finish(), NOON, "still-playing", "50 is left to play for")


def test_a_flight_ends_after_its_last_level_and_pays_nothing(checked: None) -> None:
    event = begun(6, flight_levels=1, payout=PayoutTerms(places=2))
    minutes = event.structure.levels[0].minutes
    assert not event.is_flight_over(NOON + minutes * MINUTE - 1)
    assert event.is_flight_over(NOON + minutes * MINUTE)
    for command in (c.LockPayouts(), c.Agree("even", tuple((number, 100) for number in range(1, 7)))):
        refuses(event, command, NOON, "is-flight", "pays nothing itself")
    bust(event, 6, 5, 4)
    assert not event.is_hand_for_hand_due(NOON + 1)
    event.play(c.Count(1, event.chips), NOON)
    bust(event, 2, 3)
    assert (event.phase, event.is_flight, [one.number for one in event.in_play()]) == ("finished", True, [1])
    assert (event.entrants[1].stack, event.entrants[1].prize) == (event.chips, 0)
    event = begun(6)
    bust(event, 6)
    event.play(c.Count(1, 9000), NOON)
    (fact,) = event.play(c.CloseFlight(), NOON + 1)
    assert fact.label == "Flight closed with 5 players"
    assert (event.phase, event.is_flight, event.entrants[1].stack) == ("finished", True, 9000)
    refuses(event, c.PayOut(((1, 100),)), NOON + 2, "is-flight")


def test_a_cancelled_event_is_over_for_good(checked: None) -> None:
    event = begun(3)
    event.play(c.Cancel("no electricity"), NOON)
    assert (event.phase, event.reason) == ("cancelled", "no electricity")
    for command in (c.Register(900, "Ana", PRICE), c.Start(), c.Resume(), c.Cancel("again")):
        refuses(event, command, NOON, "is-cancelled")


@given(st.lists(st.integers(1, 900), min_size=2, max_size=24), st.data())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_whatever_they_paid_and_however_they_went_prizes_are_the_pool(prices: list[int], data: st.DataObject) -> None:
    event = begun(2, payout=PayoutTerms(share_percent=data.draw(st.integers(1, 100))), late_level=4)
    for number, price in enumerate(prices):
        event.play(c.Register(500 + number, f"N{number}", Paid(price)), NOON)
    order = data.draw(st.permutations([entrant.number for entrant in event.in_play()]))
    while event.phase == "running":
        together = data.draw(st.integers(1, min(3, event.left - 1)))
        busts = tuple((order.pop(), data.draw(st.sampled_from([100, 200]))) for _ in range(together))
        event.play(c.Bust(busts), NOON + 1)
    check(event)
    prizes = [entrant.prize for entrant in sorted(event.entrants.values(), key=lambda entrant: entrant.place)]
    assert all(higher + 1 >= lower for higher, lower in pairwise(prizes))


# -- satellites ------------------------------------------------------------------------------------------------------


def test_a_satellite_ends_when_all_who_are_left_win_a_ticket() -> None:
    event, with_rest = begun(6, payout=TICKETS), begun(5, payout=TICKETS)
    bust(event, 1, 2)
    assert (event.left, event.phase) == (4, "running")
    bust(event, 3)
    assert (event.left, event.phase) == (3, "finished")
    assert [event.entrants[number].prize for number in range(1, 7)] == [0, 0, 0, 200, 200, 200]
    check(event)
    event.play(c.Undo(), NOON + 2)
    assert (event.left, event.phase) == (4, "running")
    check(event)
    bust(with_rest, 1, 2)
    assert (with_rest.left, with_rest.phase) == (3, "running")
    bust(with_rest, 3)
    assert (with_rest.left, with_rest.phase) == (2, "finished")
    assert [with_rest.entrants[number].prize for number in range(1, 6)] == [0, 0, 100, 200, 200]


def test_a_satellite_does_not_end_while_somebody_may_still_enter(checked: None) -> None:
    event = begun(6, payout=TICKETS, late_level=4)
    bust(event, 1, 2, 3)
    assert (event.left, event.phase) == (3, "running")
    event.play(c.KeepEntryOpen(False), NOON + 2)
    bust(event, 4, now=NOON + 3)
    assert (event.left, event.phase) == (2, "finished")
    tickets_for_all_but_one = PayoutTerms("tickets", ticket_value=2400 // 23)
    in_room, online = (begun(24, payout=tickets_for_all_but_one, conduct=conduct) for conduct in ("room", "online"))
    bust(in_room, 1)
    assert (in_room.left, in_room.phase) == (23, "finished")
    table = online.tables[online.entrants[1].table]
    winner = next(number for number in table.seats.values() if number != 1)
    stacks = ((1, 0), (winner, online.entrants[winner].stack + online.entrants[1].stack))
    online.play(c.HandDone(table.number, ((1, 1000),), (), stacks), NOON + 1)
    assert (online.left, online.phase, len(online.in_use()) > 1) == (23, "running", True)
