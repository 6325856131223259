"""Dealers, players and the floor at once at one table that a person deals."""

from functools import partial

import pytest

from cardroom.core.errors import CardroomError, Conflict, Stale
from tests.support.dealing import DealerEvening
from tests.support.models import FloorCall, FloorOrder, Hand
from tests.support.parts.games import dealer, hands, rulings
from tests.support.racing import race, refusals

pytestmark = pytest.mark.django_db(transaction=True)

ACTORS = 4


@pytest.fixture
def table() -> DealerEvening:
    evening = DealerEvening()
    evening.ann, evening.bob = evening.sit("ann", 1), evening.sit("bob", 2)
    return evening


def test_a_call_of_the_floor_or_a_start_sent_at_once_is_one_and_of_dealers_who_start_at_once_one_does(table):
    call = partial(rulings.call, table_id=table.pk, by=table.ann, now=table.now)
    outcomes = race(*[partial(call, key=f"k{n}", note=str(n)) for n in range(ACTORS)])
    assert (refusals(outcomes, Exception), len({made.pk for made in outcomes})) == (0, 1)
    assert FloorCall.objects.count() == 1

    start = partial(dealer.start_hand, table_id=table.pk, by=table.dee, now=table.now)
    outcomes = race(*[partial(start, command_id="start")] * ACTORS)
    assert (refusals(outcomes, Exception), len(set(outcomes))) == (0, 1)
    table.hand = outcomes[0].hand
    table.order("void")
    outcomes = race(*[partial(start, command_id=f"start-{n}") for n in range(ACTORS)])
    assert (refusals(outcomes, Conflict), Hand.objects.filter(table=table.pk).count()) == (ACTORS - 1, 2)


def test_of_a_player_and_his_dealer_one_acts_and_an_undo_and_a_void_are_done_once_however_many_ask(table, audited):
    table.start()
    table.enter("deal", street=3)
    seat, player = table.table.to_act, table.to_act
    asked = {"hand_id": table.hand, "now": table.now}
    entry = {"what": "act", "fields": {"seat": seat, "action": "bring-in"}, "expected_seq": table.table.seq}
    enter = partial(dealer.command, by=table.dee, command_id="for-them", **entry, **asked)
    act = partial(hands.act, player=player, action="bring-in", expected_seq=table.table.seq, command_id="me", **asked)
    assert (refusals(race(enter, act), Stale), table.played.pot) == (1, 2 + 5)

    table.check_or_call()
    undo = partial(dealer.command, by=table.dee, what="undo", fields={}, expected_seq=table.table.seq, **asked)
    outcomes = race(*[partial(undo, command_id=f"undo-{n}") for n in range(ACTORS)])
    assert (refusals(outcomes, Stale), FloorOrder.objects.count()) == (ACTORS - 1, 1)

    others = [table.staff(f"floor{n}", "floor") for n in range(ACTORS)]
    void = partial(rulings.order, what="void", reason="all at once", command_id="v", **asked)
    outcomes = race(*[partial(void, by=user) for user in others])
    assert refusals(outcomes, CardroomError) == ACTORS - 1
    assert (table.stack(table.ann), table.stack(table.bob)) == (500, 500)
