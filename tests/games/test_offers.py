"""Games on offer, drop schedules and sections: what can be kept, what an edit changes, and who is told no."""

from itertools import product

import pytest

from cardroom.cage.allowances import NeedsApproval
from cardroom.core.errors import Conflict, Illegal, Invalid, NotFound, Stale
from games.engine.drop import time_charge
from tests.support.models import DropSchedule, Jackpot, Offer, Section, StaffAction, Table
from tests.support.offers import Games
from tests.support.parts.games import drop_schedules, holds, offers, opening, sections, table_words, tables
from tests.support.refusals import refused
from tests.support.worlds import world

RAKE = {"name": "Five of a hundred", "caps": [[2, 1], [4, 3]]}


@world
def room() -> Games:
    return Games()


def edit(room, offer, **fields) -> Offer:
    return offers.edit(offer_id=offer.pk, by=room.manager, now=room.now, **fields)


def save(room, **fields) -> DropSchedule:
    return drop_schedules.save(by=room.manager, now=room.now, **fields)


def take_up(room) -> Table:
    """The table that was opened last takes the settings of its game up."""
    return tables.take_up(table_id=room.pk, by=room.floor, now=room.now)


def test_a_game_is_offered_with_the_usual_terms_and_an_old_edit_is_stale(room):
    offer = room.offer()
    assert (offer.stakes, offer.call_minutes, offer.rathole_minutes, offer.version) == ("15/30", 5, 60, 0)
    assert (offer.extra_seconds, offer.extra_cap_seconds) == ([30, 15], 120)
    noted = StaffAction.objects.get(verb="offers.create")
    assert (noted.by, noted.subject, noted.details["name"]) == (room.manager, f"offer:{offer.pk}", "Stud 15/30")
    edited = edit(room, offer, version=0, max_buy_in=2000)
    assert (edited.max_buy_in, edited.version) == (2000, 1)
    refused(Stale, "has changed meanwhile", edit, room, offer, version=0, max_buy_in=900)
    assert edit(room, offer, max_buy_in=2000).version == 1
    refused(Invalid, "plays fixed limit only", room.offer, structure="no-limit", rulebook="roberts-v4")
    assert room.offer("At home", structure="spread-limit", rulebook="home").structure == "spread-limit"


#: Of each setting, what it cannot be.
IMPOSSIBLE = {
    "name": [" "], "game": ["hold-em"], "structure": ["half-pot"], "small_bet": [0], "bring_in": [16], "big_bet": [14],
    "ante": [-1, True], "smallest_chip": [-5], "min_buy_in": [29], "max_buy_in": [299], "seat_count": [9],
    "act_seconds": [0], "deck": ["typed"], "dealt_by": ["nobody"], "calls_itself": ["yes"], "pause_seconds": [-1],
    "missed_calls_allowed": [21], "missed_clocks_allowed": [0], "bank_refill_seconds": [601], "opens_with": [1],
    "extra_seconds": [[0], [601], [30] * 9, ["30"], 30], "extra_cap_seconds": [0, 3601], "drop_id": [99],
    "rulebook": ["nobodys"], "colour": [1],
}  # fmt: skip


@pytest.mark.parametrize(("terms", "field"), [
    *(({field: value}, field) for field, values in IMPOSSIBLE.items() for value in values),
    ({"ante": 0, "bring_in": 0}, "ante"), ({"smallest_chip": 10, "ante": 0}, "smallest_chip"),
    ({"opens_with": 7, "seat_count": 6}, "opens_with"),
])  # fmt: skip
def test_what_cannot_be_played_is_refused_by_its_field(room, terms, field):
    assert list(refused(Invalid, room.offer, **terms).values["errors"]) == [field]


