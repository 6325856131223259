"""One tournament: commands in, facts out.

``play`` looks at everything, decides which facts follow and applies them one by one; applying only copies
(``state.py``). Chance and time come in as arguments, so the same commands always give the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from . import (
    busting,
    buying,
    ending,
    entering,
    hand_for_hand,
    penalties,
    placing,
    rounds,
    timing,
    undoing,
)
from . import commands as c
from . import facts as f
from .config import EventConfig
from .entrant import Entrant
from .errors import IllegalAction
from .outlook import Outlook
from .state import TournamentState

_NOT_NOW = {
    "registering": "Cards are not in the air yet.",
    "running": "Cards are in the air already.",
    "finished": "The tournament is over.",
    "cancelled": "The tournament was cancelled.",
}


class Tournament(Outlook):
    """A tournament from its announcement to its end.

    ``start`` begins one, ``play`` goes on with it, ``replay`` rebuilds it from its facts. ``now`` is the moment of the
    command being played, milliseconds since the epoch.
    """

    now: int = 0

    # -- beginnings --------------------------------------------------------------------------------------------------

    @classmethod
    def start(cls, config: EventConfig, now: int) -> Tournament:
        """Announce an event. Raises ``IllegalAction`` for terms that cannot be played, naming what to mend."""
        event = cls()
        entering.announce(event, config, now)
        return event

    @classmethod
    def replay(cls, facts: Iterable[f.Fact]) -> Tournament:
        """The tournament that these facts tell."""
        event = cls()
        event.take_all(list(facts))
        return event

    def copy(self) -> Tournament:
        """An independent twin."""
        twin = Tournament.__new__(Tournament)
        twin.__dict__.update(self.__dict__)
        twin.facts, twin.log = self.facts.copy(), self.log.copy()
        twin.totals = self.totals.copy()
        twin.entrants = {number: entrant.copy(twin.totals) for number, entrant in self.entrants.items()}
        twin.tables = {number: table.copy(twin.totals) for number, table in self.tables.items()}
        for name in ("players", "alternates", "reserved", "held", "called"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    # -- playing -----------------------------------------------------------------------------------------------------

    def play(self, command: c.Command, now: int) -> tuple[f.Fact, ...]:
        """Decide, apply and return every fact that follows, one action of the log; maybe none.

        Raises ``IllegalAction`` and leaves everything as it was.
        """
        mark, self.now = len(self.facts), now
        try:
            _PLAYS[type(command)](self, command)
        except IllegalAction:
            if len(self.facts) > mark:
                self.become(Tournament.replay(self.facts[:mark]))
            raise
        return tuple(self.facts[mark:])

    #: Put a decided fact into the log.
    emit = TournamentState.apply

    def become(self, other: Tournament) -> None:
        """Be what ``other`` is."""
        vars(self).clear()
        vars(self).update(vars(other))

    def settle(self, opened: list[tuple[int, int]] | None = None) -> None:
        """What follows by itself: a hand of hand-for-hand ends, alternates take seats that ``opened``, the last one
        left has won, or all who are left in a satellite have."""
        if self.phase != "running":
            entering.admit_alternates(self, opened)
            return
        hands = self.hand_number
        opened = [*(opened or []), *hand_for_hand.settle(self)]
        entering.admit_alternates(self, [place for place in opened if self._is_free(place)])
        # Online, hands may be running at other tables, unless all of them have just ended together.
        waits_for_hands = self.config.conduct == "online" and len(self.in_use()) > 1 and self.hand_number == hands
        if self.left == 1 or (not waits_for_hands and ending.has_only_winners(self)):
            ending.end(self)

    # -- what a command may need ---------------------------------------------------------------------------------------

    def require(self, *phases: str) -> None:
        """Refuse what does not belong in this phase."""
        if self.phase not in phases:
            raise IllegalAction(f"is-{self.phase}", _NOT_NOW[self.phase])

    def entrant(self, number: int) -> Entrant:
        """Entry ``number``. Raises ``IllegalAction`` where there is none."""
        entrant = self.entrants.get(number)
        if entrant is None:
            raise IllegalAction("no-such-entrant", f"There is no entry number {number}.")
        return entrant

    def playing(self, number: int) -> Entrant:
        """Entry ``number`` if it is in play now."""
        entrant = self.entrant(number)
        self.require("running")
        if not entrant.is_in:
            raise IllegalAction("is-out" if entrant.status == "out" else "not-in", f"{entrant.name} is not in play.")
        return entrant

    def _is_free(self, place: tuple[int, int]) -> bool:
        table, seat = place
        return table in self.tables and seat not in self.tables[table].seats


_PLAYS: dict[type[c.Command], Callable[[Tournament, Any], None]] = {
    c.ChangeTerms: entering.change_terms,
    c.ChangePayout: ending.change_payout,
    c.Register: entering.register,
    c.Unregister: entering.unregister,
    c.ReEnter: entering.re_enter,
    c.Rebuy: buying.rebuy,
    c.AddOn: buying.add_on,
    c.Identify: entering.identify,
    c.KeepEntryOpen: entering.keep_open,
    c.ReserveSeat: placing.reserve,
    c.SeatAll: placing.seat_all,
    c.SeatLate: placing.seat_late,
    c.OpenTable: placing.open_table,
    c.CloseTable: placing.close_table,
    c.Move: placing.move,
    c.BreakTable: placing.break_table,
    c.Balance: placing.balance,
    c.DrawFinalTable: placing.final_table,
    c.DrawRound: rounds.draw_round,
    c.Start: timing.start,
    c.Pause: timing.pause,
    c.Resume: timing.resume,
    c.AddTime: timing.add_time,
    c.SetRemaining: timing.set_remaining,
    c.RoomWasAway: timing.room_was_away,
    c.GoTo: timing.go_to,
    c.NextLevel: timing.next_level,
    c.PreviousLevel: timing.previous_level,
    c.EditLevels: timing.edit_levels,
    c.HandsPlayed: timing.hands_played,
    c.Bust: busting.bust,
    c.Revive: busting.revive,
    c.Count: busting.count,
    c.CountTable: busting.count_table,
    c.Chips: busting.chips,
    c.RaceChips: busting.race_chips,
    c.HandForHand: hand_for_hand.switch,
    c.HandDone: hand_for_hand.hand_done,
    c.Penalise: penalties.penalise,
    c.ClockOn: timing.clock_on,
    c.ClockOff: timing.clock_off,
    c.LockPayouts: ending.lock_payouts,
    c.Agree: ending.agree,
    c.Finish: ending.finish,
    c.CloseFlight: ending.close_flight,
    c.Cancel: ending.cancel,
    c.MarkPaid: ending.mark_paid,
    c.Undo: undoing.undo,
    c.Redo: undoing.redo,
}
