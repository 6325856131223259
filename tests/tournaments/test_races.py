"""Several at once at one event, each on a connection of its own: one after the other, and every chip in its place."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.core import mail
from django.db import IntegrityError, connections

from cardroom.core import notices as house_notices
from tests.support.evening import Evening
from tests.support.events import balance_of_label, bust, order, wallet
from tests.support.models import Alarm, DealVote, Payment, Payout, Tournament, Transfer, User
from tests.support.parts.cardroom import Illegal, Invalid, NotEnoughChips, Refusal, Stale, bans, ledger, limits, outbox
from tests.support.parts.tournaments import buying, deals, event_journal, money, notices, payouts, registration, undoing
from tests.support.racing import LONGEST_WAIT, race, refusals
from tests.support.refusals import refused
from tournaments.directing import cancelling, confirming
from tournaments.engine.config import PayoutTerms, RebuyTerms

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def test_one_wallet_pays_one_of_two_entries_that_two_cashiers_take_at_once(make_event, audited):
    events = [make_event().open(), make_event().open()]
    player = events[0].player(chips=200)
    taken = [order(event, player=player, by=event.staff("cashier"), method="wallet") for event in events]
    outcomes = race(*[partial(registration.register, **each) for each in taken])
    assert refusals(outcomes, NotEnoughChips) == 1
    assert (wallet(player), sorted(event.row.entries_count for event in events)) == (85, [0, 1])


def test_his_own_limit_of_losses_holds_for_an_entry_and_a_seat_at_once(make_event):
    for number in range(4):
        event, table = make_event(), Evening()
        event.now = table.now
        player = event.open().player(f"ann{number}", chips=1000)
        limits.request_limit(by=player, kind="loss-day", amount=550, now=table.now)
        outcomes = race(partial(event.enter, player), partial(table.sit, player, buy_in=500))
        assert refusals(outcomes, Illegal) == 1
        assert wallet(player) in (885, 500)


def test_chips_taken_between_check_and_payment_of_an_entry_count(make_event, monkeypatch):
    """Chips that waited for the end of a hand come without a lock on the player."""
    event, table = make_event().open(), Evening()
    player = event.player(chips=1000)
    limits.request_limit(by=player, kind="loss-day", amount=550, now=event.now)
    stack = ledger.open_account(kind="stack", owner=player, label=f"table:{table.pk}:seat:1")
    take = money.take

    def brought():
        try:
            legs = [(ledger.wallet(player), -500), (stack, 500)]
            ledger.post(reference="top-up:1", reason="chips added", legs=legs, at=event.now)
        finally:
            connections.close_all()

    def late(*args, **more):
        with ThreadPoolExecutor(1) as pool:
            pool.submit(brought).result(LONGEST_WAIT)
        return take(*args, **more)

    monkeypatch.setattr(money, "take", late)
    refused(Illegal, "a limit of 550 chips", event.enter, player)
    assert (wallet(player), event.row.entries_count) == (500, 0)


def test_a_player_banned_while_entering_does_not_keep_the_entry(make_event, audited):
    event = make_event().open()
    manager = event.staff("manager")
    for number in range(4):
        player = event.player(f"ann{number}")
        ban = partial(bans.ban, player=player, reason="cheating", by=manager, now=event.now)
        refusals(race(partial(event.enter, player), ban), Refusal)
        assert wallet(player) == 1000
    assert event.row.entries_count == 0


def test_a_player_who_registers_while_the_event_is_called_off_loses_no_money(make_event, audited):
    event = make_event().open()
    people = [event.player() for _ in range(4)]
    event.enter(people[0])
    cancel = partial(cancelling.cancel, **order(event, reason="no dealers"))
    outcomes = race(cancel, cancel, *[partial(event.enter, player) for player in people[1:]])
    refusals(outcomes, Illegal)
    assert [wallet(player) for player in people] == [1000] * 4
    assert (event.row.state, event.pool(), balance_of_label("house", "fees")) == ("cancelled", 0, 0)


def test_a_player_who_rebuys_and_is_busted_at_once_has_paid_for_the_chips(make_event, audited):
    price = {"entry": {"pool": 100}, "rebuy": {"pool": 50}}
    event = make_event(price=price, rebuy=RebuyTerms(1000, until_level=4)).started(4)
    event.desk(by=event.director)
    outcomes = race(
        partial(buying.rebuy, **order(event, entrant=4, stack=0)),
        partial(bust, event, 4),
        partial(buying.rebuy, **order(event, entrant=3, stack=0)),
    )
    refusals(outcomes, Illegal)
    entrant = event.state.entrants[4]
    assert (entrant.status, entrant.rebuys) == ("out", Payment.objects.filter(entry__number=4, what="rebuy").count())
    assert event.pool() == event.row.pool == 450 + 50 * entrant.rebuys


def test_an_entry_taken_back_at_the_start_is_refunded_or_plays(make_event, audited):
    event = make_event().open(entrants=3)
    player = event.entry(1).player
    take_back = partial(registration.unregister, tournament_id=event.pk, by=player, now=event.now)
    is_too_late = refusals(race(event.start, take_back), Illegal) == 1
    assert wallet(player) == (885 if is_too_late else 1000)
    assert (event.row.state, event.row.players_left) == ("running", 3 if is_too_late else 2)


def test_prizes_asked_for_by_everybody_at_once_are_paid_once(make_event, audited):
    event = make_event(payout=PayoutTerms(places=2)).started(3)
    bust(event, 3, 2)
    asked = order(event)
    by_alarm = partial(payouts.pay_by_alarm, tournament_id=event.pk, now=event.now)
    pay, pay_one = partial(payouts.pay, **asked), partial(payouts.pay_one, entrant=1, **asked)
    outcomes = race(pay, by_alarm, pay_one, pay, partial(undoing.undo, **asked))
    refusals(outcomes, (Illegal, Invalid))  # a prize that was paid comes back with a reason only
    by_alarm()
    if event.row.state == "finished":
        told = [[row.amount for row in rows] for rows in outcomes if isinstance(rows, list)]
        assert [amounts for amounts in told if amounts not in ([195], [195, 105])] == []
        assert Transfer.objects.filter(reference__startswith="prize:").count() == 2
        assert sorted(wallet(event.entry(number).player) for number in (1, 2, 3)) == [885, 990, 1080]
        assert (event.pool(), Payout.objects.count()) == (0, 2)
    else:
        assert (event.pool(), Payout.objects.count()) == (300, 0), "the undo came first"


def vote(event, number):
    return deals.vote(is_yes=True, entrant=number, **order(event))


def test_a_deal_and_a_bust_at_once_are_one_after_the_other(make_event, audited):
    event = make_event(payout=PayoutTerms(kind="amounts", amounts=(250, 150, 100))).started(5)
    bust(event, 5, 4)
    deals.propose(kind="even", play_for=50, **order(event))
    for number in (1, 2):
        vote(event, number)
    race(partial(vote, event, 3), partial(bust, event, 3))
    is_made = event.state.deal is not None
    bust(event, 2)
    payouts.pay(**order(event))
    assert [event.entry(number).prize for number in (1, 2, 3)] == ([200, 150, 150] if is_made else [250, 150, 100])


def test_without_the_lock_two_at_once_would_write_the_same_fact(make_event, monkeypatch, audited):
    """What the others prove hangs on the lock: taken away, the database itself has to step in."""
    event = make_event().open()
    people = [event.player() for _ in range(2)]
    event_journal.forget()
    both = Barrier(2)

    def unlocked(tournament_id):
        row = Tournament.objects.get(pk=tournament_id)
        found = event_journal.Locked(row, event_journal.load(row.pk, seq=row.seq))
        both.wait(LONGEST_WAIT)
        return found

    with monkeypatch.context() as faulty:
        faulty.setattr(event_journal, "lock", unlocked)
        outcomes = race(*[partial(event.enter, player) for player in people])
    assert (refusals(outcomes, IntegrityError), sorted(wallet(player) for player in people)) == (1, [885, 1000])


def test_of_several_directors_who_confirm_the_same_suggestion_one_is_first(make_event):
    event = make_event(late_level=1).started(4).wait(minutes=16)
    outcomes = race(*[partial(confirming.confirm, suggestion_key="lock-payouts:4:400", **order(event))] * 3)
    assert refusals(outcomes, Stale) == 2
    assert event.state.locked is not None


def test_the_last_votes_at_once_make_the_deal_once(make_event):
    event = make_event(payout=PayoutTerms(places=3)).started(3)
    deals.propose(kind="even", play_for=10, **order(event))
    outcomes = race(*[partial(vote, event, number) for number in (1, 2, 3)])
    assert sorted(proposal.state for proposal in outcomes) == ["agreed", "open", "open"]
    assert (DealVote.objects.count(), event.state.deal.play_for) == (3, 10)


def test_two_workers_send_no_mail_twice(make_event):
    event = make_event().open()
    for name in ("ana", "ben", "cy"):
        event.enter(name)
        User.objects.filter(username=name).update(email=f"{name}@example.org")
    assert notices.message(text="Registration ends soon.", **order(event)) == 3
    key = Alarm.objects.get(kind=house_notices.ALARM).key
    race(*[partial(outbox.send, key=key, now=event.now)] * 3)
    assert sorted(message.to[0] for message in mail.outbox) == ["ana@example.org", "ben@example.org", "cy@example.org"]
