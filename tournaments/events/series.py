"""Series of events."""

from datetime import date, datetime
from typing import Any

from django.db import IntegrityError, transaction

from cardroom.core.errors import Conflict, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.operation import operation
from tournaments.events import staff
from tournaments.events.models import Series


@operation(verb="series.create", roles=staff.DIRECTORS)
def create(
    *,
    by: User,
    name: str,
    now: datetime,
    description: str = "",
    starts_on: date | None = None,
    ends_on: date | None = None,
) -> Series:
    """A new series, for directors. `Conflict` where the name is taken, `Invalid` where its days run backwards."""
    told = {"name": name, "description": description, "starts_on": starts_on, "ends_on": ends_on}
    return _saved(Series(created_by=by, created_at=now), **told)


@transaction.atomic
def edit(*, series_id: int, by: User, **changes: Any) -> Series:
    """Change what is given: `name`, `description`, `starts_on`, `ends_on` (None: open), `is_archived`."""
    staff.require(by, staff.DIRECTORS)
    series = Series.objects.select_for_update(no_key=True).filter(pk=series_id).first()
    if series is None:
        raise NotFound("no-such-series", "There is no such series.")
    series.is_archived = changes.pop("is_archived", series.is_archived)
    return _saved(series, **{name: getattr(series, name) for name in _FIELDS} | changes)


_FIELDS = ("name", "description", "starts_on", "ends_on")


def _saved(series: Series, *, name: str, description: str, starts_on: date | None, ends_on: date | None) -> Series:
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
