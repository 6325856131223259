"""What staff does at the seats of a table, where whom it is done to is said in full, and what a dealer finds on the
tablet there."""

import time_machine

from cardroom.accounts import members, people
from games.floor.pages import seating as seating_pages
from games.play import opening, seating
from tests.support.models import FloorCall, Offer, SeatHold, Table, TimePause
from tests.support.offers import person
from tests.support.pages import get, hides, says
from tests.support.timing import TimedTable
from tests.support.worlds import world
from tests.web.conftest import NOW


@world
@time_machine.travel(NOW, tick=False)
def felt(hired):
    terms = {"ante": 1, "bring_in": 5, "small_bet": 15, "big_bet": 30, "min_buy_in": 300, "max_buy_in": 1500}
    offer = Offer.objects.create(name="Stud", is_physical=True, made_at=NOW, **terms)
    return opening.open_for(offer_id=offer.pk, by=hired["floor"], now=NOW)


@world
@time_machine.travel(NOW, tick=False)
def guest(hired):
    made = people.make_guest(name="Bobby Fox", now=NOW)
    members.register(player=made, name="Bobby Fox", phone="0170 1234567", by=hired["floor"], now=NOW)
    return made


def test_what_was_left_out_is_asked_for_in_the_readers_language(every_word_marked):
    for order, name, said in (
        (seating_pages.SeatForm, "who", "~Choose a player."),
        (seating_pages.UnseatOrder, "reason", "~Enter a reason."),
    ):
        sent = order(data={})
        assert not sent.is_valid()
        assert sent.errors[name] == [said]


def test_a_seat_is_for_whom_the_whole_name_the_number_or_the_card_says_and_no_part_of_one_also_at_the_lists(
    staff, felt, guest, browse
):
    browser, address = browse(staff["floor"]), f"/floor/tables/{felt.pk}/seats/do/"
    for words in ("Bob", "1234567", "Fox", "12345670"):
        assert browser.post(address, {"verb": "seat", "who": words, "buy_in": 500}).status_code == 404, words
    for words in ("bobby.fox", guest.member.number, guest.member.cards.get().barcode):
        assert browser.post(address, {"verb": "hold", "who": words, "minutes": 5}).status_code == 302, words
        assert felt.holds.get().player == guest
        felt.holds.all().delete()
    hides(get(browser, "/floor/lists/find/?name=bobby"), " checked")
    says(get(browser, f"/floor/lists/find/?name={guest.member.number}"), " checked")


@world
def table() -> TimedTable:
    """A table in the room with ann in seat 1 and bob in seat 2, and a dealer who waits."""
    made = TimedTable(is_physical=True)
    Table.objects.filter(pk=made.pk).update(dealt_by="person", wake_at=None)
    made.floor, made.dee = person("flo", "floor"), person("dee", "dealer")
    made.ann, made.bob = made.player("ann"), made.player("bob")
    for player in (made.ann, made.bob):
        seating.seat(table_id=made.pk, player=player, buy_in=500, by=made.floor, now=made.now)
    return made


def test_a_dealer_finds_on_his_tablet_nothing_that_is_refused_clocks_in_and_out_calls_the_floor_and_ends_courtesy(
    table, browse
):
    page, tablet = browse(table.dee), f"/tables/{table.pk}/tablet/"
    for place in ("/", "/shifts/", f"/tables/{table.pk}/"):
        says(get(page, place), tablet)
    shown = get(page, tablet)
    says(shown, "ann", "Record the count", "Call the floor", "Clock in here")
    refused = ("Top up", "Cash out", "Remove", "Empty the drop box", "Seat a player")
    hides(shown, *refused)
    says(get(browse(table.floor), tablet), *refused)
    assert not SeatHold.objects.exists()
    page.post(f"{tablet}clock-in/", {"key": "a"})
    assert table.table.dealer_on == table.dee
    page.post(f"{tablet}call/", {"note": "A card on the floor", "kind": "decision", "key": "b"})
    assert (FloorCall.objects.get().player, FloorCall.objects.get().kind) == (table.dee, "decision")
    says(get(page, tablet), "Leave the table", "A card on the floor")
    page.post(f"{tablet}clock-out/", {"key": "c"})
    assert table.table.dealer_on is None

    says(get(browse(table.floor), f"/tables/{table.pk}/time/"), "Refuses to pay")
    browse(table.floor).post(f"/tables/{table.pk}/time/refuse/", {"player": table.ann.pk})
    table.ring()
    says(get(page, tablet), "Courtesy hand is over")  # she sees who would not pay
    page.post(f"{tablet}end-courtesy/", {"player": table.ann.pk})
    assert TimePause.objects.get(player=table.ann).hands_left == 0
    assert table.seat_of(table.ann).state == "sitting-out"
    hides(get(page, tablet), "Courtesy hand is over")
