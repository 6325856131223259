"""Several at once at one table. Each race is also run without its guard, to show that there is one to be won."""

from functools import partial
from threading import Barrier

import pytest
from django.db import IntegrityError, OperationalError

from cardroom.core.errors import Conflict, Refusal, Stale
from games.tables.models.tables import HandFact, Seat, SeatMove, Table
from tests.support.parts.games import hands, holds, locking, receivers, seats, stacks, table_journal, tables
from tests.support.racing import LONGEST_WAIT, in_step, race, refusals

pytestmark = pytest.mark.django_db(transaction=True)

ACTORS = 4


@pytest.fixture
def two_windows(evening):
    """The player to act, impatient in four windows at once: each on the same view, each with a command of its own."""
    act = partial(hands.act, hand_id=evening.table.hand_id, player=evening.to_act, action="bring-in", now=evening.now)
    return [partial(act, expected_seq=evening.table.seq, command_id=f"window-{n}") for n in range(ACTORS)]


def test_one_of_several_actions_on_one_view_wins(evening, two_windows, audited):
    assert refusals(race(*two_windows), Stale) == ACTORS - 1
    assert [fact.kind for fact in evening.engine.facts].count("bring-in-posted") == 1
    assert evening.table.seq == len(evening.engine.facts)
    act = partial(hands.act, hand_id=evening.table.hand_id, player=evening.to_act, action="complete", now=evening.now)
    outcomes = race(*[partial(act, command_id="c1")] * ACTORS)
    assert (refusals(outcomes, Exception), len(set(outcomes)), evening.table.seq) == (0, 1, outcomes[0].seq)
    evening.play_out()


@pytest.mark.smoke
def test_one_of_several_players_gets_the_seat_and_workers_deal_one_hand(open_table, audited):
    table = open_table()
    players = [table.player(name) for name in ("ann", "bob", "cid", "dee")]
    sit = partial(seats.sit, table_id=table.pk, number=5, buy_in=500, now=table.now)
    outcomes = race(*[partial(sit, by=player) for player in players])
    assert (refusals(outcomes, Conflict), [seat.number for seat in Seat.objects.all()]) == (len(players) - 1, [5])
    assert sorted(table.wallet(player) for player in players) == [9_500, 10_000, 10_000, 10_000]
    table.sit("eve", 2)
    row = table.table
    outcomes = race(*[partial(receivers.wake, table_id=row.pk, fence=row.version, now=row.wake_at)] * ACTORS)
    while table.table.hand_id is None:  # the first one may only have looked for bots
        table.wake()
    assert (outcomes.count(True), table.table.hand_count) == (1, 1)


def test_a_player_and_their_clock_at_the_same_moment_leave_one_action(evening, audited):
    """The alarm rings at the deadline, and the player's own action is on its way with an earlier moment."""
    table = evening.table
    act = partial(hands.act, hand_id=table.hand_id, player=evening.to_act, action="bring-in", expected_seq=table.seq)
    ring = partial(receivers.wake, table_id=table.pk, fence=table.version, now=table.wake_at)
    outcomes = race(partial(act, now=evening.now), ring)
    assert refusals(outcomes, Refusal) + outcomes.count(False) == 1
    assert [fact.kind for fact in evening.engine.facts].count("bring-in-posted") == 1


@pytest.fixture
def two_tables(open_table):
    """Two tables with the same two players, who sit in opposite orders and want their chips back."""
    one, other = open_table(), open_table()
    ann, bob = one.sit("ann", 1), one.sit("bob", 2)
    other.sit(bob, 1)
    other.sit(ann, 2)
    return [partial(tables.close, table_id=table.pk, now=table.now) for table in (one, other)]


def test_tables_that_settle_with_the_same_players_at_once_do_not_wait_in_a_ring(two_tables, audited):
    assert refusals(race(*two_tables), Exception) == 0
    assert not Seat.objects.exists()


@pytest.mark.postgres
@pytest.mark.long("shows that the guard is needed; the same race with it stays")
def test_taking_the_wallets_in_the_order_of_the_seats_they_would(two_tables, monkeypatch, audited):
    paid_one = Barrier(2)

    def cash_out_and_wait(seat, *arguments, **options):
        move = cash_out(seat, *arguments, **options)
        if move.number == 1:
            paid_one.wait(LONGEST_WAIT)
        return move

    cash_out = stacks.cash_out
    monkeypatch.setattr(stacks, "hold", lambda players, **_: None)
    monkeypatch.setattr(stacks, "cash_out", cash_out_and_wait)
    assert refusals(race(*two_tables), OperationalError) == 1


def test_chips_asked_for_at_two_tables_come_once_and_no_hand_is_held_up(open_table, audited):
    ann, ends = None, []
    for _ in range(2):
        table = open_table()
        ann = ann or table.player("ann", 1100)
        table.sit(ann, 1)
        table.sit(f"guest{table.pk}", 2)
        table.deal()
        seats.top_up(table_id=table.pk, by=ann, amount=100, now=table.now)
        table.act("bring-in")
        ends.append(partial(hands.act, hand_id=table.table.hand_id, player=table.to_act, action="fold", now=table.now))
    assert refusals(race(*ends), Exception) == 0
    assert (table.wallet(ann), SeatMove.objects.filter(player=ann, kind="topped-up").count()) == (0, 1)


@pytest.mark.postgres
@pytest.mark.long("shows that the guard is needed; the same race with it stays")
def test_without_the_lock_all_play_and_only_the_numbering_stops_them(evening, two_windows, monkeypatch, audited):
    def fold_alone(hand_id, *, seq):
        """A copy of its own for each, as processes of their own would have."""
        table_journal.forget()
        return table_journal.read(hand_id)

    with monkeypatch.context() as unguarded:
        unguarded.setattr(table_journal, "take", lambda hand_id: None)  # nobody plays on a copy of their own
        unguarded.setattr(locking, "table_playing", lambda hand_id: Table.objects.get(play__hand=hand_id))
        unguarded.setattr(table_journal, "load", in_step(fold_alone, ACTORS))
        outcomes = race(*two_windows)
    assert refusals(outcomes, IntegrityError) == ACTORS - 1  # not Stale: nobody was told in words
    assert HandFact.objects.filter(hand=evening.table.hand_id, kind="bring-in-posted").count() == 1
    evening.play_out()


@pytest.mark.postgres
@pytest.mark.long("shows that the guard is needed; the same race with it stays")
def test_without_the_lock_only_the_database_keeps_one_seat_for_one(open_table, monkeypatch, audited):
    table = open_table()
    players = [table.player(name) for name in ("ann", "bob")]
    monkeypatch.setattr(locking, "table", lambda table_id: Table.objects.get(pk=table_id))
    monkeypatch.setattr(holds, "free_number", in_step(holds.free_number, len(players)))
    sit = partial(seats.sit, table_id=table.pk, number=5, buy_in=500, now=table.now)
    outcomes = race(*[partial(sit, by=player) for player in players])
    assert (refusals(outcomes, IntegrityError), Seat.objects.count()) == (1, 1)
