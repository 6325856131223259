"""A process that plays at a table as fast as it can, to be killed at any moment; it says what it is about to do, and
what came of it."""

import os
from multiprocessing.connection import Connection
from typing import NamedTuple

import django

from tests.support.models import Table, User

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.support.settings")
django.setup()

from django.utils import timezone  # noqa: E402

from games.play import hands, receivers  # noqa: E402
from games.tables import journal as table_journal  # noqa: E402
from games.tables.journal import Receipt  # noqa: E402
from tests.support.database import speaking_to  # noqa: E402


class Command(NamedTuple):
    """What `hands.act` is asked, on what was seen as fact `seq`."""

    hand: int
    player: int
    action: str
    seq: int

    @property
    def key(self) -> str:
        return f"command-{self.hand}-{self.seq}"

    def do(self) -> Receipt:
        return hands.act(
            hand_id=self.hand, player=User.objects.get(pk=self.player), action=self.action, expected_seq=self.seq,
            command_id=self.key, now=timezone.now(),
        )  # fmt: skip


def play(url: str, table_id: int, told: Connection) -> None:
    """Deal, check and call at this table until the end, which comes from outside."""
    with speaking_to(url):
        while True:
            table = Table.objects.get(pk=table_id)
            if table.hand_id is None:
                receivers.wake(table_id=table_id, fence=table.version, now=table.wake_at or timezone.now())
                continue
            command = _next(table)
            told.send((command, None))
            told.send((command, command.do()))


def _next(table: Table) -> Command:
    engine = table_journal.engine_of(table_journal.facts(table.hand_id))
    turn = engine.options(engine.to_act)
    action = "check" if turn.can_check else "call" if turn.call else "bring-in"
    return Command(table.hand_id, table.seats.get(number=engine.to_act).player_id, action, len(engine.facts))
