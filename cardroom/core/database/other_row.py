"""Columns that stand in a row of their own beside a model's, and are read and set as if they were its own."""

from typing import Any

from django.db import models


class OfRow:
    """An attribute of a model that is a column of the row at its one-to-one relation `relation`."""

    def __init__(self, relation: str) -> None:
        self._relation = relation

    def __set_name__(self, owner: type[models.Model], name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, row: Any, owner: type[models.Model]) -> Any:
        return self if row is None else getattr(getattr(row, self._relation), self._name)

    def __set__(self, row: Any, value: Any) -> None:
        setattr(getattr(row, self._relation), self._name, value)

    @property
    def model(self) -> type[models.Model]:
        """The model that has the column."""
        related: Any = self._owner._meta.get_field(self._relation)
        return related.related_model  # type: ignore[no-any-return]
