"""Which players have been seen in their seats."""

from typing import Annotated

from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.events import playing, staff
from tournaments.events.arguments import EntrantNumber, ExpectedSeq
from tournaments.events.models import TournamentEntry


@verb("events.arrived", roles=staff.TABLES)
def arrived(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    has: Annotated[bool, Limits(required=False)] = True,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> TournamentEntry:
    """The dealer saw the player in their seat, or not after all. Nothing of the event's log; once more changes
    nothing."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        entry = TournamentEntry.objects.filter(tournament=event.row, number=entrant).first()
        if entry is None:
            raise NotFound("no-such-entry", "There is no entry {entrant} in this tournament.", entrant=entrant)
        if has != (entry.arrived_at is not None):
            entry.arrived_at = event.now if has else None
            entry.save(update_fields=["arrived_at"])
    return entry


@verb("events.all_here", roles=staff.TABLES)
def all_here(
    *, tournament_id: RowId, table: int, expected_seq: ExpectedSeq = None, by: User | None
) -> list[TournamentEntry]:
    """The dealer sees everybody at this table in their seat; the entries not seen before are returned, in the order
    of entry. Nothing of the event's log; once more changes nothing. `NotFound` where the table is not open."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        if table not in event.state.tables:
            raise NotFound("no-such-table", "There is no table {table} open.", table=table)
        seated = event.state.tables[table].seats.values()
        unseen = TournamentEntry.objects.filter(tournament=event.row, number__in=seated, arrived_at=None)
        entries = list(unseen.order_by("number"))
        TournamentEntry.objects.filter(pk__in=[entry.pk for entry in entries]).update(arrived_at=event.now)
    return entries
