"""The rotation of dealers, their downs and shifts, and how long they dealt."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, QuerySet

from cardroom.core.models import User
from games.dealers.models import Down, Duty, Shift
from games.tables.models.tables import Table


@dataclass(frozen=True)
class Push:
    """A table that needs a dealer: at `due_at`, or now where it has none; `next`: the duty of the dealer who goes
    there."""

    where: str
    table: int | None
    down: Down | None
    due_at: datetime | None
    next: Duty | None
    is_due: bool


@dataclass(frozen=True)
class Rotation:
    """The dealers on duty. `pushes`: every table that has a dealer or needs one, the most urgent first; `waiting`: the
    dealers who deal next, in this order; `breaks`: those on a break."""

    pushes: list[Push]
    waiting: list[Duty]
    breaks: list[Duty]

    @property
    def due(self) -> int:
        """How many tables need a dealer now."""
        return sum(push.is_due for push in self.pushes)


def rotation(*, now: datetime) -> Rotation:
    """The rotation as it is now. Three queries."""
    downs = list(Down.objects.filter(until=None).select_related("dealer", "table").order_by("due_at", "pk"))
    busy = {down.duty_id for down in downs}
    duties = [duty for duty in _on_duty() if duty.pk not in busy]
    waiting = [duty for duty in duties if duty.break_until is None]
    open_ones = Table.objects.filter(state=Table.State.OPEN, dealer_on=None, paused_at=None)
    dealt = Q(is_physical=True) | Q(dealt_by=Table.DealtBy.PERSON, offer__isnull=False)
    # Tables with players and without a dealer, longest open first.
    without = open_ones.filter(dealt, seats__isnull=False).distinct().order_by(F("opened_at"), "pk")
    wants: list[tuple[str, int | None, Down | None]] = [(table.name, table.pk, None) for table in without]
    wants += [(down.where, down.table_id, down) for down in downs]
    turns = iter(waiting)
    pushes = [
        Push(where, table, down, down.due_at if down else None, next(turns, None), down is None or down.due_at <= now)
        for where, table, down in wants
    ]
    breaks = sorted((duty for duty in duties if duty.break_until), key=lambda duty: (duty.break_until, duty.pk))
    return Rotation(pushes, waiting, breaks)


@dataclass(frozen=True)
class Desk:
    """The dealer as a table's tablet shows them: their `down`, and the duty of the `next` one."""

    down: Down | None
    next: Duty | None


def desk_of(table_id: int) -> Desk:
    """Two queries."""
    down = Down.objects.filter(until=None, table=table_id).select_related("dealer").first()
    waiting = _on_duty().filter(break_until=None).exclude(downs__until=None, downs__isnull=False)
    return Desk(down, waiting.first())


def downs(
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    dealer: int | None = None,
    before: int | None = None,
) -> QuerySet[Down]:
    """Downs that touch this span, newest first."""
    rows = Down.objects.select_related("dealer", "table", "by").order_by("-pk")
    if since is not None:
        rows = rows.filter(Q(until=None) | Q(until__gt=since))
    if until is not None:
        rows = rows.filter(since__lt=until)
    if dealer is not None:
        rows = rows.filter(dealer=dealer)
    return rows.filter(pk__lt=before) if before is not None else rows


def shifts(*, before: int | None = None) -> QuerySet[Shift]:
    """Shifts, newest first."""
    rows = Shift.objects.select_related("opened_by", "closed_by", "handed_to").order_by("-pk")
    return rows.filter(pk__lt=before) if before is not None else rows


def dealers() -> QuerySet[User]:
    """All dealers, by name."""
    return User.objects.filter(groups__name="dealer", is_active=True).order_by("username")


def _on_duty() -> QuerySet[Duty]:
    return Duty.objects.filter(until=None).select_related("dealer").order_by("free_at", "pk")


@dataclass
class Work:
    """A dealer's downs in a span, and their seconds."""

    dealer: int
    name: str
    downs: int = 0
    seconds: int = 0
    longest: int = 0


def work(*, since: datetime, until: datetime) -> list[Work]:
    """The time that each dealer dealt in this span; downs that reach beyond it count in part. One query."""
    work_by_dealer: dict[int, Work] = {}
    for down in downs(since=since, until=until):
        row = work_by_dealer.setdefault(down.dealer_id, Work(down.dealer_id, down.dealer.username))
        seconds = int((min(down.until or until, until) - max(down.since, since)).total_seconds())
        row.downs += 1
        row.seconds += seconds
        row.longest = max(row.longest, seconds)
    return sorted(work_by_dealer.values(), key=lambda row: row.name)


def tables() -> QuerySet[Table]:
    """The tables where a dealer can clock in."""
    dealt = Q(is_physical=True) | Q(dealt_by=Table.DealtBy.PERSON)
    open_ones = Table.objects.filter(dealt, state__in=(Table.State.OPEN, Table.State.BREAKING, Table.State.CLOSING))
    return open_ones.order_by("name")
