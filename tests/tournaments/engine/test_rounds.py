"""Shootouts and brackets: tables play to a winner, and the winners sit down anew."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.directing import MINUTE, NOON, begun, bust, check, refused, refuses
from tests.support.floors import suggested_in
from tests.support.parts.event_rules import Running, Tournament, c, f


def play_round(event: Tournament, now: int) -> None:
    """Every table down to one."""
    for table in event.in_use():
        for entrant in list(table.seats.values())[1:]:
            bust(event, entrant, now=now)


def test_the_winners_go_on_with_stacks_and_stakes_of_the_first_level(checked: None) -> None:
    event = begun(9, seats=3, format="shootout")
    refuses(event, c.DrawRound(5), NOON, "round-not-over", "Table 1 still plays")
    play_round(event, NOON + 30 * MINUTE)
    winners = [entrant.number for entrant in event.in_play()]
    assert len(winners) == 3
    event.play(c.Count(winners[0], 15_000), NOON + 31 * MINUTE)
    drawn, clock = event.play(c.DrawRound(5), NOON + 40 * MINUTE)
    assert isinstance(drawn, f.RoundDrawn)
    assert isinstance(clock, f.ClockSet)
    assert (drawn.round, event.round, drawn.label) == (2, 2, "Round 2 drawn: 1 table")
    assert [event.entrants[number].stack for number in winners] == [5000] * 3
    assert (event.chips, event.clock) == (15_000, Running(0, NOON + 60 * MINUTE))
    check(event)
    play_round(event, NOON + 50 * MINUTE)
    assert event.phase == "finished"


def test_nobody_comes_late_or_is_moved_for_balance() -> None:
    event = begun(9, seats=3, format="shootout")
    assert suggested_in(event) is None
    for command, code in (
        (c.Register(900, "Ana"), "entry-closed"),
        (c.Balance(), "no-balance"),
        (c.BreakTable(1, 1), "no-balance"),
        (c.DrawFinalTable(1), "no-balance"),
        (c.HandForHand(True), "no-hand-for-hand"),
    ):
        refuses(event, command, NOON, code)
    bust(event, *list(event.tables[1].seats.values())[:2])
    assert not event.halted()
    with refused("no-rounds"):
        begun(4).play(c.DrawRound(1), NOON)


@given(st.integers(2, 20), st.integers(0, 2**64 - 1))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_a_bracket_is_played_to_its_winner(count: int, seed: int) -> None:
    event = begun(count, seats=2, format="bracket", seed=seed)
    rounds = 1
    while True:
        play_round(event, NOON + rounds * MINUTE)
        check(event)
        if event.phase == "finished":
            break
        event.play(c.DrawRound(seed + rounds), NOON + rounds * MINUTE)
        assert not event.byes
        rounds += 1
    assert rounds == (count - 1).bit_length()


def test_a_round_drawn_by_mistake_is_undone(checked: None) -> None:
    event = begun(4, seats=2, format="bracket")
    play_round(event, NOON)
    places = {entrant.number: (entrant.table, entrant.seat) for entrant in event.in_play()}
    event.play(c.DrawRound(3), NOON + MINUTE)
    event.play(c.Undo(), NOON + MINUTE)
    assert places == {entrant.number: (entrant.table, entrant.seat) for entrant in event.in_play()}
