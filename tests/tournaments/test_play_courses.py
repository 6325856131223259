"""Random online events, directed at random, come to their end: nothing fails, nothing stands still, the books agree."""

import random
from contextlib import suppress

import pytest

from cardroom.core.errors import Refusal
from tests.support.directing import check
from tests.support.events import Event, order
from tests.support.online import OnlineEvent
from tests.support.parts.event_rules import HandForHand, Level, NextLevel, Pause, Resume, Structure
from tests.support.parts.tournaments import deals, event_clock, hands, payouts, penalties, seats, undoing
from tests.support.tiers import many
from tournaments.engine.config import AddOnTerms, BountyTerms, PayoutTerms, RebuyTerms
from tournaments.prizes.models import DealProposal

MOST_ALARMS = 8000
STACK = 300


class Course:
    """One event by the chance of one seed, and somebody who now and then gives an order of sense or of nonsense."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        pick = self.chance.choice
        kind = pick(["tables"] * 6 + ["shootout", "bracket"])
        payout = pick(
            [PayoutTerms(), PayoutTerms("winner"), PayoutTerms("tickets", ticket_value=200)]
            + [PayoutTerms(places=self.chance.randint(1, 9)) for _ in range(4)]
        )
        bounty = pick([BountyTerms()] * 3 + [BountyTerms("fixed", 30), BountyTerms("progressive", 31)])
        entry = {"pool": 100, "bounty": bounty.amount}
        options = {"pause_seconds": pick([0, 0, 4]), "bots_rebuy": pick([0, 1]), "rebuy_seconds": pick([0, 20])}
        fields = {
            "structure": self.structure(), "starting_stack": STACK, "format": kind, "payout": payout, "bounty": bounty,
            "seats": 2 if kind == "bracket" else pick([2, 3, 4, 6, 8]), "final_seats": pick([2, 3, 4, 6, 8]),
            "halt_short": pick([0, 3]), "hand_minutes": pick([0, 2]), "act_seconds": 1, "time_bank_seconds": 0,
            "price": {"entry": entry, "rebuy": {"pool": 50}, "add_on": {"pool": 30}}, "options": options,
        }  # fmt: skip
        if kind == "tables":
            fields |= {"late_level": pick([0, 0, 1, 2]), "re_entries": pick([0, 1]), "balance_at": pick([2, 2, 3])}
            fields |= {
                "max_entrants": pick([0, 0, 9]),
                "rebuy": pick([None, None, RebuyTerms(STACK, 1, until_level=2)]),
            }
            fields |= {"add_on": pick([None, AddOnTerms(STACK)]) if self.has_break else None}
        if payout.kind == "tickets":
            fields["satellite_to_id"] = Event(price={"entry": {"pool": 180, "fee": 20}}).open().pk
        self.field = pick([self.chance.randint(2, 9), self.chance.randint(2, 9), self.chance.randint(10, 24)])
        people = self.chance.randint(0, min(2, self.field))
        self.event = OnlineEvent(self.field - people, people=people, **fields)

    def structure(self) -> Structure:
        """Short levels, dear at once, by time or by hands."""
        by = self.chance.choice([{"minutes": 1}, {"minutes": 0, "hands": 3}])
        levels = [Level(**by, ante=n, bring_in=n, small_bet=2 * n, big_bet=4 * n) for n in (25, 50, 100, 200)]
        self.has_break = self.chance.random() < 0.5
        return Structure((levels[0], *([Level(kind="break", minutes=2)] * self.has_break), *levels[1:]))

    def order(self) -> None:
        """Something that a director, or somebody who enters, may want now; it may be refused."""
        event, chance = self.event, self.chance
        given = order(event)
        somebody = chance.choice(event.state.in_play()).number
        wish = chance.choice(
            [
                *[event.enter_bot] * 2,
                lambda: event.play(chance.choice([Pause(), Resume(), NextLevel(), HandForHand(chance.random() < 0.7)])),
                lambda: hands.hand_for_hand(on=chance.random() < 0.7, **given),
                lambda: event_clock.keep_entry_open(on=chance.choice([True, False, None]), **given),
                lambda: penalties.disqualify(entrant=somebody, reason="threw a chair", **given),
                lambda: penalties.penalise(entrant=somebody, kind="missed-hand", count=2, reason="was rude", **given),
                lambda: seats.draw_final_table(**given),
                lambda: deals.propose(kind=chance.choice(["even", "chip"]), **given),
                lambda: undoing.undo(**given),
            ]
        )
        with suppress(Refusal):
            wish()

    def go_on(self) -> None:
        """A paused event waits for its director."""
        if DealProposal.objects.filter(tournament=self.event.pk, state="open").exists():
            deals.withdraw(**order(self.event))
        else:
            assert self.event.row.state == "paused", "nothing is due, and nobody is waited for"
            self.event.play(Resume())

    def play(self) -> None:
        self.event.start()
        for _ in range(MOST_ALARMS):
            if not self.event.row.is_live:
                return
            if self.chance.random() < 0.02:
                self.order()
            elif not self.event.ring():
                self.go_on()
        raise AssertionError(f"the tournament is not over after {MOST_ALARMS} alarms")


@pytest.mark.parametrize("seed", range(many(1, long=150)))
def test_a_random_event_ends_with_every_chip_and_prize_where_it_belongs(seed, audited, settings):
    settings.CARDROOM_BOT_TURNS = 100
    course = Course(seed)
    course.play()
    event = course.event
    while not event.row.is_over or event.tables:
        assert event.ring(), "the tables of a tournament that is over are closed"
    payouts.pay_by_alarm(tournament_id=event.pk, now=event.now)
    check(event.state)
    assert (event.seats, event.issued) == ({}, 0)
    assert event.row.state == "cancelled" or event.row.paid_at is not None
