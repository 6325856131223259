"""The dealer's tablet and the deal: what each may do there, and what nobody learns."""

import re

import pytest

from tests.support.events import Event, bust
from tests.support.events import order as told
from tests.support.pages import get as web_get
from tests.support.pages import hides, html_of, says, words
from tests.support.parts.tournaments import hands, prize_queries, seats
from tests.web.test_tournament_run import get, order
from tournaments.engine.config import PayoutTerms
from tournaments.prizes.models import DealProposal


@pytest.fixture
def dealer(event, browse):
    return browse(event.staff("dealer"))


def tap(browser, event, verb, table=1, status=302, **data):
    return order(browser, event, verb, part=f"tables/{table}/do/", status=status, **data)


def at_table(event, number) -> list[int]:
    """Those who sit there."""
    return [*event.state.tables[number].seats.values()]


def test_a_dealer_finds_on_the_flyer_the_tablets_with_clock_and_seats_or_where_to_go(event, dealer, browse):
    says(words(get(dealer, event, "tables/")), "Table 2 3 players")
    names = [event.state.entrants[number].name for number in at_table(event, 1)]
    says(words(get(dealer, event, "tables/1/")), "15:00 Level 1 ante 5, bring-in 10, 40/80", "6 of 6 left", *names)
    tablets = f"/tournaments/{event.pk}/tables/"
    says(web_get(dealer, f"/tournaments/{event.pk}/"), tablets)
    hides(web_get(browse(event.player()), f"/tournaments/{event.pk}/"), tablets)
    bust(event, *at_table(event, 1)[:2])
    seats.break_table(table=1, **told(event))
    says(words(get(dealer, event, "tables/1/")), "This table is broken")
    get(dealer, event, "tables/9/", 404)


def test_a_bust_at_the_tablet_is_of_its_table_alone_whatever_happened_elsewhere_and_a_director_takes_it_back(
    event, dealer, browse
):
    out, winner, *_ = at_table(event, 1)
    seen = event.row.seq
    bust(event, at_table(event, 2)[0])
    tap(dealer, event, "bust", seq=seen, out=out, by=winner)
    assert (event.state.entrants[out].by, event.state.left) == ((winner,), 4)
    says(tap(dealer, event, "bust", out=at_table(event, 2)[0], status=422), "sits at table 2")
    tap(dealer, event, "undo", status=403)
    director, seen = browse(event.director), event.row.seq
    hands.count(entrant=event.state.in_play()[0].number, chips=2100, **told(event))
    says(tap(director, event, "undo", seq=seen, status=409), "reload")
    says(tap(director, event, "undo", seq="", status=400), "as you saw it")
    tap(director, event, "undo")
    assert event.state.left == 4, "the count is taken back"
    tap(director, event, "undo")
    assert event.state.left == 5


def test_with_scripts_the_answer_is_the_table_as_it_is_then(event, browse):
    director = browse(event.director, headers={"HX-Request": "true"})
    out = at_table(event, 1)[0]
    answer = director.post(f"/tournaments/{event.pk}/tables/1/do/", {"verb": "bust", "out": out})
    page = html_of(answer)
    says(page, 'value="undo"', but=["<html"])
    says(words(page), f"Bust of {event.state.entrants[out].name}, 6th.")
    says(answer["HX-Trigger"], "order-done")
    again = re.search(r'hx-get="([^"]*after=[^"]*)"', page)[1]
    says(web_get(director, again), 'value="undo"')
    hands.count(entrant=event.state.in_play()[0].number, chips=2100, **told(event))
    hides(web_get(director, again), 'value="undo"')


def test_stacks_are_counted_several_at_once_and_none_if_one_cannot_be(event, dealer, browse):
    first, second, *_ = at_table(event, 1)
    seq = event.row.seq
    wrong = {f"chips-{first}": "2400", f"chips-{second}": "99999"}
    says(tap(dealer, event, "counts", status=422, **wrong), "cannot have 99999")
    assert event.row.seq == seq
    tap(dealer, event, "counts", command_id="count", **{f"chips-{first}": "2,400", f"chips-{second}": "1 600"})
    assert (event.state.entrants[first].stack, event.state.entrants[second].stack) == (2400, 1600)
    assert event.state.undo_label == "Count of table 1: 4,000 in 2 stacks"
    seats.undo(**told(event))
    assert (event.state.entrants[first].stack, event.state.entrants[second].stack) == (2000, 2000)
    says(tap(dealer, event, "counts", status=400), "Write down")
    says(tap(dealer, event, "counts", status=400, **{f"chips-{first}": "a lot"}), "Chips of")
    seated = at_table(event, 1)
    order(browse(event.director), event, "counts", table=1, **{f"chips-{number}": "2,000" for number in seated})
    assert event.state.undo_label == f"Count of table 1: {2000 * len(seated):,} in {len(seated)} stacks"


def test_a_stack_that_nobody_counted_does_not_look_counted(event, dealer, browse):
    first, second, *_ = at_table(event, 1)
    tap(dealer, event, "counts", **{f"chips-{first}": "2,400"})
    name, other = event.state.entrants[first].name, event.state.entrants[second].name
    shown = [(dealer, "tables/1/"), (browse(event.director), "run/")]
    shown += [(browse(), part) for part in ("players/", "results/", "?show=all")]
    pages = [words(get(browser, event, part)) for browser, part in shown]
    for page in pages:
        assert re.search(rf"{name}\W.{{0,40}}2,400", page), page
        assert re.search(rf"{other}\W.{{0,40}}not counted", page), page
        assert not re.search(rf"{other}\W.{{0,20}}2,000", page), page
    assert re.search(rf"{name}\W.{{0,40}}2,400 {event.now:%H:%M}", pages[0]), "and counted when"
    says(words(get(browse(event.director), event, "run/tables/1/")), "1 stack counted, 2,400 chips")
    rows = get(browse(), event, "export/results.csv").splitlines()
    assert [row.split(",")[5] for row in rows if other in row] == [""]


