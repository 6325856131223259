"""Chips bought in an online event: after the last ones are gone, during a hand, in the break, by oneself or at once."""

from datetime import timedelta

import pytest

from tests.support.events import order, wallet
from tests.support.online import OnlineEvent
from tests.support.parts.cardroom import Forbidden, Illegal, NotEnoughChips, bans, limits
from tests.support.parts.event_rules import (
    AddedOn,
    AddOnTerms,
    Busted,
    HandFinished,
    Level,
    Rebought,
    RebuyTerms,
    Structure,
)
from tests.support.parts.tournaments import automatic_rebuys, buying, event_clock
from tests.support.refusals import refused

#: Half a stack goes with every ante: a player who is away has nothing left after two hands.
DEAR = Level(minutes=30, ante=50, bring_in=50, small_bet=50, big_bet=100)
PRICE = {"entry": {"pool": 90, "fee": 10}, "rebuy": {"pool": 50}, "add_on": {"pool": 30}}


def dear(**options):
    """Ann, who is away, and two bots."""
    given = {"structure": Structure((DEAR,)), "starting_stack": 100, "price": PRICE, "act_seconds": 1}
    given |= {"rebuy": RebuyTerms(500, most=2), "time_bank_seconds": 0, "people": 1}
    event = OnlineEvent(2, **given | options)
    event.ann = event.people[0] if event.people else None
    return event


def ann_of(event):
    return event.state.entrants[event.number(event.ann)]


def by_ann(event):
    return {"tournament_id": event.pk, "by": event.ann, "player": event.ann, "now": event.now}


def until_ann_waits(event):
    return event.play_on(lambda event: ann_of(event).is_in and not ann_of(event).stack)


def test_a_player_without_chips_has_a_while_to_buy_again_and_the_table_waits():
    event = until_ann_waits(dear().start())
    (table,) = event.tables.values()
    assert (table.hand, table.wake_at - event.now) == (None, timedelta(seconds=20))
    event.wait(seconds=5)
    buying.rebuy(**by_ann(event))
    event.check()
    assert (event.chips()[event.ann.pk], wallet(event.ann)) == (500, 1000 - 100 - 50)
    played = len(event.facts(HandFinished))
    event.play_on(lambda event: len(event.facts(HandFinished)) > played)
    assert event.now - table.wake_at < timedelta(seconds=20), "nobody waits any longer"
    assert event.number(event.ann) in dict(event.facts(HandFinished)[played].stacks)
    assert not event.facts(Busted) or event.number(event.ann) not in dict(event.facts(Busted)[0].busts)


def test_who_asked_for_it_has_chips_again_at_once_as_often_as_there_are(audited):
    event = dear(rebuy=RebuyTerms(100, most=2))
    automatic_rebuys.set_automatic(tournament_id=event.pk, player=event.ann, on=True, now=event.now)
    event.start().play_on(lambda event: not ann_of(event).is_in or event.row.is_over)
    bought = [fact for fact in event.facts(Rebought) if fact.entrant == event.number(event.ann)]
    assert wallet(event.ann) == 900 - 50 * len(bought)
    assert len(bought) == 2 or ann_of(event).is_in or ann_of(event).place == 1


def test_a_player_of_an_event_with_rebuys_asks_for_it_on_its_page_or_by_the_api(client):
    event = dear()
    client.force_login(event.ann)
    flyer = f"/tournaments/{event.pk}/"
    assert "Turn on automatic rebuy" in client.get(flyer).content.decode()
    assert client.post(f"{flyer}automatic-rebuy/", {"on": "1"}).status_code == 302
    assert automatic_rebuys.automatic_buyers(event.row) == {event.ann.pk}
    assert "Turn off" in client.get(flyer).content.decode()
    address = f"/api/v1/tournaments/{event.pk}/entries/{event.number(event.ann)}/automatic-rebuy"
    answer = client.post(address, {"on": False}, content_type="application/json")
    assert (answer.status_code, answer.json(), automatic_rebuys.automatic_buyers(event.row)) == (
        200,
        {"on": False},
        set(),
    )
    asked = {"player": event.ann, "on": True, "now": event.now}
    refused(
        Illegal,
        "not in this tournament",
        automatic_rebuys.set_automatic,
        tournament_id=event.pk,
        **asked | {"player": event.director},
    )
    other = dear(rebuy=None)
    refused(
        Illegal,
        "without rebuys",
        automatic_rebuys.set_automatic,
        tournament_id=other.pk,
        **asked | {"player": other.ann},
    )


