"""Comp points: for the time in the game, credited once, when somebody gets up and at the end of the gaming day."""

from datetime import UTC, datetime, timedelta

from cardroom.ledger import ledger
from games.rake import time_spans
from games.tables.reasons import PLAY
from tests.support.models import Alarm, CompAccrual, Table, Transfer, User
from tests.support.parts.games import collection, comps, seats, tables
from tests.support.timing import TimedTable
from tests.support.worlds import world


@world
def table() -> TimedTable:
    return TimedTable(comp_per_hour=60)


def points_credited(table: TimedTable, player: User) -> int:
    comps.credit(table_id=table.pk, player_id=player.pk, now=table.now)
    return ledger.balance(ledger.wallet(player, unit="comp"))


def test_points_are_credited_once_for_every_minute_played_when_a_player_gets_up(table, audited):
    ann = table.sit("ann")
    table.later(minutes=95).leave(ann)
    assert Alarm.objects.get(kind="comps", key=f"{table.pk}:{ann.pk}").due_at == table.now
    assert points_credited(table, ann) == points_credited(table, ann) == 95
    accrual = CompAccrual.objects.get()
    assert Transfer.objects.get(reference=f"comp:play:{accrual.pk}").reason == PLAY(at=table.table.name)
    assert (accrual.seconds, accrual.points) == (95 * 60, 95)


def test_a_stay_earns_at_the_rate_of_its_game_when_the_player_sat_down(table):
    before = TimedTable(comp_per_hour=0)
    ann = table.player("ann")
    Table.objects.filter(pk=table.pk).update(offer=before.offer)
    table.sit(ann)
    table.later(minutes=60).leave(ann)
    Table.objects.filter(pk=table.pk).update(offer=table.offer)
    assert points_credited(table, ann) == 0, "nothing was given then, and nothing is given for it later"
    assert not CompAccrual.objects.exists()
    table.sit(ann)
    Table.objects.filter(pk=table.pk).update(offer=before.offer)
    table.later(minutes=60).leave(ann)
    assert points_credited(table, ann) == 60


def test_time_sat_out_or_paused_earns_nothing_however_it_overlaps(table, floor):
    ann, start = table.sit("ann"), table.now
    own, by = {"table_id": table.pk, "by": ann}, {"table_id": table.pk, "by": floor}
    seat = {"player": ann}
    for minutes, verb, told in (
        (10, seats.sit_out, own), (10, collection.pause, seat | by), (5, seats.come_back, own),
        (5, collection.resume, seat | by), (10, tables.pause, by | {"reason": "alarm"}), (10, tables.resume, by),
    ):  # fmt: skip
        verb(**told, now=table.later(minutes=minutes).now)
    table.later(minutes=10).leave(ann)
    assert table.now - start == timedelta(minutes=60)
    assert points_credited(table, ann) == 30


def test_comps_are_credited_at_the_end_of_the_gaming_day_and_the_rest_is_carried_on():
    table = TimedTable(comp_per_hour=7)
    ann = table.sit("ann")
    end = (table.now + timedelta(days=1)).replace(hour=6)
    assert Alarm.objects.get(kind="comps").due_at == end
    table.now = end
    assert (points_credited(table, ann), Alarm.objects.get(kind="comps").due_at) == (70, end + timedelta(days=1))
    table.later(minutes=5)
    assert points_credited(table, ann) == 70
    table.later(minutes=5).leave(ann)
    assert points_credited(table, ann) == 71  # ten minutes at seven an hour, though neither five came to one


def test_what_is_taken_out_of_a_span_may_overlap_and_stick_out():
    at = [datetime(2030, 1, 5, hour, tzinfo=UTC) for hour in range(24)]
    left = time_spans.without((at[8], at[20]), [(at[6], at[9]), (at[10], at[12]), (at[11], at[13]), (at[19], at[22])])
    assert left == [(at[9], at[10]), (at[13], at[19])]
    assert (time_spans.seconds(left), time_spans.without((at[8], at[9]), [(at[7], at[10])])) == (7 * 3600, [])
