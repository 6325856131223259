"""Which book a table plays: what managers choose, and what can be asked of it.

A table that is told to play another book plays it from its next hand on.
"""

from datetime import datetime

import structlog

from cardroom.core.models import User
from cardroom.core.operation import operation
from games.engine.rulebook import Rulebook
from games.rulebooks import HOUSE
from games.rulebooks.models import HouseRulebook
from games.rulebooks.queries import load
from games.rulebooks.services import check_table
from games.tables import locking
from games.tables import signals as table_signals
from games.tables.models.tables import Table

log = structlog.get_logger(__name__)


@operation(locking.of_table, roles=("manager",))
def play_by(*, table_id: int, reference: str, by: User, now: datetime) -> Table:
    """Change the rulebook of a table from its next hand. Locks the table.

    Refuses: `Forbidden` (no manager), `NotFound`, `Invalid` (no such book, or not one this table can be played by).
    """
    table = locking.table(table_id)
    check_table(
        reference, structure=table.structure, setting=table.setting, seats=table.seat_count, bring_in=table.bring_in
    )
    if table.rulebook != reference:
        before, table.rulebook = table.rulebook, reference
        Table.objects.filter(pk=table.pk).update(rulebook=reference)
        locking.store(table, wake_at=table.wake_at)
        log.info("rulebook chosen", table=table.pk, rulebook=reference, before=before, by=by.pk, at=now.isoformat())
        table_signals.table_changed.after_commit(table_id=table.pk, version=table.version)
    return table


def in_play(table: Table) -> str:
    """The rulebook of the current or last hand; before the first hand, the one it will be played by."""
    hand = table.hand or table.last_hand
    return hand.rulebook if hand and hand.rulebook else table.rulebook


def tables_playing(book: HouseRulebook) -> list[Table]:
    """The tables whose next hand is played by any version of this book."""
    reference = f"{HOUSE}{book.slug}@"
    return list(Table.objects.filter(rulebook__startswith=reference).exclude(state=Table.State.CLOSED).order_by("name"))


def tables() -> list[tuple[Table, Rulebook]]:
    """The tables that are open to anybody, each with the book of its next hand."""
    found = Table.objects.filter(event="").exclude(state=Table.State.CLOSED).order_by("name")
    return [(table, load(table.rulebook)) for table in found]
