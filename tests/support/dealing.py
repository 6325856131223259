"""A table that a person deals: an evening with a dealer and a floor, who enter what they do."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from games.engine.hand import Hand as Engine
from games.floor import rulings as floor_rulings
from tests.support.evening import Evening, playing
from tests.support.hands import STREETS
from tests.support.models import Hand, User
from tests.support.offers import person
from tests.support.parts.games import Receipt, dealer, table_journal
from tests.support.parts.stud import Ruled, parse_cards

_ids = count(1)


class DealerEvening(Evening):
    """`dee` deals, `flo` is the floor. `hand` is the hand begun last, also when it is over."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"dealt_by": "person", **options})
        self.dee, self.flo = self.staff("dee", "dealer"), self.staff("flo", "floor")
        self.hand = 0

    staff = staticmethod(person)

    @property
    def played(self) -> Engine:
        """The hand begun last, folded from the database."""
        return table_journal.engine_of(table_journal.facts(self.hand))

    @property
    def row(self) -> Hand:
        return Hand.objects.get(pk=self.hand)

    def rulings(self) -> list[tuple[str, str]]:
        """(key, verdict) of every ruling of the hand, oldest first."""
        return [(fact.key, fact.verdict) for fact in table_journal.facts(self.hand) if isinstance(fact, Ruled)]

    def upcards(self, seat: int) -> tuple[str | None, ...]:
        return self.played.seats[seat].upcards

    def start(self, command_id: str = "", by: User | None = None, **options: Any) -> dealer.StartedHand:
        started = dealer.start_hand(
            table_id=self.pk, by=by or self.dee, command_id=command_id or f"start-{next(_ids)}", now=self.now, **options
        )
        self.hand = started.hand
        return started

    def enter(self, what: str, by: User | None = None, seq: int | None = None, command_id: str = "", **fields: Any):
        """The dealer enters something."""
        key, by = command_id or f"entry-{next(_ids)}", by or self.dee
        arguments = {"hand_id": self.hand, "by": by, "command_id": key, "now": self.now}
        return dealer.command(what=what, fields=fields, expected_seq=seq, **arguments)

    def type_street(self, street: int, cards: Mapping[int, str] | None = None, **fields: Any) -> Receipt:
        """Type a street's cards, as `hands.STREETS` has them, to every seat that gets one."""
        chosen = cards or STREETS[street]
        engine = self.played
        seats = [player.seat for player in engine.players if player.is_live or player.is_still_dealt_to]
        named = [{"seat": seat, "card": card} for seat in seats for card in parse_cards(chosen[seat])]
        return self.enter("deal", street=street, cards=named, **fields)

    def order(self, what: str, seat: int = 0, reason: str = "as the room has it", **options: Any) -> Receipt:
        """The floor orders something."""
        given = {"by": self.flo, "command_id": f"order-{next(_ids)}", "hand_id": self.hand} | options
        return floor_rulings.order(what=what, seat=seat, reason=reason, now=self.now, **given)

    def bet_on(self) -> DealerEvening:
        """Everybody brings in, checks or calls to the end of the round, each for themselves."""
        street = self.played.street
        while (table := self.table).hand_id == self.hand:
            engine = playing(table)
            if engine.awaits != "action" or engine.street != street:
                break
            self.check_or_call(table)
        return self

    def to_street(self, street: int) -> DealerEvening:
        """The betting played out and the system's cards dealt, up to where `street` is to be dealt."""
        self.bet_on()
        while (due := self.played.next_street()) is not None and due.number < street:
            self.enter("deal", street=due.number)
            self.bet_on()
        return self
