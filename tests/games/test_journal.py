"""Facts are written once and for ever; what is kept in memory is never ahead of what was committed."""

from contextlib import ExitStack

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.engine.facts.play import DeckShuffled
from games.tables.models.tables import Hand, HandFact, SeatMove, TablePlay
from tests.support.parts.cardroom import Illegal, Stale
from tests.support.parts.games import locking, one_statement, table_journal, table_signals
from tests.support.refusals import refused

pytestmark = pytest.mark.django_db(transaction=True)

BOUNDARIES = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")


class Statements(CaptureQueriesContext):
    """The SQL statements of a block, its transaction's own boundaries aside."""

    def __init__(self):
        super().__init__(connection)

    @property
    def said(self):
        return [q["sql"] for q in self.captured_queries if not q["sql"].startswith(BOUNDARIES)]


class Fault(Exception):
    pass


def _fail(*arguments, **what):
    raise Fault


def in_memory(evening):
    return table_journal.kept_facts(evening.table.hand_id, after=0, upto=evening.table.seq)


def statements_of(evening, action, **options):
    """What is said to the database when the player to act does this."""
    act = {"hand_id": evening.table.hand_id, "player": evening.to_act}
    with Statements() as statements:
        evening.act(action, **act, **options)
    return statements.said


def test_an_action_in_mid_hand_is_one_statement(evening):
    evening.act("bring-in")
    sent = statements_of(evening, "complete", command_id="c1", expected_seq=evening.table.seq)
    assert len(sent) == 1, sent


def test_an_action_after_a_refusal_reads_no_facts(evening):
    evening.act("bring-in")
    refused(Illegal, evening.act, "check")
    refused(Stale, evening.act, "call", expected_seq=1)
    sent = statements_of(evening, "complete")
    assert len(sent) == 3, sent
    sent = statements_of(evening, "call")
    assert len(sent) == 1, sent


def test_an_action_after_another_process_played_costs_four(evening):
    before = in_memory(evening)
    table_journal.forget()
    hand = evening.table.hand_id
    evening.act("bring-in")
    table_journal.forget()
    # This process knew the hand as it began, and somebody else brought it in.
    sitters = table_journal.sitters(Hand.objects.get(pk=hand))
    old = table_journal.OpenHand(hand, table_journal.engine_of(before), sitters, evening.pk, seq=len(before))
    table_journal.store.keep(old, len(before))
    said = statements_of(evening, "complete")
    assert len(said) == 4, said
    assert table_journal.engine_of(in_memory(evening)).level == 15


def test_a_copy_that_another_process_has_overtaken_writes_nothing(evening):
    """It is played on in vain; the locked table says where the hand stands."""
    evening.act("bring-in")
    with transaction.atomic():
        table = locking.table(evening.pk)
        TablePlay.objects.filter(pk=table.pk).update(version=table.version + 1)  # as another process does
    seq = evening.table.seq
    sent = statements_of(evening, "complete", command_id="c1", expected_seq=seq)
    assert (sent[0].startswith("WITH moved"), len(sent)) == (True, 6), sent
    assert evening.table.seq == len(evening.engine.facts) > seq
    assert in_memory(evening) == table_journal.facts(evening.table.hand_id)
    assert len(statements_of(evening, "call")) == 1


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_command_whose_connection_is_lost_is_done_once(evening, monkeypatch, is_committed):
    evening.act("bring-in")
    write = one_statement.write

    def lose(table, rows):
        if is_committed:
            assert write(table, rows)
        raise OperationalError

    with monkeypatch.context() as faulty:
        faulty.setattr(one_statement, "write", lose)
        receipt = evening.act("complete", command_id="c1", expected_seq=evening.table.seq)
    facts = table_journal.facts(evening.table.hand_id)
    assert [fact.kind for fact in facts].count("wagered") == 1
    assert (receipt.seq, evening.table.seq) == (len(facts), len(facts))
    evening.play_out()


def test_what_was_committed_is_read_from_memory_the_deck_as_well(evening):
    evening.act("bring-in")
    table = evening.table
    with Statements() as statements:
        facts = table_journal.facts(table.hand_id, upto=table.seq)
    assert not statements.said
    assert facts == table_journal.facts(table.hand_id)
    (deck,) = (fact for fact in facts if isinstance(fact, DeckShuffled))
    assert len(set(deck.deck)) == len(set(deck.scramble)) == 52


@pytest.mark.smoke
def test_the_facts_in_memory_are_those_in_the_database_and_of_so_many_hands(evening, monkeypatch):
    monkeypatch.setattr(table_journal.store, "most_kept", 2)
    while evening.table.hand_id:
        assert in_memory(evening) == table_journal.facts(evening.table.hand_id)
        evening.act_any()
    evening.deal().play_out().deal()
    assert len(table_journal.store._kept) == 2


def test_a_rolled_back_deal_leaves_no_cards_and_no_trace_in_memory(open_table, monkeypatch, audited):
    table = open_table()
    for name in ("ann", "bob"):
        table.sit(name)
    with monkeypatch.context() as faulty:
        faulty.setattr(locking, "store", _fail)
        refused(Fault, table.wake)
    assert not Hand.objects.exists()
    assert table.deal().table.hand.number == 1
    table.act("bring-in")
    before = table.table
    with monkeypatch.context() as faulty:
        faulty.setattr(one_statement, "write", _fail)
        refused(Fault, table.act, "complete", command_id="c1")
    assert (table.table.seq, in_memory(table)) == (before.seq, None)
    assert len(table_journal.facts(before.hand_id)) == before.seq
    receipt = table.act("fold", command_id="c1")
    assert table_journal.facts(before.hand_id)[receipt.facts_from - 1].kind == "folded", "c1 had never been answered"


def test_the_database_refuses_changed_facts_and_repeated_numbers(evening):
    for statement in (
        "UPDATE tables_handfact SET data = '{}'", "DELETE FROM tables_handfact",
        "UPDATE tables_seatmove SET amount = 1", "DELETE FROM tables_seatmove",
    ):  # fmt: skip
        refusal = pytest.raises(DatabaseError, match="stays as it was written down")
        with refusal, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    with pytest.raises(DatabaseError), transaction.atomic():
        HandFact.objects.create(hand_id=evening.table.hand_id, seq=1, kind="folded", data="{}", at=evening.now)
    assert HandFact.objects.filter(hand=evening.table.hand_id).count() == evening.table.seq
    assert SeatMove.objects.count() == 2


def test_signals_come_after_the_commit_and_a_failing_receiver_stops_nobody(evening):
    heard = []

    def hear(signal, **what):
        assert not connection.in_atomic_block
        heard.append({name: value for name, value in what.items() if name != "sender"})

    all_signals = (table_signals.hand_moved, table_signals.hand_ended, table_signals.table_changed)
    with ExitStack() as stack:
        for signal, listener in (*((each, hear) for each in all_signals), (table_signals.hand_moved, _fail)):
            signal.connect(listener)
            stack.callback(signal.disconnect, listener)
        receipt = evening.act("bring-in")
        hand = {"table_id": evening.pk, "hand_id": evening.table.hand_id}
        assert heard == [{**hand, "seq": receipt.seq}]
        assert in_memory(evening) == table_journal.facts(evening.table.hand_id)
        ended = evening.act("fold")
        assert heard[1:] == [{**hand, "seq": ended.seq}] * 2
        evening.sit("cid")
        assert heard[3:] == [{"table_id": evening.pk}]
