"""The pages of events for everybody: the list, the flyer, the box where one enters, the results."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from tests.support.events import Event, order, wallet
from tests.support.models import Table, TournamentEntry
from tests.support.pages import assert_hides, assert_shows, get, html_of, words
from tests.support.parts.event_rules import AddOnTerms, BountyTerms, Bust, PayoutTerms, RebuyTerms
from tests.support.parts.tournaments import cancelling, tickets
from tournaments.templatetags.events import starts_in


@pytest.fixture
def event(open_event, at):
    """One for which everybody may register, with the room's clock where it is."""
    return at(open_event)


def address_of(event, rest=""):
    return f"/tournaments/{event.pk}/{rest}"


def test_the_list_of_events_shows_times_and_prices_and_drafts_to_directors(event, browse, at):
    page = words(get(browse(), "/tournaments/"))
    assert_shows(page, "Friday Stud", "Sat 5 Jan, 21:00 UTC", "115", "Seven-Card Stud, fixed limit")
    assert_shows(html_of(browse().get("/tournaments/", headers={"HX-Request": "true"})), "Friday Stud", but=["<html"])
    at(Event(name="Sunday Razz", conduct="online").open())
    assert_hides(get(browse(), "/tournaments/?q=friday"), "Sunday Razz")
    assert_hides(get(browse(), "/tournaments/?conduct=online"), "Friday Stud")
    assert_shows(get(browse(), "/tournaments/?q=omaha"), "No tournaments match")
    for address in ("?page=none", "players/?q=%00", "players/?page=99999", "results/?page=-1"):
        get(browse(), address_of(event, address))
    get(browse(), "/tournaments/?q=%00&page=none&show=none&conduct=none")

    event = at(Event(name="Secret Stud"))
    player, director = browse(event.player()), browse(event.director)
    assert_hides(get(browse(), "/tournaments/") + get(player, "/tournaments/?show=drafts"), "Secret Stud")
    get(player, address_of(event), 404)
    for address in ("/tournaments/?show=drafts", address_of(event)):
        assert_shows(get(director, address), "Secret Stud")


def test_the_list_takes_the_same_queries_however_many_events(event, browse, django_assert_max_num_queries):
    for _ in range(4):
        Event().open()
    browser = browse(event.player())
    with django_assert_max_num_queries(9):
        get(browser, "/tournaments/")


def test_the_flyer_shows_prices_levels_and_guarantee(at, browse):
    price = {"entry": {"pool": 80, "bounty": 20, "fee": 10, "staff": 5}, "rebuy": {"pool": 90, "fee": 10}}
    chips = {"rebuy": RebuyTerms(1500, 2, 2, 100), "add_on": AddOnTerms(3000, 1), "bounty": BountyTerms("fixed", 20)}
    more = {"re_entries": 1, "late_level": 2, "payout": PayoutTerms(guarantee=1000)}
    event = at(Event(price=price | {"add_on": {"pool": 60, "staff": 7}}, **chips, **more).open())
    event.enter()
    assert_shows(
        words(get(browse(), address_of(event))),
        "Entry 115 Prize pool 80 Bounty 20 House fee 10 Staff 5",
        "Re-entry 115",
        "Rebuy 100 Prize pool 90 House fee 10 1,500 chips; up to 2 times, with 100 chips or fewer",
        "Add-on 67 Prize pool 60 House fee 0 Staff 7 3,000 chips; once, in break 1",
        "Whoever knocks a player out gets 20",
        "1 5 10 40/ 80 15 min 21:00",
        "2 10 20 80/ 160 15 min 21:15 Registration closes here Rebuys end here Break 1",
        "Break 1 add-on 10 min 21:30",
        "Prize pool 1,000 guaranteed; 920 overlay so far",
    )


@pytest.mark.parametrize(("level", "words_of"), [(1, "level 1"), (2, "level 2 and the break after it")])
def test_entry_through_a_break_is_promised_where_a_break_follows(at, browse, level, words_of):
    event = at(Event(late_level=level, late_through_break=True).open())
    page = words(get(browse(), address_of(event)))
    assert_shows(page, f"until the end of {words_of}")
    assert (" and the break after it" in page, " and its break" in page) == (level == 2, level == 2)


