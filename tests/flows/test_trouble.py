"""Bad input and trouble in the cash room, a test for each: a clear answer or the sane outcome, and books in order."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from cardroom.models import Account, Approval, Slip
from cardroom.services import access, approvals, audit, cage, ledger, standing
from cardroom.services.errors import Conflict, Illegal, Invalid, NotEnoughChips
from games.models import Seat, SeatHold, SeatMove
from games.services import hands, lists, seats, tables
from tests.cardroom.cage_desk import furnished, person
from tests.support.evening import Evening
from tests.support.lists import ListRoom
from tests.support.racing import race, refusals

pytestmark = pytest.mark.django_db


@pytest.fixture
def now() -> datetime:
    return datetime(2030, 1, 5, 20, 0, tzinfo=UTC)


@pytest.fixture
def table() -> Evening:
    """Two people in a hand."""
    made = Evening()
    made.ann, made.bob = made.sit("ann", 1), made.sit("bob", 2)
    return made.deal()


def test_a_buy_in_over_the_limit_is_refused_with_the_range_and_moves_nothing(table):
    cat = table.player("cat")
    before = table.wallet(cat)
    with pytest.raises(Invalid, match="300 to 1,500, not 1,501") as refused:
        table.sit(cat, buy_in=1_501)
    assert (refused.value.details["least"], refused.value.details["most"]) == (300, 1_500)
    assert (table.wallet(cat), cat.seats.count()) == (before, 0)


def test_a_double_click_is_answered_twice_and_done_once(table):
    cat = table.player("cat")
    before = table.wallet(cat)
    click = {"table_id": table.pk, "player": cat, "buy_in": 500, "now": table.now, "key": "one click"}
    first, again = seats.sit(**click), seats.sit(**click)
    assert first == again
    assert before - table.wallet(cat) == 500
    with pytest.raises(Conflict):
        seats.sit(**{**click, "buy_in": 600})
    with pytest.raises(Conflict, match="sit at this table already"):
        seats.sit(**{**click, "key": "another click"})
    assert SeatMove.objects.filter(player=cat).count() == 1
    assert audit.check() == []


@pytest.mark.django_db(transaction=True)
def test_two_cashiers_who_pay_out_of_one_wallet_at_once_pay_what_is_there(now):
    room = furnished(now)
    access.grant_role(user=room.cal, role="cashier", by=None)
    drawer = cage.make_drawer(name="Window 2", by=room.mia, now=now)
    cage.open_drawer(drawer_id=drawer.pk, counted=10_000, from_vault=10_000, by=room.cal, now=now)
    cage.deposit(player=room.pia, amount=1_000, by=room.cay, now=now)
    pay = [partial(cage.withdraw, player=room.pia, amount=800, by=by, now=now) for by in (room.cay, room.cal)]
    assert refusals(race(*pay), NotEnoughChips) == 1
    assert ledger.balance(ledger.wallet(room.pia)) == 200
    assert Slip.objects.filter(kind="withdrawal").count() == 1
    assert audit.check() == []


def test_who_is_called_while_he_is_in_a_hand_elsewhere_has_his_time_from_its_end():
    room = ListRoom(call_minutes=5)
    elsewhere = Evening(act_seconds=600)
    elsewhere.now = room.now
    ann = elsewhere.sit("ann", 1)
    elsewhere.sit("bob", 2)
    elsewhere.deal()
    room.now = elsewhere.now
    entry = room.join(ann)
    room.ring()
    assert (room.state(entry), room.entry(entry).call_until) == ("called", None)
    room.later(minutes=8).ring()
    assert room.state(entry) == "called", "his clock stands still while he plays"
    hand = elsewhere.table.hand_id
    elsewhere.now = room.now
    elsewhere.play_out()
    lists.hand_ended(hand_id=hand, now=room.now)
    assert room.entry(entry).call_until == room.now + timedelta(minutes=5)
    assert SeatHold.objects.get(player=ann).until == room.now + timedelta(minutes=5)


def test_a_table_closed_with_a_hand_running_plays_it_out_and_pays_everybody(table):
    hand, chips = table.table.hand_id, sum(map(table.wallet, (table.ann, table.bob))) + 1_000
    tables.close(table_id=table.pk, now=table.now)
    assert (table.table.state, table.table.hand_id) == ("closing", hand)
    with pytest.raises(Illegal, match="closed when this hand is over"):
        table.sit("cat")
    table.play_out()
    assert table.table.state == "closed"
    assert not Seat.objects.exists()
    assert table.wallet(table.ann) + table.wallet(table.bob) == chips
    assert audit.check() == []


@pytest.mark.django_db(transaction=True)
def test_who_is_banned_in_mid_hand_finishes_it_and_is_off_the_table_with_his_chips(table):
    manager = person("mia", "manager")
    hand = table.table.hand_id
    standing.ban(player=table.ann, reason="threw cards", by=manager, now=table.now)
    assert table.seat_of(table.ann).state == "removed"
    if table.to_act != table.ann:
        table.check_or_call()
    hands.act(hand_id=hand, player=table.ann, action=ways(table), now=table.now)
    table.play_out()
    assert not table.ann.seats.exists()
    assert table.wallet(table.ann) + table.wallet(table.bob) + table.stack(table.bob) == 2 * 10_000
    with pytest.raises(Exception, match="threw cards"):
        table.sit(table.ann)
    assert audit.check() == []


def ways(table: Evening) -> str:
    turn = table.turn
    return "check" if turn.can_check else "call" if turn.call else "bring-in"


def test_a_drawer_that_does_not_balance_wants_a_reason_and_where_it_is_much_a_second_person(now):
    room = furnished(now)
    with pytest.raises(Illegal, match="Say why, or"):
        cage.close_drawer(counted=9_000, by=room.cay, now=now)
    closed = cage.close_drawer(counted=9_000, reason="no idea", by=room.cay, now=now, left_in=0)
    assert closed.state == "closing"
    with pytest.raises(Conflict, match="waits for a second person"):
        cage.deposit(player=room.pia, amount=10, by=room.cay, now=now)
    approvals.decide(approval_id=Approval.objects.get().pk, by=room.mia, approve=True, now=now)
    closed.refresh_from_db()
    assert (closed.state, closed.difference) == ("closed", -1_000)
    assert Account.objects.get(label="over-short").balance == 1_000
    assert audit.check() == []
