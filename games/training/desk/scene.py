"""A short hand, played by the engine as far as a question needs it, with sentences for what happened.

Players call unless the question has them do something else. Seats are 1 to the number of players, the last one deals,
and the cards are random but for those that a question names.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from django.utils.translation import gettext

from games.engine import commands as c
from games.engine.cards import DECK
from games.engine.facts.base import RAIL, Fact, redact
from games.engine.facts.play import Ruled
from games.engine.games import GAMES as FAMILY
from games.engine.hand import Hand
from games.engine.rulebook import Rulebook
from games.engine.stakes import HandConfig, Stakes
from games.tables import words as table_words
from games.training.desk.asks import lowest_card


@dataclass(frozen=True)
class Setup:
    """What a scene starts with. ``wishes``: cards by (street, seat, place); ``stacks``: chips of single seats;
    ``low``: this seat gets the door card that owes the forced bet."""

    wishes: Mapping[tuple[int, int, int], str] = field(default_factory=dict)
    stacks: Mapping[int, int] = field(default_factory=dict)
    low: int = 0
    absent: tuple[int, ...] = ()
    warned: tuple[int, ...] = ()
    players_left: int = 0
    is_hand_shown: bool = False


STACK = 1_000
_STAKES = Stakes(ante=1, bring_in=5, small_bet=15, big_bet=30, min_bet=15, max_bet=60)
#: What is ruled on while the third card is still to come.
_OF_DOWNCARDS = frozenset({"card_off_table", "exposed_downcard", "both_downcards_exposed"})
#: Not worth a sentence in a story of a few lines.
_SILENT = frozenset({"round-closed", "antes-posted", "announced", "ruled", "bet-returned"})


class DeskScene:
    """A hand in the making. From the first ``add_deed`` on begins what the engine has to rule on."""

    def __init__(
        self, *, book: Rulebook, setting: str, game: str, structure: str, players: int, setup: Setup, seed: int
    ) -> None:
        self.book, self.game, self.setting, self.players = book, FAMILY[game], setting, players
        self.seats = list(range(1, players + 1))
        self.chance = random.Random(seed)
        self.hand = Hand.start(
            HandConfig(
                rulebook=book,
                setting=setting,
                game=game,
                structure=structure,
                stakes=_STAKES,
                stacks={seat: setup.stacks.get(seat, STACK) for seat in self.seats},
                dealer=players,
                absent=setup.absent,
                warned=setup.warned,
                players_left=setup.players_left,
                deck=self._deck(setup),
                scramble=tuple(self.chance.sample(DECK, len(DECK))),
                is_hand_dealt=True,
                is_hand_shown=setup.is_hand_shown,
            )
        )
        self.deeds: list[str] = []
        self.mark, self.ruled = len(self.hand.facts), 0

    @property
    def low(self) -> int:
        """The seat that was named for the bring-in."""
        return self.hand.named

    def after(self, seat: int, steps: int = 1) -> int:
        """The live seat that is ``steps`` live seats clockwise from ``seat``."""
        for _ in range(steps):
            seat = self.hand.following[seat]
            while not self.hand.seats[seat].is_live:
                seat = self.hand.following[seat]
        return seat

    @property
    def live(self) -> list[int]:
        """The live seats, first to receive cards first."""
        return [player.seat for player in self.hand.players if player.is_live]

    def play(self, command: c.Command) -> tuple[Fact, ...]:
        return self.hand.play(command)

    def add_deed(self, sentence: str) -> None:
        """Write down what happens now. The first deed marks where the part begins that the engine has to rule on."""
        if not self.deeds:
            self.mark, self.ruled = len(self.hand.facts), len(self.hand.rulings_made)
        self.deeds.append(sentence)

    def deal(self) -> None:
        """Deal the next street without a mistake."""
        street = self.hand.next_street()
        if street is not None:
            self.play(c.Deal(street.number))

    def to(self, street: int) -> DeskScene:
        """Everybody calls until the cards of ``street`` are out."""
        while self.hand.street < street and not self.hand.is_over:
            if self.hand.awaits == "deal":
                self.deal()
            else:
                self.bet_out()
        return self

    def before(self, street: int) -> DeskScene:
        """Everybody calls until ``street`` is the next to be dealt."""
        while not self.hand.is_over:
            due = self.hand.next_street()
            if self.hand.awaits == "deal":
                if due is None or due.number >= street:
                    break
                self.deal()
            else:
                self.bet_out()
        return self

    def bet_out(self) -> DeskScene:
        """Everybody calls to the end of the round."""
        while self.hand.awaits == "action" and self.hand.turn is not None:
            self.step()
        return self

    def step(self) -> int:
        """The player to act brings in, checks or calls. Returns their seat."""
        turn = self.hand.turn
        if turn is None:
            return 0
        seat = turn.seat
        if turn.bring_in:
            self.play(c.BringIn(seat))
        else:
            self.play(c.Check(seat) if turn.can_check else c.Call(seat))
        return seat

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.step()

    def wager(self) -> int:
        """The player to act bets, completes or raises the least they can. Returns their seat, 0 where they cannot."""
        turn = self.hand.turn
        if turn is None or not turn.sizes:
            return 0
        self.play(c.Wager(turn.seat, turn.sizes[0]))
        return turn.seat

    def keep(self, count: int) -> DeskScene:
        """All but ``count`` players fold on third street, once it was brought in."""
        self.to(3)
        while self.hand.turn is not None and self.hand.turn.bring_in:
            self.step()
        while self.hand.awaits == "action" and self.hand.is_on_first_street and self.hand.turn is not None:
            seat = self.hand.turn.seat
            if self.hand.live > count and self.hand.turn.can_fold and self.hand.turn.call:
                self.play(c.Fold(seat))
            else:
                self.step()
        return self

    def lines_before(self) -> list[str]:
        """Sentences for the hand before the first deed."""
        return sentences(self.hand.facts[: self.mark])

    def lines_after(self) -> list[str]:
        """Sentences for the hand from the first deed on, without rulings."""
        return sentences(self.hand.facts[self.mark :])

    def seen(self) -> dict[str, Any]:
        """The hand as the rail sees it when the deed is to be ruled on. Where the deed is the deal itself, the cards
        are out already: of a downcard turned up the first two, for the third comes as it is ruled, unless it was turned
        up as well."""
        if self.mark and any(player.cards for player in Hand.replay(self.hand.facts[: self.mark]).players):
            return self.view(self.mark)
        since = enumerate(self.hand.facts[self.mark :], self.mark)
        upto, ruling = next(((at, fact) for at, fact in since if isinstance(fact, Ruled)), (len(self.hand.facts), None))
        view = self.view(upto)
        if ruling is not None and ruling.key in _OF_DOWNCARDS and not self._is_third_seen(upto):
            for seat in view["seats"]:
                seat["cards"] = seat["cards"][:2]
                seat["upcards"] = [card for card, is_up in seat["cards"] if is_up]
        return view

    def _is_third_seen(self, upto: int) -> bool:
        """Whether a seat shows its third card beside a downcard that was turned up."""
        players = Hand.replay(self.hand.facts[:upto]).players
        return any(player.ups[2:] == [True] and True in player.ups[:2] for player in players)

    def view(self, upto: int | None = None) -> dict[str, Any]:
        """The hand as the rail sees it now, or after fact ``upto``."""
        view = Hand.replay(redact(fact, RAIL) for fact in self.hand.facts[:upto])
        return {
            "street": view.street,
            "pot": view.pot,
            "to_act": view.to_act,
            "dealer": view.dealer,
            "common": list(view.common),
            "is_over": view.is_over,
            "seats": [
                {
                    "number": player.seat,
                    "stack": player.stack,
                    "bet": player.bet,
                    "is_live": player.is_live,
                    "is_absent": player.is_absent,
                    "is_all_in": player.is_all_in,
                    "cards": [list(pair) for pair in zip(player.cards, player.ups, strict=True)],
                    "upcards": list(player.upcards),
                }
                for player in sorted(view.players, key=attrgetter("seat"))
            ],
        }

    def _deck(self, setup: Setup) -> tuple[str, ...]:
        """A random deck that gives the seats the cards in ``setup``, as long as nobody folds and no mistake is made."""
        wishes = dict(setup.wishes)
        if setup.low:
            wishes[self.game.first.number, setup.low, self._place_of_door()] = self.lowest()
        cards = [card for card in self.chance.sample(DECK, len(DECK)) if card not in wishes.values()]
        deck: dict[int, str] = {self._position(*slot): card for slot, card in wishes.items()}
        rest = iter(cards)
        return tuple(deck[at] if at in deck else next(rest) for at in range(len(DECK)))

    def _place_of_door(self) -> int:
        return len(self.game.first.ups) - 1

    def lowest(self) -> str:
        """The card that brings it in against any other."""
        return lowest_card(self.game.slug)

    def _position(self, street: int, seat: int, place: int) -> int:
        """The position in the deck of the card for this seat."""
        count = self.players
        if self.game.by_number[street].is_first:
            return place * count + self.seats.index(seat)
        at = len(self.game.first.ups) * count
        for next_street in self.game.streets[1:]:
            at += 1 if next_street.is_burned_for and next_street.number in self.book.value("burns", self.setting) else 0
            if next_street.number == street:
                return at + self.seats.index(seat)
            at += count
        raise ValueError(f"street {street} is not dealt in this game")


def sentences(facts: list[Fact] | tuple[Fact, ...]) -> list[str]:
    """These facts in sentences, as spectators may read them."""
    lines = [table_words.sentence(redact(fact, RAIL), name) for fact in facts if fact.kind not in _SILENT]
    return [sentence for sentence in lines if sentence]


def name(seat: int) -> str:
    return gettext("Seat {seat}").format(seat=seat)
