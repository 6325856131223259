"""Losing touch at a cash table: extra time by a schedule, a cap for each visit, and nothing won by coming and going."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.evening import Evening
from tests.support.models import Seat, Stay
from tests.support.offers import Games
from tests.support.parts.games import clocks, hands, moving, offers, seats, table_journal, table_queries, tables
from tests.support.worlds import world

EXTRA = {"extra_seconds": [30, 15], "extra_cap_seconds": 120}


def open_cash(*names, **options):
    """A table with extra time, people in its seats from 1 on, a hand dealt."""
    table = Evening(**{**EXTRA, **options})
    table.people = [table.sit(name, number) for number, name in enumerate(names, 1)]
    return table.deal()


@world
def table():
    return open_cash("ann", "bob", "cid")


@world
def duel():
    """ann and bob heads up; the time bank is full again in every hand."""
    return open_cash("ann", "bob", bank_refill_seconds=60)


@world
def room():
    return Games()


def hear(table, player, *, is_here):
    return hands.note_presence(table_id=table.pk, player_id=player.pk, is_here=is_here, now=table.now)


@world
def gone(table):
    """Whose turn it is, and they have just lost touch."""
    player = table.to_act
    assert hear(table, player, is_here=False)
    return player


def seconds_allowed(table):
    """How long whose turn it is has from its beginning, in seconds."""
    return (table.table.deadline - table.table.turn_at).total_seconds()


def extra(table):
    return table.table.extra_ms / 1000


def clock_of(table, player):
    return table.table.clocks[str(table.seat_of(player).number)]


def kinds(hand, after):
    return [fact.kind for fact in table_journal.facts(hand, after=after)]


def test_the_first_and_the_second_turn_out_of_touch_have_extra_time_and_then_none(duel):
    gone = duel.to_act
    hear(duel, gone, is_here=False)
    given = []
    for _ in range(4):
        given.append(extra(duel.on_to(gone)))
        duel.check_or_call()
    assert given == [30, 15, 0, 0]


def test_extra_time_survives_a_restart_and_a_missed_one_counts(table, gone, audited):
    before = table.table
    table_journal.forget()
    after = table.table
    assert (after.deadline, after.extra_ms, after.clocks) == (before.deadline, before.extra_ms, before.clocks)
    assert table.seat_of(gone).gone_at == table.now
    assert table.wake()
    assert clock_of(table, gone)[3:] == [True, 1, 30_000]
    while table.table.hand_id:
        if table.to_act == gone:
            missed = clock_of(table, gone)[1]
            table.wake()
            assert not table.table.hand_id or clock_of(table, gone)[1] == missed + 1
        else:
            table.check_or_call()
    seat = table.seat_of(gone)
    assert (seat.state, seat.missed_clocks) == ("sitting-out", 0), "two clocks in a row, as everybody"


def test_a_player_out_of_time_checks_where_it_is_free_and_else_folds(table):
    gone = next(player for player in table.people if player != table.to_act)
    hear(table, gone, is_here=False)
    assert extra(table) == 0, "it is another one's turn"
    table.on_to(gone)
    assert (extra(table), seconds_allowed(table)) == (30, 120), "from the beginning of their own"
    while not table.turn.can_check:
        table.check_or_call()
        table.on_to(gone)
    hand, seq = table.table.hand_id, table.table.seq
    assert table.wake()
    assert kinds(hand, seq)[:2] == ["timed-out", "checked"]
    while not table.turn.sizes or table.to_act == gone:
        table.check_or_call()
    table.act("raise", table.turn.sizes[0])
    table.on_to(gone)
    seq = table.table.seq
    assert table.wake()
    assert kinds(hand, seq)[:2] == ["timed-out", "folded"]


def test_heads_up_the_other_one_waits_for_the_extra_time_and_wins_what_is_folded(duel, audited):
    duel.act("bring-in")
    gone = duel.to_act
    other = next(player for player in duel.people if player != gone)
    hear(duel, gone, is_here=False)
    assert seconds_allowed(duel) == 120
    before = duel.stack(other)
    assert duel.wake()
    assert duel.table.hand_id is None
    assert duel.stack(other) > before
    seat = duel.seat_of(gone)
    assert (seat.state, seat.extra_used_ms) == ("playing", 30_000), "one clock: the player is dealt in once more"
    assert extra(duel.on_to(gone)) == 15


def test_an_all_in_player_needs_no_time_and_keeps_the_hand(audited):
    table = open_cash("ann", "bob", min_buy_in=30)
    table.play_out()
    short = table.sit("cid", buy_in=30)
    table.deal()
    hand, seat = table.table.hand_id, table.seat_of(short)
    while table.engine.seats[seat.number].stack:
        table.act("raise", table.turn.sizes[-1]) if table.turn.sizes else table.check_or_call()
    hear(table, short, is_here=False)
    turns = 0
    while table.table.hand_id == hand:
        assert table.to_act != short
        assert extra(table) == 0
        table.check_or_call()
        turns += 1
    assert turns, "the others played on"
    assert {"timed-out", "folded"}.isdisjoint(kinds(hand, 0))
    seat.refresh_from_db()
    assert (seat.extra_used_ms, seat.extras_taken) == (0, 0)


def test_a_clock_that_has_run_out_is_not_wound_up_again_by_losing_touch(table):
    gone, due = table.to_act, table.table.deadline
    table.now = due
    assert hear(table, gone, is_here=False)
    assert (table.table.deadline, extra(table)) == (due, 0)


def test_a_second_loss_in_one_turn_gives_no_more_extra_time(table, gone):
    due = table.table.deadline
    for _ in range(3):
        hear(table, gone, is_here=True)
        hear(table, gone, is_here=False)
    assert table.table.deadline == due
    table.later(seconds=40)
    assert hear(table, gone, is_here=True)
    assert extra(table) == 30, "10 seconds used and an act clock, but no more than was given"
    table.check_or_call()
    assert (clock_of(table, gone)[3:], extra(table.on_to(gone))) == ([False, 1, 10_000], 0)


def test_loading_a_page_again_costs_no_extra_time(duel):
    gone, hand = duel.to_act, duel.table.hand_id
    for _ in range(2):
        hear(duel, gone, is_here=False)
        assert extra(duel) == 30
        hear(duel, gone, is_here=True)
        duel.later(seconds=5).check_or_call()
        duel.on_to(gone)
    clock = clocks.clock_of(duel.table, duel.seat_of(gone).number)
    assert (clock.extras, clock.extra_used) == (0, 0)
    given = []
    while duel.table.hand_id == hand:
        if is_theirs := duel.to_act == gone:
            hear(duel, gone, is_here=False)
            given.append(extra(duel))
        duel.check_or_call()
        if is_theirs:
            hear(duel, gone, is_here=True)
    assert given == [30, 15, 0]
    hear(duel, gone, is_here=False)
    assert extra(duel.on_to(gone)) == 30, "in another hand it begins anew, as far as the cap goes"


def test_a_visits_extra_time_never_exceeds_the_cap():
    table = open_cash("ann", "bob", extra_cap_seconds=50, bank_refill_seconds=60)
    gone = table.people[0]
    used = []
    for _ in range(4):
        table.on_to(gone)
        hear(table, gone, is_here=False)
        given = extra(table)
        table.later(seconds=30 + given).check_or_call()
        hear(table, gone, is_here=True)
        if table.table.hand_id:
            table.play_out()
        used.append((given, table.seat_of(gone).extra_used_ms / 1000))
        hear(table, gone, is_here=False)
        hear(table, gone, is_here=True)
    assert used == [(30, 30), (20, 50), (0, 50), (0, 50)]


def test_a_player_who_sits_down_again_within_an_hour_goes_on_with_the_visit(table, gone):
    table.later(seconds=50).check_or_call()
    table.leave(gone)
    table.play_out()
    assert not table.table.seats.filter(player=gone).exists()
    assert Stay.objects.get(player=gone).extra_used_ms == 20_000, "what the last hand took is in it"
    table.sit(gone, buy_in=1000)
    seat = table.seat_of(gone)
    assert (seat.extra_used_ms, seat.gone_at) == (20_000, None)
    table.leave(gone)
    if table.table.hand_id:
        table.play_out()
    table.later(hours=1, seconds=1).sit(gone, buy_in=1000)
    assert table.seat_of(gone).extra_used_ms == 0


def test_another_table_of_the_game_gives_none_of_it_again(room):
    offer = room.offer(**EXTRA)
    first, second, elsewhere = room.open(offer), room.open(offer), room.open(room.offer("Razz", game="razz", **EXTRA))
    ann = room.player("ann")
    seats.sit(table_id=first.pk, by=ann, number=1, buy_in=500, now=room.now)
    Seat.objects.update(extra_used_ms=20_000)
    seats.leave(table_id=first.pk, by=ann, now=room.now)
    for table, used in ((second, 20_000), (elsewhere, 0)):
        seats.sit(table_id=table.pk, by=ann, number=1, buy_in=500, now=room.now)
        assert Seat.objects.get(table=table, player=ann).extra_used_ms == used


def test_used_extra_time_goes_along_to_other_seats_and_tables(table, gone):
    other, plain = Evening(**EXTRA), Evening()
    table.later(seconds=50).check_or_call()
    table.play_out()
    taken = table.seat_of(gone).extras_taken
    assert taken >= 1
    said = {"player": gone, "by": None, "why": ""}
    for here, there, number in ((table, table, 8), (table, other, 4)):
        moving.move(**said, table_id=here.pk, to_table_id=there.pk, number=number, now=table.now)
        seat = there.seat_of(gone)
        assert (seat.extra_used_ms, seat.extras_taken, seat.gone_at is not None) == (20_000, taken, True)
    moving.move(**said, table_id=other.pk, to_table_id=plain.pk, number=4, now=table.now)
    assert (plain.seat_of(gone).gone_at, plain.seat_of(gone).extra_used_ms) == (None, 20_000)
    eve = plain.sit("eve", 1)
    plain.now = table.now
    plain.deal().play_out()
    moving.move(**said, table_id=plain.pk, to_table_id=table.pk, number=7, now=plain.now)
    assert table.seat_of(gone).extra_used_ms == 20_000, "and the way there and back gives none of it again"
    before = plain.table.version
    assert not hear(plain, eve, is_here=False)
    assert plain.table.version == before


def test_everybody_at_the_table_sees_a_lost_connection(table):
    assert hear(table, table.people[1], is_here=False)
    view = table_queries.table_view(table_id=table.pk, viewer=table.people[0])
    assert [(seat["is_gone"], seat["state"]) for seat in view["seats"]] == [
        (False, "playing"), (True, "playing"), (False, "playing")
    ]  # fmt: skip
    assert (view["extra_seconds"], view["extra_cap_seconds"]) == ([30, 15], 120)
    assert not hear(table, table.people[1], is_here=False), "that is no news"
    hear(table, table.people[1], is_here=True)
    table.later(seconds=31).check_or_call()
    assert sorted(map(len, table.table.clocks.values())) == [2, 2, 2]
    hear(table, table.to_act, is_here=False)
    assert sorted(map(len, table.table.clocks.values())) == [2, 2, 6]


def test_an_action_takes_no_more_statements_where_there_is_extra_time():
    counts = []
    for names, seconds in ((("ann", "bob"), []), (("cid", "dee"), [30, 15])):
        table = open_cash(*names, extra_seconds=seconds)
        with CaptureQueriesContext(connection) as captured:
            table.play_out()
        counts.append(len(captured))
        table_journal.forget()
    assert counts[0] == counts[1], "nor does the end of a hand"


def test_bots_and_tables_without_clocks_have_no_extra_time(room):
    table = open_cash("ann", bots=2)
    assert not hear(table, Seat.objects.filter(table=table.pk, player__is_bot=True).first().player, is_here=False)
    table = Evening(**EXTRA, dealt_by="person")
    assert hear(table, table.sit("eve", 1), is_here=False), "that they are gone is seen all the same"
    assert table.table.deadline is None
    offer = room.offer()
    room.open(offer)
    dan = room.sit("dan", 1)
    assert hear(room, dan, is_here=False)
    offers.edit(offer_id=offer.pk, by=room.manager, extra_seconds=[], now=room.now)
    tables.take_up(table_id=room.pk, by=room.floor, now=room.now)
    assert room.seat_of(dan).gone_at is None
    assert not hear(room, dan, is_here=False)


def test_sitting_out_by_ones_own_word_changes_nothing_about_it(table):
    gone = table.to_act
    seats.sit_out(table_id=table.pk, by=gone, now=table.now)
    hear(table, gone, is_here=False)
    assert extra(table) == 30, "the hand is live until it is over"
    table.check_or_call()
    table.play_out()
    seat = table.seat_of(gone)
    assert (seat.state, seat.gone_at is not None) == ("sitting-out", True)
    assert hear(table, gone, is_here=True)
    assert table.seat_of(gone).state == "sitting-out"
