"""Sections of the room: tables lie in them, and reports add up by them. Made and named by managers."""

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError

from cardroom.core import audit_log, topics
from cardroom.core.errors import Conflict, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.operation import operation, row_of
from games.tables import locking, offers
from games.tables import signals as table_signals
from games.tables.models.offers import Section
from games.tables.models.tables import Table

ROLE = "manager"
_LONGEST = 40


@operation(verb="sections.create", roles=(ROLE,))
def create(*, name: str, by: User, now: datetime) -> Section:
    """A new section, last in the list. Refuses: `Forbidden`, `Invalid` (the name), `Conflict` (it is taken)."""
    name = _name(name)
    last = Section.objects.aggregate(last=Max("place"))["last"]
    section = Section(name=name, place=0 if last is None else last + 1)
    _save(section)
    audit_log.note(verb="sections.create", subject=f"section:{section.pk}", by=by, now=now, name=name)
    return section


@operation(row_of(Section, "section_id"), roles=(ROLE,))
def rename(*, section_id: int, name: str, by: User, now: datetime) -> Section:
    """Rename a section, for its tables and in reports too."""
    name = _name(name)
    section = _locked(section_id)
    if section.name != name:
        before, section.name = section.name, name
        _save(section)
        audit_log.note(
            verb="sections.rename", subject=f"section:{section.pk}", by=by, now=now, name=name, before=before
        )
    return section


@operation(roles=(ROLE,))
def reorder(*, section_ids: Sequence[int], by: User, now: datetime) -> list[Section]:
    """Show the sections in this order; it names each of them once. As they are already: nothing is done."""
    sections = {section.pk: section for section in Section.objects.select_for_update(no_key=True).order_by("pk")}
    if sorted(section_ids) != sorted(sections):
        raise Invalid("The order names every section once.", "bad-order")
    ordered = [sections[pk] for pk in section_ids]
    if [section.place for section in ordered] == list(range(len(ordered))):
        return ordered
    for place, section in enumerate(ordered):
        section.place = place
    Section.objects.bulk_update(ordered, ["place"])
    audit_log.note(verb="sections.reorder", subject="sections", by=by, now=now, order=list(section_ids))
    topics.tell("lobby", "floor", "board")
    return ordered


@operation(row_of(Section, "section_id"), roles=(ROLE,))
def remove(*, section_id: int, by: User, now: datetime) -> None:
    """Remove a section in which no table lies. Refuses: `NotFound`, `Conflict` (tables lie in it)."""
    section = _locked(section_id)
    tables = section.tables.count()
    if tables:
        many = "one table lies" if tables == 1 else f"{tables} tables lie"
        raise Conflict(f"In {section.name} {many}: move them first.", "section-in-use")
    audit_log.note(verb="sections.remove", subject=f"section:{section.pk}", by=by, now=now, name=section.name)
    try:
        section.delete()
    except ProtectedError as error:
        raise Conflict(
            f"Past reports use {section.name}: rename it instead of removing it.", "section-in-use"
        ) from error
    topics.tell("floor")


@operation(locking.of_table, roles=("floor", ROLE))
def place(*, table_id: int, section_id: int | None, by: User, now: datetime) -> Table:
    """Put a table into a section, or (None) out of any. For the floor as well. Locks the table."""
    if section_id is not None and not Section.objects.filter(pk=section_id).exists():
        raise NotFound("There is no such section of the room.", "no-such-section")
    table = locking.table(table_id)
    if table.section_id != section_id:
        before, table.section_id = table.section_id, section_id
        Table.objects.filter(pk=table.pk).update(section=section_id)
        offers.note(table, now=now)
        locking.store(table, wake_at=table.wake_at)
        subject = f"table:{table.pk}"
        audit_log.note(verb="sections.place", subject=subject, by=by, now=now, section=section_id, before=before)
        table_signals.table_changed.after_commit(table_id=table.pk, version=table.version)
        topics.tell("lobby", "floor", "board")
    return table


def _name(name: str) -> str:
    name = " ".join(name.split())
    if not 1 <= len(name) <= _LONGEST or not name.isprintable():
        raise Invalid(f"A section has a name of 1 to {_LONGEST} characters.", "bad-name")
    return name


def _locked(section_id: int) -> Section:
    section = Section.objects.select_for_update(no_key=True).filter(pk=section_id).first()
    if section is None:
        raise NotFound("There is no such section of the room.", "no-such-section")
    return section


def _save(section: Section) -> None:
    try:
        with transaction.atomic():
            section.save()
    except IntegrityError as error:
        raise Conflict(f"There is a section called {section.name} already.", "name-taken") from error
    topics.tell("lobby", "floor", "board")
