"""The hand in play as the rules see it: its state, the rulebook, and the few ways to write a fact down.

It knows no rule: rules take it and call each other downwards, the hand (``hand.py``) calls the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.cards import DECK, UNKNOWN, known_cards
from games.engine.errors import IllegalAction, Said
from games.engine.facts import mistakes, play
from games.engine.facts.base import Pot
from games.engine.games import Game, Street
from games.engine.ranking import low_value_of, value_of
from games.engine.rulebook import Rulebook, Rules
from games.engine.seat import SeatState
from games.engine.state import HandState

_DECK = frozenset(DECK)


class HandInPlay(HandState):
    """The state, with the rulebook that the hand is played by."""

    book: Rulebook
    rules: Rules
    game: Game
    is_fixed_limit: bool

    def __init__(self) -> None:
        super().__init__()
        self._boards: tuple[int, dict[int, int]] = (0, {})

    #: Put a decided fact into the log.
    emit = HandState.apply

    def rule(self, key: str, verdict: str, seats: tuple[int, ...]) -> None:
        """Record a ruling with where the rulebook says so, or whose rule is followed where it has none."""
        self.emit(play.Ruled(key, verdict, seats=seats, **self.book.cited(key, verdict)))

    def end(self) -> None:
        """Write down what everybody has."""
        self.emit(play.HandEnded(tuple([(player.seat, player.stack) for player in self.players])))

    def void(self, why: str) -> None:
        """Every chip back, as if the hand had not been dealt."""
        self.emit(mistakes.HandVoided(why, self.started.stacks))

    def kill_absent(self, seats: Sequence[int]) -> None:
        """Kill the hands of absent players, one ruling for each."""
        for seat in seats:
            self.rule("absent_player", "killed", (seat,))
            self.emit(play.HandKilled(seat))

    def point(self, key: str) -> Any:
        """What the hand plays on ``key``: the rulebook's value, or the house's choice where the book leaves one. Of a
        point with parts the house may choose some, and one word for all of them."""
        value = self.book.value(key, self.started.setting)
        chosen = dict(self.started.choices).get(key)
        if chosen is None:
            return value
        if isinstance(value, Mapping):
            return {**value, **(chosen if isinstance(chosen, Mapping) else dict.fromkeys(value, chosen))}
        return chosen

    def refusal(self, code: str, pattern: str, key: str = "", /, **values: Any) -> IllegalAction:
        """The refusal of a command, with the rulebook point ``key`` behind it."""
        return IllegalAction(code, pattern, self.book.citation(key) if key else None, **values)

    def cards_due(self, player: SeatState) -> int:
        """How many cards of its own a whole hand of ``player`` has."""
        missing = 0 if player.has_early_last_card else self.missing_cards
        return self.game.hand_size - len(self.common_for(player)) - missing

    def common_for(self, player: SeatState) -> list[str | None]:
        """The common cards that play for ``player``: not the one for a last card that they have already."""
        if not player.has_early_last_card or not self.common:
            return self.common
        streets = zip(self.common, self.common_streets, strict=True)
        return [card for card, street in streets if not self.game.by_number[street].is_last]

    def next_street(self) -> Street | None:
        """The street to be dealt next; None after the last."""
        return self.game.following[self.street]

    @property
    def is_on_first_street(self) -> bool:
        """Whether the first street is in play; not before it is dealt."""
        return self.street == self.game.first.number

    @property
    def is_past_first_street(self) -> bool:
        """Whether a later street has been dealt."""
        return self.street > self.game.first.number

    @property
    def is_on_last_street(self) -> bool:
        """Whether the last street is in play."""
        return self.street == self.game.last.number

    def board_values(self) -> dict[int, int]:
        """The strength of every live board with the common card, worked out once a street."""
        if self._boards[0] != self.street:
            is_low = self.game.opens == "low"
            boards = {}
            for player in self.players:
                if not player.is_live:
                    continue
                shown = player.upcards
                if self.common:
                    shown = (*shown, *self.common_for(player))
                board = known_cards(shown)[: self.game.hand_size]
                if board:
                    boards[player.seat] = -low_value_of(board) if is_low else value_of(board)
            self._boards = (self.street, boards)
        return self._boards[1]

    def forget_boards(self) -> None:
        """The upcards were moved: work the boards out again."""
        self._boards = (0, {})

    def is_dead_by_count(self, seat: int) -> bool:
        """Whether a hand was ruled dead for having too many or too few cards."""
        return any(seat in ruling.seats and ruling.verdict == "dead" for ruling in self.rulings("wrong_card_count"))

    def cards_out(self) -> set[str | None]:
        """Every card that lies somewhere else than in the stub."""
        out = {card for player in self.players for card in player.cards}
        out.update(self.common, self.burns, self.set_aside)
        out.update(card for _, card, _ in self.premature)
        return out

    def check_seat(self, seat: int) -> SeatState:
        """The seat's state; refused when it is not in this hand."""
        player = self.seats.get(seat)
        if player is None:
            raise self.refusal("unknown-seat", "Seat {seat} is not in this hand.", seat=seat)
        return player

    def check_new_cards(self, cards: Sequence[str], mixed_in: Sequence[str | None] = ()) -> None:
        """Refuse a card that does not exist or lies elsewhere already, and any at all where the deck is known.
        ``mixed_in``: cards that were out and come back."""
        if cards and self.started.is_hand_dealt and self.deck is not None and len(self.deck) == len(_DECK):
            raise self.refusal("system-deck", "The cards of this hand come off the shuffled deck: name none.")
        out = self.cards_out().difference(mixed_in)
        for card in cards:
            if card == UNKNOWN:
                continue
            if card not in _DECK:
                raise self.refusal("no-such-card", "{card!r} is not a card.", card=card)
            if card in out:
                message = Said("The {card} is already out. If there are two of them, the deck is fouled.", card=card)
                raise self.refusal("duplicate-card", message, "fouled_deck")
            out.add(card)


