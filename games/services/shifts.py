"""Shifts of the room: opened and closed by the floor or a manager, one at a time. Reports add up by them."""

from datetime import datetime

from django.db import IntegrityError, transaction

from cardroom.models import DrawerSession, User
from cardroom.services import access, alarms, news, repeats, trail
from cardroom.services.errors import Conflict, Invalid, NotFound
from cardroom.services.operations import operation, row_of
from games.models import Duty, ListEntry, Seat, Shift, Table
from games.services import days

ROLES = ("floor", "manager")
_LONGEST_NAME, _LONGEST_REMARK = 60, 300


def current() -> Shift | None:
    """The shift that is open."""
    return Shift.objects.filter(is_open=True).select_related("opened_by").first()


@operation()
def open_(*, name: str, by: User, now: datetime, key: str = "") -> Shift:
    """Open a shift. Refuses: `Forbidden`, `Invalid` (the name), `Conflict` (one is open)."""
    access.require_role(by, *ROLES)
    name = " ".join(name.split())
    if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable():
        raise Invalid(f"A shift has a name of 1 to {_LONGEST_NAME} characters, such as Evening.", "bad-name")

    def make() -> Shift:
        try:
            with transaction.atomic():
                shift = Shift.objects.create(name=name, opened_at=now, opened_by=by)
        except IntegrityError as error:
            raise Conflict("A shift is open already: close it first.", "shift-open") from error
        trail.note(verb="shifts.open", subject=f"shift:{shift.pk}", by=by, now=now, name=name)
        days.see_to(now=now)
        news.tell("shifts")
        return shift

    return repeats.made(Shift, make, by=by, key=key, verb="shifts.open", now=now, name=name)


@operation(row_of(Shift, "shift_id"))
def close(*, shift_id: int, by: User, now: datetime, remark: str = "", key: str = "") -> Shift:
    """Close a shift and keep what was open then; its report goes out by mail to who wished for it.

    Refuses: `Forbidden`, `NotFound`, `Invalid` (the remark), `Conflict` (closed already). Locks the shift.
    """
    access.require_role(by, *ROLES)
    remark = " ".join(remark.split())
    if len(remark) > _LONGEST_REMARK or not remark.isprintable():
        raise Invalid(f"A remark has at most {_LONGEST_REMARK} characters.", "bad-remark")

    def make() -> Shift:
        shift = Shift.objects.select_for_update(no_key=True).filter(pk=shift_id).first()
        if shift is None:
            raise NotFound("There is no such shift.", "no-such-shift")
        if not shift.is_open:
            raise Conflict(f"{shift} was closed already.", "shift-closed")
        shift.is_open, shift.closed_at, shift.closed_by = False, max(now, shift.opened_at), by
        shift.found, shift.remark = found_open(), remark
        shift.save()
        trail.note(verb="shifts.close", subject=f"shift:{shift.pk}", by=by, now=now, reason=remark, **shift.found)
        alarms.set(kind=days.MAIL_ALARM, key=f"shift:{shift.pk}", due_at=now, fence=shift.pk)
        news.tell("shifts")
        return shift

    return repeats.made(Shift, make, by=by, key=key, verb="shifts.close", now=now, shift=shift_id, remark=remark)


def found_open() -> dict[str, int]:
    """What is open in the room now, counted. Seven queries."""
    cash = Table.objects.filter(event="", state__in=(Table.State.OPEN, Table.State.BREAKING, Table.State.CLOSING))
    seated = Seat.objects.filter(table__event="", player__is_bot=False)
    waiting = ListEntry.objects.filter(ended_at=None)
    return {
        "tables": cash.count(),
        "hands": cash.filter(hand__isnull=False).count(),
        "events": Table.objects.exclude(event="").filter(state=Table.State.OPEN).values("event").distinct().count(),
        "players": seated.values("player").distinct().count(),
        "names_on_lists": waiting.count(),
        "drawers": DrawerSession.objects.exclude(state=DrawerSession.State.CLOSED).count(),
        "dealers": Duty.objects.filter(until=None).count(),
    }
