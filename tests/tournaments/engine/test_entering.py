"""Who may come in and when, alternates, re-entries, rebuys, add-ons, and entries that are taken back."""

import pytest

from tests.support.directing import (
    MINUTE,
    NOON,
    PRICE,
    STRUCTURE,
    begun,
    bust,
    check,
    event_with_entries,
    play,
    refuses,
    terms,
)
from tests.support.parts.event_rules import AddOnTerms, BountyTerms, Paid, PayoutTerms, RebuyTerms, Structure, c, f


def test_a_late_entry_lowers_the_places_of_players_who_are_out(checked: None) -> None:
    event = begun(10, late_level=2, re_entries=1)
    refuses(event, c.Register(104, "P4", PRICE), NOON, "entered-twice", "P4 is entered already, as number 4")
    bust(event, 4, 5)
    refuses(event, c.Register(104, "P4", PRICE), NOON, "was-in", "only re-enter")
    assert [event.entrants[number].place for number in (4, 5)] == [10, 9]
    event.play(c.Register(900, "Ana", PRICE), NOON + MINUTE)
    assert [event.entrants[number].place for number in (4, 5)] == [11, 10]


@pytest.mark.parametrize(("command", "code"), [
    (c.Register(900, "  ", PRICE), "no-name"), (c.Register(900, "Ana", PRICE, how="ufo"), "unknown-way"),
    (c.Register(900, "Ana", PRICE, stack=0), "stack"), (c.Register(900, "Ana", Paid(-1)), "price"),
    (c.Register(900, "Ana", Paid(100, bounty=5)), "price"), (c.Unregister(9), "no-such-entrant"),
    (c.Unregister(1, "lost"), "unknown-way"),
])  # fmt: skip
def test_nonsense_at_the_desk_is_refused(command: c.Command, code: str) -> None:
    refuses(event_with_entries(2), command, NOON - MINUTE, code)


@pytest.mark.parametrize(
    ("late_level", "through_break", "last_minute"), [(0, False, -1), (1, False, 19), (2, False, 39), (2, True, 49)]
)
def test_entry_is_open_to_the_end_of_its_level(late_level: int, through_break: bool, last_minute: int) -> None:
    event = begun(4, late_level=late_level, late_through_break=through_break)
    assert event.is_entry_open(NOON + last_minute * MINUTE) == (late_level > 0)
    now = NOON + (last_minute + 1) * MINUTE
    assert not event.is_entry_open(now)
    refuses(event, c.Register(900, "Ana", PRICE), now, "entry-closed", "Entry closed at")
    if late_level:
        assert event.entry_closes_at(NOON + MINUTE) == now


def test_the_director_overrides_the_window_both_ways_and_a_last_level_never_ends_it(checked: None) -> None:
    event = begun(4, late_level=2)
    event.play(c.KeepEntryOpen(False), NOON)
    refuses(event, c.Register(900, "Ana", PRICE), NOON, "entry-closed", "The director has closed entry")
    refuses(event, c.KeepEntryOpen(False), NOON, "nothing-to-do")
    late = NOON + 500 * MINUTE
    event.play(c.KeepEntryOpen(True), NOON)
    event.play(c.Register(900, "Ana", PRICE), late)
    event.play(c.KeepEntryOpen(None), NOON)
    refuses(event, c.Register(901, "Ben", PRICE), late, "entry-closed", "at the end of Level 2")
    event.play(c.Undo(), NOON)
    assert event.is_entry_open(late)
    event = begun(4, late_level=9)
    assert (event.last_entry_level(), event.entry_closes_at(NOON)) == (len(STRUCTURE.levels) - 1, None)
    assert event.is_entry_open(late)


def test_a_player_without_a_seat_waits_in_turn_until_entry_has_closed(checked: None) -> None:
    event = begun(8, late_level=3, max_entrants=8)
    for player in (900, 901):
        (fact,) = event.play(c.Register(player, f"W{player}", PRICE), NOON)
        assert isinstance(fact, f.EnteredAsAlternate)
    assert (event.left, event.entries, event.pool, event.chips) == (8, 8, 800, 40_000)
    seat = event.entrants[3].seat
    bust(event, 3)
    waited = event.entrants[9]
    assert (waited.status, waited.table, waited.seat) == ("in", 1, seat)
    assert (event.entries, event.pool, list(event.alternates)) == (9, 900, [10])
    check(event)
    event.play(c.Undo(), NOON + 2)
    assert (event.entrants[9].status, list(event.alternates), event.pool) == ("alternate", [9, 10], 800)
    late = NOON + 120 * MINUTE
    bust(event, 3, now=late)
    assert list(event.alternates) == [9, 10]
    event.play(c.Unregister(9, "refund"), late)
    assert (list(event.alternates), 900 in event.players) == ([10], False)


