"""The alarm clock: set once per thing, claimed by one, never lost."""

from datetime import timedelta
from functools import partial

import pytest
from celery import current_app
from django.db import connection, transaction

from cardroom.core import alarms
from cardroom.core.models import Alarm
from tests.support.racing import race
from tests.support.refusals import refused

SECOND = timedelta(seconds=1)


@pytest.fixture
def act_clock(now):
    """`act_clock(7, after=30)`: the alarm of one table, so many seconds from now."""

    def set_for(table: int, *, after: float = 0, fence: int = 1) -> None:
        alarms.set(kind="act-clock", key=f"table:{table}", due_at=now + after * SECOND, fence=fence)

    return set_for


def keys(claimed: list[Alarm]) -> list[str]:
    return [alarm.key for alarm in claimed]


def test_setting_is_one_statement_and_claiming_too_but_for_what_others_hold(act_clock, now, django_assert_num_queries):
    for fence in (1, 2):
        with django_assert_num_queries(1):
            act_clock(7, fence=fence)
    with django_assert_num_queries(1) as statements:
        alarms.claim_due(now=now)
    assert ("SKIP LOCKED" in statements[0]["sql"]) == (connection.vendor == "postgresql")


def test_an_alarm_set_again_replaces_the_first_and_rings_again_where_it_was_claimed(act_clock, now):
    act_clock(7, after=10, fence=1)
    act_clock(7, after=40, fence=2)
    assert alarms.claim_due(now=now + 10 * SECOND) == []
    (alarm,) = alarms.claim_due(now=now + 40 * SECOND)
    assert (alarm.kind, alarm.key, alarm.fence, alarm.due_at) == ("act-clock", "table:7", 2, now + 40 * SECOND)
    act_clock(7, after=40, fence=3)
    assert keys(alarms.claim_due(now=now + 40 * SECOND)) == ["table:7"]


def test_alarms_are_claimed_in_the_order_they_are_due_up_to_the_limit(act_clock, now):
    for table, after in [(1, 3), (2, 1), (3, 2), (4, 9)]:
        act_clock(table, after=after)
    claimed = [keys(alarms.claim_due(now=now + 5 * SECOND, limit=2)) for _ in range(3)]
    assert claimed == [["table:2", "table:3"], ["table:1"], []]
    claimed = [keys(alarms.claim_due(now=now + after * SECOND)) for after in (8.9, 14.9, 15)]
    assert claimed == [[], ["table:4"], ["table:2", "table:3", "table:1"]], "after ten seconds"


def test_an_alarm_that_was_seen_to_or_taken_back_is_gone(act_clock, now):
    act_clock(7, fence=3)
    alarms.claim_due(now=now)
    alarms.done(kind="act-clock", key="table:7", fence=3)
    assert not Alarm.objects.exists()
    act_clock(7)
    alarms.cancel(kind="act-clock", key="table:7")
    assert alarms.claim_due(now=now) == []


@pytest.mark.parametrize("fence", [3, 4])
def test_the_end_of_one_task_does_not_take_away_what_was_set_meanwhile(act_clock, now, fence):
    """The time bank begins where the act clock ends: same hand, same seq, a later moment."""
    act_clock(7, fence=3)
    alarms.claim_due(now=now)
    act_clock(7, after=20, fence=fence)
    alarms.done(kind="act-clock", key="table:7", fence=3)
    assert keys(alarms.claim_due(now=now + 20 * SECOND)) == ["table:7"]


@pytest.mark.smoke
@pytest.mark.django_db(transaction=True)
def test_many_claimers_at_once_get_each_alarm_once(act_clock, now):
    for table in range(20):
        act_clock(table)
    claims = race(*[partial(alarms.claim_due, now=now, limit=20)] * 4)
    assert sorted(key for claim in claims for key in keys(claim)) == sorted(f"table:{n}" for n in range(20))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_claimer_passes_over_what_another_holds_without_waiting(act_clock, now):
    act_clock(1)
    act_clock(2)
    with transaction.atomic():
        assert keys(alarms.claim_due(now=now, limit=1)) == ["table:1"]
        (others,) = race(partial(alarms.claim_due, now=now))
    assert keys(others) == ["table:2"]


@pytest.fixture
def rung(monkeypatch):
    """A task of this test's own, and the arguments it was called with."""
    calls = []

    @current_app.task(name="tests.act_clock", shared=False)
    def ring_act_clock(kind: str, key: str, fence: int) -> None:
        calls.append((kind, key, fence))

    monkeypatch.setattr(alarms, "handlers", {})
    alarms.register("act-clock", "tests.act_clock")
    was_eager, current_app.conf.task_always_eager = current_app.conf.task_always_eager, True
    yield calls
    current_app.conf.task_always_eager = was_eager
    current_app.tasks.unregister("tests.act_clock")


def test_what_is_due_is_sent_to_the_one_task_of_its_kind_whatever_nobody_listens_to(act_clock, now, rung):
    alarms.register("act-clock", "tests.act_clock")
    refused(ValueError, "already go to", alarms.register, "act-clock", "tests.another")
    alarms.set(kind="unknown", key="x", due_at=now - SECOND, fence=1)
    act_clock(7, fence=12)
    act_clock(8, after=1)
    assert (alarms.ring(now=now), rung) == (1, [("act-clock", "table:7", 12)])