def test_a_game_that_is_withdrawn_opens_no_table_until_it_is_back(room):
    offer = room.offer()
    for verb in (offers.withdraw, offers.edit, opening.open_for):
        refused(NotFound, verb, offer_id=offer.pk + 99, by=room.manager, now=room.now)
    offers.withdraw(offer_id=offer.pk, by=room.manager, now=room.now)
    refused(Illegal, "is withdrawn", room.open, offer)
    offers.relist(offer_id=offer.pk, by=room.manager, now=room.now)
    assert room.open(offer).offer_id == offer.pk


def test_games_have_names_of_their_own_and_are_shown_in_the_order_that_is_asked_for(room):
    one, two, three = room.offer("One"), room.offer("Two"), room.offer("Three")
    refused(Conflict, "There is a game on offer called Two already", room.offer, "Two")
    for _ in range(2):
        offers.reorder(offer_ids=[three.pk, one.pk], by=room.manager, now=room.now)
        assert list(Offer.objects.values_list("name", flat=True)) == ["Three", "One", "Two"]
    assert StaffAction.objects.filter(verb="offers.reorder").count() == 1, "as they are already: nothing is done"
    refused(Invalid, "each once", offers.reorder, offer_ids=[two.pk, two.pk], by=room.manager, now=room.now)


def test_tables_open_with_the_settings_of_their_offer(room):
    drop = save(room, **RAKE)
    offer = room.offer(drop_id=drop.pk, has_spectators=False, ante=5, smallest_chip=5)
    table = room.open(offer)
    assert (table.name, table.stakes, table.max_buy_in, table.state) == ("Stud 15/30 1", "15/30", 1500, "open")
    assert (table.drop, table.has_spectators, table.smallest_chip) == (drop, False, 5)
    assert table_words.phase_of(table, 0) == "open"
    assert room.open(offer).name == "Stud 15/30 2"
    tables.close(table_id=table.pk, by=room.floor, now=room.now)
    assert (room.open(offer).pk, room.open(offer, name="The corner").name) == (table.pk, "The corner")


CLOCKS = {"bank_refill_seconds": 3, "missed_clocks_allowed": 1, "pause_seconds": 9}
USUAL = {"extra_seconds": [30, 15], "extra_cap_seconds": 120}
OF_THE_ROOM = {"extra_seconds": [], "extra_cap_seconds": 0, "minds_presence": False}
FEWER, LONGER = {"missed_clocks_allowed": 4}, {"extra_seconds": [45]}
#: Of what: the terms of the offer, what the table has of its own, what it is opened with, a change, what it takes up.
CLOCKS_OF = {
    "clocks": (CLOCKS, {"pause_seconds": 2}, CLOCKS | {"pause_seconds": 2}, FEWER, {"pause_seconds": 9}),
    "extra time": ({}, {}, USUAL, LONGER, {}),
    "extra time of its own": ({}, {"extra_seconds": [60], "extra_cap_seconds": 60}, {}, LONGER, {}),
    "no extra time of its own": ({}, {"extra_seconds": []}, {}, LONGER, {}),
    "none in the room": ({"is_physical": True}, {"extra_seconds": [60]}, OF_THE_ROOM, LONGER, {"extra_seconds": []}),
}


@pytest.mark.parametrize(("terms", "own", "opened", "change", "taken_up"), CLOCKS_OF.values(), ids=CLOCKS_OF)
def test_a_table_has_the_clocks_of_its_offer_or_its_own_until_it_takes_new_ones_up(
    room, terms, own, opened, change, taken_up
):
    offer = room.offer(**terms)
    at_first = own | opened
    table = room.open(offer, **own)
    assert {name: getattr(table, name) for name in at_first} == at_first
    edit(room, offer, **change)
    after = change | taken_up | {"offer_version": 1, "is_taking_up": False}
    table = take_up(room)
    assert {name: getattr(table, name) for name in after} == after


