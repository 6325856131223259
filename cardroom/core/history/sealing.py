"""Seals over what was written down, made once a minute and chained.

A seal covers, of each guarded table, the rows between the last id that the seals before it covered and the last one
now: their columns that never change. A row that has a life is sealed once more, whole, when it has come to its end. The
content of a seal names the head of the one before it; its own head is the SHA-256 of its content, and its HMAC is under
`CARDROOM_HISTORY_KEY`, which the database does not know. Empty seals are not made.

Ids are given out before a transaction commits, so a row may appear below one that is there already. Every writer of a
table holds a lock on it from before the id is given out until the transaction is over. So after the last id was read,
those that hold one then are waited for: once they are gone, every id up to it is decided. Where one of them takes long
its table waits for the next minute.
"""

import hashlib
import hmac
import json
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog
from django.conf import settings
from django.db import connection, transaction

from cardroom.core.database import guards
from cardroom.core.history import keys, rows
from cardroom.core.models import HistorySeal, HistoryState
from cardroom.core.verb import current_time

log = structlog.get_logger(__name__)

#: Of one table in one seal: the first seals of a room that ran without them are made bit by bit.
MOST_ROWS = 20_000
#: For transactions that were under way, in seconds.
PATIENCE = 5.0
_PAUSE = 0.02
FIRST = "0" * 64
_ROW = 1

_WRITERS = """
    SELECT relation::regclass::text, virtualtransaction FROM pg_locks
    WHERE locktype = 'relation' AND relation = ANY(%s::regclass[]) AND pid IS DISTINCT FROM pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
"""


@dataclass
class State:
    """How far the seals go: by table the last id, and the ids up to it that have not come to their end."""

    number: int = 0
    head: str = FIRST
    upto: dict[str, int] = field(default_factory=dict)
    open: dict[str, set[int]] = field(default_factory=dict)

    def follow(self, seal: HistorySeal, content: dict[str, Any]) -> None:
        """Take in what a seal covers, beside the ids that it opened."""
        self.number, self.head = seal.number, seal.head
        for table, part in content["tables"].items():
            if "upto" in part:
                self.upto[table] = part["upto"]
            self.open.setdefault(table, set()).difference_update(part.get("ended", ()))


def seal(*, now: datetime | None = None, patience: float = PATIENCE) -> HistorySeal | None:
    """Seal what is new; None where nothing is, or where another process does it. The time is read under the lock."""
    with transaction.atomic():
        HistoryState.objects.get_or_create(pk=_ROW)
        state_row = HistoryState.objects.select_for_update(skip_locked=connection.vendor == "postgresql").first()
        if state_row is None:
            return None
        now = now or current_time()
        state = _state(state_row)
        tables, is_complete = _unsealed_content(state, patience=patience)
        if not tables:
            return None
        content = _text(
            number=state.number + 1, at=now.isoformat(), previous=state.head, is_complete=is_complete, tables=tables
        )
        head = hashlib.sha256(content.encode()).hexdigest()
        new = HistorySeal.objects.create(number=state.number + 1, content=content, head=head, mac=mac_of(head), at=now)
        state.follow(new, {"tables": tables})
        state_row.number, state_row.upto = new.number, state.upto
        state_row.open = {table: sorted(ids) for table, ids in state.open.items() if ids}
        state_row.save(update_fields=["number", "upto", "open"])
    return new


def mac_of(head: str) -> str:
    """The HMAC of a head under the newest key, after the number of the key; empty where the room has none."""
    number, key = max(keys.parse_keys(settings.CARDROOM_HISTORY_KEY).items(), default=(0, b""))
    return f"{number}:{hmac.digest(key, head.encode(), 'sha256').hex()}" if key else ""


def is_authentic(seal: HistorySeal) -> bool | None:
    """Whether its HMAC is right; None where the room does not have the key."""
    number, _, digest = seal.mac.partition(":")
    key = keys.parse_keys(settings.CARDROOM_HISTORY_KEY).get(int(number)) if number.isdecimal() else None
    if key is None:
        return None
    return hmac.compare_digest(hmac.digest(key, seal.head.encode(), "sha256").hex(), digest)


