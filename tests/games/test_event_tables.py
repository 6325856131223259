"""Tables of an event: drawn seats, hands dealt by a director alone, chips of a unit of their own."""

import time
from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.play import event_seats, event_tables, hands, opening, own_hands, receivers, seats, tables
from tests.support.evening import STAKES
from tests.support.event_tables import EVENT, STACK, UNIT, chips_of, directed, issued, move, new_bot, open_event, seat
from tests.support.models import Account, Hand, Seat, SeatMove, Table, User
from tests.support.parts.cardroom import Conflict, Illegal, Invalid, NotFound, core_audit
from tests.support.parts.games import facts, history_queries, statement_lines, table_journal, table_queries
from tests.support.racing import race, refusals
from tests.support.refusals import refused
from tests.support.worlds import world

pytestmark = pytest.mark.usefixtures("director")


@world
def table():
    """A table with three people of the event, a hand dealt."""
    (one,) = open_event(8)
    one.ann, one.bob, one.cid = one.seat_people("ann", "bob", "cid")
    with directed():
        return one.release().deal()


def test_a_table_of_bots_plays_a_hand_only_when_its_director_deals_it(director, audited):
    (one,) = open_event(3)
    one.seat_bots(3)
    assert one.table.wake_at is None, "nothing is due before the tables are released"
    stale = event_seats.deal(table_id=one.pk, players_left=3, version=one.table.version - 1, now=one.now)
    assert (stale.hand, stale.code) == (None, "stale")
    one.release()
    fence, due = one.table.version, one.table.wake_at
    assert receivers.wake(table_id=one.pk, fence=fence, now=due)
    assert not receivers.wake(table_id=one.pk, fence=fence, now=due)
    again = event_seats.deal(table_id=one.pk, players_left=3, now=due)
    assert (again.hand, again.code, one.table.hand_count) == (None, "hand-in-play", 1)
    while len(director.outcomes) < 2:
        assert one.wake()
    assert len(director.asked) == len(director.said) == 3
    assert [dealt.code for dealt in director.said] == [""] * 3
    director.is_holding = True
    while one.table.hand_id:
        assert one.wake()
    assert one.wake(), "the end of the hand is the director's to see"
    assert not one.wake()
    assert (len(director.said), issued()) == (3, 3 * STACK)


def test_chips_of_an_event_are_not_in_the_rooms_books(table, audited):
    accounts = Account.objects.filter(unit=UNIT)
    assert {account.kind for account in accounts} == {"stack", "house"}
    assert sum(accounts.values_list("balance", flat=True)) == 0
    hand = table.table.hand_id
    table.play_out()
    assert sum(chips_of(user) for user in (table.ann, table.bob, table.cid)) == issued() == 3 * STACK
    (row,) = own_hands.find_own_hands(table.ann)
    assert (row.hand_id, row.is_cash, row.stay_id) == (hand, False, None)
    assert own_hands.names_of_sessions(table.ann, [row]) == [EVENT]
    assert own_hands.place_of(table.ann, hand, own_hands.HandSearch(session=EVENT)) == own_hands.Place(1, 1, None, None)
    assert [row.net for row in own_hands.find_own_hands(table.bob, own_hands.HandSearch(only="showdown"))]
    day = timedelta(days=1)
    assert facts.players(table.now - day, table.now + day) == {}
    assert statement_lines.hands(statement_lines.StatementRequest(table.ann, with_hands=True), None, 5) == []


def test_the_hands_of_an_event_are_listed_with_winners_and_ones_own_result(table, django_assert_num_queries):
    played = []
    for _ in range(2):
        played.append(table.deal().table.hand_id)
        table.play_out()
    with django_assert_num_queries(5):
        found = history_queries.hands_of_event(EVENT, table.ann)
    assert [hand.id for hand in found] == played[::-1]
    assert [hand.net for hand in found] == [row.net for row in own_hands.find_own_hands(table.ann)]
    nets = {name: own_hands.find_own_hands(getattr(table, name))[0].net for name in ("ann", "bob", "cid")}
    assert set(found[0].winners) >= {name for name, net in nets.items() if net > 0}
    assert [hand.id for hand in history_queries.hands_of_event(EVENT, table.ann, before=played[1])] == played[:1]
    stranger = table.player("dan")
    for viewer in (None, stranger):
        assert [hand.net for hand in history_queries.hands_of_event(EVENT, viewer)] == [None, None]
    assert history_queries.hands_of_event(EVENT, stranger, own=True) == []
    Table.objects.filter(pk=table.pk).update(has_spectators=False)
    assert [len(history_queries.hands_of_event(EVENT, viewer)) for viewer in (None, stranger, table.bob)] == [0, 0, 2]


