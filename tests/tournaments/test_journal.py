"""Facts of events are written once and for ever, what is kept in memory is never ahead of what was committed, and the
audit finds rows that tell another story."""

from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.support.events import Event, act
from tests.support.leave import leave
from tests.support.models import Payment, Seat
from tests.support.online import OnlineEvent
from tests.support.parts.cardroom import Illegal, NotFound, Stale, alarms, core_audit, ledger
from tests.support.parts.tournaments import event_journal, event_queries, event_signals, money, playing, registration
from tests.support.racing import race, refusals
from tests.support.refusals import refused
from tests.support.unguarded import unguarded
from tests.support.worlds import world
from tournaments.engine.commands import AddTime, Chips, Pause, SeatAll, Undo
from tournaments.engine.config import RebuyTerms
from tournaments.events.models import Tournament, TournamentFact

committed = pytest.mark.django_db(transaction=True)  # for what happens on commit, and for several at once

BOUNDARIES = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")


@world
def event():
    """It has started, with two players."""
    return Event().started()


class Fault(Exception):
    pass


def _fail(*_, **__):
    raise Fault


def statements(do):
    with CaptureQueriesContext(connection) as captured:
        do()
    return [query["sql"] for query in captured.captured_queries if not query["sql"].startswith(BOUNDARIES)]


@committed
def test_a_report_between_hands_costs_four_statements(make_event, audited):
    event = make_event().started(8)
    stacks = tuple((number, 2000 + (number - 4) * 10) for number in (2, 3, 5, 6))
    said = statements(lambda: event.play(Chips(stacks)))
    # The lock, the facts, the rows of the entries, the row of the event.
    assert len(said) == 4, said
    assert [event.entry(number).chips for number in (2, 6)] == [1980, 2020]
    for players, tables in ((3, 1), (17, 3)):
        event = make_event(price={}).open(entrants=players)
        said = statements(lambda event=event: event.play(SeatAll(7)))
        assert (len(said), event.row.tables_count) == (4, tables), said


@pytest.mark.smoke
def test_a_command_that_is_repeated_does_nothing(event, make_event):
    first = event.play(AddTime(60_000), command_id="c1")
    before = event.row
    assert event.play(AddTime(60_000), command_id="c1") == first
    event_journal.forget()
    assert (event.play(AddTime(60_000), command_id="c1"), event.row.seq) == (first, before.seq)
    assert event_journal.receipt(event.pk, f"by{event.director.pk}:c1") == first
    assert event.play(AddTime(60_000), command_id="c2").seq == first.seq + 1
    event.play(Undo())
    undone, added = event_queries.log(event.row)[:2]
    assert (added.label, added.stands, added.by) == ("Clock +1:00", False, event.director.pk)
    assert (undone.label, event_queries.log(make_event().row)) == ("Undone: Clock +1:00", [])


@committed
@pytest.mark.postgres
def test_of_several_directors_at_once_one_is_first(event):
    seq = event.row.seq
    outcomes = race(*[partial(event.play, AddTime(60_000), expected_seq=seq)] * 3)
    assert (refusals(outcomes, Stale), event.row.seq) == (2, seq + 1)


@committed
@pytest.mark.postgres
def test_the_last_seat_goes_to_one_of_several_players_at_once(make_event, audited):
    event = make_event(max_entrants=2).open(entrants=1)
    people = [event.player() for _ in range(4)]
    outcomes = race(*[partial(event.enter, player) for player in people])
    assert not refusals(outcomes, Stale)
    assert sorted(entry.state for entry in outcomes) == ["alternate"] * 3 + ["in"]
    assert sorted(entry.number for entry in outcomes) == [2, 3, 4, 5]
    player = event.player()
    outcomes = race(*[partial(event.enter, player, key="once")] * 3)
    assert {entry.pk for entry in outcomes} == {event.entry(6).pk}


@committed
def test_a_rolled_back_command_leaves_no_trace_in_memory(event, monkeypatch, audited):
    seq = event.row.seq
    with monkeypatch.context() as faulty:
        faulty.setattr(alarms, "set", _fail)
        refused(Fault, event.play, AddTime(60_000), command_id="c1")
    assert event.row.seq == seq == len(event_journal.facts(event.pk))
    with event_journal.looking(event.pk, upto=seq) as state:
        assert len(state.facts) == seq
    assert event.play(AddTime(60_000), command_id="c1").seq == seq + 1
    assert event_journal.facts(event.pk, upto=seq + 1) == event_journal.facts(event.pk)
    ours = event_journal.load(event.pk, seq=seq + 1)
    event_journal.forget()
    event.play(AddTime(60_000))
    event_journal.store._kept[event.pk] = ours  # as in another process, which has not heard of the last command
    event.play(Pause())
    assert event_journal.facts(event.pk, upto=event.row.seq) == event_journal.facts(event.pk)
    other = Event().open()
    player = other.player()
    with monkeypatch.context() as faulty:
        faulty.setattr(money, "take", _fail)
        refused(Fault, other.enter, player)
    assert (other.state.entries, other.enter(player).number) == (0, 1)


