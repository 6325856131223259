"""People at once: two who pay, the last two votes, a bust entered twice, mails sent by two workers."""

import pytest
from django.core import mail

from cardroom.models import Transfer
from cardroom.services.errors import Illegal, Stale
from tests.support.events import bust, order, wallet
from tests.support.racing import race, refusals
from tournaments.engine.config import PayoutTerms
from tournaments.models import DealVote, Payout
from tournaments.services import deals, floor, mails, notices, payouts

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def test_two_who_pay_at_once_pay_everybody_once(make_event, audited):
    event = make_event(payout=PayoutTerms(places=2)).started(3)
    bust(event, 3, 2)
    outcomes = race(*[lambda: payouts.pay(**order(event)) for _ in range(3)])
    assert [[row.amount for row in rows] for rows in outcomes] == [[195, 105]] * 3
    assert Payout.objects.count() == 2
    assert Transfer.objects.filter(reference__startswith="prize:").count() == 2
    assert (wallet(event.entry(1).player), event.pool()) == (885 + 195, 0)


def test_a_bust_entered_by_two_at_once_is_one_bust(make_event):
    event = make_event().started(5)
    dealer = event.staff("dealer")
    outcomes = race(
        lambda: floor.bust(busts=[(5, None)], **order(event)),
        lambda: floor.bust(busts=[(5, None)], **order(event, by=dealer)),
    )
    assert refusals(outcomes, Illegal) == 1
    assert event.state.left == 4


def test_of_two_directors_who_confirm_the_same_suggestion_one_looks_again(make_event):
    event = make_event(late_level=1).started(4)
    event.wait(minutes=16)
    outcomes = race(*[lambda: floor.confirm(key="lock-payouts:4:400", **order(event)) for _ in range(3)])
    assert refusals(outcomes, Stale) == 2
    assert event.state.locked is not None


def test_the_last_votes_at_once_make_the_deal_once(make_event):
    event = make_event(payout=PayoutTerms(places=3)).started(3)
    deals.propose(kind="even", play_for=10, **order(event))
    votes = [lambda number=number: deals.vote(is_yes=True, entrant=number, **order(event)) for number in (1, 2, 3)]
    assert sorted(proposal.state for proposal in race(*votes)) == ["agreed", "open", "open"]
    assert (DealVote.objects.count(), event.state.deal.play_for) == (3, 10)


def test_two_workers_send_no_mail_twice(make_event):
    event = make_event().open()
    for name in ("ana", "ben", "cy"):
        player = event.player(name)
        player.email = f"{name}@example.org"
        player.save()
        event.enter(player)
    assert notices.message(text="Registration ends soon.", **order(event)) == 3
    race(*[lambda: mails.send(tournament_id=event.pk, now=event.now) for _ in range(3)])
    assert sorted(message.to[0] for message in mail.outbox) == ["ana@example.org", "ben@example.org", "cy@example.org"]