def test_the_flyer_of_a_running_event_shows_clock_tables_and_late_refusals(at, browse):
    event = at(Event().started(3).wait(minutes=4))
    page = words(get(browse(), address_of(event)))
    assert_shows(page, "Level 1 ante 5, bring-in 10, 40/80 11:00", "Next: Level 2, ante 10, bring-in 20, 80/160.")
    assert_shows(page, "Left 3 at 1 table")
    assert_shows(words(get(browse(), address_of(event, "?tab=tables"))), "Table 1 ")
    ana = browse(event.entry(1).player)
    papers = set(re.findall(rf'href="({address_of(event)}print/[^"]+)"', get(ana, address_of(event))))
    assert papers >= {address_of(event, "print/receipts/1/"), address_of(event, "print/seats/1/")}
    assert {ana.get(address)["Content-Type"] for address in papers} == {"application/pdf"}
    late = browse(event.player())
    assert_shows(get(late, address_of(event)), "Entry closed at the start")
    assert_shows(html_of(late.post(address_of(event, "register/")), 422), "TDA 8")


def test_a_running_event_has_tabs_and_ones_own_position_beside_the_clock(at, browse):
    event = at(Event(conduct="online").started(9).wait(minutes=4))
    seen = address_of(event)
    ana, rail = browse(event.entry(1).player), browse()
    names = ("standings", "payouts", "structure", "tables", "hands")
    tabs = {tab: words(get(rail, f"{seen}?tab={tab}")) for tab in names}
    for tab, told in {
        "standings": "Place Player Table and seat Chips 1 ", "payouts": "Place Prize 1st ", "tables": "Table 1 ",
        "structure": "Level Ante Bring-in Bets Length Min Starts at", "hands": "No hand that you may look at",
    }.items():  # fmt: skip
        assert_shows(tabs[tab], told, "Standings Payouts Structure Tables Hands")
        assert [other for other, page in tabs.items() if told in page] == [tab]
        assert f'id="tab-{tab}" href="{seen}?tab={tab}"' in get(rail, f"{seen}?tab={tab}")
    assert words(get(rail, f"{seen}?tab=<none>")).count("Table and seat") == 1
    page = words(get(ana, seen))
    prizes = event.state.prizes()
    money = f"Your stack 2,000 25 big bets Rank 1 of 9 Money {9 - len(prizes)} more out "
    assert_shows(page, f"11:00 Next: Level 2, ante 10, bring-in 20, 80/160. Break in 26:00. {money}")
    assert_hides(tabs["standings"], "Your stack")


def test_events_of_one_name_are_told_apart_by_number_and_start(at, browse):
    first, second = (at(Event(name="Sunday Stud").open()) for _ in range(2))
    rail = browse()
    for page in (get(rail, "/tournaments/"), get(rail, "/")):
        page = words(page)
        for event in (first, second):
            assert_shows(page, f"Sunday Stud #{event.pk} ", "21:00 UTC in 1 h 0 min")
    assert_shows(
        words(get(rail, address_of(second))), f"Sunday Stud #{second.pk} registering", "21:00 UTC in 1 h 0 min"
    )


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(-5, "now"), (0, "now"), (1, "in 1 min"), (12, "in 12 min"), (59, "in 59 min"), (60, "in 1 h 0 min"),
     (125, "in 2 h 5 min"), (47 * 60 + 59, "in 47 h 59 min"), (48 * 60, "in 2 days"), (7 * 24 * 60, "in 7 days")],
)  # fmt: skip
def test_the_start_is_counted_down_to_in_minutes_hours_and_days(minutes, said):
    with time_machine.travel(datetime(2030, 1, 5, 20, tzinfo=UTC), tick=False):
        assert starts_in(datetime(2030, 1, 5, 20, tzinfo=UTC) + timedelta(minutes=minutes)) == said


def test_a_player_registers_once_and_learns_how_many_chips_are_missing(event, browse):
    ana = event.player("ana")
    browser = browse(ana)
    assert_shows(words(get(browser, address_of(event))), "You get 2,000 chips", "Register for 115")
    for _ in range(2):  # a double click
        answer = browser.post(address_of(event, "register/"), {"key": "k"}, follow=True)
        assert_shows(html_of(answer), "You are in, with entry 1. Good luck.", "Your entry 1")
    assert (wallet(ana), TournamentEntry.objects.get().player) == (885, ana)
    cashier = event.staff("cashier")
    for asked in ({"player": "ana"}, {"guest": "Bo"}):
        browse(cashier).post(address_of(event, "register/"), asked | {"key": "k"})
    assert {each.player for each in TournamentEntry.objects.all()} <= {ana, cashier}, "nobody else's by the flyer"
    assert wallet(ana) == 885
    page = words(get(browse(event.player("poor", chips=100)), address_of(event)))
    assert_shows(page, "Your wallet holds 100: 15 too few", "The desk takes cash", but=["Register for"])


