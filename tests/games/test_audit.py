"""The audit finds what is wrong with hands and stacks, whoever made it wrong."""

from datetime import timedelta

import pytest
from django.db import connection

from cardroom.models import Account, Alarm
from cardroom.services import audit, ledger
from games.models import Hand, Seat, Table
from tests.support.evening import Evening
from tests.support.worlds import world


@world
def played(evening) -> Evening:
    """One hand over, one being played."""
    evening.play_out().deal()
    assert audit.check() == []
    return evening


def faults() -> str:
    return "\n".join(audit.check())


@pytest.mark.smoke
def test_all_is_well_with_hands_over_and_being_played(played):
    names = audit.run().checks
    assert {"hands replay", "open hands stand", "seats hold their stacks", "nothing stands still"} <= set(names)


def test_a_hand_that_tells_of_other_stacks_than_its_facts(played):
    Hand.objects.filter(number=1).update(stacks={"1": 1, "2": 999})
    assert "hands replay: hand" in faults()
    assert "replayed they come to" in faults()


def test_a_hand_that_miscounts_its_facts(played):
    Hand.objects.filter(number=1).update(seq=3)
    assert "says it has 3 facts" in faults()


def test_a_hand_that_lost_its_end(played):
    Hand.objects.filter(number=1).update(ended_at=None)
    assert "is not over, and no table is playing it" in faults()


def test_a_table_that_is_wrong_about_where_its_hand_stands(played):
    Table.objects.update(to_act=8)
    assert "and the table says" in faults()


def test_a_hand_without_facts(played):
    Hand.objects.create(table=played.table, number=99, seats={}, started_at=played.now)
    assert "does not replay" in faults()


def test_chips_that_changed_hands_outside_the_hand(played):
    ann, bob = played.seat_of(played.ann).account, played.seat_of(played.bob).account
    ledger.post(reference="theft", reason="none", legs=[(ann, -7), (bob, 7)], at=played.now)
    assert "and the ledger shows" in faults()


def test_a_hand_whose_transfer_is_missing(played):
    first = Hand.objects.get(number=1)
    twin = Hand.objects.create(
        table=played.table, number=99, seats=first.seats, started_at=first.started_at, ended_at=first.ended_at,
        seq=first.seq, stacks=first.stacks,
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO games_handfact (hand_id, seq, kind, point, data, at, command_id) "
            "SELECT %s, seq, kind, point, data, at, command_id FROM games_handfact WHERE hand_id = %s",
            [twin.pk, first.pk],
        )
    assert f"hand {twin.pk} moved" in faults()


def test_chips_where_nobody_sits(played):
    stack = ledger.open_account(kind=Account.Kind.STACK, owner=played.ann, label=f"table:{played.pk}:seat:7")
    ledger.post(reference="lost", reason="none", legs=[(ledger.wallet(played.ann), -9), (stack, 9)], at=played.now)
    assert "holds 9 and nobody sits there" in faults()


def test_a_seat_with_somebody_elses_chips(played):
    mine, other = Seat.objects.order_by("number")
    spare = ledger.open_account(kind=Account.Kind.STACK, owner=other.player, label="table:1:seat:8")
    Seat.objects.filter(pk=mine.pk).update(account=spare)
    assert "which is another's" in faults()


def test_a_table_that_nothing_would_wake(played):
    Alarm.objects.all().delete()
    assert "its alarm is not set to that" in faults()
    Table.objects.update(wake_at=None)
    assert "nothing would wake it" in faults()


def test_an_alarm_set_to_another_moment(played):
    Alarm.objects.update(due_at=played.now + timedelta(days=1))
    assert "its alarm is not set to that" in faults()


def test_a_missing_guard(played):
    with connection.cursor() as cursor:
        on = " ON games_handfact" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER games_handfact_stays{on}")
    assert "games_handfact_stays" in faults()


def test_no_fault_names_a_card(played):
    Hand.objects.update(stacks={})
    Table.objects.update(to_act=8)
    cards = {card for state in played.engine.seats.values() for card in state.cards}
    assert not [card for card in cards if card in faults()]