def test_who_has_come_and_whose_time_runs_is_said_at_the_tablet_and_hand_for_hand_waits_there(event, dealer):
    first, second, *_ = at_table(event, 1)
    tap(dealer, event, "arrived", entrant=first)
    assert event.entry(first).arrived_at == event.now
    tap(dealer, event, "clock-on", entrant=second)
    assert second in event.state.called
    tap(dealer, event, "clock-off", entrant=second)
    tap(dealer, event, "all-here")
    assert event.entry(second).arrived_at == event.now
    hides(words(get(dealer, event, "tables/1/")), "not seen yet")
    hands.hand_for_hand(on=True, **told(event))
    tap(dealer, event, "hand-done", out=at_table(event, 1)[0])
    says(words(get(dealer, event, "tables/1/")), "wait for table 2")
    tap(dealer, event, "hand-done", status=422)
    assert event.state.left == 6
    tap(dealer, event, "hand-done", table=2)
    assert event.state.left == 5


@pytest.fixture
def three(at):
    """Three are left of four, and three are paid."""
    event = at(Event(seats=4, payout=PayoutTerms(places=3)).started(4))
    bust(event, 4)
    for number, chips in ((1, 4000), (2, 3000), (3, 1000)):
        hands.count(entrant=number, chips=chips, **told(event))
    return event


@pytest.fixture
def director(three, browse):
    return browse(three.director)


def deal(browser, event, verb, status=302, **data):
    return order(browser, event, verb, part="deal/do/", status=status, **data)


def player(event, number):
    return event.entry(number).player


def test_every_kind_of_deal_is_shown_to_the_director_alone_and_one_that_everybody_accepts_is_made(
    three, browse, director
):
    says(words(get(director, three, "deal/?play_for=40")), "ICM By chips Even As agreed", "except 40 for the winner")
    for looker in (browse(player(three, 1)), browse()):
        says(words(get(looker, three, "deal/")), "No deal is proposed")
    says(words(get(director, three, "deal/?play_for=much")).lower(), "whole number")
    deal(director, three, "propose", kind="fair", status=400)
    deal(director, three, "vote", is_yes="perhaps", status=400)
    deal(director, three, "dance", status=404)
    deal(director, three, "accept-all", status=404)
    deal(director, three, "propose", kind="icm", play_for="99999999", status=422)
    deal(director, three, "propose", kind="icm", play_for="40")
    for voter in (browse(player(three, number)) for number in (1, 2, 3)):
        says(words(get(voter, three, "deal/")), "I accept")
        deal(voter, three, "vote", is_yes=1)
    assert three.state.deal.play_for == 40
    says(words(get(browse(), three, "deal/")), "The deal is made")


def test_nobody_sees_how_anybody_voted(three, director, browse):
    deal(director, three, "propose", kind="chips")
    first, second, third = (browse(player(three, number)) for number in (1, 2, 3))
    deal(second, three, "vote", is_yes=0)
    says(words(get(second, three, "deal/")), "You have refused")
    for looker in (director, first, browse()):
        says(words(get(looker, three, "deal/")), "1 of 3 have voted", but=["refused"])
    for voter in (first, third):
        deal(voter, three, "vote", is_yes=1)
    says(words(get(browse(), three, "deal/")), "No deal")
    assert three.state.deal is None


def test_a_deal_as_agreed_takes_the_amounts_that_were_typed(three, director):
    pool = sum(three.state.prizes()[:3])
    amounts = {"amounts-1": str(pool - 200), "amounts-2": "100", "amounts-3": "99"}
    says(deal(director, three, "propose", kind="custom", status=422, **amounts).replace(",", ""), str(pool))
    said = deal(director, three, "propose", kind="custom", status=400, **(amounts | {"amounts-3": ""}))
    says(said, "Enter the amount of each player")
    deal(director, three, "propose", kind="custom", **(amounts | {"amounts-3": "100"}))
    assert prize_queries.voting(tournament=three.row).amounts == {1: pool - 200, 2: 100, 3: 100}


def test_who_is_out_has_no_vote_and_the_director_alone_takes_a_proposal_back_or_enters_what_was_said_to_him(
    three, browse, director
):
    deal(director, three, "propose", kind="even")
    ana, out = browse(player(three, 1)), browse(player(three, 4))
    hides(get(out, three, "deal/"), "I accept")
    deal(out, three, "vote", is_yes=1, status=403)
    deal(ana, three, "propose", kind="even", status=403)
    deal(browse(), three, "vote", is_yes=1)  # leads to the log-in
    deal(director, three, "propose", kind="icm", status=409)
    deal(ana, three, "withdraw", status=403)
    deal(director, three, "withdraw")
    assert DealProposal.objects.get().state == "withdrawn"
    says(words(get(browse(), three, "deal/")), "withdrawn")
    deal(director, three, "propose", kind="even")
    deal(director, three, "vote", entrant=1, is_yes=1)
    deal(director, three, "accept-all")
    assert three.state.deal is not None
