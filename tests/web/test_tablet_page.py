"""The tablet of a dealer at a table in the room: what is on it, what it does, and what it does not offer him."""

from games.play import seating
from tests.support.models import FloorCall, SeatHold, Table, TimePause
from tests.support.offers import staff
from tests.support.pages import get, hides, says
from tests.support.timing import TimedTable
from tests.support.worlds import world


@world
def table() -> TimedTable:
    """A table in the room with ann in seat 1 and bob in seat 2, and a dealer who waits."""
    made = TimedTable(is_physical=True)
    Table.objects.filter(pk=made.pk).update(dealt_by="person", wake_at=None)
    made.floor, made.dee = staff("floor"), staff("dealer", "dee")
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
