"""The duties of dealers: clocking in and out, breaks, and pushes. One pool for cash games and events.

A dealer clocks in at a table, by its tablet or at the desk; the dealer who was there is pushed out and waits at the end
of the rotation. Every verb locks tables in the order of their ids first, then duties in theirs.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import access, alarms, audit_log, languages, notices, topics
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.verb import current_time, lock, verb
from games.dealers.models import Down, Duty
from games.tables import locking
from games.tables.models.tables import Table

#: The roles that clock others in and out; a dealer may do it for themselves.
STAFF = ("floor", "manager")
DOWN_ALARM = alarms.register("dealer-push", "games.tasks.dealer_push")
BREAK_ALARM = alarms.register("dealer-break", "games.tasks.dealer_break")
DOWN_MINUTES, BREAK_MINUTES = 30, 20
_MOST_MINUTES = 240
_LONGEST_PLACE = 80


@verb("downs.clock_in")
def clock_in(
    *, dealer: User, table_id: int | None = None, place: str = "", minutes: int = DOWN_MINUTES, by: User
) -> Down:
    """Clock a dealer in at a table, or at a `place`: a table of an event in the room. The dealer who was there is
    pushed out; the one who comes leaves the table where they dealt, and their duty begins if it has not.

    Refuses: `Forbidden`, `NotFound`, `Invalid` (minutes, place), `Illegal` (the table is closed, or nobody deals there
    but the automatic dealer), `Conflict` (they deal there already). Locks both tables, then the duties of both dealers.
    """
    _check(dealer, by)
    _check_minutes(minutes)
    place = _place(place, table_id)
    (tables, duty), now = lock(_tables_and_duty, dealer, table_id)
    table = tables.get(table_id or 0)
    if table is not None:
        if table.state not in (Table.State.OPEN, Table.State.BREAKING, Table.State.CLOSING):
            raise Illegal(
                "table-not-open",
                "{name} is {state}: no game is dealt there.",
                name=table.name,
                state=table.get_state_display(),
            )
        if not table.is_physical and not table.is_dealt_by_person:
            raise Illegal("automatic-dealer", "{name} is dealt by the automatic dealer.", name=table.name)
    duty = duty or _begun(dealer, now=now)
    current_down = Down.objects.filter(until=None, table=table_id, place=place).select_related("duty").first()
    if current_down is not None and current_down.dealer_id == dealer.pk:
        raise Conflict("deals-there", "{dealer} already deals at {where}.", dealer=dealer, where=current_down.where)
    if current_down is not None:
        _end(current_down, now=now)
    _leave_table(duty, now=now)
    due_at = now + timedelta(minutes=minutes)
    down = Down.objects.create(
        duty=duty, dealer=dealer, table=table, place=place, since=now, due_at=due_at, by=None if by == dealer else by
    )
    duty.break_until = None
    duty.save(update_fields=["break_until"])
    _set_dealer(table, dealer)
    alarms.set(kind=DOWN_ALARM, key=str(down.pk), due_at=due_at, fence=down.pk)
    pushed = current_down.dealer.username if current_down else ""
    _note("clock_in", dealer.pk, by, now=now, table=table_id, place=place, pushed=pushed)
    return down


@verb("downs.start")
def start(*, dealer: User, by: User) -> Duty:
    """Begin a dealer's duty: they wait to deal. `Conflict` where they are on duty already."""
    _check(dealer, by)
    (_, duty), now = lock(_tables_and_duty, dealer)
    if duty is not None:
        raise Conflict("on-duty", "{dealer} is already on duty.", dealer=dealer)
    duty = _begun(dealer, now=now)
    _note("start", dealer.pk, by, now=now)
    return duty


@verb("downs.take_break")
def take_break(*, dealer: User, minutes: int = BREAK_MINUTES, by: User) -> Duty:
    """Begin a break; the dealer's table has no dealer until the next one clocks in."""
    _check_minutes(minutes)
    duty, now = _on(dealer, by)
    _leave_table(duty, now=now)
    duty.break_until = now + timedelta(minutes=minutes)
    alarms.set(kind=BREAK_ALARM, key=str(duty.pk), due_at=duty.break_until, fence=_fence(duty))
    return _save_duty("take_break", duty, by, now=now, minutes=minutes)


