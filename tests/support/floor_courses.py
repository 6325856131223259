"""A director at random: orders of the floor and the desk to one event in the room."""

import random

from cardroom.core.errors import Conflict, Illegal, Invalid, NotEnoughChips, NotFound, Stale
from tests.support.events import order
from tests.support.parts.tournaments import (
    buying,
    chip_races,
    closing,
    confirming,
    deals,
    event_clock,
    hands,
    payouts,
    penalties,
    registration,
    seats,
    suggestions,
    undoing,
)

PATIENT = (Conflict, Illegal, Invalid, NotEnoughChips, NotFound, Stale)


class Floor:
    """Orders of sense and of nonsense; what is refused changes nothing. `takes_back`: undo and redo among them;
    `newcomers`: who enters, else new players."""

    def __init__(self, event, seed, *, takes_back=True, newcomers=()):
        self.event, self.chance, self.ids, self.done = event, random.Random(seed), 0, 0
        self.takes_back, self.newcomers = takes_back, list(newcomers)

    def order(self):
        """Sometimes on an old view, sometimes sent twice."""
        seen = self.event.row.seq - (self.chance.random() < 0.05)
        self.ids += self.chance.random() < 0.95
        return order(self.event, expected_seq=seen, key=f"c{self.ids}")

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
        chip_races.race(**about, cards=("As", "Kd", "2c"), **self.order())

    def suggested(self):
        open_suggestions = suggestions.read_suggestions(tournament=self.event.row, now=self.event.now)
        if open_suggestions:
            confirming.confirm(suggestion_key=self.chance.choice(open_suggestions).key, **self.order())

    def newcomer(self):
        if self.newcomers:
            return self.chance.choice(self.newcomers)
        return self.event.player(chips=self.chance.choice([1000, 1000, 120]))

    def undo(self):
        undoing.undo(reason=self.chance.choice(["", "A mistake"]), **self.order())

    def step(self):
        chance, event, entrant = self.chance, self.event, self.anybody()
        common = order(event)
        deeds = [
            *[self.bust] * 3,
            *[self.suggested] * 3,
            self.race,
            *([self.undo, lambda: undoing.redo(**self.order())] if self.takes_back else []),
            lambda: hands.revive(entrant=entrant, reason="a mistake", **self.order()),
            lambda: hands.count(entrant=entrant, chips=chance.randint(0, 6000), **self.order()),
            lambda: seats.move(entrant=entrant, table=chance.randint(1, 4), **self.order()),
            lambda: seats.swap(entrant=entrant, other=self.anybody(), **self.order()),
            lambda: hands.correct_chips(
                chips=event.state.chips + chance.choice([-500, 500]), reason="a race", **self.order()
            ),
            lambda: hands.hand_for_hand(on=chance.random() < 0.5, **self.order()),
            lambda: penalties.penalise(
                entrant=entrant, kind=chance.choice(["hands", "disqualified"]), count=1, reason="rude", **self.order()
            ),
            lambda: event_clock.keep_entry_open(on=chance.choice([True, False, None]), **self.order()),
            lambda: seats.reserve_seat(entrant=entrant, table=chance.randint(0, 3), seat=4, **self.order()),
            lambda: event.enter(self.newcomer()),
            lambda: registration.unregister(**common | {"by": event.entry(max(1, entrant - 1)).player}),
            lambda: registration.re_enter(**common, entrant=entrant),
            lambda: registration.remove_no_shows(**common, entrants=[entrant]),
            lambda: buying.rebuy(**common, entrant=entrant, stack=0),
            lambda: buying.add_on(**common, entrant=entrant),
            lambda: payouts.lock(**self.order()),
            lambda: payouts.pay_one(entrant=entrant, **self.order()),
            lambda: event_clock.next_level(**self.order()),
            lambda: deals.propose(kind="even", play_for=chance.choice([0, 10]), **self.order()),
            lambda: deals.accept_all(**order(self.event, key=f"c{self.ids}")),
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
                closing.finish(**order(event))
            else:
                last, first = state.in_play()[-1].number, state.in_play()[0].number
                hands.bust(busts=[(last, None)], eliminators=[first], **order(event))
