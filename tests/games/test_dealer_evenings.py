"""Evenings of dealers who err and take back: whatever they enter, chips, cards, viewers and the journal agree."""

import random
from contextlib import suppress

import pytest

from tests.support.dealing import DealerEvening
from tests.support.evening import any_action
from tests.support.invariants import cards_in, public_state, whole_state
from tests.support.parts.cardroom import Illegal, Stale, core_audit
from tests.support.parts.games import history_queries, procedure_of, table_journal
from tests.support.parts.stud import DECK, RAIL, Hand, redact
from tests.support.tiers import many

HANDS = many(2, long=3)
MOST_ENTRIES = 150


class Clumsy:
    """A dealer with a seed, who enters what procedure lists, and often mistakes."""

    def __init__(self, evening: DealerEvening, seed: int) -> None:
        self.evening = evening
        self.chance = random.Random(seed)

    def play_hand(self) -> None:
        evening = self.evening
        evening.start()
        for _ in range(MOST_ENTRIES):
            if evening.table.hand_id is None:
                return
            self.enter_something()
        evening.order("void", reason="this takes too long")

    def enter_something(self) -> None:
        procedure = procedure_of(hand_id=self.evening.hand)
        roll = self.chance.random()
        if roll < 0.08 and procedure.undo is not None:
            self.take_back(procedure)
        elif roll < 0.16 and "deal-too-soon" in procedure.whats:
            self.deal_too_soon(procedure)
        elif roll < 0.35 and procedure.seats:
            seat = self.chance.choice(list(procedure.seats))
            self.at_seat(self.chance.choice(procedure.seats[seat]), seat)
        elif procedure.next.what == "notice" and roll < 0.8:
            self.notice(procedure)
        elif "deal" in procedure.whats:
            self.deal(procedure)
        elif procedure.turn is not None:
            self.evening.act(*any_action(procedure.turn, self.chance))
        elif procedure.awaits == "opener":
            self.evening.enter("name-low", seat=procedure.receivers[0])
        else:
            self.evening.enter(self.chance.choice(["show", "show", "muck"]), seat=self.evening.table.to_act)

    def at_seat(self, what, seat) -> None:
        if what == "act":
            for action in ("check", "call", "fold", "bring-in"):
                with suppress(Illegal, Stale):
                    self.evening.enter("act", seat=seat, action=action)
                    return
            raise AssertionError(f"seat {seat} can do nothing")
        self.evening.enter(what, seat=seat)

    def take_back(self, procedure) -> None:
        before = table_journal.engine_of(table_journal.facts(self.evening.hand, upto=procedure.undo.upto))
        self.evening.enter("undo", reason="the wrong seat")
        mine, theirs = whole_state(before), whole_state(self.evening.played)
        assert mine | {"facts": ()} == theirs | {"facts": ()}

    def notice(self, procedure) -> None:
        cards = {"cards": self.fresh(procedure.cards_to_name)} if procedure.cards_to_name else {}
        self.evening.enter("notice", **cards)

    def deal(self, procedure) -> None:
        street = self.evening.played.next_street().number
        if procedure.is_common_due:
            self.evening.enter("deal", street=street, **({"common": self.fresh(1)[0]} if procedure.is_typed else {}))
            return
        mistake = self.chance.choice(["", "", "exposed", "off_table", "skipped", "two", "burns"])
        marked = self.chance.choice(procedure.receivers) if procedure.receivers else 0
        cards = [
            {"seat": seat, "place": place} for place in range(procedure.cards_each) for seat in procedure.receivers
        ]
        mine = [card for card in cards if card["seat"] == marked]
        if mine and mistake in ("exposed", "off_table", "skipped"):
            self.chance.choice(mine)[mistake] = True
        if mine and mistake == "two":
            cards.append({"seat": marked, "place": self.chance.randrange(procedure.cards_each)})
        fields = {"burns": self.chance.choice([0, 1, 2])} if mistake == "burns" and procedure.burns else {}
        self.evening.enter("deal", street=street, cards=self.named(cards, procedure), **fields)

    def deal_too_soon(self, procedure) -> None:
        most = min(len(procedure.receivers), procedure.stub - procedure.burns)
        if most < 1:
            self.evening.act(*any_action(procedure.turn, self.chance))
            return
        cards = [{"seat": seat} for seat in procedure.receivers[: self.chance.randint(1, most)]]
        if procedure.is_typed:
            cards = self.named(cards, procedure)
        self.evening.enter("deal-too-soon", street=procedure.premature_street, cards=cards)

    def named(self, cards, procedure):
        """With faces where the deck is a physical one; otherwise only the marked ones."""
        if not procedure.is_typed:
            seats = [card["seat"] for card in cards]
            doubled = {seat for seat in seats if seats.count(seat) > procedure.cards_each}
            return [card for card in cards if len(card) > 2 or card["seat"] in doubled]
        dealt = [card for card in cards if not card.get("skipped")]
        for card, face in zip(dealt, self.fresh(len(dealt)), strict=True):
            card["card"] = face
        return cards

    def fresh(self, count):
        out = self.evening.played.cards_out()
        return self.chance.sample([card for card in DECK if card not in out], count)


def check_viewers(evening: DealerEvening) -> None:
    """What was sent fact by fact is what a newcomer is sent, for each viewer, and holds nothing hidden."""
    facts = table_journal.facts(evening.hand)
    whole = Hand.replay(facts)
    for viewer in (RAIL, *whole.seats):
        view = Hand.replay([redact(fact, viewer) for fact in facts])
        assert public_state(view) == public_state(whole)
        for seat, player in whole.seats.items():
            for card, is_up, seen in zip(player.cards, player.ups, view.seats[seat].cards, strict=True):
                assert seen in (card, None)
                assert not is_up or seen == card
    sealed = [fact for fact in facts if fact.kind in ("deck-shuffled", "card-burned", "stub-remixed")]
    deck = {card for fact in facts if fact.kind == "deck-shuffled" for card in fact.deck}
    assert not deck & {card for fact in sealed for card in cards_in(redact(fact, RAIL))}


BOOKS, DECKS = ("roberts-v4", "gardens", "home"), (("system", 1), ("typed", 0), ("system", 0), ("typed", 1))
#: Each book once, both kinds of deck; in the long form every book with every deck.
EVENINGS = [(book, *deck) for book in BOOKS for deck in DECKS]


@pytest.mark.parametrize(("book", "deck", "seed"), EVENINGS[:: many(5, long=1)])
def test_a_clumsy_dealers_evening_leaves_everything_in_order(book, deck, seed):
    evening = DealerEvening(deck=deck, rulebook=book, is_hand_shown=seed % 2 == 1)
    players = [evening.sit(f"p{seat}", seat, buy_in=300) for seat in range(1, 4 + 2 * seed)]
    dealer = Clumsy(evening, seed=100 * seed + len(book))
    for _ in range(HANDS):
        if len(evening.table.seats.filter(state="playing")) < 2:
            break
        dealer.play_hand()
        check_viewers(evening)
        assert sum(evening.stack(player) for player in players) == 300 * len(players)
    assert core_audit.check() == []
    assert all(row.citation for row in history_queries.rulings(limit=200))