@pytest.mark.parametrize(("own", "words"), [
    ({"ante": 3}, "no setting of its own"), ({"bots": 8}, "At least one seat"),
    ({"seat_count": 9}, "2 to 8"), ({"act_seconds": 0}, "act clock of at least one second"),
    ({"missed_clocks_allowed": 0}, "from 1"), ({"extra_seconds": [0]}, "1 to 600 seconds each"),
    ({"extra_cap_seconds": 0}, "maximum extra time of a visit"), ({"must_move_to_id": 77}, "main game"),
])  # fmt: skip
def test_what_a_table_cannot_have_of_its_own_is_refused(room, own, words):
    refused(Invalid, words, lambda: room.open(room.offer(), **own))


def test_new_settings_apply_between_hands_and_keep_held_seats(room):
    offer = room.offer()
    room.open(offer)
    room.sit("ann", 1), room.sit("bob", 2)
    held = {"number": 7, "player": room.player("cid"), "why": "reserved", "until": None, "by": room.floor}
    holds.hold(table_id=room.pk, now=room.now, **held)
    room.deal()
    edit(room, offer, big_bet=40, small_bet=20, seat_count=6)
    assert (room.table.small_bet, room.table.offer_version, room.table.is_taking_up) == (15, 0, False)
    take_up(room)
    assert (room.table.small_bet, room.table.is_taking_up) == (15, True)
    room.play_out()
    room.wake()
    table = room.table
    assert (table.small_bet, table.seat_count, table.offer_version, table.is_taking_up) == (20, 7, 1, False)


def test_an_edited_schedule_is_a_new_row_for_its_games(room):
    first = save(room, **RAKE)
    offer = room.offer(drop_id=first.pk)
    second = save(room, replaces=first.pk, rake_permille=40)
    offer.refresh_from_db()
    first.refresh_from_db()
    assert (offer.drop, offer.version, second.caps, second.rake_permille) == (second, 1, [[2, 1], [4, 3]], 40)
    assert (first.rake_permille, first.retired_at) == (50, room.now)
    asked = {"schedule_id": second.pk, "by": room.manager, "now": room.now}
    refused(Conflict, "Stud 15/30 use this schedule", drop_schedules.retire, **asked)
    edit(room, offer, drop_id=None)
    assert drop_schedules.retire(**asked).retired_at == room.now


#: Of each setting of a schedule, what it cannot be.
SENSELESS = {
    "name": [""], "kind": ["tips"], "rake_permille": [1001, "5", 0], "rounding_unit": [0], "rounding": ["sideways"],
    "caps": [[[2]], [[2, 1], [2, 3]], [[9, 1]], "2:1", [[2, -1]], [[3, 1]]], "tip": [1],
}  # fmt: skip


@pytest.mark.parametrize(("fields", "field"), [
    *(({field: value}, field) for field, values in SENSELESS.items() for value in values),
    ({"kind": "time", "period_minutes": 0}, "period_minutes"), ({"kind": "time"}, "time_charges"),
    ({"kind": "time", "time_charges": [[1, 5]], "time_promo": 6}, "time_promo"),
    ({"kind": "time", "time_charges": [[3, 5]]}, "time_charges"), ({"kind": "none", "promo": 1}, "promo"),
    ({"kind": "none", "jackpot": 1, "jackpot_name": "Bad beat"}, "jackpot"),
    *(({"jackpot": 1} | name, "jackpot_name") for name in ({}, {"jackpot_name": "none such"}, {"jackpot_name": "Old"})),
    ({"jackpot_name": "Bad beat"}, "jackpot"),
])  # fmt: skip
def test_a_schedule_that_makes_no_sense_is_refused_by_its_field(room, fields, field):
    Jackpot.objects.create(name="Bad beat", made_at=room.now)
    Jackpot.objects.create(name="Old", state=Jackpot.State.CLOSED, made_at=room.now)
    assert list(refused(Invalid, save, room, **{**RAKE, **fields}).values["errors"]) == [field]
    assert not DropSchedule.objects.exists()


