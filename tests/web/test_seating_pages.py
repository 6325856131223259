"""What staff does at the seats of a table, where whom it is done to is said in full, and what a dealer finds on the
tablet there."""

import time_machine

from cardroom.accounts import members, people
from cardroom.core.web.api import bodies
from games.floor.pages import seating as seating_pages
from games.play import opening, seating
from games.tables.reasons import OF_THE_FLOOR
from tests.support.models import FloorCall, Offer, SeatHold, SeatMove, Table, TablePlay, TimePause
from tests.support.offers import person
from tests.support.pages import assert_hides, assert_shows, get
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
        (seating_pages.NamedPlayerBody, "who", "~Choose a player."),
        (bodies.body_of(seating.unseat, "Unseat"), "reason", "~Enter a reason."),
    ):
        sent = order(data={})
        assert not sent.is_valid()
        assert sent.errors[name] == [said]


def test_a_player_is_seated_by_whole_name_number_or_card(staff, felt, guest, browse):
    browser, address = browse(staff["floor"]), f"/floor/tables/{felt.pk}/seats/do/"
    for words in ("Bob", "1234567", "Fox", "12345670"):
        assert browser.post(address, {"verb": "seat", "who": words, "buy_in": 500}).status_code == 404, words
    for words in ("bobby.fox", guest.member.number, guest.member.cards.get().barcode):
        assert browser.post(address, {"verb": "hold", "who": words, "minutes": 5}).status_code == 302, words
        assert felt.holds.get().player == guest
        felt.holds.all().delete()
    assert_hides(get(browser, "/floor/lists/find/?name=bobby"), " checked")
    assert_shows(get(browser, f"/floor/lists/find/?name={guest.member.number}"), " checked")


@world
def table() -> TimedTable:
    """A table in the room with ann in seat 1 and bob in seat 2, and a dealer who waits."""
    made = TimedTable(is_physical=True)
    Table.objects.filter(pk=made.pk).update(dealt_by="person")
    TablePlay.objects.filter(pk=made.pk).update(wake_at=None)
    made.floor, made.dee = person("flo", "floor"), person("dee", "dealer")
    made.ann, made.bob = made.player("ann"), made.player("bob")
    for player in (made.ann, made.bob):
        seating.seat(table_id=made.pk, player=player, buy_in=500, by=made.floor, now=made.now)
    return made


def test_a_dealer_finds_nothing_on_their_tablet_that_is_refused(table, browse):
    page, tablet = browse(table.dee), f"/tables/{table.pk}/tablet/"
    for place in ("/", "/shifts/", f"/tables/{table.pk}/"):
        assert_shows(get(page, place), tablet)
    shown = get(page, tablet)
    assert_shows(shown, "ann", "Record the count", "Call the floor", "Clock in here")
    refused = ("Chips to bring", "Cash out", "Remove", "Empty the drop box", "Seat a player")
    assert_hides(shown, *refused)
    assert_shows(get(browse(table.floor), tablet), *refused)
    assert not SeatHold.objects.exists()
    page.post(f"{tablet}clock-in/", {"key": "a"})
    assert table.table.dealer_on == table.dee
    page.post(f"{tablet}call/", {"note": "A card on the floor", "kind": "decision", "key": "b"})
    assert (FloorCall.objects.get().player, FloorCall.objects.get().kind) == (table.dee, "decision")
    assert_shows(get(page, tablet), "Off table", "A card on the floor")
    page.post(f"{tablet}clock-out/", {"key": "c"})
    assert table.table.dealer_on is None

    assert_shows(get(browse(table.floor), f"/tables/{table.pk}/time/"), "Refuses to pay")
    browse(table.floor).post(f"/tables/{table.pk}/time/refuse/", {"player": table.ann.pk})
    table.ring()
    assert_shows(get(page, tablet), "Courtesy hand is over")  # she sees who would not pay
    page.post(f"{tablet}end-courtesy/", {"player": table.ann.pk})
    assert TimePause.objects.get(player=table.ann).hands_left == 0
    assert table.seat_of(table.ann).state == "sitting-out"
    assert_hides(get(page, tablet), "Courtesy hand is over")


def test_a_guest_with_cash_is_seated_from_the_map_by_way_of_the_cage(felt, hired, browse):
    floor, do = browse(hired["floor"]), f"/floor/tables/{felt.pk}/seats/do/"
    assert_shows(get(floor, f"/floor/tables/{felt.pk}/seats/"), "New guest", "Seat for cash", "the cage is asked")
    sent = {"verb": "cash-in", "who": "Seán O’Brien", "is_guest": "yes", "number": 4, "buy_in": 500, "key": "a"}
    assert_shows(floor.post(do, sent, follow=True).content.decode(), "a cashier is asked (no. ")
    held = SeatHold.objects.get()
    assert (held.number, held.player.get_full_name()) == (4, "Seán O’Brien")
    said = floor.post(do, sent | {"who": "Sean", "is_guest": "", "key": "b"})
    assert (said.status_code, "No player found" in said.content.decode()) == (404, True)
    assert floor.post(do, sent | {"buy_in": "", "key": "c"}).status_code == 400


def test_a_seat_of_the_map_opens_its_player_before_the_orders_of_the_table(table, browse):
    floor = browse(table.floor)
    assert_shows(get(floor, "/floor/"), f'href="/floor/?table={table.pk}&amp;seat=2"', f"/floor/map/{table.pk}/?seat=2")
    assert_shows(get(floor, f"/floor/?table={table.pk}&seat=2"), "?seat=2")
    panel = get(floor, f"/floor/map/{table.pk}/?seat=2")
    assert 0 < panel.index("/seats/?seat=2") < panel.index("/actions/")
    plan = get(floor, f"/floor/tables/{table.pk}/seats/?seat=2")
    first = plan.index(f'data-part="{table.bob.pk}" open')
    assert first < plan.index(f'data-part="{table.ann.pk}">')
    for said in (f'href="/players/{table.bob.pk}/"', "Move", "Swap seats", "Away", "Cash out"):
        assert said in plan[first : plan.index(f'data-part="{table.ann.pk}">')], said
    free = get(floor, f"/floor/tables/{table.pk}/seats/?seat=5")
    assert free.index('data-part="seat" open') < free.index(f'data-part="{table.ann.pk}">')
    assert_shows(free, "<option selected>5</option>")


def test_a_reason_is_tapped_to_move_somebody_and_typed_to_remove_them(table, browse):
    floor, do = browse(table.floor), f"/floor/tables/{table.pk}/seats/do/"
    plan = get(floor, f"/floor/tables/{table.pk}/seats/")
    assert_shows(plan, *(f'name="why" value="{name}"' for name in OF_THE_FLOOR), "<span>Must-move</span>")
    floor.post(do, {"verb": "move", "player": table.ann.pk, "to_table": table.pk, "number": 6, "why": "must-move"})
    assert table.seat_of(table.ann).number == 6
    assert SeatMove.objects.filter(player=table.ann, kind="moved").latest("pk").reason == OF_THE_FLOOR["must-move"]()
    said = {"verb": "unseat", "player": table.bob.pk, "why": "Must-move", "count": 500}
    assert floor.post(do, said).status_code == 400
    floor.post(do, said | {"reason": "threw a card at the dealer"})
    assert not table.table.seats.filter(player=table.bob).exists()
