"""The floor of an online event: the same verbs, done at its tables between hands; deals that those left vote on."""

from django.test import Client

from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid
from tests.support.events import order
from tests.support.models import Alarm, Notice, Seat
from tests.support.online import OnlineEvent
from tests.support.parts.tournaments import deals, event_journal, payouts, prize_queries, undoing
from tests.support.refusals import refused
from tests.support.worlds import world
from tournaments.directing import event_clock, hands, penalties, seats
from tournaments.engine.config import PayoutTerms
from tournaments.tasks import look_at_deal, pay_prizes


def play_until_held(event):
    """Played on until no hand is on and every table is held."""
    return event.play_on(lambda event: all(not table.hand_id and not table.wake_at for table in event.tables.values()))


def dealt(event):
    """Played on until a hand is on at every table."""
    return event.play_on(lambda event: all(table.hand_id for table in event.tables.values()))


def vote(event, player, *, is_yes=True):
    return deals.vote(is_yes=is_yes, **order(event, by=player))


def test_levels_the_rulebook_cannot_play_online_are_refused():
    event = OnlineEvent(5, people=1, seats=4).start()
    level = {"kind": "level", "minutes": 20, "ante": 200, "small_bet": 900, "big_bet": 1800}
    sent = {"from_level": len(event.state.structure.levels) - 1, **order(event)}
    refused(Invalid, "plays no game without a bring-in", event_clock.edit_levels, levels=[level], **sent)
    event_clock.edit_levels(levels=[level | {"bring_in": 300}], **sent)


def test_a_player_is_moved_between_hands_and_not_out_of_one(audited):
    event = dealt(OnlineEvent(5, people=1, seats=4, starting_stack=4000).start())
    page = Client().get(f"/tournaments/{event.pk}/?tab=tables").content.decode()
    assert all(f'href="/tables/{table.pk}/"' in page for table in event.tables.values()), "who looks on gets there"
    assert sorted(len(table.seats) for table in event.state.tables.values()) == [3, 3]
    mover = next(iter(event.state.tables[1].seats.values()))
    to_two = {"table": 2, "reason": "A dispute"}
    refused(Conflict, "wait for its end", seats.move, entrant=mover, **to_two, **order(event))
    assert event.state.entrants[mover].table == 1
    event_clock.pause(**order(event))
    play_until_held(event)
    mover = next(iter(event.state.tables[1].seats.values()))
    seats.move(entrant=mover, **to_two, **order(event))
    event.check()
    moved = event.state.entrants[mover]
    assert event.seats[moved.player] == (2, moved.seat)
    event_clock.resume(**order(event))
    dealt(event)


def test_two_players_online_swap_seats_and_stacks_between_hands(audited):
    event = dealt(OnlineEvent(8, people=0, seats=4, starting_stack=4000).start())
    one, other = (next(iter(event.state.tables[number].seats.values())) for number in (1, 2))
    refused(Conflict, "wait for its end", seats.swap, entrant=one, other=other, **order(event))
    event_clock.pause(**order(event))
    play_until_held(event)
    assert all(len(table.seats) == 4 for table in event.state.tables.values()), "every table is full"
    before = {
        number: (event.state.entrants[number].table, event.state.entrants[number].seat) for number in (one, other)
    }
    stacks = {number: event.state.entrants[number].stack for number in (one, other)}
    seats.swap(entrant=one, other=other, **order(event))
    event.check()
    players = {number: event.state.entrants[number].player for number in (one, other)}
    assert (event.seats[players[one]], event.seats[players[other]]) == (before[other], before[one])
    assert {number: event.state.entrants[number].stack for number in (one, other)} == stacks
    event_clock.resume(**order(event))
    dealt(event)


def test_directors_do_not_enter_what_online_tables_report():
    event = OnlineEvent(3, people=1, seats=4, starting_stack=4000).start()
    for verb, about in (
        (hands.bust, {"busts": [(1, None)]}),
        (hands.count, {"entrant": 1, "chips": 5}),
        (hands.hand_done, {"table": 1}),
        (seats.open_table, {}),
        (penalties.clock_on, {"entrant": 1}),
    ):
        assert refused(Illegal, verb, **about, **order(event)).code == "online-tables"
    penalties.penalise(entrant=1, kind="hands", count=3, reason="Abusive in the chat", **order(event))
    player = event.state.entrants[1].player
    assert Seat.objects.get(player=player).misses_hands == 3
    assert "you miss 3 hands. Abusive in the chat" in Notice.objects.get(player=player, kind="penalised").text
    refused(Illegal, "serves the penalty already", undoing.undo, **order(event))
    assert event.state.entrants[1].missing == 3
    seen = event.row.seq
    event.play_on(lambda event: event.row.seq > seen)
    penalties.penalise(entrant=2, kind="warning", reason="Slow", **order(event, expected_seq=seen))
    assert event.state.entrants[2].penalties, "hands that were played meanwhile stop no director"


