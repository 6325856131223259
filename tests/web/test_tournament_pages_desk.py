"""The desk of an event: who comes in by name, what is paid, who is taken off."""

import re

import pytest

from tests.support.events import Event, order, wallet
from tests.support.models import Payment, TournamentEntry, User
from tests.support.pages import assert_hides, assert_shows, get, html_of, json_of, words
from tests.support.parts.event_rules import AddOnTerms, Bust, RebuyTerms
from tests.support.parts.tournaments import registration, tickets
from tests.support.tills import in_till


class Desk:
    """A cashier's browser at the desk of an event, with the room's clock where the event's is."""

    def __init__(self, event, browser):
        self.event, self.browser = event, browser

    def holds(self) -> int:
        """What lies in the drawer of the cashier whose browser it is."""
        return in_till(User.objects.get(pk=self.browser.session["_auth_user_id"]))

    def text(self, part="", status=200) -> str:
        """The words of the page."""
        return words(get(self.browser, f"/tournaments/{self.event.pk}/desk/{part}", status))

    def send(self, part, status=200, **data) -> str:
        """What the next page says, or the refusal."""
        return words(self.browser.post(f"/tournaments/{self.event.pk}/desk/{part}/", data, follow=True), status)

    def takes_in(self, *guests):
        for guest in guests:
            registration.register(guest=guest, method="desk", **order(self.event))


@pytest.fixture
def at(time_machine, browse):
    """`at(event)`: the desk of this event."""

    def moved(event) -> Desk:
        time_machine.move_to(event.now, tick=False)
        event.desk(by=event.director)
        return Desk(event, browse(event.desk(money=0)))

    return moved


@pytest.fixture
def desk(open_event, at) -> Desk:
    """Of an event for which everybody may register."""
    return at(open_event)


def test_a_member_is_found_by_a_part_of_the_name_and_pays_as_they_like(desk):
    event = desk.event
    ana, poor = event.player("anabel"), event.player("anatole", chips=50)
    page = get(desk.browser, f"/tournaments/{event.pk}/desk/?q=ana")
    assert_shows(page, "anabel", "1,000 in the wallet")
    assert re.search(r'value="wallet" disabled', page)
    desk.send("enter", player="anabel", method="wallet")
    desk.send("enter", player="anatole", method="desk")
    assert (wallet(ana), wallet(poor)) == (885, 50)
    assert_shows(desk.text("?q=anabel"), "Entry 1")
    tia = event.player("tia", chips=0)
    ticket = tickets.give(player=tia, reason="a gift", key="one", **order(event))
    assert_shows(desk.text("?q=tia"), f"Ticket {ticket.code}")
    desk.send("enter", player="tia", ticket=ticket.pk)
    assert TournamentEntry.objects.get(player=tia).how == "desk"
    assert Payment.objects.get(entry__player=tia).method == "ticket"


def test_a_name_and_enter_is_an_entry_of_whom_it_names_and_nobody_else(desk):
    event = desk.event
    ana = event.player("anabel")
    assert_shows(desk.send("name", q="anabel", method="desk"), "anabel is in, with entry 1")
    assert TournamentEntry.objects.get(player=ana).payments.get().method == "desk"
    assert_shows(desk.send("name", q="Wil  Walker", method="desk"), "Wil Walker is in, with entry 2")
    assert_shows(desk.send("name", 422, q="Ana", method="desk"), "Members go by such a name (anabel")
    assert_shows(desk.send("name", 422, q="wil walker", method="desk"), "is in already, with entry 2")
    page = get(desk.browser, f"/tournaments/{event.pk}/desk/?entry=2")
    assert re.search(r'id="q"[^>]*autofocus', page), "the next name is typed at once"


def test_with_scripts_an_entry_is_told_with_print_and_undo_and_no_page_is_loaded(desk):
    event = desk.event
    address = f"/tournaments/{event.pk}/desk/name/"
    sent = {"q": "Ana Ruiz", "method": "desk", "key": "one"}
    answers = [desk.browser.post(address, sent, headers={"HX-Request": "true"}) for _ in range(2)]
    page = html_of(answers[0])
    told = page.partition('id="told"')[2].partition("</section>")[0]
    assert_shows(words(told), "Ana Ruiz is in, with entry 1", "Print receipt", "Undo")
    assert event.row.entries.count() == 1, "the same twice is done once"
    back = re.search(r'hx-post="(/tournaments/\d+/desk/1/take-off/)"', told)[1]
    desk.browser.post(back, {"reason": "Undone at the desk"}, headers={"HX-Request": "true"})
    assert event.entry(1).state == "withdrawn"
    refused = desk.browser.post(address, sent | {"q": "x" * 61, "key": "two"}, headers={"HX-Request": "true"})
    assert refused.status_code == 400
    assert_shows(html_of(refused, 400), "data-problem", but=["<html"])


