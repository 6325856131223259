"""The audit finds what is wrong with hands and stacks, no matter what made it wrong."""

import msgspec
import pytest
from django.db import connection

from tests.support.evening import Evening
from tests.support.models import Account, Hand, HandFact, Seat, TablePlay
from tests.support.parts.cardroom import core_audit, ledger
from tests.support.parts.games import table_journal
from tests.support.unguarded import unguarded
from tests.support.worlds import world


@world
def played(evening) -> Evening:
    """One hand over, one being played."""
    evening.play_out().deal()
    assert core_audit.check() == []
    return evening


def faults(*checks: str) -> str:
    """What these checks find; without any, what all do."""
    return "\n".join(core_audit.run(only=checks).faults)


@pytest.mark.smoke
def test_all_is_well_with_hands_over_and_being_played_until_a_guard_is_missing(played):
    names = core_audit.run().checks
    assert {"hands replay", "open hands stand", "seats hold their stacks", "nothing stands still"} <= set(names)
    with connection.cursor() as cursor:
        on = " ON tables_handfact" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER tables_handfact_stays{on}")
    assert "tables_handfact_stays" in faults("guards in place")


@pytest.mark.parametrize(("changes", "words"), [
    ({"stacks": {"1": 1, "2": 999}}, "replayed they come to"),
    ({"seq": 3}, "says it has 3 facts"),
    ({"ended_at": None}, "is not over, and no table is playing it"),
])  # fmt: skip
def test_a_hand_that_tells_of_something_else_than_its_facts(played, changes, words):
    with unguarded():
        Hand.objects.filter(number=1).update(**changes)
    told = faults("hands replay")
    assert told.startswith("hands replay: hand")
    assert words in told


def test_a_table_at_odds_with_its_hand_is_found_without_naming_a_card(played):
    ann, bob = played.seat_of(played.ann).account, played.seat_of(played.bob).account
    ledger.post(reference="theft", reason="none", legs=[(ann, -7), (bob, 7)], at=played.now)
    assert "and the ledger shows" in faults("open hands stand")
    TablePlay.objects.update(to_act=8)
    assert "and the table says" in faults("open hands stand")
    with unguarded():
        Hand.objects.update(stacks={})
    told = faults()
    assert "replayed they come to" in told
    assert not [card for state in played.engine.seats.values() for card in state.cards if card in told]


def test_a_hand_whose_transfer_is_missing_and_one_without_facts(played):
    twin = Hand.objects.get(number=1)
    facts = list(HandFact.objects.filter(hand=twin).order_by("seq"))
    # As facts lay before they were sealed: a sealed one opens in its own hand alone.
    whole = [msgspec.json.encode(fact).decode() for fact in table_journal.facts(twin.pk)]
    twin.pk, twin.number = None, 99
    twin.save()
    for fact, data in zip(facts, whole, strict=True):
        fact.pk, fact.hand, fact.data = None, twin, data
    HandFact.objects.bulk_create(facts)
    Hand.objects.create(table=played.table, number=98, seats={}, started_at=played.now)
    told = faults("hands replay")
    assert f"hand {twin.pk} moved" in told
    assert "does not replay" in told


def test_chips_where_nobody_sits_and_a_seat_with_somebody_elses(played):
    stack = ledger.open_account(kind=Account.Kind.STACK, owner=played.ann, label=f"table:{played.pk}:seat:7")
    ledger.post(reference="lost", reason="none", legs=[(ledger.wallet(played.ann), -9), (stack, 9)], at=played.now)
    assert "holds 9 and nobody sits there" in faults("seats hold their stacks")
    mine, other = Seat.objects.order_by("number")
    spare = ledger.open_account(kind=Account.Kind.STACK, owner=other.player, label="table:1:seat:8")
    Seat.objects.filter(pk=mine.pk).update(account=spare)
    assert "which is another's" in faults("seats hold their stacks")


def test_a_table_that_nothing_would_wake(played):
    TablePlay.objects.update(wake_at=None)
    assert "nothing would wake it" in faults("nothing stands still")
