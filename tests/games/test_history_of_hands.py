"""Facts that were changed show, by their own chain and by the seal of their hand."""

import json

import pytest
from django.utils import timezone

from cardroom.core.history import checking, sealing
from tests.support.evening import Evening
from tests.support.models import Hand, HandFact
from tests.support.parts.cardroom import core_audit
from tests.support.parts.games import table_journal
from tests.support.unguarded import unguarded
from tests.support.worlds import world

CHAIN, HISTORY = "facts of hands keep their chain", "history is as it was sealed"


@world
def played(evening) -> Evening:
    """One hand over, one being played."""
    return evening.play_out().deal()


def audit_faults(*checks: str) -> str:
    return "\n".join(core_audit.run(only=checks).faults)


def deals(hand: Hand) -> list[HandFact]:
    """Two facts by which cards were dealt."""
    return list(HandFact.objects.filter(hand=hand, kind="cards-dealt").order_by("seq"))[1:3]


def exchange_cards(hand: Hand) -> None:
    """The cards of two deals change places, in what is stored of the hand."""
    first, other = deals(hand)
    with unguarded():
        HandFact.objects.filter(pk=first.pk).update(data=other.data)
        HandFact.objects.filter(pk=other.pk).update(data=first.data)


def chain_anew(hand: Hand) -> None:
    """As somebody does who knows how chains are made."""
    rows = list(HandFact.objects.filter(hand=hand).order_by("seq"))
    with unguarded():
        HandFact.objects.filter(hand=hand).update(chain=None)
        ends = table_journal.store.ends_of_chains([hand.pk])
        chain = table_journal.store._place(hand.pk)
        for row in rows:
            chain = table_journal.store.link(chain, row.seq, row.kind, row.data, row.at, row.command_id)
            HandFact.objects.filter(pk=row.pk).update(chain=chain)
    assert chain.hex() == ends[hand.pk]


@pytest.mark.smoke
def test_two_cards_that_were_exchanged_show_by_the_chain(played):
    hand = Hand.objects.get(number=1)
    assert audit_faults(CHAIN) == ""
    exchange_cards(hand)
    assert f"hand {hand.pk}: fact {deals(hand)[0].seq}, or one before it, is not as it was written" in audit_faults(
        CHAIN
    )


def test_facts_that_were_chained_anew_show_by_the_seal_of_their_hand(played):
    hand = Hand.objects.get(number=1)
    part = json.loads(sealing.seal(now=timezone.now()).content)["tables"]["tables_hand"]
    assert part["ended"] == [hand.pk]
    exchange_cards(hand)
    chain_anew(hand)
    assert audit_faults(CHAIN) == ""
    assert f"row {hand.pk} of tables_hand is not as it was sealed at its end" in audit_faults(HISTORY)


def test_every_fact_is_chained_over_commands_and_processes(played):
    table_journal.forget()
    played.check_or_call()
    assert not HandFact.objects.filter(chain=None).exists()
    assert audit_faults(CHAIN) == ""


def test_a_chain_that_was_taken_away_shows(played):
    _, running = Hand.objects.order_by("number")
    with unguarded():
        HandFact.objects.filter(hand=running, seq__gt=3).update(chain=None)
    assert f"hand {running.pk}: fact 4 has lost its chain" in audit_faults(CHAIN)
    with unguarded():
        HandFact.objects.filter(hand=running).update(chain=None)
    assert f"hand {running.pk}: its facts have lost their chain" in audit_faults(CHAIN)


def test_facts_from_before_there_were_chains_are_read_and_sealed_from_now_on(played):
    over = Hand.objects.get(number=1)
    # What the world has played may come into the memory of the journal only now, and is forgotten then.
    table_journal.store.in_memory(played.table.hand_id)
    with unguarded():
        HandFact.objects.all().update(chain=None)
    table_journal.forget()
    played.check_or_call()
    report = core_audit.run(only=[CHAIN])
    assert (report.faults, len(report.notes)) == ([], 1)
    assert "the facts of 1 written before there were chains have none (hand)" in report.notes[0]
    sealing.seal(now=timezone.now())
    assert list(checking.faults()) == []
    exchange_cards(over)
    assert f"row {over.pk} of tables_hand is not as it was sealed at its end" in audit_faults(HISTORY)
