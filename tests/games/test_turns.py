"""A turn is told by push: after a moment, once, to who has no page in sight, and without a card."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from tests.support.models import Notice, Table
from tests.support.parts.cardroom import outbox, push
from tests.support.parts.games import turns
from tests.support.push_service import Browser, PushService, push_service


@pytest.fixture
def service(settings) -> Iterator[PushService]:
    with push_service(settings) as service:
        yield service


def test_a_turn_is_pushed_once_after_a_moment_to_who_looks_elsewhere(evening, service, django_assert_num_queries):
    table, first, browser = evening.table, evening.to_act, Browser(service, "one")
    began = table.turn_at
    push.subscribe(player=first, **browser.subscription, now=began - timedelta(minutes=1))
    moment = began + turns.PATIENCE
    assert turns.push(now=moment - timedelta(seconds=1)) == 0
    push.saw(players=[first.pk], now=moment)
    with django_assert_num_queries(1):
        assert turns.push(now=moment) == 0
    # They put the phone away.
    away = moment + push.IN_SIGHT + timedelta(milliseconds=1)
    Table.objects.filter(pk=table.pk).update(deadline=away + timedelta(minutes=1))
    assert (turns.push(now=away), turns.push(now=away + timedelta(seconds=3))) == (1, 0)
    told = Notice.objects.get(player=first, kind="turn")
    assert outbox.send(key=told.key, now=away) == ["push"]
    (said,) = browser.read(push.public_key())
    assert (said["body"], said["url"], said["tag"]) == (f"Your turn at {table.name}.", f"/tables/{table.pk}/", "turn")


def test_a_turn_that_is_over_soon_and_one_of_nobody_who_asked_are_not_pushed(evening, service):
    table = Table.objects.get(pk=evening.pk)
    late = table.turn_at + turns.PATIENCE
    assert turns.push(now=late) == 0
    first, second = (evening.ann, evening.bob) if table.to_act == 1 else (evening.bob, evening.ann)
    push.subscribe(player=second, **Browser(service, "two").subscription, now=late - timedelta(minutes=1))
    assert turns.push(now=late) == 0
    push.subscribe(player=first, **Browser(service, "one").subscription, now=late - timedelta(minutes=1))
    Table.objects.filter(pk=table.pk).update(deadline=late + timedelta(seconds=1))
    assert turns.push(now=late) == 0
