"""Prizes paid through the ledger: once and only once, to the last unit."""

import pytest

from cardroom.models import Transfer
from cardroom.services import audit
from tests.support.events import wallet
from tournaments import journal
from tournaments.engine.config import PayoutTerms
from tournaments.models import Payout
from tournaments.services import floor, payouts

pytestmark = pytest.mark.django_db


def order(event, **more):
    return {"tournament_id": event.pk, "by": event.director, "now": event.now, **more}


def played_out(event, *, winner=1):
    """Everybody but the winner is out, the last to enter first."""
    for number in sorted((n for n in event.state.entrants if n != winner), reverse=True):
        floor.bust(busts=[(number, None)], eliminators=[winner], **order(event))
    return event


@pytest.fixture
def event(make_event):
    return played_out(make_event(payout=PayoutTerms(places=3)).started(6))


def test_everybody_is_paid_into_his_wallet_and_the_pool_is_empty(event):
    state = event.state
    assert [entrant.prize for entrant in state.entrants.values()] == [301, 173, 126, 0, 0, 0]
    rows = payouts.pay(**order(event))
    assert [(row.number, row.place, row.amount, row.state, row.method) for row in rows] == [
        (1, 1, 301, "paid", "wallet"), (2, 2, 173, "paid", "wallet"), (3, 3, 126, "paid", "wallet"),
    ]  # fmt: skip
    assert [wallet(event.entry(number).player) for number in (1, 2, 3, 4)] == [1186, 1058, 1011, 885]
    assert (event.pool(), event.row.paid_at) == (0, event.now)
    assert Transfer.objects.filter(reference=f"prize:{event.pk}:2").count() == 1
    assert audit.check() == []


def test_paying_again_pays_nothing(event):
    payouts.pay(**order(event))
    journal.forget()
    assert [row.amount for row in payouts.pay(**order(event))] == [301, 173, 126]
    assert not payouts.pay_by_alarm(tournament_id=event.pk, now=event.now)
    assert Payout.objects.count() == 3
    assert wallet(event.entry(1).player) == 1186
