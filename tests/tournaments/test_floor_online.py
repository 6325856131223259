"""The floor of an online event: the same verbs, done at its tables between hands; deals that those left vote on."""

import pytest

from cardroom.core.errors import Conflict, Forbidden, Illegal
from tests.support.events import order
from tests.support.models import Alarm, Notice, Seat
from tests.support.online import OnlineEvent
from tests.support.parts.tournaments import deals, event_journal, payouts, prize_models, prize_queries
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.directing import hands, seats
from tournaments.engine.config import PayoutTerms
from tournaments.tasks import look_at_deal, pay_prizes


def held(event):
    """Played on until no hand is on and every table is held."""
    return event.play_on(lambda event: all(not table.hand_id and not table.wake_at for table in event.tables.values()))


def test_a_player_is_moved_between_hands_and_not_out_of_one(audited):
    event = OnlineEvent(5, people=1, seats=4, starting_stack=4000).start()
    event.play_on(lambda event: all(table.hand_id for table in event.tables.values()))
    sizes = {number: len(table.seats) for number, table in event.state.tables.items()}
    assert sorted(sizes.values()) == [3, 3]
    mover = next(iter(event.state.tables[1].seats.values()))
    with pytest.raises(Conflict, match="wait for its end"):
        seats.move(entrant=mover, table=2, reason="A dispute", **order(event))
    assert event.state.entrants[mover].table == 1
    hands.pause(**order(event))
    held(event)
    mover = next(iter(event.state.tables[1].seats.values()))
    seats.move(entrant=mover, table=2, reason="A dispute", **order(event))
    event.check()
    assert event.seats[event.state.entrants[mover].player] == (2, event.state.entrants[mover].seat)
    hands.resume(**order(event))
    event.play_on(lambda event: all(table.hand_id for table in event.tables.values()))


def test_what_the_tables_say_themselves_nobody_enters():
    event = OnlineEvent(4, seats=4).start()
    for verb, about in (
        (hands.bust, {"busts": [(1, None)]}),
        (hands.count, {"entrant": 1, "chips": 5}),
        (hands.hand_done, {"table": 1}),
        (seats.open_table, {}),
        (hands.clock_on, {"entrant": 1}),
    ):
        with pytest.raises(Illegal) as refusal:
            verb(**about, **order(event))
        assert refusal.value.code == "online-tables"


def test_a_penalty_is_served_by_the_seat_and_not_undone():
    event = OnlineEvent(3, people=1, seats=4).start()
    hands.penalise(entrant=1, kind="hands", count=3, reason="Abusive in the chat", **order(event))
    player = event.state.entrants[1].player
    assert Seat.objects.get(player=player).misses_hands == 3
    assert "you miss 3 hands. Abusive in the chat" in Notice.objects.get(player=player, kind="penalised").text
    refused(Illegal, "serves the penalty already", lambda: seats.undo(**order(event)))
    assert event.state.entrants[1].missing == 3


def test_a_director_is_not_stopped_by_hands_that_were_played_meanwhile():
    event = OnlineEvent(4, seats=4, starting_stack=4000).start()
    seen = event.row.seq
    event.play_on(lambda event: event.row.seq > seen)
    hands.penalise(entrant=1, kind="warning", reason="Slow", **order(event, expected_seq=seen))
    assert event.state.entrants[1].penalties


def _finalists(people=2, bots=1):
    """An event of this many people and bots at one table, entry closed, with prizes for three."""
    options = {"payout": PayoutTerms(places=3), "price": {"entry": {"pool": 100}}, "starting_stack": 2000}
    return OnlineEvent(bots, people=people, seats=8, **options).start()


@world
def event():
    return _finalists()


