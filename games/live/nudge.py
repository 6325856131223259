"""What one process tells the others of a table: ids and numbers, never a card."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.live import layer


@dataclass(frozen=True, slots=True)
class Nudge:
    """Something happened at a table: facts up to ``seq`` of ``hand``, or (``is_table_due``) to the table itself."""

    table: int
    hand: int = 0
    seq: int = 0
    is_table_due: bool = False

    @property
    def group(self) -> str:
        return group_of(self.table)

    @property
    def slot(self) -> tuple[object, ...]:
        return self.table, self.is_table_due


def group_of(table: int) -> str:
    return f"table.{table}"


layer.register("nudge", Nudge)
