"""What is suggested to the director, by which rule, and what becomes of it."""

from cardroom.core import audit as core_audit
from cardroom.core.errors import Forbidden, Illegal, Stale
from tests.support.events import Event, bust, order, structure
from tests.support.parts.tournaments import chip_races, event_clock, event_journal, hands, suggestions, undoing
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.directing import confirming
from tournaments.engine.clock import Level, Structure
from tournaments.engine.config import BountyTerms


def suggestions_due(event, kind=None):
    found = suggestions.read_suggestions(tournament=event.row, now=event.now)
    return [each for each in found if kind in (None, each.kind)]


def at_table(event, number):
    return list(event.state.tables[number].seats.values())


@world
def event():
    """Twelve players at three tables of four."""
    return Event(seats=4, final_seats=4, hand_for_hand=False).started(12)


def test_a_move_is_suggested_by_the_rule_for_stud_and_made_on_the_directors_word(event):
    bust(event, *at_table(event, 3)[:2])
    (move,) = suggestions_due(event, "move")
    state = event.state
    assert (move.rule, move.data["table"], move.data["seat"]) == ("TDA 11A", 3, state.tables[3].opened[0])
    assert move.title.startswith(f"Move {state.entrants[move.data['entrant']].name} from table")
    assert "has 4 players and table 3 has 2" in move.why
    assert state.entrants[move.data["entrant"]].table != 3, "nothing has happened yet"
    refused(Forbidden, confirming.confirm, suggestion_key=move.key, **order(event, by=event.staff("floor")))
    confirming.confirm(suggestion_key=move.key, **order(event))
    moved = event.entry(move.data["entrant"])
    assert (moved.table, moved.seat) == (3, move.data["seat"])
    assert suggestions_due(event, "move") == []
    undoing.undo(**order(event))
    assert [each.key for each in suggestions_due(event, "move")] == [move.key]
    bust(event, move.data["entrant"])
    stale = refused(Stale, "suggestion is out of date", confirming.confirm, suggestion_key=move.key, **order(event))
    assert stale.status == 409


def test_a_suggestion_is_let_be_until_something_changes(event):
    bust(event, *at_table(event, 3)[:2])
    (move,) = suggestions_due(event, "move")
    for _ in range(2):
        confirming.dismiss(suggestion_key=move.key, **order(event))
    assert suggestions_due(event, "move") == []
    bust(event, at_table(event, 3)[0])
    assert [each.data["table"] for each in suggestions_due(event, "move")] == [3, 3]


def test_a_count_of_0_proposes_the_bust_and_the_directors_word_makes_it(event):
    gone = at_table(event, 1)[0]
    hands.count(entrant=gone, chips=0, **order(event))
    (bust_due,) = suggestions_due(event, "bust")
    assert (bust_due.title, bust_due.data["entrant"]) == (f"{event.entry(gone).name} has no chips left", gone)
    confirming.confirm(suggestion_key=bust_due.key, **order(event))
    assert (event.state.entrants[gone].status, suggestions_due(event, "bust")) == ("out", [])
    undoing.undo(**order(event))
    assert [each.key for each in suggestions_due(event, "bust")] == [bust_due.key]
    hands.count(entrant=gone, chips=500, **order(event))
    assert suggestions_due(event, "bust") == []


def test_of_two_without_chips_at_a_table_the_director_says_who_went_out_how(event, make_event):
    first, second = at_table(event, 1)[:2]
    hands.count_table(table=1, stacks=[(first, 0), (second, 0)], **order(event))
    both = suggestions_due(event, "bust")
    assert [each.data["is_alone"] for each in both] == [False, False]
    refused(Illegal, "button of its own", confirming.confirm, suggestion_key=both[0].key, **order(event))
    event = make_event(price={"entry": {"pool": 80, "bounty": 20}}, bounty=BountyTerms("fixed", 20)).started(4)
    hands.count(entrant=2, chips=0, **order(event))
    (one,) = suggestions_due(event, "bust")
    assert not one.data["is_alone"], "somebody has won the bounty"


