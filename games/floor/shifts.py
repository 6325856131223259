"""Shifts of the room: opened and closed by the floor or a manager, one at a time. Reports add up by them."""

from collections.abc import Mapping
from typing import Annotated

from django.db import IntegrityError, transaction
from django.utils.translation import gettext, gettext_lazy, ngettext_lazy

from cardroom.cage.models import DrawerSession
from cardroom.core import access, alarms, audit_log, languages, notices, topics
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Conflict, Illegal, Invalid
from cardroom.core.models import User
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger import counts
from games.dealers.models import Duty, Shift
from games.reports import reports
from games.tables.models.tables import Seat, Table
from games.waitlists.models import ListEntry

ROLES = ("floor", "manager")
_LONGEST_NAME, _LONGEST_REMARK = 60, 300
_HANDED_OVER = {
    "drawers": ngettext_lazy("{n} drawer", "{n} drawers", "n"),
    "tables": ngettext_lazy("{n} table", "{n} tables", "n"),
    "events": ngettext_lazy("{n} tournament", "{n} tournaments", "n"),
    "dealers": ngettext_lazy("{n} dealer on duty", "{n} dealers on duty", "n"),
    "counts": ngettext_lazy(
        "{n} count that differs and is not answered for", "{n} counts that differ and are not answered for", "n"
    ),
}


def current() -> Shift | None:
    """The shift that is open."""
    return Shift.objects.filter(is_open=True).select_related("opened_by").first()


@verb("shifts.open", about="shift:{result.pk}", roles=ROLES)
def open_(*, name: Annotated[str, Limits(max_length=_LONGEST_NAME)], by: User) -> Shift:
    """Open a shift. Refuses: `Invalid` (the name), `Conflict` (one is open)."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable():
        raise Invalid(
            "bad-name", "A shift has a name of 1 to {longest} characters, such as Evening.", longest=_LONGEST_NAME
        )
    now = current_time()
    try:
        with transaction.atomic():
            shift = Shift.objects.create(name=name, opened_at=now, opened_by=by)
    except IntegrityError as error:
        raise Conflict("shift-open", "A shift is already open: close it first.") from error
    reports.set_alarm(now=now)
    topics.tell("shifts")
    return shift


Remark = Annotated[str, Limits(max_length=_LONGEST_REMARK)]
Heir = Annotated[User | None, Limits(help_text="The member of the floor who takes over what is still open.")]


@verb("shifts.close", roles=ROLES)
def close(*, shift_id: RowId, remark: Remark = "", handed_to: Heir = None, by: User) -> Shift:
    """Close a shift and store what was open then; its report goes out by mail to those who wished for it. Open drawers,
    tables and events in play, dealers on duty and unanswered counts are taken over by `handed_to`, who gets a notice.

    Refuses: `NotFound`, `Invalid` (the remark; to whom it is handed), `Conflict` (closed already),
    `Illegal` (something is open, and `handed_to` is None). Locks the shift.
    """
    remark = " ".join(remark.split())
    if handed_to is not None and (handed_to.pk == by.pk or not access.has_role(handed_to, *ROLES)):
        raise Invalid("bad-heir", "Choose somebody else of the floor, or a manager, for the handover.")
    if len(remark) > _LONGEST_REMARK or not remark.isprintable():
        raise Invalid("bad-remark", "A remark has at most {longest} characters.", longest=_LONGEST_REMARK)
    shift, now = lock(Shift, shift_id)
    if not shift.is_open:
        raise Conflict("shift-closed", "{shift} is already closed.", shift=shift)
    counted = count_open()
    left = still_open(counted)
    if left and handed_to is None:
        raise Illegal(
            "shift-not-done",
            "Still open: {names}. Close these first, or hand them over to somebody of the floor.",
            rule=gettext_lazy("House rules: everything open at the end of a shift is handed over"),
            names=", ".join(left),
            **counted,
        )
    shift.handed_to = handed_to if left else None
    shift.is_open, shift.closed_at, shift.closed_by = False, max(now, shift.opened_at), by
    shift.found, shift.remark = counted, remark
    shift.save()
    heir = {"handed_to": shift.handed_to.pk} if shift.handed_to is not None else {}
    audit_log.note(verb="shifts.close", subject=f"shift:{shift.pk}", by=by, now=now, reason=remark, **counted, **heir)
    if shift.handed_to is not None:
        with languages.spoken_to(shift.handed_to):
            text = gettext("{by} closed the shift {shift} and hands over to you: {left}.").format(
                by=by, shift=shift.name, left=", ".join(still_open(counted))
            )
        notices.tell(player=shift.handed_to, kind="handover", text=text, now=now, key=f"handover:{shift.pk}")
    alarms.set(kind=reports.MAIL_ALARM, key=f"shift:{shift.pk}", due_at=now, fence=shift.pk)
    topics.tell("shifts")
    return shift


def still_open(counted: Mapping[str, int]) -> list[str]:
    """What has to be handed over before the shift closes, in words."""
    return [words.format(n=counted[name]) for name, words in _HANDED_OVER.items() if counted.get(name)]


def heirs(by: User) -> list[User]:
    """The people who may take over from `by`: others of the floor, and managers."""
    people = User.objects.filter(groups__name__in=ROLES, is_active=True).exclude(pk=by.pk)
    return list(people.distinct().order_by("username"))


def count_open() -> dict[str, int]:
    """How many tables, drawers, dealers and so on are open in the room now. Eight queries."""
    cash = Table.objects.filter(event="", state__in=(Table.State.OPEN, Table.State.BREAKING, Table.State.CLOSING))
    seated = Seat.objects.filter(table__event="", player__is_bot=False)
    waiting = ListEntry.objects.filter(ended_at=None)
    return {
        "tables": cash.count(),
        "hands": cash.filter(play__hand__isnull=False).count(),
        "events": Table.objects.exclude(event="").filter(state=Table.State.OPEN).values("event").distinct().count(),
        "players": seated.values("player").distinct().count(),
        "names_on_lists": waiting.count(),
        "drawers": DrawerSession.objects.exclude(state=DrawerSession.State.CLOSED).count(),
        "dealers": Duty.objects.filter(until=None).count(),
        "counts": counts.count_unanswered(),
    }
