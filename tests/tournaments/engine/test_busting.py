"""Busts, places, stacks, penalties, bounties, and a bust that was a mistake."""

import pytest

from tests.support.directing import MINUTE, NOON, PRICE, begun, bust, check, play, refuses
from tests.support.parts.event_rules import BountyTerms, EventEngine, Paid, PayoutTerms, c

WITH_BOUNTY = Paid(100, 10, 50)


def seated_at(event: EventEngine, table: int) -> list[int]:
    return list(event.tables[table].seats.values())


def place(event: EventEngine, *numbers: int) -> list[int]:
    return [event.entrants[number].place for number in numbers]


def test_of_several_busts_in_one_hand_the_larger_stack_finishes_higher(checked: None) -> None:
    event = begun(8)
    (fact,) = event.play(c.Bust(((1, 700), (2, 1500), (3, 700))), NOON)
    assert (place(event, 1, 2, 3), [event.entrants[number].tied for number in (1, 2, 3)]) == ([7, 6, 7], [2, 1, 2])
    assert fact.label == "Bust of P3 (7th), P1 (7th) and P2 (6th)"
    # The odd unit goes in order of entry.
    for amounts, shared in (((195, 105, 60, 40), [50, 50]), ((194, 105, 61, 40), [51, 50])):
        event = begun(4, payout=PayoutTerms("amounts", amounts=amounts))
        event.play(c.Bust(((3, 500), (2, 500))), NOON)
        assert [event.prize_of(number) for number in (2, 3, 1)] == [*shared, 0]
        bust(event, 4)
        assert event.entrants[1].prize == amounts[0]


@pytest.mark.parametrize(("command", "code"), [
    (c.Bust(()), "nothing-to-do"), (c.Bust(((1, 5),)), "is-out"), (c.Bust(((99, 5),)), "no-such-entrant"),
    (c.Bust(((2, 5), (2, 5))), "bust-twice"), (c.Bust(((2, -5),)), "stack"),
    (c.Bust(((2, 5),), table=7), "other-table"), (c.Bust(((2, 5), (3, 5), (4, 5))), "nobody-left"),
    (c.Bust(((2, 5),), by=(2,)), "bounty"), (c.Bust(((2, 5),), by=(3, 3)), "bounty"),
    (c.Bust(((2, 5),), by=(1,)), "is-out"),
])  # fmt: skip
def test_a_bust_that_cannot_be_is_refused(command: c.Command, code: str) -> None:
    event = begun(4)
    bust(event, 1)
    refuses(event, command, NOON + 2, code)


def test_the_last_one_left_has_won(checked: None) -> None:
    event = begun(3, payout=PayoutTerms("percent", percents=(70, 30)))
    bust(event, 2)
    assert [fact.kind for fact in bust(event, 3, now=NOON + 2)] == ["busted", "ended"]
    assert (event.phase, event.ended_at, place(event, 1, 3, 2)) == ("finished", NOON + 2, [1, 2, 3])
    assert [event.entrants[number].prize for number in (1, 3, 2)] == [210, 90, 0]
    refuses(event, c.Pause(), NOON + 3, "is-finished", "over")


def test_a_bust_found_to_be_a_mistake_is_mended_without_undoing_what_came_after(checked: None) -> None:
    event = begun(12)
    bust(event, 3, 4, 5)
    seat = event.entrants[4].last[:2]
    event.play(c.Revive(4), NOON + 9)
    assert (event.entrants[4].table, event.entrants[4].seat) == seat
    assert (event.entrants[4].stack, event.left, place(event, 3, 5, 4)) == (1000, 10, [12, 11, 0])
    check(event)
    play(event, NOON + 9, c.Bust(((6, 5), (7, 5))), c.Revive(6, stack=400))
    assert (place(event, 3, 5, 7), event.entrants[7].tied) == ([12, 11, 10], 1)


