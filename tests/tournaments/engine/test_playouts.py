"""Random events directed at random, with orders of sense and of nonsense: what must hold, holds all the time."""

import random
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import tiers
from tests.support.directing import MINUTE, NOON, STRUCTURE, check, event_snapshot, is_same, level, refuses, rest, terms
from tests.support.floors import suggested_in
from tests.support.parts.event_rules import Consolidation, EventEngine, IllegalCommand, Structure, c, chip_race, payouts
from tournaments.engine.config import AddOnTerms, BountyTerms, Paid, PayoutTerms, RebuyTerms

BY_HANDS = Structure((level(1, minutes=0, hands=8), rest(1), level(2, minutes=0, hands=8), level(3)))


class Director:
    """Directs one event with the chance of one seed; an order in five is nonsense."""

    def __init__(self, seed: int, conduct: str) -> None:
        self.chance = random.Random(seed)
        self.now = NOON
        self.refusals = 0
        pick = self.chance.choice
        self.event = EventEngine.start(
            terms(
                conduct=conduct, structure=pick([STRUCTURE, BY_HANDS]), seats=pick([2, 3, 6, 8]),
                final_seats=pick([3, 6, 8]), late_level=pick([0, 1, 3]), late_through_break=False,
                max_entrants=pick([0, 0, 12]), re_entries=pick([0, 2]),
                rebuy=pick([None, RebuyTerms(3000, most=2, until_level=3, at_most_stack=6000)]),
                add_on=pick([None, AddOnTerms(4000)]),
                payout=pick([PayoutTerms(), PayoutTerms(places=3, unit=50), PayoutTerms("winner", guarantee=9999)]),
                bounty=pick([BountyTerms(), BountyTerms("fixed", 30), BountyTerms("progressive", 31)]),
                hand_minutes=pick([0, 2]),
            ),
            self.now,
        )  # fmt: skip
        self.players = 0

    def do(self, command: c.Command) -> bool:
        """Whether it was done. A refusal changes nothing at all."""
        self.now += self.chance.choice([0, 1000, MINUTE, 4 * MINUTE])
        before = event_snapshot(self.event)
        try:
            facts = self.event.play(command, self.now)
        except IllegalCommand:
            assert event_snapshot(self.event) == before
            self.refusals += 1
            return False
        assert not facts or facts[0].label
        assert not any(fact.label for fact in facts[1:])
        if facts and not isinstance(command, c.Undo | c.Redo):
            self.undoes(before)
        return True

    def undoes(self, before: dict[str, Any]) -> None:
        """Undoing the order that was just given restores everything; or the reason is said, and nothing changes."""
        trial = self.event.copy()
        label = trial.log.actions[-1].label
        assert trial.undo_label == label
        if trial.undo_refusal:
            after = event_snapshot(trial)
            refuses(trial, c.Undo(), self.now, "not-undone", label, str(trial.undo_refusal))
            assert event_snapshot(trial) == after
            return
        trial.play(c.Undo(), self.now)
        assert is_same(trial, before), f"{label} is not undone"
        assert is_same(EventEngine.replay(trial.facts), before)

    def price(self) -> Paid:
        return Paid(self.chance.choice([100, 77]), 10, self.event.config.bounty.amount)

    def seed(self) -> int:
        return self.chance.getrandbits(64)

    def anybody(self) -> int:
        return self.chance.randint(1, len(self.event.entrants) + 1)

    def somebody(self) -> int:
        return self.chance.choice(self.event.in_play()).number

    def register(self) -> c.Command:
        self.players += 1
        return c.Register(self.players, f"P{self.players}", self.price())

    def hand(self) -> None:
        """A hand at some table that deals; now and then somebody loses all of it."""
        tables = [table for table in self.event.in_use() if table.deals and not table.hand_done]
        if not tables:
            return
        table = self.chance.choice(tables)
        winner, *others = self.chance.sample(list(table.seats.values()), len(table.seats))
        losers = [number for number in others[: self.chance.choice([1, 1, 1, 1, 2])] if number not in self.event.held]
        if winner in self.event.held or not losers:
            self.do(c.HandDone(table.number))
            return
        stacks = {number: self.event.entrants[number].stack for number in (winner, *losers)}
        if self.chance.random() < 0.5:
            moved = self.chance.randrange(max(1, stacks[losers[0]]))
            after = {winner: stacks[winner] + moved, losers[0]: stacks[losers[0]] - moved}
            self.do(c.HandDone(table.number, stacks=tuple(after.items())))
            return
        after = {winner: sum(stacks.values()), **dict.fromkeys(losers, 0)}
        busts = tuple((number, stacks[number]) for number in losers)
        counted = tuple(after.items()) if self.event.config.conduct == "online" else ()
        self.do(c.HandDone(table.number, busts, (winner,), counted))

    def order(self) -> c.Command:
        """Something that a director may want now, or may not."""
        orders: list[Callable[[], c.Command]] = [
            self.register,
            lambda: c.ReEnter(self.anybody(), self.price()),
            lambda: c.Rebuy(self.anybody(), Paid(50)),
            lambda: c.AddOn(self.somebody(), Paid(40)),
            lambda: c.Unregister(self.anybody(), self.chance.choice(["no-show", "withdrew"])),
            lambda: c.SeatLate(self.anybody(), self.seed()),
            lambda: c.KeepEntryOpen(self.chance.choice([True, False, None])),
            lambda: c.Move(self.somebody(), self.chance.randint(1, 5), self.chance.randint(1, 8)),
            lambda: c.Swap(self.somebody(), self.somebody()),
            lambda: c.CorrectChips(self.event.chips + self.chance.choice([-4000, -1000, 0, 1000]), "a race"),
            lambda: c.ReserveSeat(self.somebody(), self.chance.randint(0, 3), self.chance.randint(1, 8)),
            *(c.OpenTable, c.Balance, c.Pause, c.Resume, c.NextLevel, c.PreviousLevel, c.LockPayouts, c.Finish),
            lambda: c.CloseTable(self.chance.randint(1, 6)),
            lambda: c.BreakTable(self.chance.randint(1, 6), self.seed()),
            lambda: c.DrawFinalTable(self.seed()),
            lambda: c.AddTime(self.chance.choice([-30, 1, 7]) * MINUTE),
            lambda: c.HandsPlayed(self.chance.randint(1, 5)),
            lambda: c.Bust(((self.anybody(), self.chance.choice([500, 900])),)),
            lambda: c.Revive(self.anybody(), self.seed()),
            lambda: c.HandForHand(self.chance.random() < 0.6),
            lambda: c.Penalise(self.somebody(), self.chance.choice(c.PENALTIES), self.chance.randint(0, 2)),
            lambda: c.ClockOn(self.somebody()),
            lambda: c.ClockOff(self.chance.choice([*self.event.called, self.somebody()])),
            lambda: c.Count(self.somebody(), self.chance.randint(0, 9000)),
            self.race,
            lambda: c.EditLevels(self.chance.randint(0, 5), (level(3), rest(5), level(self.chance.randint(2, 9)))),
            lambda: c.ChangePayout(PayoutTerms(places=self.chance.randint(0, 4))),
            self.deal,
        ]
        return self.chance.choice(orders)()

    def race(self) -> c.Command:
        """Everybody at some table has odd chips of 25, and as many cards as it takes, or one too few."""
        table = self.chance.choice(self.event.in_use())
        stacks = {seat: 25 * self.chance.randint(0, 200) for seat in table.seats}
        needed = chip_race.odd_chips(stacks, 25, 100)
        cards = chip_race.deal(needed - (self.chance.random() < 0.1), seed=self.seed())
        return c.RaceChips(table.number, 25, 100, tuple(stacks.items()), cards)

    def deal(self) -> c.Command:
        """An even deal over what is open; now and then something is left to play for."""
        open_prizes = self.event.prizes()[: self.event.left]
        play_for = self.chance.choice([0, min(open_prizes[0], 20)])
        shares = payouts.share([sum(open_prizes) - play_for], range(1, self.event.left + 1))
        numbers = [entrant.number for entrant in self.event.in_play()]
        return c.Agree("even", tuple(zip(numbers, shares, strict=True)), play_for)

    def undo(self) -> None:
        """Undo and redo are nothing; sometimes only the undo. What money moved by is entered again instead."""
        for _ in range(self.chance.randint(1, 3)):
            before, label = event_snapshot(self.event), self.event.undo_label
            moved_money = self.event.log.actions[-1].moved_money
            if not self.do(c.Undo()):
                break
            assert self.event.redo_label == ("" if moved_money else label)
            if not moved_money and self.chance.random() < 0.7:
                assert self.do(c.Redo())
                assert self.event.undo_label == label
                assert is_same(self.event, before)

    def begin(self, count: int) -> None:
        for _ in range(count):
            self.do(self.register())
        for order in (c.SeatAll(self.seed()), c.Start()):
            assert self.do(order)

    def tidy(self) -> None:
        """What the floor should do next, and seats for all who have none."""
        for entrant in self.event.in_play():
            if not entrant.table:
                assert self.do(c.SeatLate(entrant.number, self.seed()))
        due: Any = suggested_in(self.event)
        if due is None:
            return
        if not isinstance(due, Consolidation):
            self.do(c.Balance())
        elif due.table:
            self.do(c.BreakTable(due.table, self.seed()))
        elif not self.event.held:
            self.do(c.DrawFinalTable(self.seed()))

    def play_to_the_end(self) -> None:
        if self.event.phase == "registering":
            self.do(c.SeatAll(self.seed()))
            assert self.do(c.Start())
        for _ in range(4000):
            if self.event.phase != "running":
                return
            self.tidy()
            self.hand()
        raise AssertionError("the tournament does not end")


@given(st.integers(0, 2**32), st.integers(4, 30), st.sampled_from(["room", "online"]))
@settings(max_examples=tiers.many(30, long=3000), deadline=None, derandomize=True)
def test_whatever_is_ordered_places_chips_seats_and_money_stay_right(seed: int, count: int, conduct: str) -> None:
    director = Director(seed, conduct)
    director.begin(count)
    for step in range(50):
        if director.event.phase != "running":
            break
        if director.chance.random() < 0.4:
            director.hand()
        elif director.chance.random() < 0.2:
            director.undo()
        else:
            director.do(director.order())
        if step % 10 == 9:
            check(director.event)
    director.play_to_the_end()
    check(director.event)
    assert director.event.phase in ("finished", "cancelled")
