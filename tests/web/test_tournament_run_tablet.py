"""The dealer's tablet and the deal: what each may do there, and what nobody learns."""

import re

import pytest

from tests.support.events import Event, bust
from tests.support.events import order as told
from tests.support.pages import says, words
from tests.support.parts.tournaments import hands, prize_queries, seats
from tests.web.test_tournament_run import get, order
from tournaments.engine.config import PayoutTerms
from tournaments.prizes.models import DealProposal


@pytest.fixture
def dealer(event, browse):
    return browse(event.staff("dealer"))


def tap(browser, event, verb, table=1, status=302, **data):
    return order(browser, event, verb, part=f"tables/{table}/do/", status=status, **data)


def test_a_dealer_finds_the_tablets_on_the_flyer_and_on_his_the_clock_seats_and_chips(event, dealer, browse):
    assert "Table 2 3 players" in words(get(dealer, event, "tables/"))
    page = words(get(dealer, event, "tables/1/"))
    says(page, "15:00 Level 1 ante 5, bring-in 10, 40/80", "6 of 6 left")
    for number in event.state.tables[1].seats.values():
        assert event.state.entrants[number].name in page
    tablets = f"/tournaments/{event.pk}/tables/"
    assert tablets in dealer.get(f"/tournaments/{event.pk}/").content.decode()
    assert tablets not in browse(event.player()).get(f"/tournaments/{event.pk}/").content.decode()


def test_a_bust_at_the_tablet_is_of_its_table_alone_and_does_not_ask_what_happened_elsewhere(event, dealer):
    out, winner, *_ = event.state.tables[1].seats.values()
    seen = event.row.seq
    bust(event, next(iter(event.state.tables[2].seats.values())))
    tap(dealer, event, "bust", seq=seen, out=out, by=winner)
    assert (event.state.entrants[out].by, event.state.left) == ((winner,), 4)
    other = next(iter(event.state.tables[2].seats.values()))
    assert "sits at table 2" in tap(dealer, event, "bust", out=other, status=422)


def test_a_dealer_takes_nothing_back_but_a_director_does_at_the_tablet(event, dealer, browse):
    tap(dealer, event, "bust", out=next(iter(event.state.tables[1].seats.values())))
    tap(dealer, event, "undo", status=403)
    director = browse(event.director)
    seen = event.row.seq
    hands.count(entrant=event.state.in_play()[0].number, chips=2100, **told(event))
    assert "reload" in tap(director, event, "undo", seq=seen, status=409)
    assert "as you saw it" in tap(director, event, "undo", seq="", status=400)
    tap(director, event, "undo")
    assert event.state.left == 5


def test_with_scripts_the_answer_is_the_table_as_it_is_then(event, browse):
    director = browse(event.director)
    out = next(iter(event.state.tables[1].seats.values()))
    headers = {"HX-Request": "true"}
    answer = director.post(f"/tournaments/{event.pk}/tables/1/do/", {"verb": "bust", "out": out}, headers=headers)
    page = answer.content.decode()
    assert "<html" not in page
    assert f"Bust of {event.state.entrants[out].name}, 6th." in words(page)
    assert 'value="undo"' in page
    assert "order-done" in answer["HX-Trigger"]
    again = re.search(r'hx-get="([^"]*after=[^"]*)"', page).group(1)
    assert 'value="undo"' in director.get(again, headers=headers).content.decode()
    hands.count(entrant=event.state.in_play()[0].number, chips=2100, **told(event))
    assert 'value="undo"' not in director.get(again, headers=headers).content.decode()


def test_stacks_are_counted_several_at_once_and_none_if_one_cannot_be(event, dealer, browse):
    first, second, *_ = event.state.tables[1].seats.values()
    seq = event.row.seq
    wrong = {f"chips-{first}": "2400", f"chips-{second}": "99999"}
    assert "cannot have 99999" in tap(dealer, event, "counts", status=422, **wrong)
    assert event.row.seq == seq
    tap(dealer, event, "counts", command_id="count", **{f"chips-{first}": "2,400", f"chips-{second}": "1 600"})
    assert (event.state.entrants[first].stack, event.state.entrants[second].stack) == (2400, 1600)
    assert event.state.undo_label == "Count of table 1: 4,000 in 2 stacks"
    seats.undo(**told(event))
    assert (event.state.entrants[first].stack, event.state.entrants[second].stack) == (2000, 2000)
    assert "Write down" in tap(dealer, event, "counts", status=400)
    assert "Chips of" in tap(dealer, event, "counts", status=400, **{f"chips-{first}": "a lot"})
    seated = event.state.tables[1].seats.values()
    order(browse(event.director), event, "counts", table=1, **{f"chips-{number}": "2,000" for number in seated})
    assert event.state.undo_label == f"Count of table 1: {2000 * len(seated):,} in {len(seated)} stacks"


def test_a_stack_that_nobody_counted_does_not_look_counted(event, dealer, browse):
    first, *others = event.state.tables[1].seats.values()
    tap(dealer, event, "counts", **{f"chips-{first}": "2,400"})
    name, other = event.state.entrants[first].name, event.state.entrants[others[0]].name
    pages = [words(get(dealer, event, "tables/1/")), words(get(browse(event.director), event, "run/"))]
    pages += [words(get(browse(), event, part)) for part in ("players/", "results/")]
    pages.append(words(get(browse(), event, "?show=all")))
    for page in pages:
        assert re.search(rf"{name}\W.{{0,40}}2,400", page), page
        assert re.search(rf"{other}\W.{{0,40}}not counted", page), page
        assert not re.search(rf"{other}\W.{{0,20}}2,000", page), page
    assert re.search(rf"{name}\W.{{0,40}}2,400 {event.now:%H:%M}", pages[0]), "and counted when"
    assert "1 stack counted, 2,400 chips" in words(get(browse(event.director), event, "run/tables/1/"))
    rows = get(browse(), event, "export/results.csv").splitlines()
    assert [row.split(",")[5] for row in rows if other in row] == [""]


