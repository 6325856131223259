"""Sections of the room: managers create and name them, tables lie in them, and reports add up by them."""

from typing import Annotated

from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError
from django.utils.translation import ngettext

from cardroom.core import audit_log, topics
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Conflict, Invalid, Verbatim
from cardroom.core.models import User
from cardroom.core.verb import current_time, lock, verb
from games.tables import locking, offers
from games.tables.models.offers import Section
from games.tables.models.tables import Table

ROLE = "manager"
_LONGEST = 40

Name = Annotated[str, Limits(max_length=_LONGEST)]
NewName = Annotated[str, Limits(max_length=_LONGEST, required=False, allow_blank=False)]
Order = Annotated[list[RowId], Limits(called="ids", max_length=500)]
Place = Annotated[int | None, Limits(called="section", allow_null=True, min_value=1, help_text="Null: in none.")]


@verb("sections.create", about="section:{result.pk}", roles=(ROLE,))
def create(*, name: Name, by: User) -> Section:
    """Create a section, last in the list. Refuses: `Invalid` (the name), `Conflict` (it is taken)."""
    name = _clean_name(name)
    last = Section.objects.aggregate(last=Max("place"))["last"]
    section = Section(name=name, place=0 if last is None else last + 1)
    _save(section)
    return section


@verb("sections.rename", roles=(ROLE,))
def rename(*, section_id: RowId, name: NewName = "", by: User) -> Section:
    """Rename a section, for its tables and in reports too."""
    name = _clean_name(name)
    section, now = lock(Section, section_id)
    if section.name != name:
        before, section.name = section.name, name
        _save(section)
        audit_log.note(
            verb="sections.rename", subject=f"section:{section.pk}", by=by, now=now, name=name, before=before
        )
    return section


@verb("sections.reorder", roles=(ROLE,))
def reorder(*, section_ids: Order, by: User) -> list[Section]:
    """Show the sections in this order, which names each of them once. Nothing is done where they are in this order."""
    sections = {section.pk: section for section in Section.objects.select_for_update(no_key=True).order_by("pk")}
    now = current_time()
    if sorted(section_ids) != sorted(sections):
        raise Invalid("bad-order", "The order names every section once.")
    ordered = [sections[pk] for pk in section_ids]
    if offers.put_in_order(ordered):
        audit_log.note(verb="sections.reorder", subject="sections", by=by, now=now, order=list(section_ids))
        topics.tell("lobby", "floor", "board")
    return ordered


@verb("sections.remove", roles=(ROLE,))
def remove(*, section_id: RowId, by: User) -> None:
    """Remove a section without tables. Refuses: `NotFound`, `Conflict` (tables lie in it)."""
    section, now = lock(Section, section_id)
    tables = section.tables.count()
    if tables:
        pattern = ngettext(
            "In {section} one table lies: move them first.", "In {section} {n} tables lie: move them first.", tables
        )
        raise Conflict("section-in-use", Verbatim(pattern.format(section=section.name, n=tables)))
    audit_log.note(verb="sections.remove", subject=f"section:{section.pk}", by=by, now=now, name=section.name)
    try:
        section.delete()
    except ProtectedError as error:
        raise Conflict(
            "section-in-use", "Past reports use {name}: rename it instead of removing it.", name=section.name
        ) from error
    topics.tell("lobby", "floor", "board")


@verb("sections.place", roles=("floor", ROLE))
def place(*, table_id: RowId, section_id: Place, by: User) -> Table:
    """Put a table into a section, or into none (`section_id` None). For the floor as well. Locks the table."""
    if section_id is not None and not Section.objects.filter(pk=section_id).exists():
        raise Section.not_found()
    table, now = lock(locking.table, table_id)
    if table.section_id != section_id:
        before, table.section_id = table.section_id, section_id
        Table.objects.filter(pk=table.pk).update(section=section_id)
        offers.note(table, now=now)
        locking.store(table, wake_at=table.wake_at)
        subject = f"table:{table.pk}"
        audit_log.note(verb="sections.place", subject=subject, by=by, now=now, section=section_id, before=before)
        locking.tell(table)
        topics.tell("lobby", "floor", "board")
    return table


def _clean_name(name: str) -> str:
    name = " ".join(name.split())
    if not 1 <= len(name) <= _LONGEST or not name.isprintable():
        raise Invalid("bad-name", "A section has a name of 1 to {longest} characters.", longest=_LONGEST)
    return name


def _save(section: Section) -> None:
    try:
        with transaction.atomic():
            section.save()
    except IntegrityError as error:
        raise Conflict("name-taken", "There is a section called {name} already.", name=section.name) from error
    topics.tell("lobby", "floor", "board")