def test_an_entry_counts_until_it_is_withdrawn(checked: None) -> None:
    event = event_with_entries(8, max_entrants=8)
    assert (event.left, event.entries, event.pool, event.chips, event.average()) == (8, 8, 800, 40_000, 5000)
    assert (event.received, event.entrants[2].name, event.actions[-1].label) == (Paid(800, 80), "P2", "Entry of P8")
    play(event, NOON - MINUTE, c.Register(109, "P9", PRICE), c.SeatAll(3))
    seat = (event.entrants[2].table, event.entrants[2].seat)
    event.play(c.Unregister(2), NOON - MINUTE)
    assert ((event.entrants[9].table, event.entrants[9].seat), event.entries, event.pool) == (seat, 8, 800)
    event.play(c.Register(102, "P2", PRICE), NOON - MINUTE)
    assert event.entrants[10].status == "alternate"


def test_after_the_start_only_a_no_show_is_taken_off(checked: None) -> None:
    event = begun(5)
    bust(event, 1)
    refuses(event, c.Unregister(2, "withdrew"), NOON, "too-late", "no-show")
    refuses(event, c.Unregister(1, "no-show"), NOON, "not-in")
    event.play(c.Unregister(2, "no-show"), NOON + 1)
    assert (event.left, event.entries, event.pool, event.chips, event.entrants[1].place) == (3, 4, 400, 20_000, 4)
    play(event, NOON + 2, *(c.Unregister(number, "no-show") for number in (3, 4)))
    assert (event.phase, event.entrants[5].place, event.entrants[5].prize) == ("finished", 1, 200)


def test_a_re_entry_is_a_new_entry_and_leaves_the_bust_as_it_was(checked: None) -> None:
    event = begun(10, late_level=4, re_entries=1, re_entry_stack=3000)
    bust(event, 7)
    event.play(c.ReEnter(7, Paid(80)), NOON + 2)
    again = event.entrants[11]
    assert (again.player, again.stack, again.re_entry_of, again.paid) == (107, 3000, 7, Paid(80))
    assert (event.entries, event.left, event.entrants[7].place) == (11, 10, 11)
    event.play(c.SeatLate(11, 4), NOON + 2)
    bust(event, 11, now=NOON + 3)
    refuses(event, c.ReEnter(11), NOON + 4, "no-re-entry", "their 1 re-entries")
    event = begun(6, late_level=4, re_entries=1, max_entrants=6)
    event.play(c.Register(900, "Ana", PRICE), NOON)
    bust(event, 2)
    event.play(c.ReEnter(2), NOON + 2)
    assert event.entrants[8].status == "alternate"
    event.play(c.Unregister(8), NOON + 2)
    assert event.players[102] == 2
    event.play(c.ReEnter(2), NOON + 3)


def test_re_entry_is_for_players_who_are_out_until_the_money_is_reached() -> None:
    event = begun(10, late_level=4, re_entries=3, payout=PayoutTerms(places=3))
    refuses(event, c.ReEnter(7), NOON, "entered-twice")
    bust(event, 7)
    event.play(c.ReEnter(7), NOON + 2)
    refuses(event, c.ReEnter(7), NOON + 2, "entered-twice", "as number 11")
    event.play(c.SeatLate(11, 0), NOON + 2)
    bust(event, 11, now=NOON + 3)
    refuses(event, c.ReEnter(7), NOON + 4, "not-out", "entry 7 is not their last")
    event.play(c.Penalise(2, "disqualified"), NOON + 5)
    refuses(event, c.ReEnter(2), NOON + 5, "disqualified")
    bust(event, 1, 3, 4, 5, 6, now=NOON + 6)
    refuses(event, c.ReEnter(6), NOON + 7, "entry-closed", "in the money")
    plain = begun(4, late_level=4)
    bust(plain, 1)
    refuses(plain, c.ReEnter(1), NOON + 2, "no-re-entry", "without re-entry")