@verb("downs.back")
def back(*, dealer: User, by: User) -> Duty:
    """End a break early: the dealer waits, last in the rotation."""
    duty, now = _on(dealer, by)
    if duty.break_until is None:
        raise Conflict("no-break", "{dealer} is not on a break.", dealer=dealer)
    duty.break_until, duty.free_at = None, now
    return _save_duty("back", duty, by, now=now)


@verb("downs.clock_out")
def clock_out(*, dealer: User, by: User) -> Duty:
    """End the down: the dealer leaves the table and waits for the next one."""
    duty, now = _on(dealer, by)
    if not _leave_table(duty, now=now):
        raise Conflict("deals-nowhere", "{dealer} is not at a table.", dealer=dealer)
    return _save_duty("clock_out", duty, by, now=now)


@verb("downs.home")
def home(*, dealer: User, by: User) -> Duty:
    """End the dealer's down, if any, and their duty."""
    duty, now = _on(dealer, by)
    _leave_table(duty, now=now)
    duty.until, duty.break_until = max(now, duty.since), None
    return _save_duty("home", duty, by, now=now)


def end_at(table: Table, *, now: datetime) -> None:
    """End the down at a table that closes: its dealer waits for the next one. Call with the table locked."""
    if table.dealer_on_id is None:
        return
    down = Down.objects.filter(table=table, until=None).select_related("duty").first()
    if down is not None:
        _end(down, now=now)
    _set_dealer(table, None)
    topics.tell("shifts")


@verb("downs.ring")
def ring(*, down_id: int) -> None:
    """The alarm of a push: notify the dealer who is next. Once for a down; nothing where the down is over."""
    rows = Down.objects.select_for_update(no_key=True, of=("self",)).filter(pk=down_id, until=None, told_at=None)
    down = rows.first()
    now = current_time()
    if down is None or now < down.due_at:
        return
    down.told_at = now
    down.save(update_fields=["told_at"])
    waiting = Duty.objects.filter(until=None, break_until=None).exclude(downs__until=None, downs__isnull=False)
    count_late = Down.objects.filter(until=None, told_at__lt=now).count()
    for duty in waiting.order_by("free_at", "pk").select_related("dealer")[count_late : count_late + 1]:
        with languages.spoken_to(duty.dealer):
            text = gettext("Push {dealer} at {where}: you deal the next down there.").format(
                dealer=down.dealer, where=down.where
            )
        notices.tell(player=duty.dealer, kind="push", text=text, now=now, key=f"push:{down.pk}")
    topics.tell("shifts", "floor")


@verb("downs.ring_break")
def ring_break(*, duty_id: int, fence: int) -> None:
    """The alarm of a break that is over; nothing where it was ended early or prolonged."""
    duty = Duty.objects.select_for_update(no_key=True).filter(pk=duty_id, until=None).first()
    now = current_time()
    if duty is None or duty.break_until is None or _fence(duty) != fence or now < duty.break_until:
        return
    duty.free_at, duty.break_until = duty.break_until, None
    duty.save(update_fields=["free_at", "break_until"])
    with languages.spoken_to(duty.dealer):
        text = gettext("Your break is over.")
    notices.tell(player=duty.dealer, kind="push", text=text, now=now, key=f"break:{duty.pk}:{fence}")
    topics.tell("shifts", "floor")


def _on(dealer: User, by: User) -> tuple[Duty, datetime]:
    """Their duty, after the table they deal at is locked, and the time; `Conflict` where they are not on duty."""
    _check(dealer, by)
    (_, duty), now = lock(_tables_and_duty, dealer)
    if duty is None:
        raise Conflict("not-on-duty", "{dealer} is not on duty: clock in first.", dealer=dealer)
    return duty, now


