"""What was sealed is read again and compared with its seals.

Each table is read once, in order, however many seals cover it."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from cardroom.core import audit
from cardroom.core.audit import Note
from cardroom.core.database import guards
from cardroom.core.history import heads, rows, sealing
from cardroom.core.models import HistorySeal, HistoryState

#: So much earlier than a seal may be what says that it was written after it: a transaction that took its time.
LEEWAY = timedelta(hours=1)
_MOMENTS = (
    "at", "asked_at", "made_at", "opened_at", "started_at", "issued_at", "saved_at", "came_at", "joined_at",
)  # fmt: skip
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class SealedRange:
    """What one seal says of one table: the rows after one id up to another. `since`: when the last seal before it was
    made that covered all there was."""

    seal: int
    at: datetime
    since: datetime | None
    after: int
    upto: int
    rows: int
    digest: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SealedEnds:
    """What one seal says of one table: these rows have come to their end."""

    seal: int
    at: datetime
    ids: tuple[int, ...]
    digest: str
    columns: tuple[str, ...]


@dataclass
class Sealed:
    """What the seals say, by table."""

    parts: dict[str, list[SealedRange]]
    ends: dict[str, list[SealedEnds]]
    last: HistorySeal | None = None


def faults(*, head: str = "") -> Iterator[str]:
    """From where on history differs from its seals, in words. `head`: that of the last seal to look at, as somebody
    keeps it who is not of the room."""
    sealed = Sealed(defaultdict(list), defaultdict(list))
    yield from _chain(sealed, head)
    guarded = guards.GUARDED
    for table in sorted({*sealed.parts, *sealed.ends}):
        guard = guarded.get(table)
        if guard is None:
            yield Note(f"{table} was sealed and is there no more")
            continue
        try:
            yield from _rows_of(table, guard, sealed.parts[table])
            yield from _ends_of(table, guard, sealed.ends[table])
        except KeyError as gone:
            yield Note(f"{table} was sealed with the column {gone}, which is there no more: it cannot be checked")
    if not head:
        yield from _state(sealed)


def _chain(sealed: Sealed, head: str) -> Iterator[str]:
    """Faults of the seals themselves; their content is added to `sealed`."""
    before, since = sealing.FIRST, None
    counts = {"without": 0, "unknown": 0}
    heads_outside = dict(heads.known())
    heads_here = {}
    for number, seal in enumerate(HistorySeal.objects.order_by("number").iterator(), 1):
        if seal.number != number:
            yield f"seal {number} is missing"
            return
        content = json.loads(seal.content)
        is_whole = hashlib.sha256(seal.content.encode()).hexdigest() == seal.head and content["number"] == number
        if not is_whole or content["previous"] != before:
            yield f"seal {number} of {seal.at:%Y-%m-%d %H:%M} is not the one that was made"
            return
        is_authentic = sealing.is_authentic(seal)
        if is_authentic is False:
            yield f"seal {number} of {seal.at:%Y-%m-%d %H:%M} was not made with the room's key"
            return
        if is_authentic is None:
            counts["unknown" if seal.mac else "without"] += 1
        at = datetime.fromisoformat(content["at"])
        _add_content(sealed, content, at, since)
        if content["is_complete"]:
            since = at
        before, sealed.last = seal.head, seal
        heads_here[number] = seal.head
        if seal.head == head:
            break
    if head and before != head:
        yield f"there is no seal {head}"
    if not head:
        lost = sorted(
            number for number, head_outside in heads_outside.items() if heads_here.get(number) != head_outside
        )
        if lost:
            yield f"seal {lost[0]}, whose head lies outside, is not in this database"
    if sealed.last is None and not head:
        yield Note("nothing is sealed yet")
    if counts["without"]:
        yield Note(f"{counts['without']} seals were made without a key: set CARDROOM_HISTORY_KEY")
    if counts["unknown"]:
        yield Note(f"the room has not the key of {counts['unknown']} seals")


def _add_content(sealed: Sealed, content: dict[str, Any], at: datetime, since: datetime | None) -> None:
    """Add what one seal says of each table."""
    number = content["number"]
    for table, part in content["tables"].items():
        if "upto" in part:
            names = tuple(part["columns"])
            sealed.parts[table].append(
                SealedRange(number, at, since, part["after"], part["upto"], part["rows"], part["digest"], names)
            )
        if "ended" in part:
            names = tuple(part["ended_columns"])
            sealed.ends[table].append(SealedEnds(number, at, tuple(part["ended"]), part["ended_digest"], names))


def _rows_of(table: str, guard: guards.Guard, parts: Sequence[SealedRange]) -> Iterator[str]:
    """The first range of rows that is not as it was sealed, and the first row that says it is older than it can be."""
    is_backdated = False
    for columns, group in groupby(parts, key=lambda part: part.columns):
        covered = list(group)
        whole = rows.range_of(guard.model, after=covered[0].after, upto=covered[-1].upto)
        stored = rows.values(whole, columns)
        moment = next((columns.index(name) for name in _MOMENTS if name in columns), None)
        row = next(stored, None)
        for part in covered:
            digest, count = hashlib.sha256(), 0
            while row is not None and row[0] <= part.upto:
                digest.update(rows.line(row[1]) + b"\n")
                count += 1
                if moment is not None and not is_backdated and _is_backdated(row[1][moment], part):
                    is_backdated = True
                    yield (
                        f"row {row[0]} of {table} says it is of {row[1][moment]:%Y-%m-%d %H:%M}; it was written after "
                        f"the seals of {part.since:%Y-%m-%d %H:%M} and before seal {part.seal}"
                    )
                row = next(stored, None)
            if digest.hexdigest() != part.digest:
                how_many = "" if count == part.rows else f"{count} rows instead of {part.rows}; "
                yield (
                    f"rows {part.after + 1} to {part.upto} of {table} are not as they were sealed "
                    f"({how_many}first seal that differs: {part.seal} of {part.at:%Y-%m-%d %H:%M})"
                )
                return


def _is_backdated(value: Any, part: SealedRange) -> bool:
    return part.since is not None and isinstance(value, datetime) and value < part.since - LEEWAY


def _ends_of(table: str, guard: guards.Guard, ends: Sequence[SealedEnds]) -> Iterator[str]:
    """The first rows that are not as they were sealed at their end."""
    for columns, group in groupby(ends, key=lambda end: end.columns):
        for batch in _batches(group):
            ids = sorted({pk for end in batch for pk in end.ids})
            lines = dict(rows.last_lines(table, guard, ids, columns))
            for end in batch:
                digest = hashlib.sha256()
                for pk in end.ids:
                    digest.update(lines.get(pk, b"") + b"\n")
                if digest.hexdigest() != end.digest:
                    which = f"row {end.ids[0]}" if len(end.ids) == 1 else f"one of the rows {_id_list(end.ids)}"
                    yield (
                        f"{which} of {table} is not as it was sealed at its end "
                        f"(first seal that differs: {end.seal} of {end.at:%Y-%m-%d %H:%M})"
                    )
                    return


def _batches(ends: Iterator[SealedEnds]) -> Iterator[list[SealedEnds]]:
    batch: list[SealedEnds] = []
    for end in ends:
        batch.append(end)
        if sum(len(ended.ids) for ended in batch) >= _AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _id_list(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids[:20])) + (" and more" if len(ids) > 20 else "")


def _state(sealed: Sealed) -> Iterator[str]:
    """What the room goes on from is what the seals come to."""
    state_row = HistoryState.objects.filter(pk=1).first()
    if state_row is None or sealed.last is None or state_row.number != sealed.last.number:
        if state_row is not None and state_row.number > (sealed.last.number if sealed.last else 0):
            yield f"seals up to {state_row.number} were made, and the last one here is {sealed.last or 'none'}"
        return
    state = sealing.rebuilt(HistorySeal.objects.order_by("number").iterator())
    is_open = {table: ids for table, ids in state.open.items() if ids}
    if dict(state_row.upto) != state.upto or {table: set(ids) for table, ids in state_row.open.items()} != is_open:
        yield "what the room takes for sealed is not what the seals say: delete the row of core_historystate"


audit.register("history is as it was sealed", faults)
