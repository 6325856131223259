"""What people call the state that a table is in."""

from collections.abc import Sequence

from games.models import Seat, Table

GOING = "going"
_GOING_FROM = 2


def phase_of(table: Table, seats: Sequence[Seat] | int) -> str:
    """What people call it: "free", "open" (nobody plays yet), "going", "paused", "breaking" or "closed".

    `seats`: the taken seats of the table, or how many they are. A table in the room is going with a dealer clocked in
    and a player at least; a dealer without players is a dead spread, see `is_dead_spread`.
    """
    if table.state in (Table.State.FREE, Table.State.CLOSED):
        return str(table.state)
    if table.state in (Table.State.BREAKING, Table.State.CLOSING):
        return "breaking"
    if table.paused_at is not None:
        return "paused"
    many = seats if isinstance(seats, int) else len(seats)
    if table.is_physical:
        return GOING if table.dealer_on_id is not None and many else "open"
    return GOING if table.hand_id is not None or many >= _GOING_FROM else "open"


def is_dead_spread(table: Table, seats: Sequence[Seat] | int) -> bool:
    """Whether a dealer sits at an open table of the room with nobody to deal to."""
    many = seats if isinstance(seats, int) else len(seats)
    return table.is_physical and table.state == Table.State.OPEN and table.dealer_on_id is not None and not many
