"""Series of events."""

from datetime import date
from typing import Annotated

from django.db import IntegrityError, transaction

from cardroom.core.arguments import UNCHANGED, RowId, Unchanged, changed_values, not_kept
from cardroom.core.errors import Conflict, Invalid
from cardroom.core.models import User
from cardroom.core.verb import current_time, lock, verb
from tournaments.events import staff
from tournaments.events.models import Series


@verb("series.create", roles=staff.DIRECTORS)
def create(
    *, name: str, description: str = "", starts_on: date | None = None, ends_on: date | None = None, by: User
) -> Series:
    """A new series, for directors. `Conflict` where the name is taken, `Invalid` where its days run backwards."""
    series = Series(created_by=by, created_at=current_time())
    return _save_series(series, name=name, description=description, starts_on=starts_on, ends_on=ends_on)


@verb("series.edit", roles=staff.DIRECTORS)
def edit(
    *,
    series_id: RowId,
    name: str | Unchanged = UNCHANGED,
    description: str | Unchanged = UNCHANGED,
    starts_on: date | Unchanged | None = UNCHANGED,
    ends_on: date | Unchanged | None = UNCHANGED,
    is_archived: bool | Unchanged = UNCHANGED,
    by: User,
) -> Annotated[Series, not_kept]:
    """Change what is given; a day of None is open."""
    series, _ = lock(Series, series_id)
    if not isinstance(is_archived, Unchanged):
        series.is_archived = is_archived
    before = {field: getattr(series, field) for field in _FIELDS}
    return _save_series(
        series, **before | changed_values(name=name, description=description, starts_on=starts_on, ends_on=ends_on)
    )


_FIELDS = ("name", "description", "starts_on", "ends_on")


def _save_series(
    series: Series, *, name: str, description: str, starts_on: date | None, ends_on: date | None
) -> Series:
    series.name, series.description = " ".join(name.split()), description.strip()
    series.starts_on, series.ends_on = starts_on, ends_on
    if not 1 <= len(series.name) <= 80 or not series.name.isprintable():
        raise Invalid("bad-name", "A series has a name of 1 to 80 characters.")
    if starts_on and ends_on and ends_on < starts_on:
        raise Invalid("bad-dates", "A series ends on the day it begins or later.")
    try:
        with transaction.atomic():
            series.save()
    except IntegrityError as error:
        raise Conflict("name-taken", "There is a series called {name} already.", name=series.name) from error
    return series
