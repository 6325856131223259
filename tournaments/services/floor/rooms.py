"""What the director orders in an online event, done at its tables in the room: seats changed, tables closed, penalties.

The event's own tables and those of the room are told together by who sits at them. Nobody is taken out of a hand: what
would need that is refused until the hand is over.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from cardroom.services.errors import Conflict
from games.services import events
from games.services.events import TableStanding
from tournaments.engine.facts import Disqualified, Fact, FinalTableDrawn, Moved, Penalised, TableClosed
from tournaments.models import Tournament
from tournaments.services import online
from tournaments.services.locking import Locked


class Rooms:
    """The room's tables of an event as they were before the order. Nothing is asked of the database in the room."""

    def __init__(self, locked: Locked) -> None:
        self._locked = locked
        is_online = locked.row.conduct == Tournament.Conduct.ONLINE and locked.row.is_live
        self._tables = events.standing(event=locked.row.unit) if is_online else {}
        self._at = {seat.player: pk for pk, table in self._tables.items() for seat in table.seats.values()}
        #: the event's number of a table -> the room's
        self._rooms: dict[int, int] = {}
        if self._tables:
            for entrant in locked.state.in_play():
                if entrant.table and entrant.player in self._at:
                    self._rooms[entrant.table] = self._at[entrant.player]

    @property
    def busy(self) -> tuple[int, ...]:
        """The event's tables in the middle of a hand."""
        return tuple([number for number, pk in self._rooms.items() if not self._tables[pk].is_between_hands])

    def follow(self, facts: Sequence[Fact], *, now: datetime) -> None:
        """Do at the tables what these facts say. `Conflict` where somebody is in a hand, or a table is not there."""
        if not self._tables or not facts:
            return
        self._take_out([fact.entrant for fact in facts if isinstance(fact, Disqualified)], now=now)
        self._move(list(_destinations(facts)), now=now)
        for fact in facts:
            if isinstance(fact, Penalised) and fact.hands:
                player = self._player(fact.entrant)
                events.penalise(table_id=self._at[player], player_id=player, hands=fact.hands, now=now)
        self._close(facts, now=now)
        online.tables_of(self._locked.row).moved_on(self._locked, now=now)

    def _move(self, destinations: list[tuple[int, int, int]], *, now: datetime) -> None:
        moves = []
        for entrant, table, seat in destinations:
            player = self._player(entrant)
            to = self._room(table)
            at = self._tables[self._at[player]]
            if at.table != to.table or player not in {at.seats[seat].player for _ in (0,) if seat in at.seats}:
                moves.append((player, at.table, to.table, seat))
        if moves:
            reference = f"{self._locked.row.unit}:ordered:{self._locked.row.seq}"
            events.move_players(moves=moves, reference=reference, now=now)
            touched = {pk for _, *both, _ in moves for pk in both}
            events.release(table_ids=sorted(touched), at=now, now=now)

    def _take_out(self, entrants: list[int], *, now: datetime) -> None:
        players = [(self._at[player], player) for player in map(self._player, entrants) if player in self._at]
        if players:
            reference = f"{self._locked.row.unit}:out:{self._locked.row.seq}"
            events.remove_players(players=players, reference=reference, now=now)
            events.release(table_ids=sorted({table for table, _ in players}), at=now, now=now)

    def _close(self, facts: Iterable[Fact], *, now: datetime) -> None:
        closed = [fact.table for fact in facts if isinstance(fact, TableClosed)]
        for fact in facts:
            if isinstance(fact, FinalTableDrawn):
                closed += [number for number in self._rooms if number != fact.table]
        rooms = sorted({self._rooms[number] for number in closed if number in self._rooms})
        if rooms:
            events.close_tables(table_ids=rooms, now=now)

    def _player(self, entrant: int) -> int:
        return self._locked.state.entrants[entrant].player

    def _room(self, number: int) -> TableStanding:
        pk = self._rooms.get(number)
        if pk is None:
            raise Conflict(f"Nobody sits at table {number} online: choose another one.", "no-such-table")
        return self._tables[pk]


def _destinations(facts: Iterable[Fact]) -> Iterable[tuple[int, int, int]]:
    """(entrant, table, seat) where everybody comes to sit."""
    last: dict[int, tuple[int, int, int]] = {}
    for fact in facts:
        if isinstance(fact, Moved):
            last[fact.entrant] = (fact.entrant, fact.to_table, fact.to_seat)
        elif isinstance(fact, FinalTableDrawn):
            last.update({entrant: (entrant, table, seat) for entrant, table, seat in fact.seats})
    return last.values()
