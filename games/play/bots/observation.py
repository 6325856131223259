"""The hand as seen from one seat: own cards, boards, dead cards, the price, shown strength."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.cards import ACE, DECK, rank_of
from games.engine.facts.base import Fact
from games.engine.facts.play import ActionOn, Called, RoundOpened, Wagered
from games.engine.games import GAMES, Game
from games.engine.hand import Hand
from games.engine.ranking import low_value_of, value_of

_KNOWN = frozenset(DECK)


FULL_HAND = 7


@dataclass(frozen=True, slots=True)
class Opponent:
    """A live opponent. ``known``: the cards in sight; ``hidden``: how many are not; ``resolve``: the strength shown: 0
    none, 1 has paid a full bet, 2 has wagered, 3 has wagered on this street over another wager."""

    seat: int
    known: tuple[str, ...]
    hidden: int
    resolve: int


@dataclass(frozen=True, slots=True)
class Observation:
    """The hand as its owner sees it when it is their turn.

    ``unseen``: every card that is not in sight, in any hand or the deck; ``wagers``: bets and raises on this street so
    far, ``own_wagers`` those of this seat; ``entered``: opponents who called or raised on this street."""

    game: Game
    street: int
    mine: tuple[str, ...]
    door: str
    board: tuple[str, ...]
    common: tuple[str, ...]
    opponents: tuple[Opponent, ...]
    unseen: tuple[str, ...]
    dead: frozenset[str]
    pot: int
    option: ActionOn
    wagers: int
    own_wagers: int
    entered: int

    @property
    def streets_to_come(self) -> int:
        return FULL_HAND - self.street

    @property
    def has_best_board(self) -> bool:
        """Whether no live opponent shows a board as good, by the way of winning in which the game opens."""
        if not self.board:
            return False
        board = self._value_of_board(self.board)
        return all(not other.known or self._value_of_board(other.known) < board for other in self.opponents)

    def _value_of_board(self, cards: tuple[str, ...]) -> int:
        shown = cards[:FULL_HAND]
        return -low_value_of(shown) if self.game.opens == "low" else value_of(shown)


def observe(hand: Hand, seat: int, option: ActionOn) -> Observation:
    """The observation of ``seat``. ``hand``: a replay of facts redacted for it."""
    own = hand.seats[seat]
    mine = _known_cards(own.cards)
    board = _known_cards(own.upcards)
    common = _known_cards(hand.common)
    round_facts = _this_round(hand.facts)
    resolve = _resolve(hand.facts)
    opponents = tuple(
        Opponent(other.seat, known, len(other.cards) - len(known), resolve.get(other.seat, 0))
        for other in hand.seats.values()
        if other.seat != seat and other.is_live
        for known in [_known_cards(other.cards)]
    )
    in_sight = {*common}.union(*(_known_cards(other.cards) for other in hand.seats.values()))
    live = {other.seat for other in opponents}
    wagers = [fact.seat for fact in round_facts if isinstance(fact, Wagered)]
    entered = {fact.seat for fact in round_facts if isinstance(fact, (Wagered, Called))} - {seat}
    return Observation(
        game=GAMES[hand.started.game],
        street=hand.street,
        mine=mine,
        door=board[0] if board else "",
        board=board,
        common=common,
        opponents=opponents,
        unseen=tuple(card for card in DECK if card not in in_sight),
        dead=frozenset(in_sight.difference(mine)),
        pot=hand.pot,
        option=option,
        wagers=len(wagers),
        own_wagers=wagers.count(seat),
        entered=len(entered & live),
    )


def ace_low(card: str) -> int:
    """The rank of a card where the ace is 1."""
    rank = rank_of(card)
    return 1 if rank == ACE else rank


def _known_cards(cards: object) -> tuple[str, ...]:
    return tuple(card for card in cards if card in _KNOWN)  # type: ignore[attr-defined]


def _this_round(facts: list[Fact]) -> list[Fact]:
    """The facts since the betting round opened."""
    for place in range(len(facts) - 1, -1, -1):
        if isinstance(facts[place], RoundOpened):
            return facts[place:]
    return []


def _resolve(facts: list[Fact]) -> dict[int, int]:
    """How much strength each seat has shown; a wager of an earlier street fades to 2."""
    resolve: dict[int, int] = {}
    wagers = 0
    for fact in facts:
        if isinstance(fact, RoundOpened):
            wagers = 0
            resolve = {seat: min(shown, 2) for seat, shown in resolve.items()}
        elif isinstance(fact, Wagered):
            wagers += 1
            resolve[fact.seat] = 3 if wagers > 1 else max(2, resolve.get(fact.seat, 0))
        elif isinstance(fact, Called) and wagers:
            resolve[fact.seat] = max(1, resolve.get(fact.seat, 0))
    return resolve
