"""An evening without people: bots that do anything legal, many hands, and books that are right after it."""

import random

import pytest

from cardroom.core import audit as core_audit
from cardroom.ledger.models import Account
from games.engine.commands import BringIn, Call, Check, Fold, Wager
from tests.support.evening import any_action
from tests.support.parts.games import choosing, seats, table_journal
from tests.support.tiers import many

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = many(6, long=100)
MOST_STEPS = 200  # of a hand: far more than any takes
_COMMANDS = {"fold": Fold, "check": Check, "call": Call, "bring-in": BringIn}


def test_many_hands_with_people_coming_and_going_and_every_chip_is_accounted_for(open_table, monkeypatch):
    whims = random.Random(11)
    monkeypatch.setattr(choosing, "choose", lambda *, hand, seat, **_: _anything(hand.options(seat), whims))
    monkeypatch.setattr(random, "uniform", whims.uniform)
    table = open_table(bots=4, bots_wait_for_people=False, min_buy_in=100, max_buy_in=600)
    chance = random.Random(3)
    people = [table.player(name) for name in ("ann", "bob", "cid")]
    for _ in range(HANDS * MOST_STEPS):
        if table.table.hand_count > HANDS:
            break
        _do_something(table, chance.choice(people), chance)
        table.wake()
    assert table.table.hand_count > HANDS, "the table deals"
    assert core_audit.check() == []
    for person in people:
        if person.seats.exists():
            table.leave(person)
    for _ in range(MOST_STEPS):
        table.wake()
        if not any(person.seats.exists() for person in people):
            break
    assert not any(person.seats.exists() for person in people), "who gets up is let go after the hand"
    assert sum(Account.objects.values_list("balance", flat=True)) == 0, "what the house issued is what there is"
    table_journal.forget()
    assert core_audit.check() == [], "and the same from what is stored alone"


def _anything(turn, chance):
    action, amount = any_action(turn, chance)
    return Wager(turn.seat, amount) if action == "raise" else _COMMANDS[action](turn.seat)


def _do_something(table, person, chance):
    """What people do at the worst of moments."""
    seat = person.seats.first()
    asked = {"table_id": table.pk, "by": person, "now": table.now}
    if seat is None:
        # Who left with more a while ago brings it back.
        buy_in = max(300, seats.least_buy_in(table.table, person, table.now)[0])
        if table.wallet(person) >= buy_in:
            seats.sit(buy_in=buy_in, **asked)
        return
    if table.table.to_act == seat.number:
        table.act_any()
        return
    dice = chance.random()
    if dice < 0.03 and seat.state != "leaving":
        seats.leave(**asked)
    elif dice < 0.06 and seat.state == "playing":
        seats.sit_out(**asked)
    elif dice < 0.3 and seat.state != "playing" and (seat.account.balance or str(seat.number) in table.table.clocks):
        seats.come_back(**asked)
    elif dice < 0.4 and 300 <= seat.account.balance < 500 and table.wallet(person) >= 100:
        seats.top_up(amount=100, **asked)