def _save_duty(name: str, duty: Duty, by: User, *, now: datetime, **details: Any) -> Duty:
    duty.save(update_fields=["until", "break_until", "free_at"])
    _note(name, duty.dealer_id, by, now=now, **details)
    return duty


def _check(dealer: User, by: User) -> None:
    if dealer.pk != by.pk:
        access.require_role(by, *STAFF)
    elif not access.has_role(by, "dealer", *STAFF):
        raise Forbidden("role-required", "This requires the role dealer. Ask a manager for it.")
    if not access.has_role(dealer, "dealer"):
        raise Illegal(
            "no-dealer",
            "{dealer} is not a dealer: ask a manager to give the role.",
            rule=gettext_lazy("House rules: dealers deal"),
            dealer=dealer,
        )


def _check_minutes(minutes: int) -> None:
    if type(minutes) is not int or not 1 <= minutes <= _MOST_MINUTES:
        raise Invalid("bad-minutes", "A number of minutes from 1 to {most}.", most=_MOST_MINUTES)


def _place(place: str, table_id: int | None) -> str:
    place = " ".join(place.split())
    if bool(place) == (table_id is not None):
        raise Invalid("no-place", "Choose a table of the room, or enter the name of a tournament's table.")
    if len(place) > _LONGEST_PLACE or not place.isprintable():
        raise Invalid("bad-place", "The name of a table has at most {longest} characters.", longest=_LONGEST_PLACE)
    return place


def _tables_and_duty(dealer: User, table_id: int | None = None) -> tuple[dict[int, Table], Duty | None]:
    """Lock the table they go to and the one they deal at, then their duty (None: not on duty)."""
    at = Down.objects.filter(dealer=dealer, until=None, table__isnull=False).values_list("table", flat=True).first()
    return locking.tables({pk for pk in (at, table_id) if pk is not None}), _duty(dealer)


def _duty(dealer: User) -> Duty | None:
    """Their open duty, if any. All open duties are locked, for a push changes two of them."""
    duties = Duty.objects.select_for_update(no_key=True).filter(until=None).order_by("pk")
    return next((duty for duty in duties if duty.dealer_id == dealer.pk), None)


def _begun(dealer: User, *, now: datetime) -> Duty:
    try:
        with transaction.atomic():
            return Duty.objects.create(dealer=dealer, since=now, free_at=now)
    except IntegrityError as error:
        raise Conflict("on-duty", "{dealer} has just been clocked in by somebody else.", dealer=dealer) from error


def _leave_table(duty: Duty, *, now: datetime) -> bool:
    down = duty.downs.filter(until=None).select_related("duty").first()
    if down is None:
        return False
    _end(down, now=now)
    if down.table_id:
        Table.objects.filter(pk=down.table_id, dealer_on=duty.dealer_id).update(dealer_on=None)
    duty.free_at = max(now, down.since)
    return True


def _end(down: Down, *, now: datetime) -> None:
    down.until = max(now, down.since)
    down.save(update_fields=["until"])
    Duty.objects.filter(pk=down.duty_id).update(free_at=down.until)
    alarms.cancel(kind=DOWN_ALARM, key=str(down.pk))


def _set_dealer(table: Table | None, dealer: User | None) -> None:
    if table is not None:
        table.dealer_on = dealer
        Table.objects.filter(pk=table.pk).update(dealer_on=dealer)


def _fence(duty: Duty) -> int:
    return int(duty.break_until.timestamp()) if duty.break_until else 0


def _note(name: str, dealer: int, by: User, *, now: datetime, **details: Any) -> None:
    stored = {detail: value for detail, value in details.items() if value}
    audit_log.note(verb=f"downs.{name}", subject=f"user:{dealer}", by=by, now=now, **stored)
    topics.tell("shifts", "floor", "lobby")


def dealer(dealer_id: int) -> User:
    """A dealer by number; `NotFound` where there is none."""
    user = User.objects.filter(pk=dealer_id, groups__name="dealer").first()
    if user is None:
        raise NotFound("no-such-dealer", "There is no such dealer.")
    return user
