"""Tables, calls and jackpots that stand still, for the `watchdog`: something is due and its alarm is not set, or a hand
could be dealt and nothing would deal it. Imported when the room starts.
"""

from collections.abc import Iterator

from django.db.models import Q

from cardroom.core import watchdog
from cardroom.core.models import Alarm
from cardroom.core.watchdog import Stall
from games.rake import jackpot_growth
from games.rake.models.drops import Jackpot
from games.tables import stacks
from games.tables.models.tables import Table
from games.waitlists import store
from games.waitlists.models import ListEntry


def stalled_tables() -> Iterator[Stall]:
    """Hands without a clock that no person deals; tables where players could be dealt in and nothing deals."""
    for table in Table.objects.filter(play__wake_at=None).exclude(play__hand=None).order_by("pk"):
        if not table.is_dealt_by_person:
            yield _table_stall(table, "plays a hand and nothing would wake it")
    idle = Table.objects.filter(state=Table.State.OPEN, event="", play__hand=None, play__wake_at=None)
    for table in idle.filter(seats__isnull=False).distinct().order_by("pk"):
        if stacks.is_dealable(table, stacks.seats_of(table)):
            yield _table_stall(table, "could play a hand, and nothing would deal it")


def stalled_calls() -> Iterator[Stall]:
    """Calls without an alarm that would end them."""
    alarms = set(Alarm.objects.filter(kind=store.CALL_ALARM).values_list("key", "fence"))
    called = ListEntry.objects.filter(state__in=(ListEntry.State.CALLED, ListEntry.State.COMING))
    for entry in called.select_related("offer").order_by("pk"):
        if (str(entry.pk), entry.version) not in alarms:
            what = (
                f"Entry {entry.pk} of the list {entry.offer.name} is called to a seat, and nothing would end the call."
            )
            yield Stall(f"list:{entry.pk}:{entry.version}", what)


def stalled_jackpots() -> Iterator[Stall]:
    """Jackpots that should grow or be closed, and have no alarm."""
    alarms = set(Alarm.objects.filter(kind=jackpot_growth.ALARM).values_list("key", "fence"))
    grows = ~Q(grows_at=None) & Q(state=Jackpot.State.LIVE)
    for jackpot in Jackpot.objects.filter(grows | Q(state=Jackpot.State.CLOSING)).order_by("pk"):
        if (str(jackpot.pk), jackpot.growths) not in alarms:
            due = "be closed" if jackpot.state == Jackpot.State.CLOSING else "grow"
            what = f"{jackpot.name} is to {due}, and nothing would wake it."
            yield Stall(f"jackpot:{jackpot.pk}:{jackpot.growths}", what)


watchdog.register("table", stalled_tables)
watchdog.register("list", stalled_calls)
watchdog.register("jackpot", stalled_jackpots)


def _table_stall(table: Table, how: str) -> Stall:
    roles = ("director",) if table.event else ("floor", "manager")
    return Stall(f"table:{table.pk}:{table.version}", f"{table.name} (table {table.pk}) {how}.", roles)
