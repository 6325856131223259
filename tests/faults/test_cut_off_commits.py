"""kill -9 of a process that plays through the services, at a moment that chance chooses: what was answered is there,
what was not is there whole or not at all, and saying it again does it once."""

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import pytest
from django.db.models import Sum
from django.utils import timezone

from cardroom.core import audit as core_audit
from cardroom.ledger.models import Account
from tests.faults import player_process
from tests.faults.player_process import Command
from tests.support.evening import STAKES
from tests.support.evening import player as newcomer
from tests.support.forking import telling, told_by
from tests.support.parts.games import Receipt, opening, seats
from tests.support.tiers import many

KILLS = int(os.environ.get("CARDROOM_KILLS", many(6, long=100)))
#: A quick machine may answer before each of so few kills; it is killed on, until it has been cut off.
MOST = 20 * KILLS
SEATS, CHIPS = 4, 100_000


@pytest.fixture
def table(url: str) -> int:
    """Four people with chips for a long evening, and no pause between their hands."""
    opened = opening.open_table(
        name="Long evening", stakes=STAKES, min_buy_in=300, max_buy_in=CHIPS, pause_seconds=0, act_seconds=3600,
        now=timezone.now(),
    )  # fmt: skip
    for number in range(1, SEATS + 1):
        player = newcomer(f"player{number}", CHIPS, now=timezone.now())
        seats.sit(table_id=opened.pk, by=player, number=number, buy_in=CHIPS, now=timezone.now())
    return opened.pk


def test_whenever_a_player_process_is_killed_no_fact_and_no_chip_is_lost_or_doubled(url: str, table: int) -> None:
    chance = random.Random(11)
    answered: dict[Command, Receipt] = {}
    unanswered = 0
    for kill in range(MOST):
        if kill >= KILLS and unanswered:
            break
        story = told_until_killed(url, table, patience=chance.uniform(0, 0.03))
        answered |= {command: receipt for command, receipt in story if receipt is not None}
        assert core_audit.check() == []
        last, receipt = story[-1]
        if receipt is None:
            unanswered += 1
            answered[last] = last.do()
        for command, _ in story:
            assert command.do() == answered[command], "the same command again is answered as it first was"

    assert unanswered, "it was never killed in the middle of anything"
    for command, receipt in answered.items():
        assert receipt.facts_from == command.seq + 1
    assert Account.objects.aggregate(sum=Sum("balance"))["sum"] == 0
    assert core_audit.check() == []


def test_the_books_of_a_table_in_play_are_clean_at_every_moment(url: str, table: int) -> None:
    with playing(url, table) as (line, _), line:
        for _ in range(many(8, long=50)):
            line.recv()
            assert core_audit.check() == []


@contextmanager
def playing(url: str, table: int) -> Iterator[tuple[Connection, BaseProcess]]:
    """A process that plays until it is killed, when this is over; what it tells."""
    line, process = telling(player_process.play, url, table)
    try:
        yield line, process
    finally:
        process.kill()
        process.join()


def told_until_killed(url: str, table: int, *, patience: float) -> list[tuple[Command, Receipt | None]]:
    """What a new process told until it was killed, so long after its first word."""
    with playing(url, table) as (line, process):
        story = [line.recv()]
        process.join(patience)
    return story + list(told_by(line))
