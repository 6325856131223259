"""Deals: side by side, by a secret vote, made only when everybody has accepted."""

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound
from tests.support.events import Event, bust, order
from tests.support.parts.tournaments import confirming, deals, hands, payouts, prize_queries, undoing
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.engine.config import PayoutTerms
from tournaments.prizes.models import DealProposal, DealVote


def count_stacks(event, *chips):
    for number, stack in enumerate(chips, 1):
        hands.count(entrant=number, chips=stack, **order(event))


def votes(event, *numbers, is_yes=True):
    """These accept, or refuse; the proposal after the last of them."""
    return [deals.vote(is_yes=is_yes, entrant=number, **order(event)) for number in numbers][-1]


@world
def event():
    """Three of five left for prizes of 250, 150 and 100, with 5,000, 3,000 and 2,000 chips."""
    event = Event(payout=PayoutTerms(kind="amounts", amounts=(250, 150, 100))).started(5)
    bust(event, 5, 4)
    count_stacks(event, 5000, 3000, 2000)
    return event


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
    refused(Illegal, "Entry is still open", deals.propose, kind="even", **order(event))
    event = make_event(payout=PayoutTerms(places=2)).started(5)
    bust(event, 5, 4, 3)
    terms = prize_queries.terms(tournament=event.row)
    assert terms.note == "Count the stacks first: at table 1 not all were counted since the last one went out."
    assert (terms.to_count, terms.not_counted) == ((1,), (1, 2))
    assert {offer.kind: bool(offer.amounts) for offer in terms.offers} == {"icm": False, "chips": False, "even": True}
    refused(Illegal, "Count the stacks first", deals.propose, kind="icm", **order(event))
    hands.count(entrant=1, chips=8000, **order(event))
    assert prize_queries.terms(tournament=event.row).not_counted == (2,)
    hands.count_table(table=1, stacks=[(1, 8000), (2, 500)], **order(event))
    words = "The counts come to 8,500 and 10,000 chips are in play"
    refused(Illegal, words, deals.propose, kind="icm", **order(event))
    undoing.undo(**order(event))
    assert prize_queries.terms(tournament=event.row).not_counted == (2,), "one count is taken back as a whole"
    hands.count_table(table=1, stacks=[(1, 8000), (2, 2000)], **order(event))
    assert deals.propose(kind="icm", **order(event)).amounts


def test_a_count_from_before_somebody_went_out_is_too_old_for_a_deal(event):
    bust(event.wait(minutes=1), 3, eliminators=[1])
    assert prize_queries.terms(tournament=event.row).to_count == (1,)
    refused(Illegal, "since the last one went out", deals.propose, kind="chips", **order(event))
    hands.count_table(table=1, stacks=[(1, 7000), (2, 3000)], **order(event))
    assert prize_queries.terms(tournament=event.row).note == ""


def test_a_deal_is_made_when_the_last_one_accepts_and_play_goes_on_for_the_rest(event, audited):
    proposal = deals.propose(kind="chips", play_for=50, **order(event))
    votes(event, 1, is_yes=False)  # a vote can be changed
    assert (votes(event, 1, 2).state, event.state.deal) == ("open", None)
    assert (votes(event, 3).state, DealVote.objects.count()) == ("agreed", 3)
    made = event.state.deal
    amounts = dict(made.amounts)
    assert amounts == {int(number): money for number, money in proposal.amounts.items()}
    assert (made.deal, made.play_for) == ("chip", 50)
    assert event.state.locked is not None
    bust(event, 2, 1)
    payouts.pay(**order(event))
    assert [event.entry(number).prize for number in (1, 2, 3)] == [amounts[1], amounts[2], amounts[3] + 50]
    assert event.pool() == 0


def test_votes_stay_secret_until_the_last_and_a_count_asks_again(event):
    deals.propose(kind="even", **order(event))
    assert votes(event, 1, is_yes=False).state == votes(event, 2).state == "open"
    seen = prize_queries.voting(tournament=event.row, viewer=event.entry(2).player)
    assert (seen.state, seen.voted, seen.of, seen.mine, seen.may_vote) == ("open", 2, 3, True, True)
    assert prize_queries.voting(tournament=event.row).mine is None
    assert (votes(event, 3).state, event.state.deal) == ("refused", None)
    after = prize_queries.voting(tournament=event.row)
    assert (after.state, after.voted, after.may_vote) == ("refused", 3, False)
    assert deals.propose(kind="chips", **order(event)).state == "open"
    votes(event, 1)
    count_stacks(event, 4000, 4000, 2000)
    assert votes(event, 2).state == "open"
    seen = prize_queries.voting(tournament=event.row)
    assert (seen.amounts, seen.voted) == ({1: 180, 2: 180, 3: 140}, 1)


def test_a_deal_among_others_than_those_left_or_of_another_sum_is_refused(event):
    asked = order(event)
    two = {1: 300, 2: 200}
    refusal = refused(Illegal, "everybody who is left", deals.propose, kind="custom", amounts=two, **asked)
    assert refusal.code == "deal-players"
    refused(Illegal, "10 too much", deals.propose, kind="custom", amounts={1: 210, 2: 200, 3: 100}, **asked)
    refused(Illegal, "0 to 250", deals.propose, kind="even", play_for=251, **asked)
    refused(Invalid, deals.propose, kind="custom", **asked)
    assert not DealProposal.objects.exists()
    assert deals.propose(kind="custom", amounts={1: 200, 2: 200, 3: 100}, **asked).state == "open"


def test_a_bust_or_the_end_meanwhile_overtakes_the_proposal(event):
    deals.propose(kind="icm", **order(event))
    bust(event, 3)
    assert (votes(event, 1).state, event.state.deal) == ("stale", None)
    proposal = deals.propose(kind="even", **order(event))
    votes(event, 1)
    bust(event, 2)
    assert (event.row.state, prize_queries.voting(tournament=event.row).state) == ("finished", "open")
    refused(Forbidden, deals.vote, is_yes=True, entrant=9, **order(event, by=event.entry(2).player))
    assert deals.accept_all(**order(event)).state == "stale"
    proposal.refresh_from_db()
    assert (proposal.state, event.state.deal) == ("stale", None)


def test_one_deal_is_voted_on_at_a_time(event):
    first, again = (deals.propose(kind="icm", **order(event, key="d")) for _ in range(2))
    assert again.pk == first.pk
    refused(Conflict, "being voted on", deals.propose, kind="even", **order(event))
    assert deals.withdraw(**order(event)).state == "withdrawn"
    refused(NotFound, votes, event, 1)
    deals.propose(kind="icm", **order(event))
    assert deals.accept_all(**order(event)).state == "agreed"
    assert confirming.confirm(suggestion_key="finish", **order(event)).seq
    assert (event.row.state, [event.entry(number).place for number in (1, 2, 3)]) == ("finished", [1, 2, 3])


def test_in_the_room_players_are_asked_by_the_director(event):
    by_ana = order(event, by=event.entry(1).player)
    refused(Forbidden, deals.propose, kind="icm", **by_ana)
    deals.propose(kind="icm", **order(event))
    refused(Forbidden, deals.vote, is_yes=True, entrant=2, **by_ana)
    refused(Forbidden, deals.vote, is_yes=True, **order(event, by=event.entry(5).player))
    deals.vote(is_yes=True, **by_ana)
    assert prize_queries.voting(tournament=event.row).voted == 1
