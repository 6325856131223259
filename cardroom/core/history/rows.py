"""Rows as a seal has them: one line of text each, the same on every database and after every restore."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import msgspec
from django.db.models import Model, Q, QuerySet

from cardroom.core.database import guards

_AT_ONCE = 500  # ids of one statement
_encode = msgspec.json.Encoder(enc_hook=bytes, order="sorted").encode

#: By table: what is sealed with a row that has come to its end beside its columns, by the row's id.
_additions: dict[str, Callable[[Collection[int]], dict[int, str]]] = {}


def seal_also(table: str, find: Callable[[Collection[int]], dict[int, str]]) -> None:
    """Seal what `find` returns by id with the rows of `table` that have come to their end."""
    _additions[table] = find


def tables() -> dict[str, guards.Guard]:
    """What is sealed: every guarded table whose rows stay, but for those sealed with a row they belong to."""
    return {name: guard for name, guard in sorted(guards.GUARDED.items()) if guard.is_sealed}


def columns_at_first(guard: guards.Guard) -> list[str]:
    """The columns of a row that never change: sealed once it is written."""
    return sorted(guard.fixed)


def columns_at_last(guard: guards.Guard) -> list[str]:
    """The columns of a row that stay from its end on: sealed then."""
    return sorted({field.column for field in guard.model._meta.local_concrete_fields} - set(guard.loose))


def range_of(model: type[Model], *, after: int, upto: int) -> QuerySet[Any]:
    """Rows with ids above `after` up to `upto`, in order."""
    return model._default_manager.filter(pk__gt=after, pk__lte=upto).order_by("pk")


def values(rows: QuerySet[Any], columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
    """Each row's id and its columns, in this order. `KeyError` for a column that the table does not have."""
    names = {field.column: field.attname for field in rows.model._meta.local_concrete_fields}
    for pk, *row in rows.values_list("pk", *(names[column] for column in columns)).iterator(chunk_size=2_000):
        yield pk, row


def line(row: Sequence[Any]) -> bytes:
    """The line that stands for a row: its columns as JSON."""
    return _encode(row)


def last_lines(
    table: str, guard: guards.Guard, ids: Sequence[int], columns: Sequence[str]
) -> Iterator[tuple[int, bytes]]:
    """The id and the line of each of these rows, which have come to their end, with what belongs to them."""
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        additions = _additions[table](some) if table in _additions else {}
        rows = guard.model._default_manager.filter(pk__in=some).order_by("pk")
        for pk, row in values(rows, columns):
            yield pk, line([*row, additions[pk]] if pk in additions else row)


def ended_ids(guard: guards.Guard, ids: Sequence[int]) -> Iterator[int]:
    """Those of `ids` that have come to their end, in order."""
    for start in range(0, len(ids), _AT_ONCE):
        rows = guard.model._default_manager.filter(_is_over(guard), pk__in=ids[start : start + _AT_ONCE])
        yield from rows.order_by("pk").values_list("pk", flat=True)


def _is_over(guard: guards.Guard) -> Q:
    assert guard.ends is not None
    column, values = guard.ends
    name = next(field.attname for field in guard.model._meta.local_concrete_fields if field.column == column)
    return Q(**{f"{name}__in": values}) if values else Q(**{f"{name}__isnull": False})