def test_all_counts_that_differ_from_what_is_in_play_are_told_at_once(event):
    stack = event.state.entrants[1].stack
    for number in sorted(event.state.tables):
        wrong = 100 if number == 3 else 0
        assert suggestions_due(event, "count-difference") == []
        rest = [(one, stack) for one in at_table(event, number)[1:]]
        first = (at_table(event, number)[0], stack - wrong)
        hands.count_table(table=number, stacks=[first, *rest], **order(event))
    (told,) = suggestions_due(event, "count-difference")
    assert "100 fewer than the" in told.why
    hands.correct_chips(chips=12 * stack - 100, reason="A race rounded wrongly", **order(event))
    assert suggestions_due(event, "count-difference") == []


def test_a_table_breaks_when_the_rest_can_seat_everybody_with_a_seat_for_each(event):
    bust(event, *at_table(event, 1)[:2], *at_table(event, 2)[:2])
    (table,) = suggestions_due(event, "break-table")
    assert (table.data, table.rule) == ({"table": 3}, "TDA 10B")
    confirming.confirm(suggestion_key=table.key, **order(event))
    assert sorted(event.state.tables) == [1, 2]
    assert sorted(len(table.seats) for table in event.state.tables.values()) == [4, 4]


def test_a_table_opened_for_a_latecomer_breaks_when_it_is_spare(make_event):
    event = make_event(seats=4, final_seats=4, late_level=2).started(8)
    late = event.enter()
    assert (len(event.state.tables), late.table) == (3, 3)
    bust(event, at_table(event, 1)[0])
    assert suggestions_due(event, "break-table") == []
    assert {each.kind for each in suggestions_due(event)} == {"move", "halted"}, "players come to this one instead"
    event.wait(minutes=31)
    assert [each.data for each in suggestions_due(event, "break-table")] == [{"table": 3}]
    event = make_event(seats=4, final_seats=4, late_level=2).started(16)
    bust(event, *at_table(event, 1)[:2], *at_table(event, 2)[:2], *at_table(event, 3)[:3])
    assert suggestions_due(event, "break-table") == []
    bust(event, *at_table(event, 4)[:3])
    assert [each.data for each in suggestions_due(event, "break-table")] == [{"table": 4}]


def test_an_event_that_lets_it_arranges_its_tables_and_an_undo_takes_that_along(event):
    confirming.auto_arrange(on=True, **order(event))
    out, _ = at_table(event, 3)[:2]
    bust(event, out)
    before = event.state.left, [len(table.seats) for table in event.state.tables.values()]
    bust(event, at_table(event, 3)[0])
    assert ([len(table.seats) for table in event.state.tables.values()].count(3), suggestions_due(event, "move")) == (
        2,
        [],
    )
    undoing.undo(**order(event))
    assert (event.state.left, [len(table.seats) for table in event.state.tables.values()]) == before
    confirming.auto_arrange(on=False, **order(event))
    bust(event, at_table(event, 3)[0])
    bust(event, at_table(event, 3)[0])
    assert suggestions_due(event, "move")


def test_hand_for_hand_is_suggested_one_place_from_the_money(make_event):
    event = make_event(seats=2, final_seats=2).started(6)
    bust(event, at_table(event, 1)[0], at_table(event, 2)[0], *at_table(event, 3))
    assert (event.state.places_paid(), event.state.left) == (1, 2)
    assert (len(suggestions_due(event, "final-table")), suggestions_due(event, "hand-for-hand")) == (1, [])
    bust(event, event.state.in_play()[0].number)
    assert [each.kind for each in suggestions_due(event)] == ["pay"]
    refused(Illegal, "button of its own", confirming.confirm, suggestion_key="pay", **order(event))
    event = make_event(seats=4, final_seats=2).started(8)
    bust(event, *at_table(event, 1)[:3], at_table(event, 2)[0])
    assert (event.state.places_paid(), suggestions_due(event, "hand-for-hand")) == (2, [])
    bust(event, at_table(event, 2)[0])
    (start,) = suggestions_due(event, "hand-for-hand")
    assert (start.rule, start.why) == ("TDA RP-8", "3 players are left and 2 are paid.")
    confirming.confirm(suggestion_key=start.key, **order(event))
    assert event.row.is_hand_for_hand
    assert len([table for table in event.state.tables.values() if table.seats]) == 2