def test_an_event_of_bots_plays_down_to_one_with_every_chip(director, audited):
    (one,) = open_event(3, pause_seconds=0)
    one.seat_bots(3, chips=40)
    one.release()
    while one.wake():
        pass
    assert director.said[-1].code == "not-enough-players"
    assert [held.account.balance for held in Seat.objects.select_related("account")] == [3 * 40]
    assert sum(len(outcome.busted) for outcome in director.outcomes.values()) == 2
    for outcome in director.outcomes.values():
        assert sum(outcome.before.values()) == sum(outcome.after.values()) == 120
        assert set(outcome.winners) == set(outcome.busted)
        for winners in outcome.winners.values():
            assert all(outcome.after[winner] > outcome.before[winner] for winner in winners)


def test_players_do_not_sit_top_up_or_leave_an_event_table_by_themselves(table):
    here = {"table_id": table.pk, "now": table.now}
    for verb, more in ((seats.leave, {}), (seats.sit, {"buy_in": 500}), (seats.top_up, {"amount": 500})):
        refused(Illegal, "In a tournament seats are drawn", verb, by=table.ann, **here, **more)
    for verb in (tables.close, tables.reopen):
        refused(Illegal, "by its tournament", verb, **here)


def test_many_tables_are_released_one_after_the_other():
    opened = open_event(8, 8, 8, 8, event="nobodys:7")
    first, now = opened[0], opened[0].now
    first.seat_bots(2)
    event_seats.release(table_ids=[each.pk for each in opened], at=now, over=timedelta(seconds=4), now=now)
    assert [(each.table.wake_at - now).total_seconds() for each in opened] == [0, 1, 2, 3]
    assert not first.wake()
    assert first.table.hand_id is None


def test_a_moved_player_keeps_everything_and_a_disqualified_player_nothing(director, audited):
    one, two = open_event(8, 8)
    ann, bob, cid = one.seat_people("ann", "bob", "cid")
    dee, _ = two.seat_people("dee", "eve")
    Seat.objects.filter(player=cid).update(
        time_bank_ms=1234, is_warned=True, misses_hands=2, extra_used_ms=99, extras_taken=1, state="sitting-out"
    )
    before = one.seat_of(cid)
    move((cid.pk, one.pk, two.pk, 7), now=one.now)
    after = two.seat_of(cid)
    kept = ("time_bank_ms", "is_warned", "misses_hands", "extra_used_ms", "extras_taken", "state", "gone_at")
    assert [getattr(after, name) for name in kept] == [getattr(before, name) for name in kept]
    assert (after.number, after.account.balance, after.account.label) == (7, STACK, f"table:{two.pk}:seat:7")
    assert not one.table.seats.filter(player=cid).exists()
    assert (SeatMove.objects.get(kind="moved").player, issued()) == (cid, 5 * STACK)
    move((ann.pk, one.pk, two.pk, 1), (dee.pk, two.pk, one.pk, 1), (bob.pk, one.pk, one.pk, 8), now=one.now)
    assert (two.seat_of(ann).number, one.seat_of(dee).number, one.seat_of(bob).number) == (1, 1, 8)
    left = event_seats.remove_players(players=[(two.pk, cid.pk)], reference=f"{EVENT}:dq:3", now=one.now)
    assert (left, issued()) == ({cid.pk: STACK}, 4 * STACK)
    rebuy = {"reference": f"{EVENT}:rebuy:1", "now": one.now}
    event_seats.add_chips(chips=[(one.pk, bob.pk, 500)], **rebuy)
    assert (chips_of(bob), issued()) == (STACK + 500, 4 * STACK + 500)
    refused(Conflict, "belongs to a transfer", event_seats.add_chips, chips=[(one.pk, bob.pk, 400)], **rebuy)


def test_a_player_in_a_hand_is_not_moved_taken_out_or_given_chips(table, audited):
    (other,) = open_event(8)
    ann, said = (table.pk, table.ann.pk), {"reference": "x", "now": table.now}
    refused(Conflict, "in a hand being played", move, (table.ann.pk, table.pk, other.pk, 1), now=table.now)
    refused(Conflict, "in a hand being played", event_seats.remove_players, players=[ann], **said)
    refused(Conflict, "in a hand being played", event_seats.add_chips, chips=[(*ann, 500)], **said)
    assert chips_of(table.ann) == STACK
    refused(Conflict, "Somebody sits", event_tables.close_tables, table_ids=[table.pk], now=table.now)
    event_tables.close_tables(table_ids=[other.pk], now=table.now)
    assert list(event_tables.states(event=EVENT)) == [table.pk]
    refused(Conflict, "is closed", event_seats.deal, table_id=other.pk, players_left=3, now=table.now)
    same = {"event": EVENT, "unit": UNIT, "stakes": STAKES, "specs": [(table.table.name, 8)], "now": table.now}
    with pytest.raises(Conflict, match="names is there already"), transaction.atomic():
        event_tables.open_tables(**same)