def rebuilt(seals: Iterable[HistorySeal]) -> State:
    """The state that these seals come to, all of them in order."""
    state, guarded = State(), rows.tables()
    for seal in seals:
        content = json.loads(seal.content)
        for table, part in content["tables"].items():
            guard = guarded.get(table)
            if guard is not None and guard.ends is not None and "upto" in part:
                ids = rows.range_of(guard.model, after=part["after"], upto=part["upto"]).values_list("pk", flat=True)
                state.open.setdefault(table, set()).update(ids)
        state.follow(seal, content)
    return state


def _state(state_row: HistoryState) -> State:
    last = HistorySeal.objects.order_by("-number").first()
    if last is None:
        return State()
    if state_row.number != last.number:
        return rebuilt(HistorySeal.objects.order_by("number").iterator())
    return State(
        last.number, last.head, dict(state_row.upto), {table: set(ids) for table, ids in state_row.open.items()}
    )


def _unsealed_content(state: State, *, patience: float) -> tuple[dict[str, dict[str, Any]], bool]:
    """The content of a new seal by table, for tables that have something new, and whether that is all there is."""
    guarded = rows.tables()
    last = _last_ids(guarded)
    grown = {table: pk for table, pk in last.items() if pk > state.upto.get(table, 0)}
    still_written = _still_written(grown, patience=patience)
    is_complete = not still_written
    parts: dict[str, dict[str, Any]] = {}
    for table, guard in guarded.items():
        part: dict[str, Any] = {}
        if table in grown and table not in still_written:
            is_complete &= _add_new(part, guard, state, table, upto=grown[table])
        if guard.ends is not None and state.open.get(table):
            _add_ended(part, guard, table, sorted(state.open[table]))
        if part:
            parts[table] = part
    return parts, is_complete


def _last_ids(guarded: dict[str, guards.Guard]) -> dict[str, int]:
    """By table the last id; one statement."""
    quote = connection.ops.quote_name
    columns = {table: guard.model._meta.pk.column for table, guard in guarded.items() if guard.model._meta.pk}
    query = " UNION ALL ".join(
        f"SELECT '{table}', max({quote(column)}) FROM {quote(table)}"  # noqa: S608, names of our own
        for table, column in columns.items()
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {table: pk for table, pk in cursor.fetchall() if pk is not None}


def _still_written(tables: Collection[str], *, patience: float) -> set[str]:
    """Those of `tables` that a transaction which was open at the call still writes to, after waiting for it up to
    `patience` seconds."""
    if connection.vendor != "postgresql" or not tables:
        return set()  # SQLite has one writer at a time
    waited_for = _writers(tables)
    deadline = time.monotonic() + patience
    while waited_for and time.monotonic() < deadline:
        time.sleep(_PAUSE)
        waited_for &= _writers(tables)
    return {table for table, _ in waited_for}


def _writers(tables: Collection[str]) -> set[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(_WRITERS, [list(tables)])
        return set(cursor.fetchall())


def _add_new(part: dict[str, Any], guard: guards.Guard, state: State, table: str, *, upto: int) -> bool:
    """Seal the rows of a table up to an id; returns whether these are all."""
    after, columns, digest = state.upto.get(table, 0), rows.columns_at_first(guard), hashlib.sha256()
    ids: list[int] = []
    for pk, row in rows.values(rows.range_of(guard.model, after=after, upto=upto)[:MOST_ROWS], columns):
        digest.update(rows.line(row) + b"\n")
        ids.append(pk)
    is_all = len(ids) < MOST_ROWS
    part |= {"after": after, "upto": upto if is_all else ids[-1], "rows": len(ids), "columns": columns}
    part["digest"] = digest.hexdigest()
    if guard.ends is not None:
        state.open.setdefault(table, set()).update(ids)
    return is_all


def _add_ended(part: dict[str, Any], guard: guards.Guard, table: str, open_ids: list[int]) -> None:
    """Seal the rows that have come to their end."""
    ids = list(rows.ended_ids(guard, open_ids))
    if ids:
        columns, digest = rows.columns_at_last(guard), hashlib.sha256()
        for _, line in rows.last_lines(table, guard, ids, columns):
            digest.update(line + b"\n")
        part |= {"ended": ids, "ended_columns": columns, "ended_digest": digest.hexdigest()}


def _text(**content: Any) -> str:
    return json.dumps(content, separators=(",", ":"), sort_keys=True)
