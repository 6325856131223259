"""Templates: events to be made again and again."""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from cardroom.models import User
from cardroom.services import repeats
from cardroom.services.errors import Conflict, NotFound
from cardroom.services.operations import operation, row_of
from tournaments.models import Template, Tournament
from tournaments.services import staff, terms


@operation()
def create(*, by: User, now: datetime, key: str = "", **fields: Any) -> Template:
    """A new template, for directors. `fields`: those of `Terms` by name, as `terms.checked` takes them.

    Refuses: `Invalid`, `Illegal` (terms), `Conflict` (the name is taken), `Forbidden`.
    """
    staff.require(by, staff.DIRECTORS)

    def do() -> int:
        return _saved(Template(**terms.checked(fields), created_by=by, created_at=now, updated_at=now)).pk

    made = repeats.once(by=by, verb="templates.create", key=key, asked=fields, do=do, now=now)
    return Template.objects.get(pk=made)


@operation(row_of(Template, "template_id"))
def edit(*, template_id: int, by: User, now: datetime, **fields: Any) -> Template:
    """Change what is given. Events made from it stay as they are."""
    staff.require(by, staff.DIRECTORS)
    template = find(template_id, for_update=True)
    for name, value in terms.checked(fields, before=template).items():
        setattr(template, name, value)
    template.updated_at = now
    return _saved(template)


@operation(row_of(Template, "template_id"))
def archive(*, template_id: int, by: User, now: datetime) -> Template:
    """Put it away: no more events are made from it, and its name is free again."""
    staff.require(by, staff.DIRECTORS)
    template = find(template_id, for_update=True)
    template.is_archived, template.updated_at = True, now
    template.save(update_fields=["is_archived", "updated_at"])
    return template


@operation()
def save_as(*, tournament_id: int, by: User, name: str, now: datetime, key: str = "") -> Template:
    """A template with the terms of an event there is."""
    event = Tournament.objects.filter(pk=tournament_id).first()
    if event is None:
        raise NotFound("There is no such event.", "no-such-event")
    fields = {field: getattr(event, field) for field in terms.FIELDS}

    def do() -> int:
        return create(by=by, now=now, **{**fields, "name": name}).pk

    # The event may have changed since: what was asked for is its number and the name.
    asked = {"tournament": tournament_id, "name": name}
    made = repeats.once(by=by, verb="templates.save_as", key=key, asked=asked, do=do, now=now)
    return Template.objects.get(pk=made)


def find(template_id: int, *, for_update: bool = False) -> Template:
    """The template; `NotFound` where there is none that is in use."""
    templates = Template.objects.select_for_update(no_key=True) if for_update else Template.objects
    template = templates.filter(pk=template_id, is_archived=False).first()
    if template is None:
        raise NotFound("There is no such template.", "no-such-template")
    return template


def _saved(template: Template) -> Template:
    try:
        with transaction.atomic():
            template.save()
    except IntegrityError as error:
        raise Conflict(f"There is a template called {template.name} already.", "name-taken") from error
    return template
