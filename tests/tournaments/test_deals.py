"""Deals: side by side, by a secret vote, made only when everybody has accepted."""

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound
from tests.support.events import Event, bust, order
from tests.support.parts.tournaments import deals, hands, payouts, prize_queries, seats
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.engine.config import PayoutTerms
from tournaments.prizes.models import DealProposal, DealVote


def counted(event, **stacks):
    for number, chips in zip((1, 2, 3), stacks["chips"], strict=True):
        hands.count(entrant=number, chips=chips, **order(event))


@world
def event():
    """Three of five left for prizes of 250, 150 and 100, with 5,000, 3,000 and 2,000 chips."""
    terms = PayoutTerms(kind="amounts", amounts=(250, 150, 100))
    event = Event(payout=terms).started(5)
    bust(event, 5, 4)
    counted(event, chips=(5000, 3000, 2000))
    return event


def left(event):
    return [event.entry(number).player for number in (1, 2, 3)]


def test_the_kinds_are_shown_side_by_side_and_each_sums_to_what_is_left(event):
    terms = prize_queries.terms(tournament=event.row)
    assert (terms.prizes, terms.note) == ((250, 150, 100), "")
    assert {offer.kind: tuple(offer.amounts.values()) for offer in terms.offers} == {
        "icm": (192, 164, 144), "chips": (200, 160, 140), "even": (167, 167, 166),
    }  # fmt: skip
    kept = prize_queries.terms(tournament=event.row, play_for=50)
    assert {sum(offer.amounts.values()) for offer in kept.offers} == {450}


def test_a_deal_needs_entry_closed_and_a_formula_counted_stacks_in_the_room(make_event):
    event = make_event(late_level=2).started(3)
    refused(Illegal, "Entry is still open", lambda: deals.propose(kind="even", **order(event)))
    event = make_event(payout=PayoutTerms(places=2)).started(5)
    bust(event, 5, 4, 3)
    terms = prize_queries.terms(tournament=event.row)
    assert terms.note == "Count the stacks first: at table 1 not all were counted since the last one went out."
    assert (terms.to_count, terms.not_counted) == ((1,), (1, 2))
    assert [(offer.kind, bool(offer.amounts)) for offer in terms.offers] == [
        ("icm", False), ("chips", False), ("even", True),
    ]  # fmt: skip
    refused(Illegal, "Count the stacks first", lambda: deals.propose(kind="icm", **order(event)))
    hands.count(entrant=1, chips=8000, **order(event))
    assert prize_queries.terms(tournament=event.row).not_counted == (2,)
    hands.count_table(table=1, stacks=[(1, 8000), (2, 500)], **order(event))
    with pytest.raises(Illegal, match="The counts come to 8,500 and 10,000 chips are in play"):
        deals.propose(kind="icm", **order(event))
    seats.undo(**order(event))
    assert prize_queries.terms(tournament=event.row).not_counted == (2,), "one count is taken back as a whole"
    hands.count_table(table=1, stacks=[(1, 8000), (2, 2000)], **order(event))
    assert deals.propose(kind="icm", **order(event)).amounts


def test_a_count_from_before_somebody_went_out_is_too_old_for_a_deal(event):
    hands.bust(busts=[(3, None)], eliminators=[1], **order(event.wait(minutes=1)))
    assert prize_queries.terms(tournament=event.row).to_count == (1,)
    refused(Illegal, "since the last one went out", lambda: deals.propose(kind="chips", **order(event)))
    hands.count_table(table=1, stacks=[(1, 7000), (2, 3000)], **order(event))
    assert prize_queries.terms(tournament=event.row).note == ""


def test_a_deal_is_made_when_the_last_one_accepts_and_play_goes_on_for_the_rest(event, audited):
    proposal = deals.propose(kind="chips", play_for=50, **order(event))
    deals.vote(is_yes=False, entrant=1, **order(event))  # a vote can be changed
    for number in (1, 2):
        assert (deals.vote(is_yes=True, entrant=number, **order(event)).state, event.state.deal) == ("open", None)
    assert (deals.vote(is_yes=True, entrant=3, **order(event)).state, DealVote.objects.count()) == ("agreed", 3)
    made = event.state.deal
    assert (made.deal, dict(made.amounts), made.play_for) == (
        "chip", {int(n): money for n, money in proposal.amounts.items()}, 50,
    )  # fmt: skip
    assert event.state.locked is not None
    bust(event, 2, 1)
    payouts.pay(**order(event))
    prizes = {number: event.entry(number).prize for number in (1, 2, 3)}
    assert prizes == {n: dict(made.amounts)[n] + (50 if n == 3 else 0) for n in (1, 2, 3)}
    assert event.pool() == 0