def _finalists(people=2, bots=1):
    """An event of this many people and bots at one table, entry closed, with prizes for three."""
    options = {"payout": PayoutTerms(places=3), "price": {"entry": {"pool": 100}}, "starting_stack": 2000}
    return OnlineEvent(bots, people=people, seats=8, **options).start()


@world
def event():
    return _finalists()


def test_a_deal_stops_the_event_bots_take_it_and_the_last_vote_ends_the_event(event, audited):
    ana, ben = dealt(event).people
    proposal = deals.propose(kind="icm", **order(event, by=ana))
    assert event.row.state == "paused"
    asked = Notice.objects.filter(kind="deal", data__proposal=proposal.pk).values_list("player", flat=True)
    assert sorted(asked) == sorted([ana.pk, ben.pk])
    refused(Illegal, "vote when they are over", vote, event, ana)
    play_until_held(event)
    refused(Forbidden, "vote for themselves", deals.vote, is_yes=True, entrant=event.number(ana), **order(event))
    vote(event, ana)
    assert (prize_queries.voting(tournament=event.row).voted, event.state.deal) == (2, None)
    assert vote(event, ben).state == "agreed"
    state = event.state
    assert (state.phase, event.tables, event.issued) == ("finished", {}, 0)
    proposal.refresh_from_db()
    stacks = {int(number): chips for number, chips in proposal.stacks.items()}
    assert sum(stacks.values()) == 6_000
    assert {number: state.entrants[number].prize for number in stacks} == dict(state.deal.amounts)
    alarm = Alarm.objects.get(kind=payouts.ALARM)
    pay_prizes(alarm.kind, alarm.key, alarm.fence)
    assert event.pool() == 0


def test_players_cannot_stop_an_event_with_one_deal_after_another(event):
    ana, ben = event.people
    by_ana = order(event, by=ana)
    deals.propose(kind="even", **by_ana)
    deals.withdraw(**by_ana)
    refused(Illegal, "10 minutes", deals.propose, kind="even", **by_ana)
    assert deals.propose(kind="even", play_for=50, **order(event)).state == "open"
    vote(play_until_held(event), ana, is_yes=False)
    assert (event.row.state, vote(event, ben).state, event.row.state) == ("paused", "refused", "running")
    authors = event_journal.authors(event.pk, after=event.row.seq - 1)
    assert authors == {event.row.seq: None}, "nobody's vote was the last"
    dealt(event)
    many = OnlineEvent(9, people=1, seats=8, price={"entry": {"pool": 100}}).start()
    refused(Illegal, "at the last table", deals.propose, kind="even", **order(many, by=many.people[0]))
    assert many.row.state == "running"


def test_money_left_to_play_for_is_played_for(event):
    deals.propose(kind="chips", play_for=60, **order(event))
    play_until_held(event)
    for player in event.people:
        vote(event, player)
    assert (event.row.state, event.state.deal.play_for) == ("running", 60)


def test_who_does_not_vote_in_time_has_not_accepted(event):
    proposal = deals.propose(kind="even", **order(event))
    vote(play_until_held(event), event.people[0])
    for minutes, states in ((1, ("open", "paused")), (3, ("refused", "running"))):
        event.wait(minutes=minutes)
        assert deals.look_at(proposal_id=proposal.pk, now=event.now)
        assert (prize_queries.voting(tournament=event.row).state, event.row.state) == states
    assert not Alarm.objects.filter(kind=deals.ALARM).exists()
    look_at_deal(deals.ALARM, str(proposal.pk), 0)
    assert event.state.deal is None


def test_bots_among_themselves_are_agreed_once_their_hands_are_over(audited):
    event = dealt(_finalists(people=0, bots=3))
    proposal = deals.propose(kind="chips", **order(event))
    play_until_held(event)
    deals.look_at(proposal_id=proposal.pk, now=event.now)
    assert (event.state.deal is not None, event.row.state, event.tables) == (True, "finished", {})