def test_a_list_is_pasted_and_what_is_refused_stops_none_of_the_others(desk):
    event = desk.event
    event.player("anabel")
    desk.takes_in("Bo Two")
    page = desk.send("list", names="anabel\nBo Two\n\n  Cy Three \nCy Three", method="desk", key="k")
    assert_shows(page, "2 entered", "Not entered: Bo Two")
    assert set(event.row.entries.values_list("name", flat=True)) == {"anabel", "Bo Two", "Cy Three"}
    assert_shows(desk.send("list", 400, names="  \n", method="desk"), "Names: ")


def test_a_list_sent_twice_is_entered_once_and_the_next_one_has_a_key_of_its_own(desk):
    event, address = desk.event, f"/tournaments/{desk.event.pk}/desk/list/"
    sent = {"names": "Cher\nSean O'Brien", "method": "desk", "key": "one"}
    pages = [html_of(desk.browser.post(address, sent, headers={"HX-Request": "true"})) for _ in range(2)]
    for page in pages:
        assert_shows(words(page), "2 entered", but=["Not entered"])
    # What the page takes of the answer is the part that was found.
    found = pages[0].partition('id="found"')[2].partition("</div>")[0]
    again = re.search(r'name="key" value="([^"]+)" form="by-list"', found)[1]
    desk.browser.post(address, {"names": "Bo Two", "method": "desk", "key": again}, headers={"HX-Request": "true"})
    assert list(event.row.entries.order_by("number").values_list("name", flat=True)) == [
        "Cher",
        "Sean O'Brien",
        "Bo Two",
    ]


def test_a_key_that_entered_one_guest_enters_no_other(desk):
    assert_shows(desk.send("name", q="Ana Ruiz", method="desk", key="one"), "Ana Ruiz is in")
    assert_shows(desk.send("name", 409, q="Bo Two", method="desk", key="one"), "This key belongs to another request")
    assert_shows(desk.send("name", q="Ana  Ruiz", method="desk", key="one"), "Ana Ruiz is in, with entry 1")


def another() -> Event:
    """One more event that anybody may enter."""
    return Event().open()


def test_a_guest_of_another_event_is_nobody_that_a_name_stands_for(desk, at):
    desk.takes_in("Sean O'Brien", "Cher")
    other = at(another())
    assert_shows(other.send("name", q="Cher", method="desk"), "Cher is in, with entry 1")
    assert_shows(other.send("name", q="Sean O'Brien", method="desk"), "Sean O'Brien is in, with entry 2")
    assert_shows(other.send("name", q="Sean", method="desk"), "Sean is in, with entry 3")
    before, after = (event.row.entries.values_list("player", flat=True) for event in (desk.event, other.event))
    assert set(before).isdisjoint(after)
    # Where the desk does choose who was here before, they keep the name that they gave.
    assert_shows(other.send("1/take-off", reason="Went to eat"), "Cher")
    guest = desk.event.row.entries.get(name="Sean O'Brien").player
    third = at(another())
    assert_shows(third.send("enter", player=guest.username, method="desk"), "Sean O'Brien is in")


def test_a_guest_pays_cash_and_only_a_director_enters_them_for_free(desk):
    desk.send("enter", 403, guest="Ana Ruiz", method="house")
    assert not TournamentEntry.objects.exists()
    assert not User.objects.filter(first_name="Ana").exists()
    assert_shows(
        desk.text("?q=Ana+Ruiz"), "No member found", "Ana Ruiz a guest, without an account", but=["On the house"]
    )
    assert_shows(
        desk.send("enter", guest="Ana Ruiz", method="desk", key="k"), "Ana Ruiz is in, with entry 1", "Receipt 1"
    )
    assert desk.holds() == 115
    assert not User.objects.get(first_name="Ana", last_name="Ruiz").has_usable_password()


def test_the_event_desk_removes_and_refunds_an_entry(desk):
    desk.send("enter", guest="Ana Ruiz", method="desk")
    assert_shows(desk.text(), "Remove and refund")
    assert_shows(desk.send("1/take-off", reason="was called away"), "Ana Ruiz is removed")
    assert desk.holds() == 0
    assert Payment.objects.get().refund_reason == "was called away"
    assert_shows(desk.text("?show=gone"), "Ana Ruiz")
    desk.send("1/take-off", 404)
    desk.event.enter(desk.event.player("ana"))
    sent = {"player": "ana", "method": "desk", "q": "ana"}
    page = html_of(desk.browser.post(f"/tournaments/{desk.event.pk}/desk/enter/", sent), 422)
    assert_shows(words(page), "ana is in already, with entry 2")
    assert_shows(page, 'value="ana"')
    assert_shows(desk.send("enter", 400, guest="A", method="desk"), "2 to 60 characters")
    for player, status in (({"player": "nobody"}, 404), ({"player": "ana" * 60}, 400), ({}, 400)):
        desk.send("enter", status, **player)