def test_before_registration_opens_there_is_nothing_to_play_on(make_event):
    event = make_event()
    refused(Illegal, "not opened yet", event.play, Pause())
    refused(NotFound, lambda: event.state)
    refused(NotFound, act, tournament_id=0, command=Pause(), now=event.now)


def test_the_database_refuses_to_change_facts_or_number_them_twice(event):
    event.play(Pause(), command_id="c")
    for statement in ("UPDATE events_tournamentfact SET data = '{}'", "DELETE FROM events_tournamentfact"):
        refusal = pytest.raises(DatabaseError, match="stays as it was written down")
        with refusal, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    fields = {"tournament_id": event.pk, "kind": "counted", "data": "{}", "at": event.now}
    for twice in ({"seq": 1}, {"seq": 999, "command_id": f"by{event.director.pk}:c"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            TournamentFact.objects.create(**fields, **twice)
    assert TournamentFact.objects.filter(tournament=event.pk).count() == event.row.seq


@committed
def test_an_event_is_locked_in_a_transaction_and_its_signal_follows_the_commit(make_event):
    event, heard = make_event().started(2), []
    refused(RuntimeError, event_journal.lock, event.pk)

    def hear(signal, tournament_id, seq, **_):
        assert not connection.in_atomic_block
        heard.append((tournament_id, seq))

    event_signals.tournament_moved.connect(hear)
    try:
        event.play(Pause())
    finally:
        event_signals.tournament_moved.disconnect(hear)
    assert heard == [(event.pk, event.row.seq)]


def test_an_event_is_held_once_at_a_time(event):
    with playing.holding(event.pk, now=event.now) as locked:
        with pytest.raises(RuntimeError, match="held already"), playing.holding(event.pk, now=event.now):
            pass
        playing.play(locked, Pause(), now=event.now)
    assert event.row.state == "paused"
    event.play(AddTime(60_000))


def test_the_audit_finds_rows_that_differ_from_the_facts(make_event):
    event = make_event().open(entrants=3)
    registration.unregister(tournament_id=event.pk, by=event.entry(2).player, now=event.now)
    event.start()
    assert core_audit.check() == []
    with unguarded():
        Payment.objects.filter(entry__number=1).update(fee=11)
        Payment.objects.filter(entry__number=2).update(refunded_at=None, refund=None, refund_reason="")
    event.row.entries.filter(number=3).update(chips=1)
    Tournament.objects.filter(pk=event.pk).update(pool=7)
    name, said = f"tournaments replay: tournament {event.pk}", core_audit.check()
    assert f"{name}: entry 1 has paid 116; replayed it is 115" in said
    assert f"{name}: entry 2 has paid 115; replayed it is 0" in said
    assert any("entry 3 says its chips is 1; replayed it is 2000" in fault for fault in said)
    assert any("says its pool is 7; replayed it is 200" in fault for fault in said)


def test_the_audit_finds_chips_and_players_that_are_not_in_the_facts():
    event = OnlineEvent(3, seats=4, rebuy=RebuyTerms(1000, until_level=2)).start()
    event.play_on(lambda event: len(event.hands()) > 1)
    assert core_audit.check() == []
    name, issued = f"tournaments replay: tournament {event.pk}", event.issued
    seat = Seat.objects.filter(table__event=event.row.unit).select_related("account").first()
    house = ledger.open_account(kind="house", label="chips", unit=event.row.unit)
    post = partial(ledger.post, reason="nobody knows", at=event.now, passage=leave(50))
    post(reference="found in a pocket", legs=[(house, -50), (seat.account, 50)])
    assert f"{name} has issued {issued + 50:,} chips; {issued:,} are in play by its facts" in core_audit.check()
    other = event.player("stranger")
    (bag,) = ledger.open_stacks([(other.pk, "a bag")], unit=event.row.unit)
    post(reference="into a bag", legs=[(seat.account, -20), (bag, 20)])
    assert f"{name} has issued {issued + 50:,} chips; {issued + 30:,} lie at its tables" in core_audit.check()
    Seat.objects.filter(pk=seat.pk).update(player=other)
    said = core_audit.check()
    assert f"{name}: player {other.pk} sits at a table only" in said
    assert f"{name}: player {seat.player_id} sits in the facts only" in said