def test_a_seat_is_drawn_once_and_dealt_in_with_the_next_hand(table, audited):
    dee, now = new_bot(table.now), table.now
    refused(Conflict, "is taken", seat, [(table.pk, 1, dee.pk, STACK)], now=now)
    refused(Invalid, "are 1 to 8", seat, [(table.pk, 9, dee.pk, STACK)], now=now)
    refused(Conflict, "sits in this tournament already", seat, [(table.pk, 8, table.ann.pk, STACK)], now=now)
    refused(Invalid, "from 1", seat, [(table.pk, 8, dee.pk, 0)], now=now)
    refused(NotFound, "no table", seat, [(table.pk + 1000, 8, dee.pk, STACK)], now=now)
    refused(NotFound, "no seat", move, (dee.pk, table.pk, table.pk, 8), now=now)
    seat([(table.pk, 8, dee.pk, STACK)], now=now)
    assert 8 not in table.engine.seats
    table.play_out().deal()
    assert 8 in table.engine.seats


def test_cash_tables_stay_apart_from_events_and_a_wrong_unit_is_found(table, open_table):
    cash = open_table()
    assert [row.id for row in table_queries.lobby()] == [cash.pk]
    refused(Invalid, "not tables of one tournament", event_seats.hold, table_ids=[table.pk, cash.pk], now=table.now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(pk=cash.pk).update(unit=UNIT)
    Table.objects.filter(pk=table.pk).update(unit="rehearsal:8")
    assert any("plays for rehearsal:8" in fault for fault in map(str, core_audit.check()))


@pytest.mark.parametrize(("options", "words"), [
    ({"event": "tournament"}, "<kind>:<id>"), ({"unit": "cash"}, "unit of their own"), ({"game": "snap"}, "no game"),
    ({"betting": "no-limits"}, "no betting structure"), ({"act_seconds": 0}, "a second or more"),
    ({"stakes": opening.TableStakes(ante=0, bring_in=20, small_bet=10, big_bet=20)}, "must rise"),
    ({"stakes": opening.TableStakes(1, 5, 15, 30, smallest_chip=-1)}, "smallest chip"),
    ({"betting": "no-limit", "rulebook": "roberts-v4"}, "plays fixed limit only"),
])  # fmt: skip
def test_what_cannot_be_played_is_not_opened(options, words):
    refused(Invalid, words, open_event, 8, **options)


def test_new_stakes_count_from_the_next_hand(table):
    higher = opening.TableStakes(ante=5, bring_in=10, small_bet=40, big_bet=80, smallest_chip=5)
    event_tables.set_stakes(table_ids=[table.pk], stakes=higher, game="razz", now=table.now)
    listed, state = event_tables.listing(event=EVENT)[table.pk], event_tables.states(event=EVENT)[table.pk]
    assert listed.stakes == state.stakes == higher
    begun = table.engine.started
    assert (begun.small_bet, begun.game, begun.unit) == (15, "seven-card-stud", 1)
    table.play_out().deal()
    started = table.engine.started
    assert (started.ante, started.bring_in, started.small_bet, started.big_bet) == (5, 10, 40, 80)
    assert (started.game, started.unit) == ("razz", 5)


@pytest.mark.parametrize("betting", ["pot-limit", "no-limit", "spread-limit"])
def test_levels_may_be_of_another_betting_structure(director, betting, audited):
    (one,) = open_event(3, betting=betting, rulebook="home")
    one.seat_bots(3)
    one.release().deal()
    assert one.engine.started.structure == betting
    while not director.outcomes:
        assert one.wake()


def test_the_standings_of_all_tables_take_two_queries(table, django_assert_num_queries):
    others = open_event(8, 8)
    bots = [other.seat_bots(3) for other in others]
    with django_assert_num_queries(2):
        standing = event_tables.states(event=EVENT)
    assert [len(each.seats) for each in standing.values()] == [3, 3, 3]
    assert [each.is_between_hands for each in standing.values()] == [False, True, True]
    assert standing[table.pk].stakes == STAKES
    mine = standing[table.pk].seats[1]
    assert (mine.player, mine.chips, mine.in_hand, mine.is_away) == (table.ann.pk, STACK, True, False)
    due = table.table.deadline
    event_seats.refill(event=EVENT, ms=20_000, now=table.now)
    assert table.table.deadline == table.table.wake_at == due + timedelta(seconds=20)
    assert {clock[0] for clock in table.table.clocks.values()} == {80_000}
    assert others[0].seat_of(bots[0][0]).time_bank_ms == 80_000
    table.play_out()
    assert table.seat_of(table.ann).time_bank_ms == 80_000


def test_the_outcome_tells_stacks_before_and_after_and_is_seen_before_the_next_hand(table, audited):
    started = table.engine.started
    assert (started.setting, started.players_left) == ("tournament", 3)
    assert event_tables.outcome(table_id=table.pk) is None
    hand = table.table.hand_id
    table.play_out()
    outcome = event_tables.outcome(table_id=table.pk)
    assert (outcome.hand, outcome.number, outcome.is_void) == (hand, 1, False)
    assert outcome.players == {1: table.ann.pk, 2: table.bob.pk, 3: table.cid.pk}
    assert outcome.before == dict.fromkeys((1, 2, 3), STACK)
    assert outcome.after == {number: table.seat(number).account.balance for number in (1, 2, 3)}
    replayed = table_journal.engine_of(table_journal.facts(hand))
    assert {number: state.stack for number, state in replayed.seats.items()} == outcome.after
    assert outcome.ended_at == table.now
    early = event_seats.deal(table_id=table.pk, players_left=3, now=table.now)
    assert (early.hand, early.code, table.table.wake_at) == (None, "too-early", table.table.deal_at)


@pytest.mark.django_db(transaction=True)
def test_moves_at_once_do_not_deadlock_and_leave_one_seat(director, audited):
    one, two = open_event(8, 8)
    ann, *_ = one.seat_people("ann", "bob", "cid")
    dee, *_ = two.seat_people("dee", "eve", "fay")
    moved = partial(event_seats.move_players, now=one.now)
    outcomes = race(
        partial(moved, moves=[(ann.pk, one.pk, two.pk, 7)], reference="there"),
        partial(moved, moves=[(dee.pk, two.pk, one.pk, 7)], reference="back"),
    )
    assert (refusals(outcomes, Exception), two.seat_of(ann).number, one.seat_of(dee).number) == (0, 7, 7)
    outcomes = race(
        partial(moved, moves=[(ann.pk, two.pk, one.pk, 8)], reference="moved"),
        *(partial(event_seats.deal, table_id=each.pk, players_left=6, now=one.now) for each in (one, two)),
    )
    was_too_late = refusals(outcomes, Conflict)
    assert Seat.objects.get(player=ann).table_id == (two.pk if was_too_late else one.pk)
    assert [sitter["player"] for hand in Hand.objects.all() for sitter in hand.seats.values()].count(ann.pk) <= 1
    assert issued() == 6 * STACK


@pytest.mark.django_db(transaction=True)
def test_alarms_at_once_deal_one_hand_and_agree_with_the_players_action(director, audited):
    (one,) = open_event(8, extra_seconds=(240,), extra_cap_seconds=600)
    one.seat_people("ann", "bob")
    row = one.release().table
    one.now = row.wake_at
    ring = partial(receivers.wake, table_id=one.pk, fence=row.version, now=one.now)
    outcomes = race(ring, ring, ring)
    assert (refusals(outcomes, Exception), Hand.objects.count()) == (0, 1)
    assert [dealt.code for dealt in director.said].count("") == 1
    assert one.table.wake_at == one.table.deadline, "the one that came second has not stopped the clock"

    row, player = one.table, one.to_act
    outcomes = race(
        partial(hands.act, hand_id=row.hand_id, player=player, action="bring-in", now=one.now),
        partial(hands.note_presence, table_id=one.pk, player_id=player.pk, is_here=False, now=one.now),
        partial(seats.sit_out, table_id=one.pk, by=player, now=one.now),
    )
    assert (refusals(outcomes, Exception), one.seat_of(player).gone_at) == (0, one.now)
    assert one.table.clocks[str(row.to_act)][3] is True
    one.play_out()


@pytest.mark.postgres
def test_many_tables_are_seated_with_a_constant_number_of_statements_for_each():
    few, seconds = _seated(tables=5)
    many, more_seconds = _seated(tables=25)
    assert (many - few) / 20 <= 4, "two to store a table, and part of a transfer"
    assert more_seconds < 20 * max(seconds, 0.05)


def _seated(*, tables: int) -> tuple[int, float]:
    """How many statements and seconds of CPU it took to draw the seats of so many full tables."""
    opened = open_event(*[8] * tables)
    mark = User.objects.count()
    users = User.objects.bulk_create(User(username=f"p{mark}x{number}") for number in range(8 * tables))
    drawn = [(opened[n // 8].pk, n % 8 + 1, user.pk, STACK) for n, user in enumerate(users)]
    began = time.process_time()
    with CaptureQueriesContext(connection) as said:
        seat(drawn, now=opened[0].now)
    assert Seat.objects.filter(table__in=[each.pk for each in opened]).count() == 8 * tables
    return len(said), time.process_time() - began
