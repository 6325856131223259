"""Where players stand in an event that is being played: position, and what the next to go out would bring them."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from tournaments.engine.state import Entrant
from tournaments.engine.tournament import EventEngine
from tournaments.prizes.queries import prizes_of


class Standings:
    """The positions in an event. The stacks are sorted once, for any number of players."""

    def __init__(self, state: EventEngine) -> None:
        self._state = state
        left = state.in_play()
        self._are_counted = all(state.is_counted(entrant) for entrant in left)
        self._stacks = sorted(entrant.stack for entrant in left)
        self._prizes = prizes_of(state) if state.phase == "running" else ()

    def own(self, entrant: Entrant, room: tuple[int, int] | None) -> dict[str, Any]:
        """What one player is told of themselves. `room`: the room's own table and seat, where the event is online.

        `is_counted`: their stack was counted; `position` is shared by equal stacks, and null as long as some were not
        counted; `next_jump`: after `outs` more are out, at least `amount`; null where nothing more is to be won by
        waiting. `clock_ends_at`: the clock is on them until then.
        """
        is_in = entrant.status == "in"
        return {
            "entry": entrant.number,
            "status": entrant.status,
            "table": entrant.table or None,
            "seat": entrant.seat or None,
            "room_table": room[0] if room else None,
            "stack": entrant.stack if is_in else 0,
            "is_counted": is_in and self._state.is_counted(entrant),
            "position": self.position(entrant) if is_in and self._are_counted else None,
            "left": self._state.left,
            "next_jump": self.next_jump() if is_in else None,
            "secured": self.secured() if is_in else 0,
            "place": entrant.place or None,
            "tied": entrant.tied,
            "prize": entrant.prize,
            "bounty": entrant.bounty,
            "bounties_won": entrant.bounties_won,
            "misses_hands": entrant.missing,
            "clock_ends_at": self._state.called.get(entrant.number),
        }

    def position(self, entrant: Entrant) -> int:
        """1 for the largest stack."""
        return len(self._stacks) - bisect_right(self._stacks, entrant.stack) + 1

    def secured(self) -> int:
        """What the next player to go out would get."""
        left = self._state.left
        return self._prizes[left - 1] if 0 < left <= len(self._prizes) else 0

    def next_jump(self) -> dict[str, int] | None:
        has = self.secured()
        for place in range(min(self._state.left - 1, len(self._prizes)), 0, -1):
            amount = self._prizes[place - 1]
            if amount > has:
                return {"place": place, "amount": amount, "outs": self._state.left - place}
        return None
