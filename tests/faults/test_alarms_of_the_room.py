"""Alarms of the cash room rung by several processes at once, which are killed again and again: every collection, call,
hold, pick-up and comp happens once, and none is lost. And those of several tables in the same moment, which touch the
same accounts and the same names."""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.db.models import Sum

from games.play import receivers
from games.tables.models.offers import DropSchedule, Offer, SeatHold
from games.waitlists.models import ListMove
from tests.faults import ringing_process
from tests.support.evening import Evening
from tests.support.evening import player as newcomer
from tests.support.forking import telling, told_by
from tests.support.models import (
    Account,
    Alarm,
    CompAccrual,
    Jackpot,
    Seat,
    SeatMove,
    Table,
    TablePlay,
    TimeCharge,
    User,
)
from tests.support.parts.cardroom import alarms, core_audit
from tests.support.parts.games import filling, holds, jackpot_chips, jackpot_growth, joining, opening, seats, store
from tests.support.racing import race
from tests.support.tiers import many

BEGINS = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)
#: When time, calls, holds and growth are due; and when seats are picked up that were left at 20:05.
FIRST, SECOND = BEGINS + timedelta(minutes=31), BEGINS + timedelta(minutes=41)
RINGERS, KILLS, TABLES = 3, many(2, long=10), many(2, long=3)
#: A claim that nobody made good lapses.
LAPSE = alarms.CLAIM_LASTS + timedelta(seconds=1)


class World:
    """Tables where time is collected and two of three players are away; one with a list and three free seats,
    and three names called to them; a jackpot that grows."""

    def __init__(self) -> None:
        terms = {"ante": 1, "bring_in": 5, "small_bet": 15, "big_bet": 30, "min_buy_in": 300, "max_buy_in": 1500}
        said = {**terms, "made_at": BEGINS}
        time = DropSchedule.objects.create(
            name="Time", kind="time", time_charges=[[2, 10]], time_promo=1, made_at=BEGINS
        )
        timed = Offer.objects.create(name="By time", drop=time, comp_per_hour=60, **said)
        listed = Offer.objects.create(name="By list", seat_count=4, **said)
        self.people = [newcomer(f"p{number}", now=BEGINS) for number in range(TABLES * 3 + 6)]
        self.timed = [opening.open_for(offer_id=timed.pk, by=None, now=BEGINS) for _ in range(TABLES)]
        for place, table in enumerate(self.timed):
            for player in self.people[3 * place : 3 * place + 3]:
                seats.sit(table_id=table.pk, by=player, buy_in=500, now=BEGINS)
        away = BEGINS + timedelta(minutes=5)
        self.away = [player for place, player in enumerate(self.people[: TABLES * 3]) if place % 3]
        for player in self.away:
            seats.sit_out(table_id=Seat.objects.get(player=player).table_id, by=player, now=away)
        self.waiting = self.people[TABLES * 3 :]
        self.list = opening.open_for(offer_id=listed.pk, by=None, now=BEGINS)
        seats.sit(table_id=self.list.pk, by=self.waiting.pop(), buy_in=500, now=BEGINS)
        self._call(listed)
        for table in self.timed:
            holds.hold(
                table_id=table.pk, player=self.waiting[-1], why="reserved", until=BEGINS + timedelta(minutes=30),
                by=None, now=BEGINS,
            )  # fmt: skip
        self.jackpot = Jackpot.objects.create(
            name="Grows", growth=7, growth_minutes=60, grows_at=BEGINS + timedelta(minutes=30), made_at=BEGINS
        )
        alarms.set(kind=jackpot_growth.ALARM, key=str(self.jackpot.pk), due_at=self.jackpot.grows_at, fence=0)

    def _call(self, offer: Offer) -> None:
        """Three of the five names are called, for five minutes."""
        moment = BEGINS + timedelta(minutes=25)
        for player in self.waiting:
            joining.join(offer_id=offer.pk, by=player, now=moment)
        filling.fill_seats(offer_id=offer.pk, now=moment)
        Alarm.objects.filter(kind=store.FILL_ALARM).delete()


def test_processes_that_ring_together_do_everything_once(url: str) -> None:
    world = World()
    chance = random.Random(7)
    assert ring_and_kill(url, FIRST, chance), "no process was ever killed in the middle of anything"
    charges = TimeCharge.objects.filter(period_start=BEGINS + timedelta(minutes=30))
    assert Counter(charges.values_list("player", flat=True)) == Counter(one.pk for one in world.people[: TABLES * 3])
    assert set(charges.values_list("state", "paid")) == {("charged", 10)}
    assert Counter(ListMove.objects.values_list("verb", flat=True)) == {"joined": 5, "called": 6, "expired": 3}
    held = SeatHold.objects.all()
    assert {hold.table_id for hold in held} == {world.list.pk}, "what was reserved is free again"
    assert len(held) == len({hold.number for hold in held}) == 3
    assert Account.objects.get(pk=jackpot_chips.pool(world.jackpot.pk).pk).balance == 7

    ring_and_kill(url, SECOND, chance)
    picked = SeatMove.objects.filter(kind="picked-up")
    assert Counter(picked.values_list("player", "amount")) == Counter((one.pk, 490) for one in world.away)
    minutes = CompAccrual.objects.filter(player__in=world.away).values_list("seconds", flat=True)
    assert list(minutes) == [5 * 60] * len(world.away), "comps for the five minutes each of them played, once"
    assert Table.objects.filter(seats__isnull=False).distinct().count() == TABLES + 1
    assert Account.objects.filter(unit="cash").aggregate(sum=Sum("balance"))["sum"] == 0
    assert core_audit.check() == []


@pytest.mark.django_db(transaction=True)
def test_tables_that_open_in_the_same_moment_find_bots_of_their_own() -> None:
    opened = [Evening(bots=5) for _ in range(4)]
    asked = [{"table_id": one.pk, "fence": one.table.version, "now": one.now} for one in opened]
    assert race(*(partial(receivers.wake, **one) for one in asked)) == [True] * len(opened)
    assert User.objects.filter(is_bot=True).count() == 20
    assert all(one.table.seats.count() == 5 for one in opened)
    assert core_audit.check() == []


def ring_and_kill(url: str, moment: datetime, chance: random.Random) -> int:
    """Ring from this moment on, each time by several processes that die at some statement of theirs; the last ones ring
    until all is quiet. In how many rounds something was claimed, and not seen to."""
    cut_off = 0
    for number in range(KILLS + 5):
        is_deadly = number < KILLS
        story = ring_in_processes(url, moment, [chance.randint(2, 50) if is_deadly else None for _ in range(RINGERS)])
        assert not [said for said in story if isinstance(said, str)], story
        if not is_deadly:
            assert story.count(0) == RINGERS, f"a process ended without a word: {story}"
            if not any(story):
                return cut_off
        claimed = Alarm.objects.filter(claimed_until__isnull=False, due_at__lte=moment)
        claimed_tables = TablePlay.objects.filter(claimed_until__isnull=False, wake_at__lte=moment)
        cut_off += claimed.exists() or claimed_tables.exists()
        moment += LAPSE
    raise AssertionError("alarms without end")


def ring_in_processes(url: str, moment: datetime, deaths: list[int | None]) -> list[int | str]:
    """What new processes told until they died, or were done."""
    ringers = [telling(ringing_process.ring, url, moment, dies_at) for dies_at in deaths]
    for _, process in ringers:
        process.join()
    return [said for line, _ in ringers for said in told_by(line)]