def test_a_wrong_entry_code_is_refused_and_a_full_event_takes_alternates(at, browse):
    event = at(Event(max_entrants=2, entry_code="Aces").open())
    for _ in range(3):
        event.enter(entry_code="Aces")
    browser = browse(event.player("late"))
    assert_shows(words(get(browser, address_of(event))), "Wait for a seat for 115")
    page = html_of(browser.post(address_of(event, "register/"), {"entry_code": "kings"}), 403)
    assert_shows(page, "Wrong entry code", 'value="kings"')
    page = html_of(browser.post(address_of(event, "register/"), {"entry_code": "aces"}, follow=True))
    assert_shows(page, "you wait for a seat, with entry 4", "You are number 2 on the alternate list")


def test_an_entry_is_refunded_and_a_ticket_pays_instead_of_the_wallet(event, browse):
    ana = event.player("ana")
    event.enter(ana)
    browser = browse(ana)
    assert_shows(words(get(browser, address_of(event))), "You get 115 back")
    browser.post(address_of(event, "unregister/"))
    assert wallet(ana) == 1000
    assert_shows(words(get(browser, address_of(event))), "Register for 115")
    tia = event.player("tia", chips=0)
    ticket = tickets.give(player=tia, reason="a gift", key="one", **order(event))
    browser = browse(tia)
    assert_shows(get(browser, address_of(event)), ticket.code)
    assert_shows(
        html_of(browser.post(address_of(event, "register/"), {"ticket": ticket.pk}, follow=True)), "You are in"
    )


def test_a_form_of_ones_own_is_about_nobody_else(event, browse):
    event.enter(event.player("ann"))
    answer = browse(event.director).post(address_of(event, "unregister/"), {"entrant": "1"})
    assert (answer.status_code, event.row.players_left) == (404, 1)


def test_who_is_out_comes_in_again_while_entry_is_open(at, browse):
    event = Event(late_level=2, re_entries=1).started(9)
    out = event.entry(1)
    event.play(Bust(((1, 2000),), table=out.table, hand=1, by=(event.state.tables[out.table].seats.popitem()[1],)))
    at(event)
    browser = browse(out.player)
    assert_shows(words(get(browser, address_of(event))), "9th place", "Re-enter: 2,000 chips for 115")
    again = browser.post(address_of(event, "re-enter/"), {"key": "again"}, follow=True)
    assert_shows(html_of(again), "You are in again, with entry 10")


def test_a_player_online_is_led_to_their_table_and_told_why_there_is_no_rebuy(at, browse):
    event = at(Event(conduct="online", rebuy=RebuyTerms(1500, 1, 1, 500), price={"rebuy": {"pool": 50}}).started(2))
    browser = browse(event.entry(1).player)
    page, table = get(browser, address_of(event)), Table.objects.get(event=f"tournament:{event.pk}")
    assert_shows(page, f'href="/tables/{table.pk}/">To your table')
    for shown in (page, html_of(browser.post(address_of(event, "rebuy/")), 422)):
        assert_shows(words(shown), "rebuys are for 500 or fewer")
    assert_hides(get(browse(event.player()), address_of(event)), "To your table")


def test_the_results_tell_places_prizes_and_who_knocked_out_whom(at, browse):
    event = Event().started(2)
    loser, winner = event.entry(1), event.entry(2)
    event.play(Bust(((1, 2000),), table=loser.table, hand=1, by=(2,)))
    page = words(get(browse(), address_of(at(event), "results/")))
    assert_shows(page, f"1st {winner.name}", "200", f"{loser.name} table 1, Level 1 {winner.name} 2nd", "finished")


def test_own_events_are_on_the_account_page_and_in_the_lobby(event, browse):
    ana = event.player("ana")
    event.enter(ana)
    for browser, address in ((browse(ana), "/me/"), (browse(), "/")):
        assert_shows(get(browser, address), "Friday Stud")
    cancelling.cancel(reason="a power cut", **order(event))
    for part in ("", "results/"):
        assert_shows(get(browse(), address_of(event, part)), "Cancelled: a power cut")