def test_who_refused_is_not_told_and_nothing_is_known_before_the_last_vote(event):
    deals.propose(kind="even", **order(event))
    assert deals.vote(is_yes=False, entrant=1, **order(event)).state == "open"
    assert deals.vote(is_yes=True, entrant=2, **order(event)).state == "open"
    seen = prize_queries.voting(tournament=event.row, viewer=left(event)[1])
    assert (seen.state, seen.voted, seen.of, seen.mine, seen.may_vote) == ("open", 2, 3, True, True)
    assert prize_queries.voting(tournament=event.row).mine is None
    assert (deals.vote(is_yes=True, entrant=3, **order(event)).state, event.state.deal) == ("refused", None)
    after = prize_queries.voting(tournament=event.row)
    assert (after.state, after.voted, after.may_vote) == ("refused", 3, False)
    assert deals.propose(kind="icm", **order(event)).state == "open"


def test_the_whole_table_says_yes_at_once(event):
    deals.propose(kind="icm", **order(event))
    assert deals.accept_all(**order(event)).state == "agreed"
    assert seats.confirm(key="finish", **order(event)).seq
    assert (event.row.state, [event.entry(number).place for number in (1, 2, 3)]) == ("finished", [1, 2, 3])


def test_a_deal_among_others_than_those_left_or_of_another_sum_is_refused(event):
    with pytest.raises(Illegal, match="everybody who is left") as refusal:
        deals.propose(kind="custom", amounts={1: 300, 2: 200}, **order(event))
    assert refusal.value.code == "deal-players"
    with pytest.raises(Illegal, match="10 too much"):
        deals.propose(kind="custom", amounts={1: 210, 2: 200, 3: 100}, **order(event))
    refused(Illegal, "0 to 250", lambda: deals.propose(kind="even", play_for=251, **order(event)))
    refused(Invalid, lambda: deals.propose(kind="custom", **order(event)))
    assert not DealProposal.objects.exists()
    assert deals.propose(kind="custom", amounts={1: 200, 2: 200, 3: 100}, **order(event)).state == "open"


def test_a_bust_meanwhile_overtakes_the_proposal(event):
    deals.propose(kind="icm", **order(event))
    bust(event, 3)
    assert (deals.vote(is_yes=True, entrant=1, **order(event)).state, event.state.deal) == ("stale", None)


def test_a_count_meanwhile_changes_a_formula_and_asks_everybody_again(event):
    deals.propose(kind="chips", **order(event))
    deals.vote(is_yes=True, entrant=1, **order(event))
    counted(event, chips=(4000, 4000, 2000))
    assert deals.vote(is_yes=True, entrant=2, **order(event)).state == "open"
    seen = prize_queries.voting(tournament=event.row)
    assert (seen.amounts, seen.voted) == ({1: 180, 2: 180, 3: 140}, 1)


def test_only_one_deal_is_voted_on_at_a_time_and_it_can_be_withdrawn(event):
    first = deals.propose(kind="icm", **order(event, command_id="d"))
    assert deals.propose(kind="icm", **order(event, command_id="d")).pk == first.pk
    refused(Conflict, "being voted on", lambda: deals.propose(kind="even", **order(event)))
    assert deals.withdraw(**order(event)).state == "withdrawn"
    refused(NotFound, lambda: deals.vote(is_yes=True, entrant=1, **order(event)))


def test_in_the_room_players_are_asked_by_the_director(event):
    ana = left(event)[0]
    refused(Forbidden, lambda: deals.propose(kind="icm", **order(event, by=ana)))
    deals.propose(kind="icm", **order(event))
    refused(Forbidden, lambda: deals.vote(is_yes=True, entrant=2, **order(event, by=ana)))
    refused(Forbidden, lambda: deals.vote(is_yes=True, **order(event, by=event.entry(5).player)))
    deals.vote(is_yes=True, **order(event, by=ana))
    assert prize_queries.voting(tournament=event.row).voted == 1


def test_an_event_that_is_over_overtakes_the_proposal(event):
    proposal = deals.propose(kind="even", **order(event))
    deals.vote(is_yes=True, entrant=1, **order(event))
    bust(event, 3, 2)
    assert (event.row.state, prize_queries.voting(tournament=event.row).state) == ("finished", "open")
    refused(Forbidden, lambda: deals.vote(is_yes=True, entrant=9, **order(event, by=event.entry(2).player)))
    assert deals.accept_all(**order(event)).state == "stale"
    proposal.refresh_from_db()
    assert (proposal.state, event.state.deal) == ("stale", None)
