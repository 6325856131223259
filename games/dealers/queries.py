"""Who deals where, who is next, and how long dealers dealt."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, QuerySet

from cardroom.core.models import User
from games.dealers.models import Down, Duty, Shift
from games.tables.models.tables import Table


@dataclass(frozen=True)
class Push:
    """A table that needs a dealer: at `due_at`, or now where it has none; `next` is the dealer who goes there."""

    where: str
    table: int | None
    down: Down | None
    due_at: datetime | None
    next: Duty | None
    is_due: bool


@dataclass(frozen=True)
class Rotation:
    """`pushes`: every table with a dealer or in want of one, the most urgent first; `waiting`: who deals next, in this
    order; `breaks`: who has a break."""

    pushes: list[Push]
    waiting: list[Duty]
    breaks: list[Duty]

    @property
    def due(self) -> int:
        """How many tables need a dealer now."""
        return sum(push.is_due for push in self.pushes)


def rotation(*, now: datetime) -> Rotation:
    """The dealers on duty and the tables they are for. Three queries."""
    downs = list(Down.objects.filter(until=None).select_related("dealer", "table").order_by("due_at", "pk"))
    busy = {down.duty_id for down in downs}
    duties = [duty for duty in _on_duty() if duty.pk not in busy]
    waiting = [duty for duty in duties if duty.break_until is None]
    open_ones = Table.objects.filter(state=Table.State.OPEN, dealer_on=None, paused_at=None)
    dealt = Q(is_physical=True) | Q(dealt_by=Table.DealtBy.PERSON, offer__isnull=False)
    # Those in the room where somebody sits, longest open first.
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
    """What a table's tablet shows of its dealer: their `down`, and who is `next`."""

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
    found = Down.objects.select_related("dealer", "table", "by").order_by("-pk")
    if since is not None:
        found = found.filter(Q(until=None) | Q(until__gt=since))
    if until is not None:
        found = found.filter(since__lt=until)
    if dealer is not None:
        found = found.filter(dealer=dealer)
    return found.filter(pk__lt=before) if before is not None else found


def shifts(*, before: int | None = None) -> QuerySet[Shift]:
    """Shifts, newest first."""
    found = Shift.objects.select_related("opened_by", "closed_by", "handed_to").order_by("-pk")
    return found.filter(pk__lt=before) if before is not None else found


def dealers() -> QuerySet[User]:
    """All dealers, by name."""
    return User.objects.filter(groups__name="dealer", is_active=True).order_by("username")


def _on_duty() -> QuerySet[Duty]:
    return Duty.objects.filter(until=None).select_related("dealer").order_by("free_at", "pk")


@dataclass
class Work:
    """What a dealer did in a span."""

    dealer: int
    name: str
    downs: int = 0
    seconds: int = 0
    longest: int = 0


def work(*, since: datetime, until: datetime) -> list[Work]:
    """Downs of each dealer in this span, those that reach out of it in part. One query."""
    found: dict[int, Work] = {}
    for down in downs(since=since, until=until):
        row = found.setdefault(down.dealer_id, Work(down.dealer_id, down.dealer.username))
        seconds = int((min(down.until or until, until) - max(down.since, since)).total_seconds())
        row.downs += 1
        row.seconds += seconds
        row.longest = max(row.longest, seconds)
    return sorted(found.values(), key=lambda row: row.name)


def tables() -> QuerySet[Table]:
    """The tables where a dealer can clock in."""
    dealt = Q(is_physical=True) | Q(dealt_by=Table.DealtBy.PERSON)
    open_ones = Table.objects.filter(dealt, state__in=(Table.State.OPEN, Table.State.BREAKING, Table.State.CLOSING))
    return open_ones.order_by("name")