def test_who_has_come_and_whose_time_runs_is_said_at_the_tablet_and_hand_for_hand_waits_there(event, dealer):
    first, second, *_ = event.state.tables[1].seats.values()
    tap(dealer, event, "arrived", entrant=first)
    assert event.entry(first).arrived_at == event.now
    tap(dealer, event, "clock-on", entrant=second)
    assert second in event.state.called
    tap(dealer, event, "clock-off", entrant=second)
    tap(dealer, event, "all-here")
    assert event.entry(second).arrived_at == event.now
    assert "not seen yet" not in words(get(dealer, event, "tables/1/"))
    hands.hand_for_hand(on=True, **told(event))
    tap(dealer, event, "hand-done", out=next(iter(event.state.tables[1].seats.values())))
    assert "wait for table 2" in words(get(dealer, event, "tables/1/"))
    tap(dealer, event, "hand-done", status=422)
    assert event.state.left == 6
    tap(dealer, event, "hand-done", table=2)
    assert event.state.left == 5


def test_a_table_that_was_broken_says_where_to_go(event, dealer):
    bust(event, *list(event.state.tables[1].seats.values())[:2])
    seats.break_table(table=1, **told(event))
    assert "This table is broken" in words(get(dealer, event, "tables/1/"))
    get(dealer, event, "tables/9/", 404)


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


def test_every_kind_of_deal_is_shown_to_the_director_alone_and_nonsense_is_refused_in_words(three, browse, director):
    page = words(get(browse(three.director), three, "deal/?play_for=40"))
    says(page, "ICM By chips Even As agreed", "except 40 for the winner")
    assert "No deal is proposed" in words(get(browse(player(three, 1)), three, "deal/"))
    assert "No deal is proposed" in words(get(browse(), three, "deal/"))
    assert "whole number" in words(get(director, three, "deal/?play_for=much")).lower()
    deal(director, three, "propose", kind="fair", status=400)
    deal(director, three, "vote", is_yes="perhaps", status=400)
    deal(director, three, "dance", status=404)
    deal(director, three, "accept-all", status=404)
    deal(director, three, "propose", kind="icm", play_for="99999999", status=422)


def test_a_deal_that_everybody_accepts_is_made(three, director, browse):
    deal(director, three, "propose", kind="icm", play_for="40")
    for number in (1, 2, 3):
        voter = browse(player(three, number))
        assert "I accept" in words(get(voter, three, "deal/"))
        deal(voter, three, "vote", is_yes=1)
    assert three.state.deal.play_for == 40
    assert "The deal is made" in words(get(browse(), three, "deal/"))


def test_nobody_sees_how_anybody_voted(three, director, browse):
    deal(director, three, "propose", kind="chips")
    deal(browse(player(three, 2)), three, "vote", is_yes=0)
    assert "You have refused" in words(get(browse(player(three, 2)), three, "deal/"))
    for looker in (director, browse(player(three, 1)), browse()):
        page = words(get(looker, three, "deal/"))
        assert "1 of 3 have voted" in page
        assert "refused" not in page
    deal(browse(player(three, 1)), three, "vote", is_yes=1)
    deal(browse(player(three, 3)), three, "vote", is_yes=1)
    assert "No deal" in words(get(browse(), three, "deal/"))
    assert three.state.deal is None


def test_in_the_room_the_director_enters_what_was_said_to_him(three, director):
    deal(director, three, "propose", kind="even")
    deal(director, three, "vote", entrant=1, is_yes=1)
    deal(director, three, "accept-all")
    assert three.state.deal is not None


def test_a_deal_as_agreed_takes_the_amounts_that_were_typed(three, director):
    pool = sum(three.state.prizes()[:3])
    amounts = {"amounts-1": str(pool - 200), "amounts-2": "100", "amounts-3": "99"}
    said = deal(director, three, "propose", kind="custom", status=422, **amounts)
    assert str(pool) in said.replace(",", "")
    said = deal(director, three, "propose", kind="custom", status=400, **(amounts | {"amounts-3": ""}))
    assert "Enter the amount of each player" in said
    deal(director, three, "propose", kind="custom", **(amounts | {"amounts-3": "100"}))
    assert prize_queries.voting(tournament=three.row).amounts == {1: pool - 200, 2: 100, 3: 100}


def test_who_is_out_has_no_vote_and_the_director_alone_takes_a_proposal_back(three, browse, director):
    deal(browse(three.director), three, "propose", kind="even")
    assert "I accept" not in get(browse(player(three, 4)), three, "deal/")
    deal(browse(player(three, 4)), three, "vote", is_yes=1, status=403)
    deal(browse(player(three, 1)), three, "propose", kind="even", status=403)
    assert browse().post(f"/tournaments/{three.pk}/deal/do/", {"verb": "vote", "is_yes": 1}).status_code == 302
    deal(director, three, "propose", kind="icm", status=409)
    deal(browse(player(three, 1)), three, "withdraw", status=403)
    deal(director, three, "withdraw")
    assert DealProposal.objects.get().state == "withdrawn"
    assert "withdrawn" in words(get(browse(), three, "deal/"))
