"""What the house decides by itself, in thousands of random events: each comes to its end and never stands still.

The tables of the room are four words here and their hands the fall of dice, so that a course takes milliseconds; with
real tables and real hands `test_play_courses` plays some.
"""

import random
from contextlib import suppress

import pytest

from tests.support.directing import MINUTE, NOON, check, level, rest, terms
from tests.support.parts.event_rules import EventEngine, IllegalCommand, Structure, c, payouts
from tests.support.tiers import many
from tournaments.engine.config import BountyTerms, Paid, PayoutTerms, RebuyTerms
from tournaments.online import balancing, next_hands

PARTS, MOST_STEPS, MOST_COMMANDS = 10, 4000, 100


class Course:
    """An event online. `tables`: its tables by number, each held, released, playing a hand, or over one that the event
    has not heard of."""

    def __init__(self, seed: int) -> None:
        self.chance, self.now, self.players = random.Random(seed), NOON, 0
        pick, number = self.chance.choice, self.chance.randint
        kind = pick(["tables"] * 8 + ["shootout", "bracket"])
        by = pick([{"minutes": 4}, {"minutes": 0, "hands": 5}])
        levels = (level(1, **by), *pick([(), (rest(),)]), *(level(each, **by) for each in range(2, 6)))
        payout = pick([PayoutTerms(), PayoutTerms("winner"), PayoutTerms("tickets", ticket_value=pick([200, 300]))])
        self.bounty = pick([BountyTerms(), BountyTerms(), BountyTerms("fixed", 30), BountyTerms("progressive", 31)])
        of_tables = {
            "late_level": pick([0, 0, 1, 3]), "re_entries": pick([0, 2]), "max_entrants": pick([0, 0, 12]),
            "rebuy": pick([None, None, RebuyTerms(5000, most=2, until_level=2)]),
        }  # fmt: skip
        self.event = EventEngine.start(
            terms(
                conduct="online", format=kind, structure=Structure(levels), bounty=self.bounty,
                payout=pick([payout, PayoutTerms(places=number(1, 9)), PayoutTerms(places=number(1, 9))]),
                seats=2 if kind == "bracket" else number(2, 8), final_seats=number(2, 8), balance_at=pick([2, 2, 3]),
                halt_short=pick([0, 3]), hand_minutes=pick([0, 2]), **of_tables if kind == "tables" else {},
            ),
            NOON,
        )  # fmt: skip
        for _ in range(pick([number(2, 9), number(2, 20), number(20, 60)])):
            self.register()
        self.tables: dict[int, str] = {}
        for begins in (c.SeatAll(self.seed()), c.Start()):
            self.event.play(begins, self.now)
        self.go_on()

    def seed(self) -> int:
        return self.chance.getrandbits(64)

    def register(self) -> None:
        self.players += 1
        paid = Paid(100, 10, self.bounty.amount)
        self.event.play(c.Register(self.players, f"P{self.players}", paid), self.now)

    def go_on(self, asking: int = 0) -> None:
        event = self.event
        for _ in range(MOST_COMMANDS):
            due = self.seats_to_draw() or balancing.next_command(event, self.busy(asking), self.now)
            if due is None:
                break
            event.play(due, self.now)
        else:
            raise AssertionError("the house does not come to an end")
        self.tables = {number: self.tables.get(number, "held") for number in event.tables}
        for number, what in self.tables.items():
            if what == "held" and not next_hands.why_held(event, number, now_ms=self.now):
                self.tables[number] = "released"

    def seats_to_draw(self) -> c.Command | None:
        is_played = self.event.phase == "running" and self.event.config.format == "tables"
        standing = [one.number for one in self.event.in_play() if is_played and not one.table]
        return c.SeatLate(standing[0], self.seed()) if standing else None

    def busy(self, asking: int = 0) -> tuple[int, ...]:
        playing = {number for number, what in self.tables.items() if what in ("hand", "over") and number != asking}
        return tuple({*playing, *(number for number in self.event.tables if self.without_chips(number))})

    def without_chips(self, number: int) -> list[int]:
        event, table = self.event, self.event.tables.get(number)
        sitting = table.seats.values() if table else ()
        return [one for one in sitting if not event.entrants[one].stack and one not in event.held]

    def ask(self, number: int) -> None:
        if self.tables[number] == "over":
            self.take(number)
        elif lost := self.without_chips(number):
            self.see_out(number, lost)
        self.tables[number] = "held"
        self.go_on(number)
        if number in self.tables and self.event.phase == "running":
            waits = self.without_chips(number)
            held = not waits and next_hands.why_held(self.event, number, now_ms=self.now)
            self.tables[number] = "held" if held else "released" if waits else "hand"

    def take(self, number: int) -> None:
        """A hand in which one wins, and the others lose something or all they have."""
        event, table = self.event, self.event.tables[number]
        before = {one: event.entrants[one].stack for one in table.seats.values() if event.entrants[one].stack}
        winner, *others = self.chance.sample(list(before), len(before))
        lost = {one: self.chance.choice([0, before[one] // 3, before[one] // 2, before[one]]) for one in others}
        after = {one: chips - lost.get(one, 0) for one, chips in before.items()}
        after[winner] += sum(lost.values())
        busts = tuple(sorted([(one, before[one]) for one in others if not after[one]], key=lambda bust: bust[1]))
        waits = bool(busts) and not event.is_hand_for_hand and self.sells_rebuys()
        by = (winner,) if busts else ()
        event.play(c.HandDone(number, () if waits else busts, by, tuple(after.items())), self.now)
        if event.phase == "running" and event.structure.levels[event.level(self.now)].is_by_hands:
            hands = {each.number: each.hands for each in event.tables.values()}
            if hands.get(number) == max(hands.values()):
                event.play(c.HandsPlayed(), self.now)

    def sells_rebuys(self) -> bool:
        rebuy = self.event.config.rebuy
        return rebuy is not None and self.event.level(self.now) <= self.event.structure.index(rebuy.until_level)

    def see_out(self, number: int, lost: list[int]) -> None:
        for one in lost:
            with suppress(IllegalCommand):
                if self.chance.random() < 0.4:
                    self.event.play(c.Rebuy(one, Paid(50)), self.now)
                    continue
            if self.event.phase == "running":
                self.event.play(c.Bust(((one, 1),), number), self.now)

    def order(self) -> None:
        """A director, or somebody who comes late."""
        event = self.event
        idle = [one.number for one in event.in_play() if one.table not in self.busy()]
        somebody = self.chance.choice(idle or [0])
        shares = payouts.share([sum(event.prizes()[: event.left])], range(1, event.left + 1))
        deal = tuple(zip([one.number for one in event.in_play()], shares, strict=True))
        orders = [
            *[c.Register(self.players + 1, "Late", Paid(100, 10, self.bounty.amount))] * 6,
            *(c.Pause(), c.Resume(), c.NextLevel(), c.HandForHand(True), c.HandForHand(False)),
            *(c.KeepEntryOpen(True), c.KeepEntryOpen(False), c.KeepEntryOpen(None), c.Agree("even", deal, 0)),
            *(c.Penalise(somebody, "disqualified"), c.DrawFinalTable(self.seed(), 0, self.busy())),
        ]
        self.players += 1
        with suppress(IllegalCommand):
            event.play(self.chance.choice(orders), self.now)
            self.go_on()

    def step(self) -> None:
        event = self.event
        moving = [number for number, what in self.tables.items() if what != "held"]
        if not moving:
            reading = event.reading(self.now)
            if reading.is_break and not reading.is_paused:
                self.now += reading.remaining_ms  # every table waits for the end of the break
            else:
                assert event.is_paused, "every table waits for another"
                event.play(c.Resume(), self.now)
            self.go_on()
            return
        number, before = self.chance.choice(moving), event.level(self.now)
        self.now += self.chance.randint(1, MINUTE)
        if event.level(self.now) != before:
            self.go_on()
        if self.tables.get(number) == "hand":
            self.tables[number] = "over"
        elif number in self.tables:
            self.ask(number)


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_event_the_house_directs_comes_to_its_end(part):
    for seed in range(part, many(60, long=6000), PARTS):
        course = Course(seed)
        for _ in range(MOST_STEPS):
            if course.event.phase != "running":
                break
            if course.chance.random() < 0.04:
                course.order()
            else:
                course.step()
        assert course.event.phase == "finished", f"seed {seed}"
        check(course.event)
