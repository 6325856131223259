"""What a director sees of his event, and how it came out."""

from tests.support.events import bust, order
from tournaments.selectors import floor as looking
from tournaments.selectors import results
from tournaments.services import clock, floor


def test_the_console_lays_out_tables_and_says_what_can_be_undone(make_event):
    event = make_event(seats=4, late_level=2).started(6)
    floor.penalise(entrant=2, kind="hands", count=2, reason="Talking", **order(event))
    floor.arrived(entrant=1, **order(event))
    seen = looking.console(tournament=event.row, now=event.now)
    seats = {row.entrant: row for table in seen.tables for _, row in table.seats if row is not None}
    assert (seen.entries, seen.left, seen.average, [table.players for table in seen.tables]) == (6, 6, 2000, [3, 3])
    assert (seats[2].penalties, seats[2].misses_hands) == (("2 hands: Talking",), 2)
    assert [seats[number].has_arrived for number in (1, 2)] == [True, False]
    assert (seen.undo_label, seen.redo_label) == ("player2: 2 hands to miss".replace("player2", seats[2].name), "")
    assert (seen.level_name, seen.level.ante, seen.next_level.ante, seen.is_entry_open) == ("Level 1", 5, 10, True)


def test_the_log_of_knock_outs_says_place_winner_and_the_level_of_the_time(make_event):
    event = make_event(seats=8).started(4)
    bust(event, 4, eliminators=[1])
    event.wait(minutes=20)
    bust(event, 3, eliminators=[2])
    clock.go_to(level=3, **order(event))
    names = {number: entrant.name for number, entrant in event.state.entrants.items()}
    log = results.knock_outs(event.row)
    assert [(out.name, out.place, out.by, out.level_name) for out in log] == [
        (names[3], 3, (names[2],), "Level 2"),
        (names[4], 4, (names[1],), "Level 1"),
    ]
    assert [(row.name, row.place) for row in results.results(event.row)] == [
        (names[1], None), (names[2], None), (names[3], 3), (names[4], 4),
    ]  # fmt: skip


def test_moves_are_listed_the_latest_first_for_their_slips(make_event):
    event = make_event(seats=4).started(6)
    seen = event.row.seq
    floor.move(entrant=1, table=3 - event.state.entrants[1].table, **order(event))
    moved = looking.moves(tournament=event.row, after=seen)
    assert [(move.entrant, move.table, move.why) for move in moved] == [
        (1, event.state.entrants[1].table, "by the floor's decision")
    ]