def test_the_end_of_late_entry_is_suggested_and_then_the_lock_of_payouts(make_event):
    event = make_event(seats=8, late_level=1).started(4)
    assert suggestions_due(event, "entry-closes") == []
    event.wait(minutes=6)
    (told,) = suggestions_due(event, "entry-closes")
    assert (told.at, told.why) == (event_journal.ms(event.now) + 9 * 60_000, "With the end of Level 1 entry closes.")
    refused(Illegal, "nothing to confirm", confirming.confirm, suggestion_key=told.key, **order(event))
    assert suggestions_due(event, "lock-payouts") == []
    event.wait(minutes=10)
    (lock,) = suggestions_due(event, "lock-payouts")
    confirming.confirm(suggestion_key=lock.key, **order(event))
    assert (event.state.locked.prizes, suggestions_due(event, "lock-payouts")) == ((400,), [])
    event_clock.keep_entry_open(on=True, **order(event))
    event.enter()
    event_clock.keep_entry_open(on=None, **order(event))
    assert [each.title for each in suggestions_due(event, "lock-payouts")] == ["Lock the payouts again"]


@world
def coloured():
    """An event whose chips of 5 leave in its first break, which has come."""
    levels = [*structure().levels]
    levels[2] = Level(kind="break", minutes=10, colour_up=(5,))
    levels[3:] = [Level(minutes=15, ante=25 * n, bring_in=50 * n, small_bet=150 * n, big_bet=300 * n) for n in (1, 2)]
    event = Event(structure=Structure(tuple(levels), chip_set=(5, 25, 100, 500)), seats=8).started(3)
    event_clock.go_to(level=2, **order(event))
    return event


def race(event, *stacks, **about):
    """What a race at the table needs: these stacks in the order of the seats."""
    seats = sorted(event.state.tables[1].seats)
    return {"table": 1, "leaving": 5, "stacks": dict(zip(seats, stacks, strict=True)), **about}


def test_a_break_suggests_counts_and_colour_ups(coloured):
    (asked,) = suggestions_due(coloured, "count")
    assert (asked.data, asked.is_confirmable) == ({"tables": [1]}, False)
    hands.count_table(table=1, stacks=[(2, 2000), (3, 2000)], **order(coloured))
    assert suggestions_due(coloured, "count"), "one stack was left out"
    hands.count_table(table=1, stacks=[(1, 2000), (2, 2000), (3, 2000)], **order(coloured))
    assert suggestions_due(coloured, "count") == []
    (up,) = suggestions_due(coloured, "colour-up")
    assert (up.data, up.rule) == ({"level": 2, "leaving": 5, "next_denomination": 25}, "TDA 24")
    confirming.confirm(suggestion_key=up.key, **order(coloured))
    assert suggestions_due(coloured, "colour-up") == []


def test_a_chip_race_is_tried_first_and_then_written_down_as_one_action(coloured):
    cards = ["2c", "3c", "As", "Kd", "4h", "5c", "6c", "7c", "8c", "9c"]
    terms = race(coloured, 2010, 1995, 1995, cards=cards)
    tried = chip_races.try_race(tournament=coloured.row, by=coloured.director, now=coloured.now, **terms)
    assert [one.after for one in tried.raced] == [2000, 2000, 2000]
    assert all(entrant.stack == 2000 for entrant in coloured.state.entrants.values())
    assert chip_races.race(**terms, **order(coloured, key="r")) == tried
    stacks = {seat: coloured.state.entrants[number].stack for seat, number in coloured.state.tables[1].seats.items()}
    assert stacks == {one.seat: one.after for one in tried.raced}
    seq = coloured.row.seq
    chip_races.race(**terms, **order(coloured, key="r"))
    assert (coloured.row.seq, core_audit.check()) == (seq, [])
    undoing.undo(**order(coloured))
    assert all(entrant.stack == 2000 for entrant in coloured.state.entrants.values())


def test_the_chips_in_play_follow_the_rounding_of_a_race(coloured):
    terms = race(coloured, 2010, 2010, 2010, cards=["2c"])
    refusal = refused(Illegal, chip_races.race, **terms, **order(coloured))
    assert (refusal.code, refusal.rule) == ("wrong-number-of-cards", "TDA 24")
    raced = chip_races.race(**race(coloured, 2015, 2000, 2000, cards=["2c", "3c", "4c"]), **order(coloured))
    assert (raced.rounding, coloured.state.chips, coloured.state.average()) == (10, 6010, 2003)
    before = order(coloured, expected_seq=coloured.row.seq - 1)
    refused(Stale, "Chip race at table 1", hands.count, entrant=1, chips=5, **before)