# Chips in the middle: which of them nobody called, how they layer into pots, and how a pot is split.


def uncalled_chips(players: Sequence[SeatState]) -> tuple[int, int]:
    """(seat, chips) that nobody matched, antes included; (0, 0) if every chip was called."""
    most = second = owner = 0
    for player in players:
        chips = player.total - player.ante_apart
        if chips > most:
            most, second, owner = chips, most, player.seat
        elif chips > second:
            second = chips
    return (owner, most - second) if most > second else (0, 0)


def layers(players: Sequence[SeatState], middle: int) -> tuple[Pot, ...]:
    """The pots, main pot first: (chips, live seats that can win them), a layer for every all-in level.

    ``middle`` is all the chips in. Dead chips above every live level stay in the layer below them, so each chip has a
    winner. Antes that are kept apart are the main pot's.
    """
    if not middle:
        return ()
    live = [player for player in players if player.is_live]
    first = live[0]
    if all(player.total == first.total and not player.ante_apart for player in live):
        return ((middle, tuple([player.seat for player in live])),)
    apart = sum(player.ante_apart for player in players)
    levels = sorted({player.total - player.ante_apart for player in live if apart or player.total})
    if len(levels) <= 1:
        return ((middle, tuple([player.seat for player in live])),)
    paid = {player.seat: player.total - player.ante_apart for player in players}
    pots: list[Pot] = []
    floor = 0
    for level in levels:
        chips = sum(min(chips_put_in, level) - min(chips_put_in, floor) for chips_put_in in paid.values())
        pots.append((chips, tuple([player.seat for player in live if paid[player.seat] >= level])))
        floor = level
    pots[0] = (pots[0][0] + apart, pots[0][1])
    chips, seats = pots[-1]
    pots[-1] = (chips + sum(max(0, chips_put_in - floor) for chips_put_in in paid.values()), seats)
    return tuple(pots)


def split(chips: int, winners: Sequence[int], unit: int = 1) -> list[tuple[int, int, int]]:
    """(seat, chips, odd ones among them) for ``winners``, who are in the order in which odd chips go to them. ``unit``:
    the smallest chip, of which nobody gets a part; what fills none is the first one's.

    >>> split(1100, [3, 1], unit=100)
    [(3, 600, 100), (1, 500, 0)]
    """
    even = chips // unit // len(winners) * unit
    left = chips - even * len(winners)
    odd = [unit if place < left // unit else 0 for place in range(len(winners))]
    odd[0] += left % unit
    return [(seat, even + more, more) for seat, more in zip(winners, odd, strict=True)]


def halves(chips: int, unit: int) -> tuple[int, int]:
    """A pot in two, high and low: the odd chip, and what fills none, is high's.

    >>> halves(1100, 100), halves(7, 1)
    ((600, 500), (4, 3))
    """
    low = chips // unit // 2 * unit
    return chips - low, low