def test_rebuys_are_for_small_stacks_and_add_ons_are_sold_in_one_break(checked: None) -> None:
    event = begun(4, rebuy=RebuyTerms(5000, most=2, until_level=2, at_most_stack=2000), add_on=AddOnTerms(4000))
    refuses(event, c.Rebuy(1, PRICE), NOON, "stack-too-big", "P1 has 5000 chips")
    event.play(c.Rebuy(1, PRICE, stack=0), NOON)
    play(event, NOON, c.Count(2, 2000), c.Rebuy(2, PRICE))
    assert (event.entrants[1].stack, event.entrants[2].stack, event.chips) == (5000, 7000, 30_000)
    assert (event.pool, event.entries, event.entrants[2].paid) == (600, 4, PRICE + PRICE)
    late, in_break = NOON + 39 * MINUTE, NOON + 40 * MINUTE
    event.play(c.Rebuy(2, PRICE, stack=0), late)
    refuses(event, c.Rebuy(2, PRICE, stack=0), late, "rebuys-used", "their 2 rebuys")
    refuses(event, c.Rebuy(3, PRICE, stack=0), in_break, "rebuy-closed", "ended with Level 2")
    refuses(event, c.Rebuy(3, PRICE, stack=-5), NOON, "stack")
    refuses(event, c.AddOn(1, PRICE), late, "add-on-closed", "break 1 only")
    event.play(c.AddOn(1, PRICE), in_break)
    refuses(event, c.AddOn(1, PRICE), in_break, "add-on-used")
    refuses(event, c.AddOn(2, PRICE), NOON + 50 * MINUTE, "add-on-closed")
    assert (event.entrants[1].stack, event.chips, event.pool) == (9000, 39_000, 800)
    event = begun(4)
    refuses(event, c.Rebuy(1), NOON, "no-rebuy")
    refuses(event, c.AddOn(1), NOON, "no-add-on")
    bust(event, 1)
    refuses(event, c.Rebuy(1), NOON + 2, "is-out")


def test_terms_change_until_the_start_but_not_what_people_have_paid_for() -> None:
    event = event_with_entries(3)
    event.play(c.ChangeTerms(terms(late_level=2)), NOON - MINUTE)
    assert event.last_entry_level() == 1
    for changes in ({"starting_stack": 9}, {"format": "shootout"}, {"bounty": BountyTerms("fixed", 5)}):
        refuses(event, c.ChangeTerms(terms(**changes)), NOON - MINUTE, "terms-fixed", "as it was announced")
    refuses(event, c.ChangeTerms(terms(structure=Structure(()))), NOON - MINUTE, "structure-empty")
    event.play(c.SeatAll(1), NOON - MINUTE)
    refuses(event, c.ChangeTerms(terms(seats=6)), NOON - MINUTE, "terms-fixed", "drawn already")
    event.play(c.Start(), NOON)
    refuses(event, c.ChangeTerms(terms()), NOON, "is-running")


def test_a_guest_who_is_a_member_takes_all_their_entries_along(checked: None) -> None:
    event = begun(4, re_entries=2, late_level=4)
    bust(event, 1)
    event.play(c.ReEnter(1, PRICE), NOON + 2)
    event.play(c.Identify(5, 900), NOON + 3)
    assert [event.entrants[number].player for number in (1, 5)] == [900, 900]
    assert (event.players[900], 101 in event.players) == (5, False)
    refuses(event, c.Register(900, "P900", PRICE), NOON + 4, "entered-twice")
    refuses(event, c.Identify(5, 102), NOON + 4, "entered-twice", "entry 2")
    refuses(event, c.Identify(1, 900), NOON + 4, "nothing-to-do")
    refuses(event, c.Undo(), NOON + 4, "not-undone", "P1 is known cannot be undone", "say who it is instead")
    bust(event, 5, now=NOON + 5)
    event.play(c.ReEnter(5, PRICE), NOON + 6)
    bust(event, 6, now=NOON + 7)
    refuses(event, c.ReEnter(6, PRICE), NOON + 8, "no-re-entry")