def test_a_busted_player_comes_back_to_a_drawn_seat_if_theirs_is_taken(checked: None) -> None:
    event = begun(10, late_level=2)
    gone = seated_at(event, 1)[0]
    bust(event, gone)
    play(event, NOON + 2, c.Register(900, "Ana", PRICE), c.Move(11, *event.entrants[gone].last[:2]))
    event.play(c.Revive(gone, seed=5), NOON + 3)
    back = event.entrants[gone]
    assert (back.table, back.seat) not in [(0, 0), back.last[:2]]
    event = begun(4, seats=4, late_level=2, re_entries=1)
    refuses(event, c.Revive(1), NOON, "not-out")
    bust(event, 1, 2)
    refuses(event, c.Revive(2, stack=0), NOON + 2, "stack", "Say how many")
    play(event, NOON + 2, c.Register(900, "Ana", PRICE), c.SeatLate(5, 1), c.ReEnter(2), c.SeatLate(6, 1))
    refuses(event, c.Revive(2), NOON + 2, "entered-again")
    refuses(event, c.Revive(1), NOON + 3, "no-room", "open a table first")
    play(event, NOON + 3, c.OpenTable(), c.Revive(1), c.Penalise(3, "disqualified"))
    assert event.entrants[1].table == 2
    refuses(event, c.Revive(3), NOON + 4, "not-out")


def test_a_table_is_counted_by_one_action_that_is_taken_back_as_one(checked: None) -> None:
    event = begun(4)
    assert event.not_counted() == [1]
    event.play(c.CountTable(1, ((1, 9000), (2, 1000), (3, 6000), (4, 4000))), NOON + 5)
    assert (event.not_counted(), event.not_counted(NOON + 6)) == ([], [1])
    assert [entrant.counted_at for entrant in event.in_play()] == [NOON + 5] * 4
    assert event.undo_label == "Count of table 1: 20,000 in 4 stacks"
    event.play(c.Undo(), NOON + 6)
    assert [(entrant.stack, event.is_counted(entrant)) for entrant in event.in_play()] == [(5000, False)] * 4
    event.play(c.Redo(), NOON + 7)
    bust(event, 4, now=NOON + 8)
    assert event.not_counted() == [1], "the chips lie before somebody else"


@pytest.mark.parametrize(("code", "table", "stacks"), [
    ("nothing-to-do", 1, ()), ("other-table", 2, ((1, 5000),)), ("stack", 1, ((1, -1),)),
    ("stack", 1, ((1, 20_001),)), ("stack", 1, ((1, 100), (1, 200))),
    ("stack", 1, ((1, 15_000), (2, 5_001))),
])  # fmt: skip
def test_a_count_that_cannot_be_is_refused(code: str, table: int, stacks: tuple[tuple[int, int], ...]) -> None:
    refuses(begun(4), c.CountTable(table, stacks), NOON, code)


def test_single_counts_are_refused_what_a_count_of_the_table_is(checked: None) -> None:
    event = begun(4)
    event.play(c.Count(1, 15_000), NOON)
    refuses(event, c.Count(2, 5001), NOON + 1, "stack", "P1 15,000", "20,001", "20,000 are in play")
    refuses(event, c.CountTable(1, ((2, 4000), (3, 1001))), NOON + 1, "stack", "20,001")
    event.play(c.Count(2, 5000), NOON + 1)
    refuses(event, c.Count(3, 1), NOON + 2, "stack", "P2 5,000")
    # The first of them was wrong: counted again, it gives way.
    play(event, NOON + 3, c.Count(1, 9000), c.Count(3, 6000), c.Count(4, 0))
    assert event.count_difference() == 0
    # Ten minutes of play move chips; ten minutes of a break do not.
    event.play(c.Count(4, 12_000), NOON + 10 * MINUTE)
    event.play(c.GoTo(2), NOON + 11 * MINUTE)
    event.play(c.Count(1, 12_000), NOON + 11 * MINUTE)
    refuses(event, c.Count(2, 9000), NOON + 20 * MINUTE, "stack", "P1 12,000")
    play(event, NOON + 21 * MINUTE, c.GoTo(0), c.Pause(), c.Count(1, 12_000))
    refuses(event, c.Count(2, 9000), NOON + 90 * MINUTE, "stack", "P1 12,000")