def test_a_schedule_names_a_live_jackpot_that_its_chips_go_to(room):
    Jackpot.objects.create(name="Bad beat", made_at=room.now)
    said = {"jackpot": 1, "jackpot_name": " Bad beat "}
    assert save(room, **RAKE, **said).jackpot_name == "Bad beat"
    timed = save(room, name="Time", kind="time", time_charges=[[2, 5]], **said)
    assert (timed.kind, timed.jackpot, timed.jackpot_name) == ("time", 1, "Bad beat")


def test_a_schedule_shows_what_it_takes_to_the_chip():
    rows = drop_schedules.preview(drop_schedules.USUAL | RAKE | {"promo": 1, "promo_from": 30}).rows
    by_pot = {row.pot: row for row in rows}
    assert by_pot[60].rakes == [1, 1, 3, 3, 3, 3, 3], "3 of 60, and 1 at most with two or three players"
    assert (by_pot[15].promo, by_pot[60].promo) == (0, 1)
    hours = drop_schedules.preview(drop_schedules.USUAL | {"kind": "time", "time_charges": [[2, 4], [6, 3]]}).hours
    assert (hours[0], hours[-1]) == ((2, 4, 16), (8, 3, 48))
    for chips, players in product((1, 7, 24, 100), drop_schedules.PLAYERS):
        assert chips <= time_charge(drop_schedules.shared_charges(chips), players) * players < chips + players, (
            "what a table pays"
        )


def test_sections_are_made_named_ordered_and_removed_when_empty(room):
    asked = {"by": room.manager, "now": room.now}
    bar, hall = (sections.create(name=name, **asked) for name in ("Bar", " Great  hall "))
    refused(Conflict, "There is a section called Bar already", sections.create, name="Bar", **asked)
    sections.rename(section_id=bar.pk, name="Long bar", **asked)
    sections.reorder(section_ids=[hall.pk, bar.pk], **asked)
    assert list(Section.objects.values_list("name", flat=True)) == ["Great hall", "Long bar"]
    sections.place(table_id=room.pk, section_id=bar.pk, by=room.floor, now=room.now)
    refused(Conflict, "one table lies", sections.remove, section_id=bar.pk, **asked)
    sections.place(table_id=room.pk, section_id=None, by=room.floor, now=room.now)
    sections.remove(section_id=bar.pk, **asked)
    assert Section.objects.get().name == "Great hall"


def test_a_live_game_opens_at_a_free_table_before_it_makes_a_new_one(room):
    hall, bar = (sections.create(name=name, by=room.manager, now=room.now) for name in ("Hall", "Bar"))
    free = [
        tables.add(name=name, by=room.manager, now=room.now, section_id=section.pk)
        for name, section in (("Felt 1", hall), ("Felt 2", bar), ("Felt 3", hall), ("Felt 4", hall))
    ]
    live = room.offer("Stud live", is_physical=True)
    opened = [room.open(live, **said).pk for said in ({"section_id": bar.pk}, {"name": "felt 3"}, {}, {})]
    assert opened == [free[1].pk, free[2].pk, free[0].pk, free[3].pk]
    assert (Table.objects.filter(offer=live).count(), room.open(live).name) == (4, "Stud live 1")
    assert not Table.objects.filter(state="free").exists()


def test_comp_points_for_an_hour_are_within_what_a_manager_may_give(room):
    refused(NeedsApproval, "Comps", room.offer, comp_per_hour=2_001)
    offer = room.offer(comp_per_hour=60)
    asked = {"offer_id": offer.pk, "by": room.manager, "now": room.now}
    refused(NeedsApproval, "Comps", offers.edit, comp_per_hour=1_000_000, **asked)
    offers.edit(comp_per_hour=2_000, **asked)
    assert StaffAction.objects.get(verb="offers.edit").details["chips"] == 2_000
    offers.edit(comp_per_hour=10, **asked)
    assert "gate" not in StaffAction.objects.filter(verb="offers.edit").latest("pk").details