def test_a_deal_stops_the_event_bots_take_it_and_the_last_vote_ends_the_event(event, audited):
    ana, ben = event.people
    event.play_on(lambda event: any(table.hand_id for table in event.tables.values()))
    proposal = deals.propose(kind="icm", **order(event, by=ana))
    assert event.row.state == "paused"
    asked = Notice.objects.filter(kind="deal", data__proposal=proposal.pk).values_list("player", flat=True)
    assert sorted(asked) == sorted([ana.pk, ben.pk])
    refused(Illegal, "vote when they are over", lambda: deals.vote(is_yes=True, **order(event, by=ana)))
    held(event)
    with pytest.raises(Forbidden, match="vote for themselves"):
        deals.vote(is_yes=True, entrant=event.number(ana), **order(event))
    deals.vote(is_yes=True, **order(event, by=ana))
    assert (prize_queries.voting(tournament=event.row).voted, event.state.deal) == (2, None)
    assert deals.vote(is_yes=True, **order(event, by=ben)).state == "agreed"
    state = event.state
    assert (state.phase, event.tables, event.issued) == ("finished", {}, 0)
    stacks = {
        int(number): chips for number, chips in prize_models.DealProposal.objects.get(pk=proposal.pk).stacks.items()
    }
    assert sum(stacks.values()) == 6_000
    assert {number: state.entrants[number].prize for number in stacks} == dict(state.deal.amounts)
    alarm = Alarm.objects.get(kind=payouts.ALARM)
    pay_prizes(alarm.kind, alarm.key, alarm.fence)
    assert event.pool() == 0


def test_a_refused_deal_lets_the_event_go_on(event):
    ana, ben = event.people
    deals.propose(kind="even", play_for=50, **order(event))
    held(event)
    deals.vote(is_yes=False, **order(event, by=ana))
    assert (event.row.state, deals.vote(is_yes=True, **order(event, by=ben)).state) == ("paused", "refused")
    assert event.row.state == "running"
    assert event_journal.authors(event.pk, after=event.row.seq - 1) == {event.row.seq: None}, (
        "nobody's vote was the last"
    )
    event.play_on(lambda event: event.tables[1].hand_id)


def test_players_cannot_stop_the_event_with_one_proposal_after_the_other(event):
    ana = event.people[0]
    deals.propose(kind="even", **order(event, by=ana))
    deals.withdraw(**order(event, by=ana))
    refused(Illegal, "10 minutes", lambda: deals.propose(kind="even", **order(event, by=ana)))
    assert deals.propose(kind="even", **order(event)).state == "open"
    many = OnlineEvent(9, people=1, seats=8, price={"entry": {"pool": 100}}).start()
    refused(Illegal, "at the last table", lambda: deals.propose(kind="even", **order(many, by=many.people[0])))
    assert many.row.state == "running"


def test_money_left_to_play_for_is_played_for(event):
    deals.propose(kind="chips", play_for=60, **order(event))
    held(event)
    for player in event.people:
        deals.vote(is_yes=True, **order(event, by=player))
    assert (event.row.state, event.state.deal.play_for) == ("running", 60)


def test_who_does_not_vote_in_time_has_not_accepted(event):
    proposal = deals.propose(kind="even", **order(event))
    held(event)
    deals.vote(is_yes=True, **order(event, by=event.people[0]))
    event.wait(minutes=1)
    assert deals.look_at(proposal_id=proposal.pk, now=event.now)
    assert prize_queries.voting(tournament=event.row).state == "open"
    event.wait(minutes=3)
    assert deals.look_at(proposal_id=proposal.pk, now=event.now)
    assert (prize_queries.voting(tournament=event.row).state, event.row.state) == ("refused", "running")
    assert not Alarm.objects.filter(kind=deals.ALARM).exists()
    look_at_deal(deals.ALARM, str(proposal.pk), 0)
    assert event.state.deal is None


def test_bots_among_themselves_are_agreed_once_their_hands_are_over(audited):
    event = _finalists(people=0, bots=3)
    event.play_on(lambda event: any(table.hand_id for table in event.tables.values()))
    proposal = deals.propose(kind="chips", **order(event))
    held(event)
    deals.look_at(proposal_id=proposal.pk, now=event.now)
    assert (event.state.deal is not None, event.row.state, event.tables) == (True, "finished", {})