def test_those_who_did_not_come_are_ticked_and_taken_off_together(at):
    desk = at(Event().started(4))
    event = desk.event
    assert desk.text("?show=unseen").count("not seen") == 4
    assert_shows(desk.send("no-shows", entrants=["2", "3"], expected_seq=event.row.seq), "Removed and refunded")
    assert (event.row.players_left, event.pool()) == (2, 200)
    desk.send("no-shows", 409, entrants=["1"], expected_seq=1)
    assert_shows(desk.send("no-shows", 400, expected_seq=event.row.seq), "select the players to remove")


def test_alternates_are_listed_in_the_order_in_which_they_wait(at):
    desk = at(Event(max_entrants=2).open())
    desk.takes_in("Ana Ruiz", "Ben Okafor", "Cleo Marsh", "Dov Levin")
    assert_shows(desk.text(), "2 entries of 2, 2 waiting")
    page = desk.text("?show=waiting").partition("Removed")[2]
    assert_hides(page, "Ben Okafor")
    assert page.index("Cleo Marsh") < page.index("Dov Levin")


def test_chips_are_bought_at_the_desk_by_what_the_player_has_in_front(at):
    desk = at(
        Event(rebuy=RebuyTerms(1500, 1, 4, 500), add_on=AddOnTerms(3000, 1), price={"rebuy": {"pool": 50}}).started(2)
    )
    assert_shows(desk.send("1/rebuy", 422, stack=900, method="desk"), "rebuys are for 500 or fewer")
    assert_shows(desk.send("1/rebuy", stack=200, method="desk", key="r"), "gets 1,500 chips for 50")
    assert_shows(desk.send("1/add-on", 422, method="desk"), "Add-ons are sold in break 1 only")


def test_a_guest_who_comes_back_is_offered_the_way_back_first_and_no_new_entry(at):
    desk = at(Event(late_level=2, re_entries=1).open())
    event = desk.event
    desk.takes_in("Ana Ruiz", "Ben Okafor", "Cleo Marsh")
    event.start().play(Bust(((1, 2000),), table=event.entry(1).table, by=(2,)))
    page = get(desk.browser, f"/tournaments/{event.pk}/desk/?q=ana+ruiz")
    found = page.partition('id="found"')[2].partition('id="entries"')[0]
    assert_shows(words(f"<p{found}"), "Ana Ruiz out, 3rd, with entry 1 Re-enter, cash", "add to it")
    assert_hides(found, 'name="guest"')
    refused = desk.send("enter", 422, guest="ANA  Ruiz", method="desk")
    assert_shows(refused, "Ana Ruiz was in with entry 1 and is out: use re-entry instead")
    assert_shows(desk.text("?show=out"), "Re-enter, cash")
    assert_shows(desk.send("1/re-enter", method="desk", key="f"), "is in again, with entry 4")
    again = event.entry(4)
    assert (again.re_entry_of, again.player) == (1, event.entry(1).player)
    event.play(Bust(((4, 2000),), table=again.table, by=(2,)))
    assert_shows(desk.send("4/re-enter", 422, method="desk"), "has had their 1 re-entries")
    found = get(desk.browser, f"/tournaments/{event.pk}/desk/?q=r").partition('id="found"')[2]
    assert found.index("Ana Ruiz") < found.index("Cleo Marsh"), "who is out stands first"


def test_a_guest_is_linked_to_a_member_without_more_queries_for_many(desk, browse, django_assert_max_num_queries):
    event = desk.event
    desk.takes_in("Ana Ruiz")
    anabel = event.player("anabel")
    assert_shows(desk.text("?entry=1"), "Link to a member")
    assert_shows(desk.send("1/identify", 404, player="nobody"), "no member called")
    assert_shows(desk.send("1/identify", player="Anabel"), "is the member anabel")
    assert (event.entry(1).player, event.entry(1).name) == (anabel, "Ana Ruiz")
    assert_shows(desk.send("enter", 422, player="anabel", method="desk"), "is in already, with entry 1")
    desk.send("1/identify", 403, player=event.player().username)
    Desk(event, browse(event.director)).send("1/identify", player="anabel")
    address = f"/api/v1/tournaments/{event.pk}/entries/1/identify"
    assert json_of(desk.browser.post(address, {"player": "anabel"}, "application/json"))["name"] == "Ana Ruiz"

    for _ in range(12):
        desk.event.enter()
    with django_assert_max_num_queries(17):  # one of them asks what waits for a cashier's approval
        desk.text("?q=play")
