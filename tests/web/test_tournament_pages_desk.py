"""The desk of an event: who comes in by name, what is paid, who is taken off."""

import re

import pytest

from tests.support.events import Event, held, wallet
from tests.support.models import Payment, TournamentEntry, User
from tests.support.pages import html_of, json_of, says, words
from tests.support.parts.event_rules import AddOn, Bust, Rebuy
from tournaments.prizes import tickets


@pytest.fixture
def at(time_machine, browse):
    """`at(event)`: the event, and a cashier's browser at its desk, with the room's clock where the event's is."""

    def moved(event):
        time_machine.move_to(event.now, tick=False)
        return event, browse(event.staff("cashier"))

    return moved


@pytest.fixture
def event(open_event, time_machine):
    """One for which everybody may register, with the room's clock where it is."""
    time_machine.move_to(open_event.now, tick=False)
    return open_event


@pytest.fixture
def cashier(event, browse):
    return browse(event.staff("cashier"))


def desk(event, rest=""):
    return f"/tournaments/{event.pk}/desk/{rest}"


def test_a_member_is_found_by_a_part_of_his_name_and_pays_as_he_likes_with_a_ticket_too(event, cashier):
    ana, poor = event.player("anabel"), event.player("anatole", chips=50)
    page = cashier.get(desk(event, "?q=ana")).content.decode()
    says(page, "anabel", "1,000 in the wallet")
    assert re.search(r'value="wallet" disabled', page)
    cashier.post(desk(event, "enter/"), {"player": "anabel", "method": "wallet"})
    cashier.post(desk(event, "enter/"), {"player": "anatole", "method": "desk"})
    assert (wallet(ana), wallet(poor)) == (885, 50)
    assert "Entry 1" in words(cashier.get(desk(event, "?q=anabel")))
    tia = event.player("tia", chips=0)
    ticket = tickets.give(
        player=tia, tournament_id=event.pk, by=event.director, reason="a gift", key="one", now=event.now
    )
    assert f"Ticket {ticket.code}" in words(cashier.get(desk(event, "?q=tia")))
    cashier.post(desk(event, "enter/"), {"player": "tia", "ticket": ticket.pk})
    assert TournamentEntry.objects.get(player=tia).how == "desk"
    assert Payment.objects.get(entry__player=tia).method == "ticket"


def test_a_guest_comes_in_from_the_street_and_pays_cash_and_only_a_director_lets_them_in_for_nothing(event, cashier):
    assert "On the house" not in words(cashier.get(desk(event, "?q=Ana+Ruiz")))
    assert cashier.post(desk(event, "enter/"), {"guest": "Ana Ruiz", "method": "house"}).status_code == 403
    assert not TournamentEntry.objects.exists()
    assert not User.objects.filter(first_name="Ana").exists()
    page = words(cashier.get(desk(event, "?q=Ana+Ruiz")))
    says(page, "No member found", "Ana Ruiz a guest, without an account")
    answer = cashier.post(desk(event, "enter/"), {"guest": "Ana Ruiz", "method": "desk", "key": "k"}, follow=True)
    assert "Ana Ruiz is in, with entry 1" in words(answer)
    assert "Receipt 1" in words(answer)
    assert held("house", "cash desk") == -115
    assert not User.objects.get(first_name="Ana", last_name="Ruiz").has_usable_password()


def test_an_entry_is_taken_off_and_refunded_and_what_is_refused_is_said_and_stays_typed(event, cashier):
    cashier.post(desk(event, "enter/"), {"guest": "Ana Ruiz", "method": "desk"})
    assert "Remove and refund" in words(cashier.get(desk(event)))
    answer = cashier.post(desk(event, "1/take-off/"), {"reason": "was called away"}, follow=True)
    assert "Ana Ruiz is removed" in words(answer)
    assert held("house", "cash desk") == 0
    assert Payment.objects.get().refund_reason == "was called away"
    assert "Ana Ruiz" in words(cashier.get(desk(event, "?show=gone")))
    assert cashier.post(desk(event, "1/take-off/")).status_code == 404
    event.enter(event.player("ana"))
    page = html_of(cashier.post(desk(event, "enter/"), {"player": "ana", "method": "desk", "q": "ana"}), 422)
    assert "ana is in already, with entry 2" in words(page)
    assert 'value="ana"' in page
    assert "2 to 60 characters" in words(cashier.post(desk(event, "enter/"), {"guest": "A", "method": "desk"}), 400)
    assert cashier.post(desk(event, "enter/"), {"player": "nobody"}).status_code == 404
    assert cashier.post(desk(event, "enter/"), {"player": "ana" * 60}).status_code == 400
    assert cashier.post(desk(event, "enter/"), {}).status_code == 400


