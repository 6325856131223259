"""Directors at random: whatever the floor orders, rows, seats, places and money say what the facts say."""

import random
import secrets

import pytest

from cardroom.core import audit as core_audit
from cardroom.core.errors import Conflict, Illegal, Invalid, NotEnoughChips, NotFound, Stale
from tests.support import tiers
from tests.support.events import held, order, wallet
from tests.support.parts.tournaments import buying, deals, hands, payouts, registration, seats, suggestions
from tournaments.engine.config import BountyTerms, PayoutTerms, Rebuy

PATIENT = (Conflict, Illegal, Invalid, NotEnoughChips, NotFound, Stale)
PRICE = {
    "entry": {"pool": 100, "fee": 10, "bounty": 20},
    "re_entry": {"pool": 90, "bounty": 20},
    "rebuy": {"pool": 31, "staff": 2},
}


class Floor:
    """Orders of sense and of nonsense; what is refused changes nothing."""

    def __init__(self, event, seed):
        self.event, self.chance, self.ids, self.done = event, random.Random(seed), 0, 0

    def order(self):
        """Sometimes on an old view, sometimes sent twice."""
        seen = self.event.row.seq - (self.chance.random() < 0.05)
        self.ids += self.chance.random() < 0.95
        return order(self.event, expected_seq=seen, command_id=f"c{self.ids}")

    def anybody(self):
        return self.chance.randint(1, self.event.row.entries.count() + 1)

    def bust(self):
        state = self.event.state
        table = self.chance.choice(state.in_use())
        order = self.chance.sample(list(table.seats.values()), len(table.seats))
        stacks = [(number, self.chance.choice([900, 1500])) for number in order[1 : self.chance.choice([2, 2, 3])]]
        by = order[:1]
        if state.is_hand_for_hand or self.chance.random() < 0.3:
            hands.hand_done(table=table.number, busts=stacks, eliminators=by, **self.order())
        else:
            hands.bust(busts=stacks, eliminators=by, table=table.number, **self.order())

    def race(self):
        table = self.chance.choice(self.event.state.in_use())
        stacks = {seat: 25 * self.chance.randint(1, 80) for seat in table.seats}
        about = {"table": table.number, "leaving": 25, "next_denomination": 100, "stacks": stacks}
        hands.race(**about, cards=("As", "Kd", "2c"), **self.order())

    def suggested(self):
        found = suggestions.read(tournament=self.event.row, now=self.event.now)
        if found:
            seats.confirm(key=self.chance.choice(found).key, **self.order())

    def step(self):
        chance, event, entrant = self.chance, self.event, self.anybody()
        common = order(event)
        deeds = [
            *[self.bust] * 3,
            *[self.suggested] * 3,
            self.race,
            lambda: seats.undo(**self.order()),
            lambda: seats.redo(**self.order()),
            lambda: hands.revive(entrant=entrant, reason="a mistake", **self.order()),
            lambda: hands.count(entrant=entrant, chips=chance.randint(0, 6000), **self.order()),
            lambda: seats.move(entrant=entrant, table=chance.randint(1, 4), **self.order()),
            lambda: hands.hand_for_hand(on=chance.random() < 0.5, **self.order()),
            lambda: hands.penalise(
                entrant=entrant, kind=chance.choice(["hands", "disqualified"]), count=1, reason="rude", **self.order()
            ),
            lambda: hands.keep_entry_open(on=chance.choice([True, False, None]), **self.order()),
            lambda: seats.reserve_seat(entrant=entrant, table=chance.randint(0, 3), seat=4, **self.order()),
            lambda: event.enter(event.player(chips=chance.choice([1000, 1000, 120]))),
            lambda: registration.unregister(**common | {"by": event.entry(max(1, entrant - 1)).player}),
            lambda: registration.re_enter(**common, entrant=entrant),
            lambda: registration.remove_no_shows(**common, entrants=[entrant]),
            lambda: buying.rebuy(**common, entrant=entrant, stack=0),
            lambda: payouts.lock(**self.order()),
            lambda: payouts.pay_one(entrant=entrant, **self.order()),
            lambda: hands.next_level(**self.order()),
            lambda: deals.propose(kind="even", play_for=chance.choice([0, 10]), **self.order()),
            lambda: deals.accept_all(**self.order()),
            lambda: event.wait(minutes=chance.randint(1, 6)),
        ]
        try:
            chance.choice(deeds)()
        except PATIENT:
            return
        self.done += 1

    def play_out(self):
        """Everybody but one is out, or those with a deal stop."""
        event = self.event
        for _ in range(60):
            state = event.state
            if state.phase != "running":
                return
            if state.is_hand_for_hand:
                hands.hand_for_hand(on=False, **order(event))
            elif state.deal is not None and not state.deal.play_for:
                seats.finish(**order(event))
            else:
                last, first = state.in_play()[-1].number, state.in_play()[0].number
                hands.bust(busts=[(last, None)], eliminators=[first], **order(event))


@pytest.mark.parametrize("seed", range(tiers.many(1, long=100)))
def test_whatever_the_floor_orders_the_books_are_right(make_event, monkeypatch, seed):
    monkeypatch.setattr(secrets, "randbits", random.Random(seed).getrandbits)
    event = make_event(
        price=PRICE, bounty=BountyTerms("progressive", 20), payout=PayoutTerms(places=3, guarantee=1000), seats=4,
        final_seats=4, late_level=2, max_entrants=10, re_entries=1,
        rebuy=Rebuy(1000, most=2, until_level=2, at_most_stack=2000),
    ).started(9)  # fmt: skip
    course = Floor(event, seed)
    for step in range(70):
        if event.row.state == "open":  # the start was undone
            event.start()
        if event.row.is_over:
            break
        course.step()
        if step % 20 == 19:
            assert core_audit.check() == []
    assert course.done > 5
    course.play_out()
    assert event.row.state == "finished"
    while event.row.wake_at is not None:
        event.wake()
    payouts.pay(cash=True, **order(event))
    assert (event.pool(), event.pool("bounties"), core_audit.check()) == (0, 0, [])
    people = {entry.player for entry in event.row.entries.all()}
    house = sum(held("house", label) for label in ("fees", "staff", "guarantees", "cash desk"))
    assert sum(map(wallet, people)) + house == 1000 * len(people)
