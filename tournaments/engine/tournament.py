"""One tournament: commands in, facts out.

``play`` looks at everything, decides which facts follow and applies them one by one; applying only copies
(``evolve.py``). Chance and time come in as arguments, so the same commands always give the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tournaments.engine import commands as c
from tournaments.engine import facts as f
from tournaments.engine.config import EventConfig
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.event import Event, Opened
from tournaments.engine.evolve import take_all
from tournaments.engine.rules import (
    busting,
    chip_sales,
    ending,
    entering,
    hand_for_hand,
    penalties,
    placing,
    rounds,
    stacks,
    terms,
    timing,
)


class EventEngine(Event):
    """A tournament from its announcement to its end.

    ``start`` begins one, ``play`` goes on with it, ``replay`` rebuilds it from its facts.
    """

    @classmethod
    def start(cls, config: EventConfig, now: int) -> EventEngine:
        """Announce an event. Raises ``IllegalCommand`` for terms that cannot be played, naming what to mend."""
        event = cls()
        terms.announce(event, config, now)
        return event

    @classmethod
    def replay(cls, facts: Iterable[f.EventFact]) -> EventEngine:
        """The tournament that these facts tell."""
        event = cls()
        take_all(event, list(facts))
        return event

    def play(self, command: c.Command, now: int, *, follows: bool = False) -> tuple[f.EventFact, ...]:
        """Decide, apply and return every fact that follows, one action of the log; maybe none. ``follows``: it belongs
        to the order of the command before, and is undone with it.

        Raises ``IllegalCommand`` and leaves everything as it was.
        """
        mark, self.now, self.follows = len(self.facts), now, follows
        try:
            opened = _PLAYS[type(command)](self, command)
            if opened is not None:
                self._settle(opened)
        except IllegalCommand:
            if len(self.facts) > mark:
                self.become(EventEngine.replay(self.facts[:mark]))
            raise
        return tuple(self.facts[mark:])

    def _settle(self, opened: Opened) -> None:
        """What follows by itself: a hand of hand-for-hand ends, alternates take seats that ``opened``, the last one
        left has won, or all who are left in a satellite have."""
        if self.phase != "running":
            entering.admit_alternates(self, opened)
            return
        hands = self.hand_number
        opened = [*opened, *hand_for_hand.settle(self)]
        entering.admit_alternates(self, [place for place in opened if self._is_free(place)])
        # Online, hands may be running at other tables, unless all of them have just ended together.
        waits_for_hands = self.config.conduct == "online" and len(self.in_use()) > 1 and self.hand_number == hands
        if self.left == 1 or (not waits_for_hands and ending.has_only_winners(self)):
            ending.end(self)

    def _is_free(self, place: tuple[int, int]) -> bool:
        table, seat = place
        return table in self.tables and seat not in self.tables[table].seats

    @property
    def undo_label(self) -> str:
        """The last order, which ``Undo`` would undo; '' where nothing has been done."""
        action = ending.last_order(self)
        return action.label if action is not None else ""

    @property
    def undo_refusal(self) -> str:
        """Why the last order stands; '' where it can be undone."""
        action = ending.last_order(self)
        return ending.why_not(self, action) if action is not None else ending.NOTHING_TO_UNDO

    @property
    def redo_label(self) -> str:
        """What ``Redo`` would do again; '' where there is nothing."""
        return self.log.undone[-1].label if self.log.undone else ""


_PLAYS: dict[type[c.Command], Callable[[Event, Any], Opened | None]] = {
    c.ChangeTerms: terms.change_terms,
    c.ChangePayout: ending.change_payout,
    c.Register: entering.register,
    c.Unregister: entering.unregister,
    c.ReEnter: entering.re_enter,
    c.Rebuy: chip_sales.rebuy,
    c.AddOn: chip_sales.add_on,
    c.Identify: entering.identify,
    c.KeepEntryOpen: terms.keep_open,
    c.ReserveSeat: placing.reserve,
    c.SeatAll: placing.seat_all,
    c.SeatLate: placing.seat_late,
    c.OpenTable: placing.open_table,
    c.CloseTable: placing.close_table,
    c.Move: placing.move,
    c.Swap: placing.swap,
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
    c.Count: stacks.count,
    c.CountTable: stacks.count_table,
    c.CorrectChips: stacks.correct_chips,
    c.Chips: stacks.chips,
    c.RaceChips: stacks.race_chips,
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
    c.PayOut: ending.pay_out,
    c.Undo: ending.undo,
    c.Redo: ending.redo,
}