@pytest.mark.parametrize("why", ["too little in the wallet", "banned", "a limit of their own", "too late"])
def test_a_player_without_a_right_to_buy_buys_nothing_and_is_out(why, audited):
    event = dear(people=0)
    event.ann = event.enter(event.player(chips=120 if "wallet" in why else 1000)).player
    before, expected = wallet(event.ann), (NotEnoughChips, "holds 20 and this takes 50")
    automatic_rebuys.set_automatic(tournament_id=event.pk, player=event.ann, on=why != "too late", now=event.now)
    if why == "banned":
        expected = (Forbidden, "excluded")
        bans.exclude_oneself(by=event.ann, where="online", until=None, now=event.now)
    elif "limit" in why:
        expected = (Illegal, "49 of it are left")
        limits.request_limit(by=event.ann, kind="loss-day", amount=149, now=event.now)
    with_ann = len(until_ann_waits(event.start()).seats)
    if why == "too late":
        expected = (Illegal, "not in play|is finished")
        event.ring()
    refused(*expected, buying.rebuy, **by_ann(event))
    event.ring()
    assert (wallet(event.ann), event.facts(Rebought), ann_of(event).is_in) == (before, [], False)
    assert event.ann.pk not in event.seats or event.row.is_over
    assert len(event.seats) < with_ann


def test_house_bots_buy_as_often_as_the_event_says_at_the_houses_expense(audited):
    terms = {"structure": Structure((DEAR,)), "starting_stack": 100, "price": PRICE, "rebuy": RebuyTerms(100, most=3)}
    event = OnlineEvent(4, **terms, options={"bots_rebuy": 1}).start()
    assert all(event.changes())
    assert {one.rebuys for one in event.state.entrants.values()} <= {0, 1}
    assert sum(one.rebuys for one in event.state.entrants.values()) >= 3
    assert event.row.pool == 4 * 90 + 50 * len(event.facts(Rebought))


def test_chips_bought_during_a_hand_are_on_the_table_after_it():
    event = dear(rebuy=RebuyTerms(300, most=1, at_most_stack=100)).start()
    event.play_on(lambda event: event.tables[1].hand_id)
    before = event.chips()[event.ann.pk]
    buying.rebuy(**by_ann(event))
    assert event.chips()[event.ann.pk] == before, "they play no part in this hand"
    hand = event.tables[1].hand_id
    event.play_on(lambda event: event.tables[1].hand_id != hand and not event.row.entries.get(number=1).pending)
    event.check()
    assert ann_of(event).is_in
    assert ann_of(event).stack >= 300


def test_an_add_on_is_sold_in_its_break_and_lies_on_the_table_before_the_next_hand():
    structure = Structure((DEAR, Level(kind="break", minutes=5), DEAR))
    event = dear(structure=structure, rebuy=None, add_on=AddOnTerms(700)).start()
    event_clock.next_level(**order(event))
    event.play_until(event.now + timedelta(minutes=1))
    assert ann_of(event).is_in
    buying.add_on(**by_ann(event))
    event.check()
    assert event.facts(AddedOn)
    assert event.chips()[event.ann.pk] >= 700
    event.play_until(event.now + timedelta(minutes=1))
    assert event.tables[1].hand_id is None, "it is still the break"
