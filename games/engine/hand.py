"""One hand of stud: commands in, facts out.

``play`` looks at everything, decides which facts follow and applies them one by one; applying only copies
(``state.py``). Cards, chance and time come in as arguments, so the same commands always give the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import betting, by_hand, conduct, dealing, drop, floor, premature, put_right, reversal, showdown, turns
from . import commands as c
from . import facts as f
from .cards import DECK, UNKNOWN
from .errors import IllegalAction
from .family import GAMES, STRUCTURES, Game, Street
from .lowball import low_value_of
from .opening import after_deal
from .options import able_to_bet
from .ranking import value_of
from .rulebook import Rulebook
from .rules import Rules, resolve
from .stakes import HandConfig
from .starting import check_config, started
from .state import HandState, SeatState
from .stub import known_cards

_DECK = frozenset(DECK)


class Hand(HandState):
    """A hand in play, or the same hand as a viewer may see it.

    ``start`` begins one, ``play`` goes on with it, ``replay`` rebuilds it from its facts. Without a rulebook (a
    viewer's replay) it can be looked at but not played.
    """

    book: Rulebook
    rules: Rules
    game: Game
    is_fixed_limit: bool

    def __init__(self) -> None:
        super().__init__()
        self._boards: tuple[int, dict[int, int]] = (0, {})

    # -- beginnings --------------------------------------------------------------------------------------------------

    @classmethod
    def start(cls, config: HandConfig) -> Hand:
        """Post the antes, deal as far as the automatic dealer can, and stop at the first choice.

        Raises ``IllegalAction`` when the hand may not begin: too few or too many players, impossible stakes or deck.
        """
        hand = cls()
        hand._use(config.rulebook, config.setting, config.game, config.structure)
        check_config(hand, config)
        hand.emit(started(config))
        if config.deck is not None:
            hand.emit(f.DeckShuffled(config.deck, config.scramble))
        dealing.post_antes(hand, config)
        if not config.is_hand_dealt:
            hand.go_on()
        return hand

    @classmethod
    def replay(cls, facts: Iterable[f.Fact], rulebook: Rulebook | None = None) -> Hand:
        """The hand that these facts tell, redacted or not. With ``rulebook`` play can go on."""
        hand = cls()
        for fact in facts:
            hand.apply(fact)
        if rulebook is not None:
            told = hand.started
            hand._use(rulebook, told.setting, told.game, told.structure)
        return hand

    def copy(self) -> Hand:
        """An independent twin."""
        twin = Hand.__new__(Hand)
        twin.__dict__.update(self.__dict__)
        twin.facts = self.facts.copy()
        twin.seats = {seat: player.copy() for seat, player in self.seats.items()}
        twin.players = list(twin.seats.values())
        twin.stub = self.stub.copy()
        twin.burns = self.burns.copy()
        twin.common = self.common.copy()
        twin.rulings_made = self.rulings_made.copy()
        return twin

    def _use(self, book: Rulebook, setting: str, game: str, structure: str) -> None:
        self.book = book
        if setting not in ("cash", "tournament"):
            raise IllegalAction("unknown-setting", f"There is no setting called {setting!r}: cash or tournament.")
        if game not in GAMES:
            raise IllegalAction("unknown-game", f"There is no game called {game!r}: {', '.join(GAMES)}.")
        self.rules = resolve(book, setting)
        self.game = GAMES[game]
        if structure not in STRUCTURES:
            raise IllegalAction("unknown-structure", f"There is no structure called {structure!r}.")
        self.is_fixed_limit = structure == "fixed-limit"

    # -- playing -----------------------------------------------------------------------------------------------------

    def play(self, command: c.Command) -> tuple[f.Fact, ...]:
        """Decide, apply and return every fact up to the next choice.

        Raises ``IllegalAction`` before anything changes.
        """
        if self.phase == "over":
            raise self.refusal("hand-over", "The hand is over.", "acting_in_turn")
        mark = len(self.facts)
        _PLAYS[type(command)](self, command)
        return tuple(self.facts[mark:])

    #: Put a decided fact into the log.
    emit = HandState.apply

    def rule(self, key: str, verdict: str, seats: tuple[int, ...], like: str = "") -> None:
        """Record a ruling with where the rulebook says so, or by analogy with the point ``like``."""
        self.emit(f.Ruled(key, verdict, seats=seats, **self.book.cited(key, verdict, like)))

    def point(self, key: str) -> Any:
        """What the hand plays on ``key``: the rulebook's value, or the house's choice where the book leaves one."""
        chosen = dict(self.started.choices).get(key)
        return chosen if chosen is not None else self.book.value(key, self.started.setting)

    def refusal(self, code: str, message: str, key: str = "") -> IllegalAction:
        """The refusal of a command, with the rulebook point ``key`` behind it."""
        return IllegalAction(code, message, self.book.citation(key) if key else None)

    def settle_turn(self, seat: int) -> None:
        """After ``seat`` has acted: the next one's turn, or the end of the round."""
        while True:
            if self.live == 1:
                self.finish_unopposed()
                return
            seat = turns.next_to_act(self, seat)
            if not seat:
                turns.close_round(self)
                self.go_on()
                return
            if turns.give_turn(self, seat):
                return

    def start_round(self, opener: int) -> None:
        """The opener's turn; if their hand is dead or their bet already posted, the next one's."""
        player = self.seats[opener]
        if player.is_live and not player.has_acted and turns.give_turn(self, opener):
            return
        self.settle_turn(opener)

    def go_on(self) -> None:
        """Between rounds: the automatic dealer deals the next street; after the last one comes the showdown."""
        street = self.next_street()
        if street is None:
            showdown.open_showdown(self)
            return
        self._table_hands_if_all_in()
        if not self.started.is_hand_dealt:
            dealing.deal_street(self, street)
            after_deal(self)

    def _table_hands_if_all_in(self) -> None:
        """Where the book has it so, all hands are turned up as soon as nobody can bet any more."""
        if not self.street or able_to_bet(self) > 1 or self.point("all_in_showdown") != "at-once":
            return
        tabled = {fact.seat for _, fact in reversal.standing(self.facts) if isinstance(fact, f.HandTabled)}
        for player in self.players:
            if player.is_live and player.seat not in tabled:
                self.emit(f.HandTabled(player.seat, tuple(player.cards)))

    def finish_unopposed(self) -> None:
        """The last live hand takes the pot without showing."""
        if self.phase != "show":
            turns.close_round(self)
        winner = next(player.seat for player in self.players if player.is_live)
        if self.pot and self.started.drop:
            drop.take(self, ((self.pot, (winner,)),))
        if self.pot:
            self.emit(f.PotAwarded(0, winner, self.pot, "whole", 0))
        self.end()

    def end(self) -> None:
        """Write down what everybody has."""
        self.emit(f.HandEnded(tuple([(player.seat, player.stack) for player in self.players])))

    def void(self, why: str) -> None:
        """Every chip back, as if the hand had not been dealt."""
        self.emit(f.HandVoided(why, self.started.stacks))

    def next_to_show(self) -> None:
        """After a hand died at the showdown: the next one's turn."""
        showdown.next_to_show(self)

    # -- absent players ----------------------------------------------------------------------------------------------

    def kill_absent(self, seats: Sequence[int]) -> None:
        """Kill the hands of absent players, one ruling for each."""
        for seat in seats:
            self.rule("absent_player", "killed", (seat,))
            self.emit(f.HandKilled(seat))

    # -- looking -----------------------------------------------------------------------------------------------------

    def cards_due(self, player: SeatState) -> int:
        """How many cards of its own a whole hand of ``player`` has."""
        missing = 0 if player.has_early_last_card else self.missing_cards
        return self.game.hand_size - len(self.common_for(player)) - missing

    def common_for(self, player: SeatState) -> list[str | None]:
        """The common cards that play for ``player``: not the one for a last card that they have already."""
        if not player.has_early_last_card or not self.common:
            return self.common
        streets = zip(self.common, self.common_streets, strict=True)
        return [card for card, street in streets if street < self.game.hand_size]

    def next_street(self) -> Street | None:
        """The street to be dealt next; None after the last."""
        after = self.street - 2 if self.street else 0
        return self.game.streets[after] if after < len(self.game.streets) else None

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
            raise self.refusal("unknown-seat", f"Seat {seat} is not in this hand.")
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
                raise self.refusal("no-such-card", f"{card!r} is not a card.")
            if card in out:
                raise self.refusal("duplicate-card", f"The {card} is already out.")
            out.add(card)


_PLAYS: dict[type[c.Command], Callable[[Hand, Any], None]] = {
    c.Fold: betting.fold,
    c.Check: betting.check,
    c.Call: betting.call,
    c.BringIn: betting.bring_in,
    c.Wager: betting.wager,
    c.TimeOut: betting.time_out,
    c.Leave: conduct.leave,
    c.Return: conduct.come_back,
    c.Look: conduct.look,
    c.Mix: conduct.mix,
    c.PickUp: conduct.pick_up,
    c.Reorder: conduct.reorder,
    c.DeclareAllIn: conduct.declare_all_in,
    c.Show: showdown.show,
    c.Muck: showdown.muck,
    c.Deal: by_hand.deal_by_hand,
    c.DealTooSoon: premature.deal_too_soon,
    c.NameOpener: put_right.name_opener,
    c.Notice: put_right.notice,
    c.Order: floor.order,
    c.Reverse: reversal.reverse,
}
