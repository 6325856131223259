"""What the audit finds: seats, chips, receipts and prizes that tell another story than the facts."""

from tests.support.models import Payment, Seat
from tests.support.online import OnlineEvent
from tests.support.parts.cardroom import core_audit, ledger
from tournaments.engine.config import Rebuy
from tournaments.registration import registration


def test_a_receipt_that_says_another_price_than_was_paid_is_found(make_event):
    event = make_event().open()
    event.enter()
    registration.unregister(tournament_id=event.pk, by=event.enter().player, now=event.now)
    assert core_audit.check() == []
    Payment.objects.filter(entry__number=1).update(fee=11)
    Payment.objects.filter(entry__number=2).update(refunded_at=None, refund=None, refund_reason="")
    said = core_audit.check()
    assert f"tournaments replay: tournament {event.pk}: entry 1 has paid 116; replayed it is 115" in said
    assert f"tournaments replay: tournament {event.pk}: entry 2 has paid 115; replayed it is 0" in said


def test_chips_and_players_that_are_not_in_the_facts_are_found():
    event = OnlineEvent(3, seats=4, rebuy=Rebuy(1000, until_level=2)).start()
    event.play_on(lambda event: len(event.hands()) > 1)
    assert core_audit.check() == []
    name, issued = f"tournaments replay: tournament {event.pk}", event.issued
    seat = Seat.objects.filter(table__event=event.row.unit).select_related("account").first()
    house = ledger.open_account(kind="house", label="chips", unit=event.row.unit)
    post("found in a pocket", [(house, -50), (seat.account, 50)], at=event.now)
    assert f"{name} has issued {issued + 50:,} chips; {issued:,} are in play by its facts" in core_audit.check()
    other = event.player("stranger")
    (bag,) = ledger.open_stacks([(other.pk, "a bag")], unit=event.row.unit)
    post("into a bag", [(seat.account, -20), (bag, 20)], at=event.now)
    assert f"{name} has issued {issued + 50:,} chips; {issued + 30:,} lie at its tables" in core_audit.check()
    Seat.objects.filter(pk=seat.pk).update(player=other)
    said = core_audit.check()
    assert f"{name}: player {other.pk} sits at a table only" in said
    assert f"{name}: player {seat.player_id} sits in the facts only" in said


def post(reference, legs, *, at):
    ledger.post(reference=reference, reason="nobody knows", legs=legs, at=at)