def test_counts_of_all_stacks_show_a_difference_until_it_is_corrected(checked: None) -> None:
    event = begun(16)
    stacks = {number: tuple((one, 5000) for one in table.seats.values()) for number, table in event.tables.items()}
    event.play(c.GoTo(2), NOON)
    event.play(c.CountTable(1, stacks[1]), NOON)
    assert event.count_difference() == 0, "half of them are not counted"
    wrong = ((stacks[2][0][0], 6000), *stacks[2][1:])
    event.play(c.CountTable(2, wrong), NOON + 8 * MINUTE)
    assert event.count_difference() == 1000
    event.play(c.GoTo(3), NOON + 10 * MINUTE)
    assert event.count_difference() == 1000, "the break is over and it is still so"
    refuses(event, c.CorrectChips(80_000, "as it is"), NOON + 11 * MINUTE, "nothing-to-do")
    refuses(event, c.CorrectChips(80_500, "too few"), NOON + 11 * MINUTE, "stack", "81,000")
    (fact,) = event.play(c.CorrectChips(81_000, "1,000 too many at table 2"), NOON + 11 * MINUTE)
    assert (fact.added, event.chips, event.average(), event.count_difference()) == (1000, 81_000, 81_000 // 16, 0)
    assert event.undo_label == "Chips in play corrected to 81,000: 1,000 too many at table 2"
    event.play(c.Undo(), NOON + 12 * MINUTE)
    assert (event.chips, event.count_difference()) == (80_000, 1000)
    bust(event, 4, now=NOON + 13 * MINUTE)
    assert event.count_difference() == 0, "chips have moved since"
    refuses(begun(4, conduct="online"), c.CorrectChips(1, "no"), NOON, "online")
    refuses(begun(4), c.CorrectChips(0, "none"), NOON, "stack", "say how many")
    refuses(begun(4), c.CorrectChips(3, "a digit too few"), NOON, "stack", "say how many")


def test_online_no_chip_comes_from_nowhere(checked: None) -> None:
    event = begun(4, conduct="online")
    event.play(c.Chips(((1, 7000), (2, 3000))), NOON)
    event.play(c.Chips(((1, 7000), (2, 3000)), why="Chip race"), NOON)
    assert event.actions[-1].label == "Chip race"
    refuses(event, c.Chips(((1, 7000), (2, 3001))), NOON, "chips", "began with 10000 chips and cannot end with 10001")
    refuses(event, c.Chips(((1, 10_001), (2, -1))), NOON, "stack")
    refuses(event, c.Chips(((1, 7000), (1, 7000))), NOON, "stack")
    refuses(event, c.Bust(((2, 3000),)), NOON, "has-chips", "P2 still has 3000")
    for command in (c.Count(1, 5), c.Revive(2)):
        refuses(event, command, NOON, "online")
    event.play(c.HandDone(1, ((2, 3000),), (1,), ((1, 10_000), (2, 0))), NOON)
    assert (event.entrants[1].stack, event.left, event.tables[1].hands) == (10_000, 3, 1)


def test_a_round_of_a_penalty_is_one_hand_for_each_player_at_the_table(checked: None) -> None:
    event = begun(7)
    event.play(c.Penalise(2, "rounds", 2, "abuse"), NOON)
    assert event.entrants[2].missing == 14
    play(event, NOON, c.HandDone(1), c.Penalise(2, "hands", 1), c.Penalise(2, "warning", reason="phone"))
    assert event.entrants[2].missing == 14
    given = [(one.kind, one.reason) for one in event.entrants[2].penalties]
    assert given == [("rounds", "abuse"), ("hands", ""), ("warning", "phone")]
    refuses(event, c.Penalise(2, "hands"), NOON, "penalty-count")
    refuses(event, c.Penalise(2, "whipping", 3), NOON, "unknown-penalty")
    event.play(c.ClockOn(2), NOON)
    assert event.called == {2: NOON + 30_000}
    refuses(event, c.ClockOn(2), NOON + 5000, "clock-called")
    event.play(c.ClockOff(2), NOON + 6000)
    refuses(event, c.ClockOff(2), NOON + 6000, "nothing-to-do")
    play(event, NOON + 7000, c.ClockOn(2), c.HandDone(1))
    assert not event.called, "it is lifted with the hand"


def test_chips_of_a_disqualified_player_leave_play_and_the_winner_gets_the_bounty(checked: None) -> None:
    event = begun(3, price=Paid(100, 0, 40), bounty=BountyTerms("fixed", 40))
    play(event, NOON, c.Count(2, 4000), c.Penalise(2, "disqualified", reason="two decks"))
    assert (event.chips, event.left, place(event, 2)) == (11_000, 2, [3])
    assert event.entrants[2].is_disqualified
    bust(event, 1, by=(3,))
    assert (event.phase, event.entrants[3].place, event.entrants[3].bounties_won) == ("finished", 1, 120)
    event = begun(2)
    event.play(c.Penalise(1, "disqualified"), NOON)
    assert (event.phase, event.entrants[2].place) == ("finished", 1)


def test_a_bounty_goes_to_the_players_who_won_the_chips(checked: None) -> None:
    event = begun(4, price=WITH_BOUNTY, bounty=BountyTerms("fixed", 50))
    bust(event, 3, by=(1, 2))
    assert [event.entrants[number].bounties_won for number in (1, 2, 3)] == [25, 25, 0]
    bust(event, 2, 4, by=(1,))
    assert event.entrants[1].bounties_won == 25 + 50 + 50 + 50
    event = begun(4, price=Paid(100, 10, 51), bounty=BountyTerms("progressive", 51))
    bust(event, 3, by=(1,))
    assert (event.entrants[1].bounties_won, event.entrants[1].bounty) == (26, 76)
    bust(event, 1, by=(2,))
    assert (event.entrants[2].bounties_won, event.entrants[2].bounty) == (38, 89)
    bust(event, 4)
    assert event.entrants[2].bounties_won == 38 + 89 + 51


def test_a_bounty_returns_to_a_player_whose_bust_is_undone(checked: None) -> None:
    event = begun(5, price=WITH_BOUNTY, bounty=BountyTerms("progressive", 50))
    bust(event, 3, by=(1,))
    event.play(c.Revive(3), NOON + 2)
    assert (event.entrants[3].bounty, event.entrants[1].bounty, event.entrants[1].bounties_won) == (50, 50, 0)
    bust(event, 3, by=(1,))
    bust(event, 1)
    event.play(c.Revive(1), NOON + 2)
    assert event.entrants[1].bounty == 75
    bust(event, 1, by=(2,))
    refuses(event, c.Revive(3), NOON + 3, "bounty-gone", "P1 won the bounty of P3 and is out since")


def test_a_player_who_won_a_bounty_is_no_no_show() -> None:
    event = begun(16, price=WITH_BOUNTY, bounty=BountyTerms("fixed", 50))
    out, taker = seated_at(event, 2)[:2]
    bust(event, out, by=(taker,))
    refuses(event, c.Unregister(taker, "no-show"), NOON + MINUTE, "too-late", f"P{taker} plays")
    event.play(c.HandForHand(True), NOON)
    loser, winner = seated_at(event, 1)[:2]
    event.play(c.HandDone(1, ((loser, 900),), (winner,)), NOON)
    refuses(event, c.Unregister(winner, "no-show"), NOON + MINUTE, "too-late", "plays")


def test_the_director_enters_a_count_and_no_more_chips_leave_play_than_there_are(checked: None) -> None:
    event = begun(4)
    event.play(c.Count(1, 7250), NOON)
    assert (event.entrants[1].stack, event.undo_label) == (7250, "Count of P1: 7,250")
    for chips in (-1, 20_001):
        refuses(event, c.Count(1, chips), NOON, "stack", "20000 chips in play")
    assert event.standings()[0].entrant == 1
    thrown_out = [c.Penalise(number, "disqualified", reason="threw the cards") for number in (1, 2)]
    play(event, NOON, c.Count(1, 20_000), *thrown_out)
    assert (event.chips, event.average()) == (0, 0), "however old the counts"
