"""How online events come to their end: hand for hand, deals, calling off, the last tables, bounties."""

import pytest

from cardroom.core.errors import Conflict
from tests.support.events import order, wallet
from tests.support.online import OnlineEvent, are_places
from tests.support.parts.event_rules import BountyTerms, Level, PayoutTerms, Structure
from tests.support.parts.tournaments import cancelling, deals
from tests.support.refusals import refused
from tournaments.directing import penalties
from tournaments.engine.commands import HandDone, HandForHand, Pause, Resume
from tournaments.engine.facts import FinalTableDrawn, HandFinished, HandOver, Moved, TableBroken


def test_an_event_of_bots_plays_itself_to_its_end(audited):
    event = OnlineEvent(8, seats=3, starting_stack=200).start()
    assert sorted(len(table.seats) for table in event.state.tables.values()) == [2, 3, 3]
    hands = 0
    for state in event.changes():
        if (done := len(event.facts(HandFinished))) > hands and not any(one.hand_id for one in event.tables.values()):
            sizes = [len(table.seats) for table in state.tables.values()]
            assert max(sizes) - min(sizes) < 2
        hands = done
    assert event.facts(Moved)
    places = [entrant.place for entrant in event.state.entrants.values()]
    assert (len(places), are_places(places)) == (8, True)
    # Two tables go into the final one, or three where many go out of the last hands at once.
    broken = [fact.table for fact in event.facts(TableBroken)]
    (final,) = event.facts(FinalTableDrawn)
    assert len(set(broken)) == len(broken) in (1, 2)
    assert final.table not in broken
    assert len(final.seats) <= 3
    assert (event.tables, event.seats, event.issued) == ({}, {}, 0)


def test_near_the_money_every_table_waits_for_the_last(audited):
    options = {"starting_stack": 200, "price": {"entry": {"pool": 100}}}
    event = OnlineEvent(6, seats=3, payout=PayoutTerms(places=5), **options).start()
    event.play_on(lambda event: event.row.is_hand_for_hand)
    while event.row.is_hand_for_hand and event.row.is_live:
        done = [number for number, table in event.state.tables.items() if table.hand_done]
        assert all(event.tables[number].hand_id is None for number in done)
        assert event.ring()
    assert event.facts(HandOver)


def test_players_held_in_hand_for_hand_get_up_when_it_is_turned_off():
    event = OnlineEvent(8, seats=4, payout=PayoutTerms(places=2), price={"entry": {"pool": 100}}).start()
    event.play(Pause())
    event.play(HandForHand(True))
    winner, loser, *_ = event.state.tables[1].seats.values()
    event.play(HandDone(1, ((loser, 400),), (winner,), ((winner, 800), (loser, 0))))
    assert loser in event.state.held
    event.play(HandForHand(False))
    assert not event.state.entrants[loser].is_in
    assert event.seats == {one.player: (one.table, one.seat) for one in event.state.in_play()}


def by_hands(many):
    """Levels of so many hands."""
    return Structure(tuple(Level(hands=many, ante=n, bring_in=n, small_bet=40, big_bet=80) for n in (1, 2, 3)))


def test_two_who_sit_alone_at_two_tables_come_together_though_entry_is_open():
    event = OnlineEvent(4, seats=2, structure=by_hands(9), starting_stack=100, late_level=3).start()
    event.play_on(lambda event: event.facts(TableBroken))


def test_a_deal_that_comes_to_nothing_lets_play_go_on_where_levels_count_hands():
    event = OnlineEvent(4, structure=by_hands(2), starting_stack=8000, price={"entry": {"pool": 100}}).start()
    event.play_on(lambda event: event.tables[1].hand_id)
    deals.propose(kind="even", **order(event))
    event.play_on(lambda event: not event.tables[1].hand_id and not event.tables[1].wake_at)
    assert (event.row.state, event.state.clock.hands) == ("paused", 1)
    deals.withdraw(**order(event))
    assert event.row.state == "running"
    event.play_on(lambda event: event.tables[1].hand_id)


def test_an_event_called_off_in_mid_hand_closes_its_tables_after_the_hands(audited):
    event = OnlineEvent(6, people=1, seats=4, price={"entry": {"pool": 100}}).start()
    event.play_on(lambda event: any(table.hand_id for table in event.tables.values()))
    cancelling.cancel(reason="the roof leaks", **order(event))
    assert wallet(event.people[0]) == 1000
    event.play_on(lambda event: not event.tables)
    assert (event.seats, event.issued) == ({}, 0)


def test_chips_of_disqualified_players_leave_play_between_hands_only(audited):
    event = OnlineEvent(6, seats=8, starting_stack=40_000, options={"pause_seconds": 10}).start()
    rude = order(event, entrant=1, reason="was rude")
    event.play_on(lambda event: event.tables[1].hand_id)
    refused(Conflict, penalties.disqualify, **rude | {"now": event.now})
    event.play_on(lambda event: not event.tables[1].hand_id)
    refused(Conflict, "is being counted", penalties.disqualify, **rude | {"now": event.now})
    event.play_on(lambda event: event.tables[1].hand_id)
    event.play(Pause())
    event.play_on(lambda event: event.tables[1].hand_id is None and not event.tables[1].wake_at)
    penalties.disqualify(**rude | {"now": event.now})
    event.check()
    event.play(Resume())
    event.play_on(lambda event: event.tables[1].hand_id)
    event.check()


@pytest.mark.parametrize(("kind", "entrants", "seats", "rounds"), [("shootout", 6, 3, 2), ("bracket", 5, 2, 3)])
def test_in_a_shootout_the_winners_of_tables_sit_down_anew(kind, entrants, seats, rounds, audited):
    bounty = {"price": {"entry": {"pool": 50, "bounty": 50}}, "bounty": BountyTerms("progressive", 50)}
    event = OnlineEvent(entrants, seats=seats, format=kind, starting_stack=100, **bounty).start()
    assert all(event.changes())
    assert (event.state.round, event.issued) == (rounds, 0)
    assert sum(one.bounties_won for one in event.state.entrants.values()) == entrants * 50