def test_those_who_did_not_come_are_ticked_and_taken_off_together(at):
    event, cashier = at(Event().started(4))
    assert words(cashier.get(desk(event, "?show=unseen"))).count("not seen") == 4
    answer = cashier.post(
        desk(event, "no-shows/"), {"entrants": ["2", "3"], "expected_seq": event.row.seq}, follow=True
    )
    assert "Removed and refunded" in words(answer)
    assert (event.row.players_left, event.pool()) == (2, 200)
    assert cashier.post(desk(event, "no-shows/"), {"entrants": ["1"], "expected_seq": 1}).status_code == 409
    assert "select the players to remove" in words(
        cashier.post(desk(event, "no-shows/"), {"expected_seq": event.row.seq}), 400
    )


def test_alternates_are_listed_in_the_order_in_which_they_wait(at):
    event, cashier = at(Event(max_entrants=2).open())
    for name in ("Ana Ruiz", "Ben Okafor", "Cleo Marsh", "Dov Levin"):
        cashier.post(desk(event, "enter/"), {"guest": name, "method": "desk"})
    assert "2 entries of 2, 2 waiting" in words(cashier.get(desk(event)))
    page = words(cashier.get(desk(event, "?show=waiting"))).partition("Removed")[2]
    assert "Ben Okafor" not in page
    assert page.index("Cleo Marsh") < page.index("Dov Levin")


def test_chips_are_bought_at_the_desk_by_what_the_player_has_in_front_of_him(at):
    event = Event(rebuy=Rebuy(1500, 1, 4, 500), add_on=AddOn(3000, 1), price={"rebuy": {"pool": 50}}).started(2)
    event, cashier = at(event)
    too_many = words(cashier.post(desk(event, "1/rebuy/"), {"stack": 900, "method": "desk"}), 422)
    assert "rebuys are for 500 or fewer" in too_many
    answer = cashier.post(desk(event, "1/rebuy/"), {"stack": 200, "method": "desk", "key": "r"}, follow=True)
    assert "gets 1,500 chips for 50" in words(answer)
    assert "Add-ons are sold in break 1 only" in words(cashier.post(desk(event, "1/add-on/"), {"method": "desk"}), 422)


def test_a_guest_who_comes_back_is_offered_the_way_back_first_and_no_new_entry(at):
    event, cashier = at(Event(late_level=2, re_entries=1).open())
    for name in ("Ana Ruiz", "Ben Okafor", "Cleo Marsh"):
        cashier.post(desk(event, "enter/"), {"guest": name, "method": "desk"})
    event.start().play(Bust(((1, 2000),), table=event.entry(1).table, by=(2,)))
    found = html_of(cashier.get(desk(event, "?q=ana+ruiz"))).partition('id="found"')[2].partition('id="entries"')[0]
    assert "Ana Ruiz out, 3rd, with entry 1 Re-enter, cash" in words(f"<p{found}")
    assert 'name="guest"' not in found
    assert "add to it" in words(found)
    refused = words(cashier.post(desk(event, "enter/"), {"guest": "ANA  Ruiz", "method": "desk"}), 422)
    assert "Ana Ruiz was in with entry 1 and is out: use re-entry instead" in refused
    assert "Re-enter, cash" in words(cashier.get(desk(event, "?show=out")))
    answer = cashier.post(desk(event, "1/re-enter/"), {"method": "desk", "key": "f"}, follow=True)
    assert "is in again, with entry 4" in words(answer)
    again = event.entry(4)
    assert (again.re_entry_of, again.player) == (1, event.entry(1).player)
    event.play(Bust(((4, 2000),), table=again.table, by=(2,)))
    assert "has had their 1 re-entries" in words(cashier.post(desk(event, "4/re-enter/"), {"method": "desk"}), 422)
    found = html_of(cashier.get(desk(event, "?q=r"))).partition('id="found"')[2]
    assert found.index("Ana Ruiz") < found.index("Cleo Marsh"), "who is out stands first"


def test_a_guest_turns_out_to_be_a_member(event, cashier, browse):
    cashier.post(desk(event, "enter/"), {"guest": "Ana Ruiz", "method": "desk"})
    anabel = event.player("anabel")
    assert "Link to a member" in words(cashier.get(desk(event, "?entry=1")))
    assert "no member called" in words(cashier.post(desk(event, "1/identify/"), {"player": "nobody"}), 404)
    assert "is the member anabel" in words(cashier.post(desk(event, "1/identify/"), {"player": "Anabel"}, follow=True))
    assert (event.entry(1).player, event.entry(1).name) == (anabel, "Ana Ruiz")
    refused = words(cashier.post(desk(event, "enter/"), {"player": "anabel", "method": "desk"}), 422)
    assert "is in already, with entry 1" in refused
    assert cashier.post(desk(event, "1/identify/"), {"player": event.player().username}).status_code == 403
    assert browse(event.director).post(desk(event, "1/identify/"), {"player": "anabel"}).status_code == 302
    address = f"/api/v1/tournaments/{event.pk}/entries/1/identify"
    assert json_of(cashier.post(address, {"player": "anabel"}, "application/json"))["name"] == "Ana Ruiz"


def test_the_desk_takes_the_same_queries_however_many_are_in(event, cashier, django_assert_max_num_queries):
    for _ in range(12):
        event.enter()
    with django_assert_max_num_queries(16):
        assert cashier.get(desk(event, "?q=play")).status_code == 200
