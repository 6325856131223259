"""What people call the state that a table is in."""

from collections.abc import Sequence

from games.models import Seat, Table

_GOING_FROM = 2


def phase_of(table: Table, seats: Sequence[Seat] | int) -> str:
    """What people call it: "free", "open" (nobody plays yet), "going", "paused", "breaking" or "closed".

    `seats`: the taken seats of the table, or how many they are.
    """
    if table.state in (Table.State.FREE, Table.State.CLOSED):
        return str(table.state)
    if table.state in (Table.State.BREAKING, Table.State.CLOSING):
        return "breaking"
    if table.paused_at is not None:
        return "paused"
    many = seats if isinstance(seats, int) else len(seats)
    return "going" if table.hand_id is not None or many >= _GOING_FROM else "open"
