"""A turn is told by push: after a moment, once, to a player who has no page in sight, and without a card."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from tests.support.models import Notice, TablePlay
from tests.support.parts.cardroom import outbox, push
from tests.support.parts.games import turns
from tests.support.push_service import Browser, PushService, push_service


@pytest.fixture
def service(settings) -> Iterator[PushService]:
    with push_service(settings) as service:
        yield service


def test_a_turn_is_pushed_once_after_a_moment_to_a_player_who_looks_elsewhere(
    evening, service, django_assert_num_queries
):
    table, first, browser = evening.table, evening.to_act, Browser(service, "one")
    second = evening.bob if first == evening.ann else evening.ann
    before, moment = table.turn_at - timedelta(minutes=1), table.turn_at + turns.PATIENCE
    assert turns.push(now=moment) == 0
    push.subscribe(by=second, **Browser(service, "two").subscription, now=before)
    assert turns.push(now=moment) == 0
    push.subscribe(by=first, **browser.subscription, now=before)
    assert turns.push(now=moment - timedelta(seconds=1)) == 0
    push.note_in_sight(players=[first.pk], now=moment)
    with django_assert_num_queries(1):
        assert turns.push(now=moment) == 0
    # They put the phone away.
    away = moment + push.IN_SIGHT + timedelta(milliseconds=1)
    for seconds, pushed in ((1, 0), (60, 1)):
        TablePlay.objects.filter(pk=table.pk).update(deadline=away + timedelta(seconds=seconds))
        assert turns.push(now=away) == pushed
    assert turns.push(now=away + timedelta(seconds=3)) == 0
    assert outbox.send(key=Notice.objects.get(player=first, kind="turn").key, now=away) == ["push"]
    (said,) = browser.read(push.public_key())
    assert (said["body"], said["url"], said["tag"]) == (f"Your turn at {table.name}.", f"/tables/{table.pk}/", "turn")
