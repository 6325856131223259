"""How much the database keeps of a hand, and whether what an action writes stays on its page.

Six people a table play hands to their end through the services, without sockets, in a scratch database on the server of
``DATABASE_URL`` that is dropped in the end. What has grown meanwhile is counted with all its indexes.
"""

from __future__ import annotations

import random
from dataclasses import asdict
from typing import Any

from django.db import connection
from django.utils import timezone

from cardroom.core.models import User
from games.play import hands as playing
from games.play import receivers
from games.tables import journal as table_journal
from games.tables.models.tables import Table
from tests.benches import live, live_players, parts, temporary

TABLES = 8
_SEED = 7
#: A table's row counts as written with each action where it is updated at least so often an action.
_OFTEN = 0.5

_SIZES = """
    SELECT relname, pg_total_relation_size(relid), n_tup_ins, n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables
    ORDER BY relname
"""
#: A transaction that writes in another database holds up the clearing of old versions of rows in all of them.
_OLDEST = """
    SELECT coalesce(extract(epoch FROM max(now() - xact_start)), 0) FROM pg_stat_activity
    WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
"""


def run(hands: int = 320) -> dict[str, Any]:
    """Plays at least so many ``hands``. ``kb_per_hand``: by how much all tables that got new rows grew, with their
    indexes; ``hot_share``: of the updates of rows that each action writes, those that touched no index;
    ``kb_of_updates``: by how much tables grew whose rows are only updated, a hand; ``kb_per_hand_packed``: None, for
    hands cannot be packed yet. ``oldest_transaction_s``: of others on this server before or after; with one that
    lasts, the share and what updates take are worse than by themselves."""
    load_before = temporary.load()
    with temporary.room("bench storage") as environment:
        parts.note(f"lays out {TABLES} tables")
        parts.call(environment, lay_out, TABLES, live.SEATS)
        oldest = parts.call(environment, oldest_transaction)
        before = parts.call(environment, sizes)
        parts.note(f"plays {hands} hands")
        played = parts.call(environment, play, -(-hands // TABLES))
        oldest = max(oldest, parts.call(environment, oldest_transaction))
        after = parts.call(environment, sizes)
    report = compare(before, after, played)
    report |= {"kb_per_hand_packed": None, "packed_note": "hands cannot be packed yet", "oldest_transaction_s": oldest}
    return report | {"load_before": load_before, "load_after": temporary.load()}


def compare(before: dict[str, Any], after: dict[str, Any], played: dict[str, int]) -> dict[str, Any]:
    """What was written between two looks at the sizes, by hand and by action."""
    growth: dict[str, float] = {}
    of_updates = 0.0
    updates: dict[str, tuple[int, int]] = {}
    for name, row in after.items():
        size, inserted, updated, hot = (now - then for now, then in zip(row, before.get(name, [0] * 4), strict=True))
        if size and inserted:
            growth[name] = size / played["hands"] / 1024
        elif size:
            of_updates += size / played["hands"] / 1024
        if updated >= _OFTEN * played["actions"]:
            updates[name] = (updated, hot)
    total = sum(updated for updated, _ in updates.values())
    return {
        "kb_per_hand": round(sum(growth.values()), 1),
        "hot_share": round(sum(hot for _, hot in updates.values()) / total, 3) if total else None,
        "hands": played["hands"],
        "actions_per_hand": round(played["actions"] / played["hands"], 1),
        "facts_per_hand": round(played["facts"] / played["hands"], 1),
        "kb_by_table": {name: round(growth[name], 2) for name in sorted(growth, key=growth.__getitem__, reverse=True)},
        "kb_of_updates": round(of_updates, 2),
        "hot_by_table": {name: round(hot / updated, 3) for name, (updated, hot) in updates.items()},
    }


def lay_out(tables: int, seats: int) -> int:
    """Open so many tables, all seats taken; how many there are."""
    return len(live.lay_out(tables, seats, 0))


def sizes() -> dict[str, list[int]]:
    """By table: bytes with its indexes, new rows, updates of rows, and updates that touched no index. What was
    written is first put in order, as the database does by itself in time."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute(_SIZES)
        return {name: list(numbers) for name, *numbers in cursor.fetchall()}


def oldest_transaction() -> float:
    """Since how many seconds a transaction that writes is open, anywhere on the server."""
    with connection.cursor() as cursor:
        cursor.execute(_OLDEST)
        return round(float(cursor.fetchone()[0]), 1)


def play(hands_each: int) -> dict[str, int]:
    """So many hands to the end at each table, an action at one table after the other; how many hands, actions and facts
    that were."""
    chance = random.Random(_SEED)
    people = User.objects.in_bulk()
    played = {"hands": 0, "actions": 0, "facts": 0}
    open_hands: dict[int, int] = {}
    left = dict.fromkeys(Table.objects.order_by("pk").values_list("pk", flat=True), hands_each)
    while left:
        for pk in list(left):
            table = Table.objects.select_related("play__hand").get(pk=pk)
            if table.hand_id is not None:
                open_hands[pk] = table.hand_id
                _act(table, people, chance)
                played["actions"] += 1
            elif pk in open_hands:
                played["hands"] += 1
                played["facts"] += len(table_journal.times(open_hands.pop(pk)))
                left[pk] -= 1
                if not left[pk]:
                    del left[pk]
            else:
                _deal(table)
    return played


def _deal(table: Table) -> None:
    now = timezone.now()
    if table.wake_at is not None:
        now = max(now, table.wake_at)  # nobody waits here
    if not receivers.wake(table_id=table.pk, fence=table.version, now=now):
        raise temporary.CannotRun(f"no hand was dealt at {table.name}")


def _act(table: Table, people: dict[int, User], chance: random.Random) -> None:
    with table_journal.store.looking(table.hand_id, upto=table.seq) as engine:
        turn = asdict(engine.options(table.to_act))
    action, amount = live_players.choose(turn, chance)
    playing.act(
        hand_id=table.hand_id,
        player=people[table_journal.sitters(table.hand)[table.to_act].player],
        action=action,
        amount=amount,
        expected_seq=table.seq,
        command_id=f"bench-{table.seq}",
    )
