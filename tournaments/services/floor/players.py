"""One player: clock, penalties, whether they have come; and whether more may enter."""

from typing import Unpack

from cardroom.services.errors import Illegal, NotFound
from tournaments.engine.commands import ClockOff, ClockOn, KeepEntryOpen, Penalise
from tournaments.journal import Receipt
from tournaments.models import Tournament, TournamentEntry
from tournaments.services import staff
from tournaments.services.directing import Order, directing, reason_of, whole
from tournaments.services.floor.ordering import give, ordering

_MOST_HANDS = 100


def penalise(*, entrant: int, kind: str, count: int = 0, reason: str, **order: Unpack[Order]) -> Receipt:
    """A warning, or `count` hands or rounds to miss; `kind` as in `engine.commands.PENALTIES`. Online their seat serves
    it from the next hand on. To disqualify has a verb of its own, which this one passes on to."""
    if kind == "disqualified":
        return disqualify(entrant=entrant, reason=reason, **order)
    said = reason_of(reason, of="a penalty")
    return give(Penalise(entrant, kind, whole(count, "number", most=_MOST_HANDS), said), **order)


def disqualify(*, entrant: int, reason: str, **order: Unpack[Order]) -> Receipt:
    """The player is out, and their chips leave play. Online between hands only: `Conflict` while they are in one."""
    return give(Penalise(entrant, "disqualified", 0, reason_of(reason, of="a disqualification")), **order)


def clock_on(*, entrant: int, **order: Unpack[Order]) -> Receipt:
    """Put the clock on the player: 25 seconds and a countdown of five. Also for the floor at the tables."""
    with ordering(staff.TABLES, **order) as held:
        if held.earlier is None:
            if held.locked.row.conduct == Tournament.Conduct.ONLINE:
                raise Illegal("Online every turn has its clock already.", "online-tables", "TDA 29")
            held.play(ClockOn(entrant))
    return held.receipt


def clock_off(*, entrant: int, **order: Unpack[Order]) -> Receipt:
    """The player has acted."""
    return give(ClockOff(entrant), staff.TABLES, **order)


def keep_entry_open(*, on: bool | None, **order: Unpack[Order]) -> Receipt:
    """Entry open or closed whatever the level; None: by the terms of the event again."""
    return give(KeepEntryOpen(on), **order)


def arrived(*, entrant: int, has: bool = True, **order: Unpack[Order]) -> TournamentEntry:
    """The dealer saw the player in their seat, or not after all. Nothing of the event's log; once more changes
    nothing."""
    with directing(staff.TABLES, **order) as held:
        entry = TournamentEntry.objects.filter(tournament=held.locked.row, number=entrant).first()
        if entry is None:
            raise NotFound(f"There is no entry {entrant} in this event.", "no-such-entry")
        if has != (entry.arrived_at is not None):
            entry.arrived_at = held.now if has else None
            entry.save(update_fields=["arrived_at"])
    return entry


def all_here(*, table: int, **order: Unpack[Order]) -> list[TournamentEntry]:
    """The dealer sees everybody at this table in their seat; those who were not seen before are returned, in the order
    of entry. Nothing of the event's log; once more changes nothing. `NotFound` where the table is not open."""
    with directing(staff.TABLES, **order) as held:
        if table not in held.locked.state.tables:
            raise NotFound(f"There is no table {table} open.", "no-such-table")
        seated = held.locked.state.tables[table].seats.values()
        unseen = TournamentEntry.objects.filter(tournament=held.locked.row, number__in=seated, arrived_at=None)
        entries = list(unseen.order_by("number"))
        TournamentEntry.objects.filter(pk__in=[entry.pk for entry in entries]).update(arrived_at=held.now)
    return entries
